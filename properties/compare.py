# SPDX-License-Identifier: MIT
# Two reports compared: the same run twice, and one report changed in every way that the comparison names. Each change must be seen.
# Usage: compare.py SOURCE_DIR FOLDPROOF FOLDPROOF_VERIFY
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

from checks import check, finish

try:
    from jsonschema import Draft202012Validator
except ImportError:
    sys.exit("FAILED: the Python module jsonschema is missing; install the package python3-jsonschema")

source, foldproof = pathlib.Path(sys.argv[1]), sys.argv[2]
schema = Draft202012Validator(json.loads((source / "fixtures/schemas/comparison.schema.json").read_text()))

CLAIMS = [
    {"id": "fold", "lhs": "(X @ A) @ B", "rhs": "X @ (A @ B)", "expect": "proved"},
    {"id": "order", "lhs": "A @ B", "rhs": "B @ A", "expect": "refuted"},
    {"id": "softmax", "lhs": "softmax(X @ A) @ B", "rhs": "softmax(X @ A @ B)", "expect": "refuted"},
    {"id": "rows", "vars": {"S": ["n", "k"]}, "lhs": "rowsum(softmax(S))", "rhs": "ones(n, 1)", "expect": "proved"},
]


def counted(report):
    """The report with the counts of its claims, as if it had been written so."""
    if not isinstance(report, dict) or not isinstance(report.get("claims"), list) or "counts" not in report:
        return report
    verdicts = [c.get("verdict") for c in report["claims"]]
    return {**report, "counts": {**report["counts"], **{v: verdicts.count(v) for v in ("proved", "refuted", "undecided", "invalid")}}}


def compare(folder, before, after, *options, as_is=False):
    paths = []
    for name, report in (("before", before), ("after", after)):
        report = report if as_is else counted(report)
        paths.append(folder / f"{name}.json")
        paths[-1].write_text(report if isinstance(report, str) else json.dumps(report))
    return subprocess.run([foldproof, "compare", *paths, *options], capture_output=True, text=True, timeout=60)


def claim(report, id):
    return next(c for c in report["claims"] if c["id"] == id)


def change(path, value):
    """A change of the claim `fold` or `order`, at the place that `path` names."""
    def apply(report):
        *steps, last = path
        target = report
        for step in steps:
            target = claim(report, step[1:]) if isinstance(step, str) and step.startswith("#") else target[step]
        target[last] = value
    return apply


def remove(report):
    report["claims"] = [c for c in report["claims"] if c["id"] != "rows"]


def add(report):
    report["claims"].append({**copy.deepcopy(claim(report, "fold")), "id": "new", "statement": "another"})


def rename(report):
    claim(report, "rows")["id"] = "lines"


# name, change, key of the comparison that must have it, whether it is a difference
CHANGES = [
    ("verdict", change(["#fold", "verdict"], "refuted"), "verdicts", True),
    ("expectation", change(["#fold", "expect"], "refuted"), "verdicts", True),
    ("certificate", change(["#fold", "certificate", "sha256"], "0" * 64), "evidence", True),
    ("counterexample", change(["#order", "counterexample", "dims", "n"], 3), "evidence", True),
    ("statement", change(["#order", "statement"], "A == B"), "evidence", True),
    ("exact lane", change(["#fold", "tests", "exact_lane", "failed"], 1), "evidence", True),
    ("a test that fails now", change(["#fold", "tests", "passed"], False), "tests", True),
    ("a bound ratio", change(["#fold", "tests", "formats", 0, "worst_ratio"], "0x1.8p-1"), "ratios", False),
    ("a failed format", change(["#fold", "tests", "formats", 0, "failed"], 1), "ratios", False),
    ("a removed claim", remove, "removed", True),
    ("an added claim", add, "added", True),
    ("a renamed claim", rename, "renamed", True),
    ("exact digest", change(["digests", "exact"], "0" * 64), None, True),
    ("numeric digest", change(["digests", "numeric"], "0" * 64), None, True),
    ("a past failure that is back", change(["regressions", "failing"], ["old"]), "regressions", True),
    ("interrupted", change(["interrupted"], True), None, True),
    ("seed", change(["seed"], "2"), "settings", True),
    ("an input file", change(["inputs", 0, "sha256"], "0" * 64), "inputs", False),
    ("another machine", change(["environment", "processor", "model"], "abacus"), "environment", False),
    ("another day", change(["volatile", "time"], "1970-01-01T00:00:00Z"), None, False),
]


def changes(folder, report):
    for name, apply, key, differs in CHANGES:
        after = copy.deepcopy(report)
        apply(after)
        result = compare(folder, report, after, "--json")
        found = json.loads(result.stdout) if result.stdout else {}
        check(f"{name}: the schema", not list(schema.iter_errors(found)), [e.message for e in schema.iter_errors(found)][:2])
        check(f"{name}: exit status", result.returncode == (1 if differs else 0) and found["same"] is not differs, (result.returncode, found.get("differences")))
        check(f"{name}: where it belongs", key is None or found[key], found)
        for option in ("--markdown", None):
            text = compare(folder, report, after, *([option] if option else []))
            check(f"{name}: text agrees", text.returncode == result.returncode and text.stdout.strip(), text)
        backwards = compare(folder, after, report)
        check(f"{name}: seen both ways", backwards.returncode == result.returncode, backwards.stdout)


