# SPDX-License-Identifier: MIT
# The life of a failure: found by check, stored as a literal case, replayed first from then on, reported until the claim is mended.
# Usage: regressions.py SOURCE_DIR FOLDPROOF FOLDPROOF_VERIFY
import json
import subprocess
import sys
import xml.etree.ElementTree

from checks import check, finish, run_parts

foldproof = sys.argv[2]


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


def several_at_once(folder):
    """Shards that find failures at the same time all store theirs."""
    claims(folder, *({**FALSE, "id": f"order {i}"} for i in range(8)))
    words = [foldproof, "check", "fixtures/claims", "--cases", "0", "--regressions", "mine.json"]
    shards = [subprocess.Popen([*words, "--shard", f"{i}/8", "--out", f"shard{i}"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for i in range(1, 9)]
    check("each shard fails", all(shard.wait(timeout=60) == 1 for shard in shards))
    stored = json.loads((folder / "mine.json").read_text())["cases"]
    check("all cases are stored", sorted(c["id"] for c in stored) == [f"order {i}" for i in range(8)], [c["id"] for c in stored])


run_parts(life, asked_for, several_at_once)
finish("regressions")
