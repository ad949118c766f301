# SPDX-License-Identifier: MIT
# The life of a failure: found by check, stored as a literal case, replayed first from then on, reported until the claim is mended.
# Usage: regressions.py SOURCE_DIR FOLDPROOF FOLDPROOF_VERIFY
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

foldproof = sys.argv[2]
checks, failures = 0, []


def check(name, holds, detail=""):
    global checks
    checks += 1
    if not holds:
        failures.append(name)
        print("FAILED", name, "|", str(detail)[:800])


def run(folder, *words):
    return subprocess.run([foldproof, *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=120)


FALSE = {"id": "order", "vars": {"X": ["n", "d"], "A": ["d", "d"], "B": ["d", "d"]}, "lhs": "(X @ A) @ B", "rhs": "X @ (B @ A)", "expect": "proved"}
OTHER = {"id": "other", "lhs": "A + B", "rhs": "B + A", "expect": "proved"}


def claims(folder, *list_of):
    (folder / "fixtures/claims").mkdir(parents=True, exist_ok=True)
    (folder / "fixtures/claims/all.json").write_text(json.dumps(list_of))


def cases(folder):
    return json.loads((folder / "fixtures/regressions.json").read_text())["cases"]


def life(folder):
    """Without arguments: claims in fixtures/claims, past failures in fixtures/regressions.json."""
    again = lambda: run(folder, "check", "--cases", 30)  # noqa: E731
    report = lambda: json.loads((folder / "reports/report.json").read_text())  # noqa: E731
    claims(folder, OTHER, FALSE)
    result = again()
    check("found", result.returncode == 1 and "DIFFERS  order: refuted, expected proved" in result.stderr, result)
    check("stored", "saved 1 minimal cases to fixtures/regressions.json" in result.stderr, result.stderr)
    stored = cases(folder)
    check("as a literal case", len(stored) == 1 and stored[0]["id"] == "order" and stored[0]["lane"] == "exact" and set(stored[0]["values"]) == {"X", "A", "B"}, stored)
    check("the first run replays nothing", report()["regressions"] == {"replayed": 0, "failing": []}, report()["regressions"])

    result = again()
    lines = [line for line in result.stderr.splitlines() if line.strip()]
    check("replayed first", lines and lines[0].startswith("REGRESSION  order:") and "the sides still differ" in lines[0], result.stderr)
    check("counted and reported", "1 past failures replayed, 1 are back" in result.stdout and report()["regressions"] == {"replayed": 1, "failing": ["order"]}, result.stdout)
    check("in report.md", "1 past failures replayed, 1 is back: order" in (folder / "reports/report.md").read_text())
    root = xml.etree.ElementTree.parse(folder / "reports/junit.xml").getroot()
    check("in junit.xml", root.get("failures") == "2" and root.find(".//testcase[@classname='past failures']/failure") is not None, root.attrib)
    check("stored once", cases(folder) == stored and "saved" not in result.stderr)
    result = run(folder, "replay", "fixtures/regressions.json")
    check("replay of the file fails too", result.returncode == 1 and "FAILS   order  exact" in result.stdout, result)

    claims(folder, OTHER, {**FALSE, "rhs": "X @ (A @ B)"})
    result = again()
    check("mended: passes", result.returncode == 0 and "1 past failures replayed, 0 are back" in result.stdout and "REGRESSION" not in result.stderr, result)
    check("the case stays", cases(folder) == stored)
    claims(folder, OTHER, FALSE)
    result = again()
    check("broken again: seen again", result.returncode == 1 and result.stderr.startswith("REGRESSION  order:"), result.stderr)
    claims(folder, OTHER, {**FALSE, "expect": "refuted"})
    result = again()
    check("stated as false: no failure", result.returncode == 0 and "0 are back" in result.stdout, result)
    claims(folder, OTHER, {**OTHER, "id": "order", "vars": {"Y": ["n", "d"]}, "lhs": "Y + 0", "rhs": "Y"})
    result = again()
    check("a claim that the numbers do not fit any more counts as failing, and says what to do", result.returncode == 1 and "remove the case" in result.stderr, result.stderr)
    claims(folder, OTHER)
    result = again()
    check("a claim that is gone: its stored text is replayed", result.returncode == 1 and "REGRESSION  order" in result.stderr, result.stderr)
    (folder / "fixtures/regressions.json").write_text('{"schema": "foldproof-regressions-1", "cases": [{"id": 3}]}')
    before = (folder / "reports/report.json").read_bytes()
    result = again()
    check("a damaged file is refused with its place", result.returncode == 2 and "fixtures/regressions.json:1:" in result.stderr and (folder / "reports/report.json").read_bytes() == before, result)


def asked_for(folder):
    """With PATH: only where --regressions says so."""
    claims(folder, FALSE)
    run(folder, "check", "fixtures/claims", "--cases", 5)
    check("with PATH and no --regressions nothing is stored", not (folder / "fixtures/regressions.json").exists() and not (folder / "regressions.json").exists())
    for i in (1, 2):
        run(folder, "check", "fixtures/claims", "--cases", 5, "--regressions", "mine.json")
    stored = json.loads((folder / "mine.json").read_text())["cases"]
    check("with --regressions it is, once", len(stored) == 1, stored)


for part in (life, asked_for):
    with tempfile.TemporaryDirectory() as name:
        try:
            part(pathlib.Path(name))
        except Exception as error:  # a crash of the test is a failure like any other, and the other parts still run
            failures.append(part.__name__)
            print("FAILED", part.__name__, "|", repr(error)[:600])
print(f"regressions: {checks} checks, {len(failures)} failures")
sys.exit(1 if failures or checks == 0 else 0)