def explained(folder, report):
    """Marks and digests that differ say why."""
    after = copy.deepcopy(report)
    after["cases"] += 1
    claim(after, "fold")["tests"]["formats"][0]["worst_ratio"] = "0x1.0000000001p-1"
    claim(report := copy.deepcopy(report), "fold")["tests"]["formats"][0]["worst_ratio"] = "0x1p-1"
    claim(after, "fold")["digests"]["exact"] = after["digests"]["exact"] = "0" * 64
    claim(after, "fold")["tests"]["exact_lane"]["cases"] += 1
    text = compare(folder, report, after).stdout
    check("the mark ? is explained", f"marks: ? not to be compared, cases {report['cases']} against {after['cases']}" in text, text)
    check("ratios that differ look different", "0.5 -> 0.50000000000" in text, text)
    check("what differs in the exact digest", "exact_lane of 1 claims" in text, text)
    check("the same in Markdown", "Marks: ? not to be compared" in compare(folder, report, after, "--markdown").stdout)


def only_expected(folder, report):
    """A verdict that stays and meets another expectation is no changed verdict."""
    after = copy.deepcopy(report)
    claim(after, "fold")["expect"] = "refuted"
    for option in ((), ("--markdown",)):
        text = compare(folder, report, after, *option).stdout
        check(f"only the expectation changed {option}", "expectation changed" in text and "fold: still proved, expected proved -" in text and "verdict changed" not in text, text)


def builds(folder, report):
    other = copy.deepcopy(report)
    other["environment"]["build"]["flags"] = "-O1"
    other["environment"]["build_fingerprint"] = "0" * 16
    other["digests"]["numeric"] = "0" * 64
    result = compare(folder, report, other)
    check("numeric digests of two builds are not comparable, and the flag is named", result.returncode == 0 and "not comparable: the builds differ: flags" in result.stdout and "-O1" in result.stdout, result.stdout)


def bad_input(folder, report):
    for name, bad in (("no JSON", "{"), ("empty", ""), ("other JSON", "{}"), ("a list", "[]"), ("a claim file", json.dumps(CLAIMS)), ("another version", json.dumps({**report, "schema": "foldproof-report-9"})),
                      ("damaged", json.dumps({**report, "claims": [{}]})), ("claims of a wrong type", json.dumps({**report, "claims": 3})), ("no digests", json.dumps({k: v for k, v in report.items() if k != "digests"}))):
        for order in ((bad, report), (report, bad)):
            result = compare(folder, *order)
            check(f"{name} is trouble", result.returncode == 2 and 0 < len(result.stderr) < 2000 and not result.stdout and "internal error" not in result.stderr, result)
    absent = subprocess.run([foldproof, "compare", folder / "absent.json", folder / "before.json"], capture_output=True, text=True)
    check("a file that is not there is trouble", absent.returncode == 2 and "absent.json" in absent.stderr, absent)


def inconsistent(folder, report):
    """A report that was changed after it was written disagrees with itself."""
    more = {**report, "counts": {**report["counts"], "proved": 99}}
    twice = {**report, "claims": report["claims"] + [claim(report, "fold")]}
    for name, bad, words in (("a count", more, "counts 99 claims as proved"), ("a claim that stands twice", twice, "fold stands in the report twice")):
        for order in ((bad, report), (report, bad)):
            result = compare(folder, *order, as_is=True)
            check(f"{name} that was changed by hand is trouble", result.returncode == 2 and words in result.stderr and not result.stdout, result)
    beyond = copy.deepcopy(report)
    claim(beyond, "fold")["tests"]["formats"][0]["worst_ratio"] = "0x1.8p+1"
    text = compare(folder, report, beyond).stdout
    check("a ratio above 1 is not within the bound", "! " in text and "-> 3" in text, text)


def large(folder, report):
    big = copy.deepcopy(report)
    model = claim(report, "fold")
    many = 8000  # more would need gigabytes and minutes on a busy machine
    big["claims"] = [{**model, "id": f"claim|<{i}>" + "x" * 200, "verdict": "refuted"} for i in range(many)]
    result = compare(folder, report, big, "--markdown")
    check("markdown stays under 1 MB and says that it was cut", result.returncode == 1 and len(result.stdout.encode()) < 1_000_000 and "Cut here" in result.stdout.splitlines()[-1], len(result.stdout))
    check("ids cannot break out of the markdown", "<0>" not in result.stdout)
    text = compare(folder, report, big)
    check("text shows some of many", f"and {many - 50} more" in text.stdout, text.stdout[-300:])


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "claims.json").write_text(json.dumps(CLAIMS))
    reports = []
    for threads in ("1", "2"):
        run = subprocess.run([foldproof, "check", folder / "claims.json", "--out", folder / threads, "--cases", "40", "--threads", threads], capture_output=True, text=True)
        check("check", run.returncode == 0, run.stderr)
        reports.append(json.loads((folder / threads / "report.json").read_text()))
    same = compare(folder, *reports)
    check("a run compared with itself on other threads", same.returncode == 0 and same.stdout.endswith("the same\n"), same.stdout)
    changes(folder, reports[0])
    explained(folder, reports[0])
    only_expected(folder, reports[0])
    builds(folder, reports[0])
    bad_input(folder, reports[0])
    inconsistent(folder, reports[0])
    large(folder, reports[0])
finish("compare")
