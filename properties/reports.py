# SPDX-License-Identifier: MIT
# What check writes besides its verdicts: the same bytes on any number of threads, everything that a second run needs, files that
# build servers, graders and viewers read; and a report that is run again.
# Usage: reports.py SOURCE_DIR FOLDPROOF FOLDPROOF_VERIFY
import json
import os
import pathlib
import re
import shlex
import stat
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from checks import check, failures, finish

source = pathlib.Path(sys.argv[1]).resolve()
foldproof = str(pathlib.Path(sys.argv[2]).resolve())

CLAIMS = [
    {"id": "fold", "title": "a <title> & \"more\"", "lhs": "(X @ A) @ B", "rhs": "X @ (A @ B)", "expect": "proved"},
    {"id": "order", "lhs": "A @ B", "rhs": "B @ A", "expect": "refuted"},
    {"id": "rotation", "vars": {"R": ["d", "d"]}, "assume": ["R.T @ R == eye(d)"], "lhs": "(X @ R.T) @ (R @ Y)", "rhs": "X @ Y", "expect": "proved"},
    {"id": "wrong", "lhs": "softmax(X @ A) @ B", "rhs": "softmax(X @ A @ B)", "expect": "proved"},
    {"id": "typo", "lhs": "sofmax(A)", "rhs": "A", "expect": "invalid"},
]


