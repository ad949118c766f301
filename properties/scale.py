# SPDX-License-Identifier: MIT
# A run is the same run whoever does it: on any number of threads, in shards that are merged, interrupted, killed and resumed.
# Usage: scale.py SOURCE_DIR FOLDPROOF FOLDPROOF_VERIFY
import json
import signal
import subprocess
import sys
import time

from checks import check, finish, run_parts

foldproof = sys.argv[2]


def run(*words, folder):
    return subprocess.run([foldproof, *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=120)


def outcome(path):
    """The bytes of a report outside the volatile block, and that block."""
    report = json.loads((path / "report.json").read_text())
    return json.dumps({key: value for key, value in report.items() if key != "volatile"}), report["volatile"]


def claims(folder, count):
    words = [("(X @ A) @ B", "X @ (A @ B)", "proved"), ("A @ B", "B @ A", "refuted"), ("(A + B).T", "A.T + B.T", "proved")]
    path = folder / "claims.json"
    path.write_text(json.dumps([{"id": f"claim {i}", "lhs": words[i % 3][0], "rhs": words[i % 3][1], "expect": words[i % 3][2]} for i in range(count)]))
    return path


def threads_and_shards(folder):
    claims(folder, 3)
    run("check", "claims.json", "--cases", 4200, "--threads", 5, "--out", "out", folder=folder)
    ways = {}
    for name, words in {"one thread": ["--threads", 1]}.items():
        result = run("check", "claims.json", "--cases", 4200, *words, "--out", name, folder=folder)
        check(name, result.returncode == 0, result)
        ways[name] = {**json.loads(outcome(folder / name)[0]), "command": None}
    whole = {**json.loads(outcome(folder / "out")[0]), "command": None}
    check("threads change nothing", all(way == whole for way in ways.values()))
    cases = [f["cases"] for f in whole["claims"][0]["tests"]["formats"]]
    check("all cases were run", cases[0] == 4200, cases)

    shards = [folder / f"shard{i}/report.json" for i in (1, 2, 3)]
    for i in (1, 2, 3):
        check(f"shard {i}", run("check", "claims.json", "--cases", 4200, "--shard", f"{i}/3", "--out", f"shard{i}", folder=folder).returncode == 0)
    merged = run("merge", shards[2], shards[0], shards[1], "--out", "merged", folder=folder)
    check("merged shards are the whole", merged.returncode == 0 and {**json.loads(outcome(folder / "merged")[0]), "command": None} == whole, merged)
    for name, words, message in (
        ("a gap", [shards[0], shards[2]], "shard 2/3 is missing"),
        ("an overlap", [shards[0], shards[1], shards[1], shards[2]], "again in"),
        ("no report", [folder / "claims.json"], "is no report"),
        ("no JSON", [foldproof], "foldproof"),
        ("no file", [folder / "absent.json"], "absent.json"),
    ):
        result = run("merge", *words, "--out", "refused", folder=folder)
        check("merge refuses " + name, result.returncode == 2 and message in result.stderr and not (folder / "refused").exists(), result)
    run("check", "claims.json", "--cases", 5, "--seed", 2, "--shard", "2/3", "--out", "other", folder=folder)
    result = run("merge", shards[0], folder / "other/report.json", shards[2], "--out", "refused", folder=folder)
    check("merge refuses another seed", result.returncode == 2 and "seed is 1 in" in result.stderr, result)
    (folder / "differs.json").write_text(json.dumps([{"id": "d", "lhs": "A @ B", "rhs": "B @ A", "expect": "proved"}, {"id": "e", "lhs": "A + B", "rhs": "B + A"}]))
    for i in (1, 2):
        run("check", "differs.json", "--cases", 20, "--shard", f"{i}/2", "--out", f"d{i}", folder=folder)
    result = run("merge", "d1/report.json", "d2/report.json", "--out", "d", folder=folder)
    check("merge has the exit status of the whole", result.returncode == 1 and "DIFFERS  d" in result.stderr, result)


ARGUMENTS = ["check", "claims.json", "--cases", 100, "--threads", 1, "--out", "out"]


def stopped(folder, by, lines):
    """Starts the run and stops it by a signal when the checkpoint has so many lines."""
    process = subprocess.Popen([foldproof, *map(str, ARGUMENTS)], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    journal, limit = folder / "out/checkpoint.jsonl", time.time() + 60
    while process.poll() is None and time.time() < limit and not (journal.exists() and journal.read_bytes().count(b"\n") >= lines):
        time.sleep(0.005)
    process.send_signal(by)
    process.stdout_text, process.stderr_text = process.communicate(timeout=60)
    return process


def resumption(folder):
    count = 40
    claims(folder, count)
    run(*ARGUMENTS, folder=folder)
    whole = outcome(folder / "out")[0]
    check("a complete run leaves no checkpoint", not (folder / "out/checkpoint.jsonl").exists())
    journal = folder / "out/checkpoint.jsonl"

    for by in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        process = stopped(folder, by, 10)
        kept = journal.read_bytes().count(b"\n") - 1
        check(f"{by.name}: a checkpoint is left", 9 <= kept < count, (kept, process.returncode))
        if by == signal.SIGKILL:
            check("SIGKILL: killed", process.returncode == -signal.SIGKILL, process.returncode)
        else:
            check(f"{by.name}: exit status and message", process.returncode == 130 and f"interrupted: {kept} of {count} claims" in process.stderr_text and "--resume" in process.stderr_text, process.stderr_text)
            check(f"{by.name}: the partial report says so", json.loads((folder / "out/report.json").read_text())["interrupted"] is True)
        result = run(*ARGUMENTS, "--resume", folder=folder)
        resumed, moment = outcome(folder / "out")
        check(f"{by.name}: resumed", result.returncode == 0 and f"resuming: {kept} of {count}" in result.stderr and moment["resumed"] == kept, result)
        check(f"{by.name}: the same bytes as the uninterrupted run", resumed == whole)
        check(f"{by.name}: the checkpoint is gone", not journal.exists())

    stopped(folder, signal.SIGKILL, 10)
    lines = journal.read_bytes().splitlines(keepends=True)
    result = run(*ARGUMENTS, "--resume", "--seed", 2, folder=folder)
    check("another seed is refused", result.returncode == 2 and "seed was" in result.stderr and "is now" in result.stderr, result)
    original = (folder / "claims.json").read_text()
    (folder / "claims.json").write_text(original.replace("A @ B", "A @ A @ B"))
    result = run(*ARGUMENTS, "--resume", folder=folder)
    check("changed claims are refused", result.returncode == 2 and "is of another run" in result.stderr, result)
    (folder / "claims.json").write_text(original)
    check("a refused run keeps the checkpoint", journal.read_bytes().splitlines(keepends=True)[: len(lines)] == lines)
    journal.write_bytes(b"".join(lines[:8]) + lines[8][:-40])
    result = run(*ARGUMENTS, "--resume", folder=folder)
    check("cut off in the middle of a line: resumed before it", "resuming: 7 of" in result.stderr and outcome(folder / "out")[0] == whole, result)
    stopped(folder, signal.SIGKILL, 10)
    lines = journal.read_bytes().splitlines(keepends=True)
    lines[5] = lines[5].replace(b"proved", b"xroved").replace(b"refuted", b"xefuted")
    journal.write_bytes(b"".join(lines))
    result = run(*ARGUMENTS, "--resume", folder=folder)
    check("a damaged line: resumed before it", "resuming: 4 of" in result.stderr and outcome(folder / "out")[0] == whole, result)
    result = run(*ARGUMENTS, "--resume", folder=folder)
    check("nothing to resume: begins anew and says so", result.returncode == 0 and "nothing to resume" in result.stderr and outcome(folder / "out")[0] == whole, result)

    process = subprocess.Popen([foldproof, *map(str, ARGUMENTS)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not journal.exists() and process.poll() is None:
        time.sleep(0.005)
    time.sleep(0.05)
    result = run(*ARGUMENTS, folder=folder)
    check("two runs in one folder: the second is refused", result.returncode == 2 and "another run has it open" in result.stderr, result)
    process.wait(timeout=60)
    check("two runs in one folder: the first is not disturbed", outcome(folder / "out")[0] == whole)


def long_claim(folder):
    """A signal ends even a single claim with very many cases."""
    (folder / "claims.json").write_text('{"id": "a", "lhs": "(A + B).T", "rhs": "A.T + B.T", "expect": "proved"}')
    process = subprocess.Popen([foldproof, "check", "claims.json", "--cases", "42000000", "--out", "out"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(0.7)
    process.send_signal(signal.SIGTERM)
    try:
        _, message = process.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        message = "still running"
    check("a long claim is interrupted", process.returncode == 130 and "interrupted: 0 of 1 claims" in message, message)


run_parts(threads_and_shards, resumption, long_claim)
finish("scale")
