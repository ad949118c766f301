#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The catalogue comes out as it was approved: verdicts, certificates and counterexamples, one line a claim.

    approved.py SOURCE FOLDPROOF FOLDPROOF_VERIFY            compares, as a test
    approved.py SOURCE FOLDPROOF FOLDPROOF_VERIFY --approve  takes what the program says now; read the difference before committing it

A line that changed or went away fails. A claim that is new is told and does not fail: it is approved with the next --approve.
"""
import difflib
import json
import pathlib
import subprocess
import sys
import tempfile

HEADER = [
    "# The approved outcome of fixtures/claims: id, verdict, evidence. Written by properties/approved.py --approve, never by hand.",
    "# Conflicts are resolved by writing it again.",
]


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).replace('"', "")


def line(claim):
    verdict, found, certificate = claim["verdict"], claim["counterexample"], claim["certificate"]
    if certificate:
        evidence = f"certificate {certificate['sha256'][:16]} {certificate['steps']} steps"
    elif found:
        evidence = f"{found['how']} {compact(found['dims'])} " + " ".join(f"{name}={compact(value)}" for name, value in found["values"].items())
        if found["how"] == "exact":
            evidence += f" lhs={compact(found['lhs'])} rhs={compact(found['rhs'])}"
    elif claim["diagnostic"]:
        evidence = claim["diagnostic"]["code"]
    else:
        evidence = claim["reason"] or ""
    return f"{claim['id']}\t{verdict}\t{evidence}".replace("\n", " ")


def outcome(source, foldproof):
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([foldproof, "check", source / "fixtures/claims", "--cases", "0", "--out", folder], cwd=folder, capture_output=True, text=True)
        report = pathlib.Path(folder) / "report.json"
        if not report.exists():
            sys.exit("FAILED: foldproof check wrote no report:\n" + run.stderr[:2000])
        return sorted(line(claim) for claim in json.loads(report.read_text())["claims"])


def compared(approved, now):
    """Lines that changed or went away, as a difference; and ids that are new."""
    before = {text.split("\t")[0]: text for text in approved}
    after = {text.split("\t")[0]: text for text in now}
    changed = [id for id in before if after.get(id) != before[id]]
    difference = []
    for id in changed:
        difference += list(difflib.ndiff([before[id]], [after[id]] if id in after else []))
    return difference, [id for id in after if id not in before]


def self_check():
    """A comparison that finds nothing would approve everything."""
    approved = ["a\tproved\tcertificate 1", "b\trefuted\texact {n:2}"]
    assert compared(approved, approved) == ([], [])
    assert compared(approved, ["a\trefuted\tcertificate 1", approved[1]])[0]
    assert compared(approved, ["a\tproved\tcertificate 2", approved[1]])[0]
    assert compared(approved, approved[:1])[0]
    assert compared(approved, approved + ["c\tproved\t"]) == ([], ["c"])


def main():
    self_check()
    source, foldproof = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
    path = source / "reports/approved/catalogue.txt"
    now = outcome(source, foldproof)
    if sys.argv[4:] == ["--approve"]:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(HEADER + now) + "\n", encoding="utf-8")
        return 0
    approved = [text for text in path.read_text(encoding="utf-8").splitlines() if not text.startswith("#")] if path.exists() else []
    difference, new = compared(approved, now)
    command = "/usr/bin/python3 properties/approved.py . build/release/src/foldproof build/release/src/foldproof-verify --approve"
    if new:
        print(f"note: {len(new)} claims are not approved yet, such as {new[0]}; to approve them: {command}")
    if difference or not approved:
        print("\n".join(difference))
        print(f"FAILED: this is not as approved. If it is meant, approve it, read the difference, commit it:\n  {command}")
        return 1
    print(f"approved: {len(approved)} claims as approved")
    return 0


if __name__ == "__main__":
    sys.exit(main())