def run(folder, *words, **environment):
    return subprocess.run([foldproof, *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=120, env={**os.environ, "GITHUB_STEP_SUMMARY": "", **environment})


def report(path):
    return json.loads((path / "report.json").read_text())


def same_bytes(folder):
    """Two runs: other threads, other place of output, another day."""
    seen = []
    for threads, day in ((1, "0"), (2, "1")):
        result = run(folder, "check", "claims.json", "--out", f"t{threads}", "--cases", 60, "--threads", threads, "--seed", 7, "--observations", f"o{threads}.jsonl", SOURCE_DATE_EPOCH=day)
        check("check", result.returncode == 1 and "1 differing" in result.stdout, result)
        seen.append(report(folder / f"t{threads}"))
    check("SOURCE_DATE_EPOCH is the time", [r["volatile"]["time"] for r in seen] == ["1970-01-01T00:00:00Z", "1970-01-01T00:00:01Z"])
    for r in seen:
        r.pop("volatile")
        r["environment"]["variables"].pop("SOURCE_DATE_EPOCH")
    check("the same bytes outside the volatile block", json.dumps(seen[0]) == json.dumps(seen[1]))
    first, second = [(folder / f"o{t}.jsonl").read_text().replace('"run_start":1.0', '"run_start":0.0') for t in (1, 2)]
    check("the same observations", first == second and first)
    linked, pipe = folder / "linked.jsonl", folder / "pipe"
    linked.symlink_to("o1.jsonl")
    os.mkfifo(pipe)
    run(folder, "check", "claims.json", "--out", "linked", "--cases", 60, "--seed", 7, "--observations", "linked.jsonl", SOURCE_DATE_EPOCH=day)
    check("a link to observations stays one", linked.is_symlink() and (folder / "o1.jsonl").is_file())
    with open(folder / "read.jsonl", "wb") as read:
        reader = subprocess.Popen(["cat", pipe], stdout=read)
    run(folder, "check", "claims.json", "--out", "piped", "--cases", 60, "--seed", 7, "--observations", "pipe", SOURCE_DATE_EPOCH=day)
    reader.wait(timeout=60)
    check("a pipe gets observations as they are", (folder / "read.jsonl").read_text().count("\n") == first.count("\n") and stat.S_ISFIFO(pipe.stat().st_mode))


def contents(folder):
    """Every row of the table of what a reproducibility report must contain, by where it is in report.json."""
    r = report(folder / "t1")
    claim = {c["id"]: c for c in r["claims"]}
    environment = r["environment"]
    result = run(folder, "check", "claims.json", "--out", "alone", "--cases", 1, PATH="/nowhere")
    check("the version of the sources is that of the build, whatever their folder holds now", report(folder / "alone")["environment"]["source"] == environment["source"] and re.fullmatch("[0-9a-f]{40}|unknown", environment["source"]["commit"]), result)
    rows = {
        "identity": [r["schema"], environment["foldproof"], r["volatile"]["time"], r["digests"]["claims"]],
        "invocation": [r["command"], r["volatile"]["argv"], r["volatile"]["directory"], environment["variables"], r["exit_status"] == 1],
        "source": [environment["source"]["commit"], "dirty" in environment["source"], "diff_sha256" in environment["source"], "remote" in environment["source"], "submodules" in environment["source"]],
        "build": [environment["build"][k] for k in ("compiler", "standard_library", "flags", "build_type", "compiled_for")] + ["fuses_products" in environment["build"], environment["build_fingerprint"]],
        "machine": [environment["processor"][k] for k in ("model", "threads")] + [environment["system"][k] for k in ("name", "kernel", "architecture", "container")] + [environment["floating_point"]["rounding"], r["volatile"]["threads"]],
        "libraries": [environment["libraries"][k] for k in ("Eigen", "Boost", "nlohmann_json", "fmt", "oneTBB", "OpenSSL", "RapidCheck")],
        "randomness": [environment["generator"], environment["case_rule"], r["seed"], r["cases"], claim["fold"]["tests"]["formats"][0]["cases"], "discarded" in claim["fold"]["tests"]["formats"][0]],
        "inputs": [r["inputs"][0][k] for k in ("path", "sha256", "bytes")],
        "claims": [claim["fold"]["statement"], claim["fold"]["digests"]["claim"], claim["rotation"]["assumptions"], claim["fold"]["derivation"], claim["fold"]["certificate"], claim["order"]["counterexample"]],
        "numerics": [r["numerics"]["formats"], r["numerics"]["bound"], claim["fold"]["tests"]["formats"][0]["formula"], claim["fold"]["tests"]["formats"][0]["worst_element"]],
        "results": [r["digests"]["exact"], r["digests"]["numeric"], claim["fold"]["digests"]["exact"], claim["fold"]["digests"]["numeric"]],
        "coverage": [r["coverage"]["operators"].get("@", 0) >= 3, r["coverage"]["laws"], claim["fold"]["tests"]["excluded"]],
        "time": [r["volatile"]["seconds"] > 0, r["volatile"]["peak_memory"] > 1 << 20, r["volatile"]["durations"]["fold"]],
    }
    for row, values in rows.items():
        check(f"report.json has {row}", all(value not in (None, "", [], {}, False) for value in values), values)
    check("the command leaves out what changes nothing", "--threads" not in r["command"] and "--out" not in r["command"] and r["command"][:3] == ["foldproof", "check", "claims.json"], r["command"])
    (folder / "spaced.txt").write_text("(X@A) @ B   ==  X@(A@B)  # a comment\n")
    run(folder, "check", "spaced.txt", "--out", "spaced", "--cases", 1)
    check("the digest of a claim ignores white space and comments", report(folder / "spaced")["claims"][0]["digests"]["claim"] == claim["fold"]["digests"]["claim"])


# What junit-10.xsd of Jenkins' xUnit plugin allows; Jenkins' own reader, GitLab and the GitHub actions ask for less.
JUNIT = {
    "testsuites": ({"name", "time", "tests", "failures", "errors"}, set(), {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"}, {"name", "tests", "failures", "errors"}, {"testsuite", "properties", "testcase", "system-out", "system-err"}),
    "properties": (set(), set(), {"property"}),
    "property": ({"name", "value"}, {"name", "value"}, set()),
    "testcase": ({"name", "time", "classname", "group"}, {"name"}, {"skipped", "error", "failure", "system-out", "system-err"}),
    "failure": ({"type", "message"}, set(), set()),
    "system-out": (set(), set(), set()),
}


def junit(folder):
    root = xml.etree.ElementTree.parse(folder / "t1/junit.xml").getroot()
    for element in root.iter():
        allowed, required, children = JUNIT.get(element.tag, (None, None, None))
        check(f"junit: {element.tag} is known", allowed is not None, element.tag)
        if allowed is not None:
            check(f"junit: attributes of {element.tag}", required <= set(element.keys()) <= allowed, element.keys())
            check(f"junit: children of {element.tag}", {child.tag for child in element} <= children, [c.tag for c in element])
        if "time" in element.keys():
            check("junit: time", re.fullmatch(r"(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?", element.get("time")), element.get("time"))
    suite = root.find("testsuite")
    cases = suite.findall("testcase")
    failed = [case.get("name") for case in cases if case.find("failure") is not None]
    check("junit: counts", int(suite.get("tests")) == len(cases) == len(CLAIMS) and int(suite.get("failures")) == len(failed) and failed == ["wrong"], failed)
    check("junit: suite properties", {p.get("name") for p in suite.iter("property")} >= {"seed", "exact digest", "commit", "build fingerprint"})
    lines = cases[0].find("system-out").text.split("\n")
    check("junit: properties of a case", "[[PROPERTY|verdict=proved]]" in lines and any(line.startswith("[[PROPERTY|worst ratio float32=") for line in lines), lines)


def words(folder):
    """What is known is said once, and in the form that people read."""
    sizes = {"id": "sizes", "vars": {"W": ["d", "k"]}, "assume": ["k == d"], "lhs": "X @ W @ W", "rhs": "X @ (W @ W)"}
    (folder / "words.json").write_text(json.dumps([{"id": "order", "lhs": "A @ B", "rhs": "B @ A"}, {"id": "shape", "lhs": "A @", "rhs": "B"}, sizes]))
    run(folder, "check", "words.json", "--out", "words", "--cases", 20)
    text = (folder / "words/report.md").read_text()
    check("report.md: rows of a matrix", "    A = [1  0]\n        [0  0]\n" in text and '["' not in text, text)
    message = report(folder / "words")["claims"][1]["diagnostic"]["message"]
    check("report.md: a message once", text.count(message.split("`")[0]) == 1, text)
    page = (folder / "words/report.html").read_text()
    check("report.html: no lane without cases", "Bit for bit" in page and "exact rationals: 0 cases" not in page, page[-3000:])
    answer = report(folder / "words")["claims"][2]["assumptions"][0]
    check("report.json: why there is no counterexample", answer["counterexample"] is None and answer["reason"] == "without it the shapes do not fit", answer)
    for name, where in (("report.md", text), ("report.html", page)):
        check(name + ": why there is no counterexample", "needed; without it the shapes do not fit" in where, where[-2000:])


def too_few_cases(folder):
    """One case can hardly show that a false claim is false: that is no failure of the claim, and no success of the test."""
    result = run(folder, "check", source / "fixtures/claims/positional.json", "--out", "few", "--cases", 1)
    claims = [c for c in report(folder / "few")["claims"] if c["tests"] and "too_few_cases" in c["tests"]]
    check("some claim needs more than one case", claims and all(c["expect"] == "refuted" for c in claims), result.stdout)
    check("too few cases: status", result.returncode == 3 and "FAILED" not in result.stderr, (result.returncode, result.stderr))
    check("too few cases: counted apart", f", {len(claims)} not tested" in result.stdout and "0 failed" in result.stdout, result.stdout)
    for c in claims:
        check("too few cases: said", f"NOT TESTED  {c['id']}: too few cases: in none of 1" in result.stderr, result.stderr)
    root = xml.etree.ElementTree.parse(folder / "few/junit.xml").getroot()
    check("too few cases: skipped in junit.xml", [s.get("message") for s in root.iter("skipped")] == ["not tested: " + c["tests"]["not_tested"] for c in claims] and root.get("failures") == "0")
    check("too few cases: not passed in report.html", "too few cases" in (folder / "few/report.html").read_text())
    check("enough cases", run(folder, "check", source / "fixtures/claims/positional.json", "--out", "enough", "--cases", 300).returncode == 0)
    page = (folder / "few/report.html").read_text()
    charts = (folder / "enough/report.html").read_text()
    check("charts say what they leave out", "are left out:" in charts and "is drawn at 1e-6" in charts and not re.search(r">1e(1[3-9]|[2-9][0-9]|[0-9]{3})</text>", charts))
    check("report.html counts seeded bugs", re.search(r"<dt>Seeded bugs</dt><dd>\d+ of \d+ seeded bugs killed", page) is not None)
    check("report.html says what its digest depends on", "for the same claims, seed and number of cases" in page)


def gradescope(folder):
    result = run(folder, "check", "claims.json", "--out", "graded", "--cases", 5, "--format", "gradescope")
    results = json.loads((folder / "graded/results.json").read_text())
    top = {"score", "execution_time", "output", "output_format", "test_output_format", "test_name_format", "visibility", "stdout_visibility", "extra_data", "tests", "leaderboard"}
    per_test = {"score", "max_score", "status", "name", "name_format", "number", "output", "output_format", "tags", "visibility", "extra_data"}
    check("gradescope: only fields of the specification", set(results) <= top and all(set(t) <= per_test for t in results["tests"]), results.keys())
    check("gradescope: points", [t["score"] for t in results["tests"]] == [1, 1, 1, 0, 1] and all(t["max_score"] == 1 for t in results["tests"]), results["tests"])
    check("gradescope: status", [t["status"] for t in results["tests"]].count("failed") == 1)
    check("gradescope: what a student sees", "lhs = " in results["tests"][3]["output"] and results["tests"][0]["name"] == CLAIMS[0]["title"])
    check("an unknown format is bad usage", run(folder, "check", "claims.json", "--format", "word").returncode == 2)
    check("gradescope: exit status is that of check", result.returncode == 1)


# schema_observations.json of Hypothesis, "Test case": all required, nothing else.
OBSERVATION = {"type": str, "status": str, "status_reason": str, "representation": str, "arguments": dict, "how_generated": str, "features": dict, "coverage": type(None), "timing": dict, "metadata": dict, "property": str, "run_start": (int, float)}


def observations(folder):
    lines = [json.loads(line) for line in (folder / "o1.jsonl").read_text().splitlines()]
    check("observations: fields and types", lines and all(set(o) == set(OBSERVATION) and all(isinstance(o[k], t) for k, t in OBSERVATION.items()) for o in lines), lines[:1])
    check("observations: constants", all(o["type"] == "test_case" and o["status"] in ("passed", "failed", "gave_up") for o in lines))
    r = report(folder / "t1")
    for claim in r["claims"]:
        formats = claim["tests"].get("formats", []) if claim["tests"] else []
        mine = [o for o in lines if o["property"] == claim["id"]]
        check("observations: one a case", len(mine) == sum(f["cases"] for f in formats), (claim["id"], len(mine)))
        beyond = sum(f["beyond"] for f in formats)
        check("observations: outcomes as counted", sum(o["features"]["outcome"] == "beyond" for o in mine) == beyond, claim["id"])
    check("observations: in the order of the claims", list(dict.fromkeys(o["property"] for o in lines)) == [c["id"] for c in CLAIMS if c["id"] != "typo"])
    check("observations: nothing half-written", not list(folder.glob("*.partial")))
    check("observations: an unwritable file is trouble", run(folder, "check", "claims.json", "--out", "x", "--observations", "/proc/none").returncode == 2)


def summary(folder):
    path = folder / "summary.md"
    path.write_text("what another step wrote\n")
    run(folder, "check", "claims.json", "--out", "s", "--cases", 2, GITHUB_STEP_SUMMARY=str(path))
    text = path.read_text()
    check("job summary: appended", text.startswith("what another step wrote\n## foldproof: **not as expected**") and "### wrong: refuted" in text, text[:300])
    many = [{"id": f"claim {i}", "lhs": "A", "rhs": "A + B", "expect": "proved", "why": "y" * 1900} for i in range(500)]
    (folder / "many.json").write_text(json.dumps(many))
    path.write_text("")
    run(folder, "check", "many.json", "--out", "s", "--cases", 0, GITHUB_STEP_SUMMARY=str(path))
    size = path.stat().st_size
    check("job summary: under 1 MB, and says that it was cut", 500_000 < size < 1_000_000 and "Cut here" in path.read_text()[-200:], size)
    unwritable = run(folder, "check", "claims.json", "--out", "s", "--cases", 1, GITHUB_STEP_SUMMARY="/proc/none/x")
    check("job summary: one that cannot be written is a warning", unwritable.returncode == 1 and "warning: the job summary" in unwritable.stderr)


def repro(folder):
    result = run(folder, "repro", "t1/report.json")
    check("repro: the same", result.returncode == 0 and result.stdout.endswith("the same\n"), result)
    check("repro: the words of the report run it too", subprocess.run(shlex.join([foldproof, *report(folder / "t1")["command"][1:]]) + " --out typed", shell=True, cwd=folder, capture_output=True).returncode == 1)
    check("repro: what was typed gives the same digests", report(folder / "typed")["digests"] == report(folder / "t1")["digests"])

    def changed(name, code, says, change, **more):
        value = report(folder / "t1")
        change(value)
        if "counts" in value and isinstance(value.get("claims"), list):  # a report whose counts are wrong is not read at all
            verdicts = [c.get("verdict") for c in value["claims"]]
            value["counts"].update({v: verdicts.count(v) for v in ("proved", "refuted", "undecided", "invalid")})
        (folder / "changed.json").write_text(json.dumps(value))
        answer = run(folder, "repro", "changed.json", **more)
        check(f"repro: {name}", answer.returncode == code and says in answer.stdout + answer.stderr and "internal error" not in answer.stderr, answer)

    changed("another verdict in the report", 1, "verdict changed", lambda r: r["claims"][0].update(verdict="refuted"))
    changed("another digest in the report", 1, "exact digest    DIFFERS", lambda r: r["digests"].update(exact="0" * 64))
    changed("another exit status in the report", 1, "exit status 0 -> 1", lambda r: r.update(exit_status=0))
    changed("an input that is not here", 2, "run it where the report was made", lambda r: r["inputs"][0].update(path="absent.json"))
    changed("an input that was changed", 0, "is not the file that the report is about", lambda r: r["inputs"][0].update(sha256="0" * 64))
    changed("a command that is not check", 2, "is not `foldproof check`", lambda r: r.update(command=["rm", "-rf", "x"]))
    changed("options that do not exist", 2, "cannot be read", lambda r: r["command"].append("--exec"))
    changed("a damaged command", 2, "damaged", lambda r: r.update(command=3))
    before = sorted(p.name for p in folder.iterdir())
    (folder / "past.json").write_text('{"schema": "foldproof-regressions-1", "cases": []}')
    changed("a command that would write", 0, "the same", lambda r: r["command"].extend(["--regressions", "past.json"]))
    check("repro: writes nothing", sorted(p.name for p in folder.iterdir() if p.name != "past.json") == before and (folder / "past.json").read_text().endswith('"cases": []}'))


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "claims.json").write_text(json.dumps(CLAIMS))
    for part in (same_bytes, contents, words, junit, too_few_cases, gradescope, observations, summary, repro):
        try:
            part(folder)
        except Exception as error:  # a crash of the test is a failure like any other, and the other parts still run
            failures.append(part.__name__)
            print("FAILED", part.__name__, "|", repr(error)[:600])
finish("reports")
