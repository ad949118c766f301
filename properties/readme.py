#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The README says what the programs say: every command in it is run and its output compared, every figure is computed.

    readme.py SOURCE FOLDPROOF FOLDPROOF_VERIFY           compares, as a test
    readme.py SOURCE FOLDPROOF FOLDPROOF_VERIFY --write   writes what the programs say into README.md
"""
import difflib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

SKIPPED = re.compile(r"apt-get|cmake --workflow|^export PATH=")  # .ci/run runs these
TIMING = re.compile(r"\b\d+(\.\d+)?( ?)(ns|us|ms|s)\b")
LANGUAGE, KERNEL = ("expr", "program", "read", "infer"), ("kernel",)


def run(command, folder, programs):
    environment = dict(os.environ, NO_COLOR="1", PATH=os.pathsep.join(programs + [os.environ["PATH"]]))
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=300)
    return TIMING.sub(r"#\2\3", done.stdout).rstrip("\n").split("\n") if done.stdout else []


def with_outputs(lines, folder, programs):
    """The lines with what follows each command of a console block replaced by what the command prints now."""
    out, inside, dropping, commands = [], False, False, 0
    for line in lines:
        if line.startswith("```"):
            inside, dropping = line.strip() == "```console", False
            out.append(line)
        elif inside and line.startswith("$ "):
            out.append(line)
            dropping = not SKIPPED.search(line[2:])
            if dropping:
                commands += 1
                out += run(line[2:], folder, programs)
        elif not (inside and dropping):
            out.append(line)
    if commands == 0:
        raise SystemExit("readme: no command was found in README.md, so nothing was checked")
    return out


def line_count(files):
    """Rounded up to hundreds: small edits leave the README alone."""
    return -(-sum(len(file.read_text().splitlines()) for file in files) // 100) * 100


def table(source, folder, programs):
    """The figures: verdicts of the claims, tables of the language and the kernel, size of what a proof rests on."""
    shown = run(f"foldproof check '{source}/fixtures/claims' --cases 0 --out figures", folder, programs)
    try:
        report = json.loads((pathlib.Path(folder) / "figures" / "report.json").read_text())
    except OSError:
        raise SystemExit("readme: foldproof check wrote no report:\n" + "\n".join(shown))
    counts = report["counts"]
    files = lambda folders: [file for name in folders for file in sorted((source / "src" / name).rglob("*.*"))]
    language, kernel = files(LANGUAGE), files(KERNEL)
    reader = sorted((source / "src" / "record").glob("certificate_json.*")) + [source / "src" / "tool" / "verify_main.cpp"]
    laws = (source / "src/kernel/laws.def").read_text()
    rows = [
        ("claims", counts["claims"], "`fixtures/claims`"),
        ("proved, each with a certificate that the kernel accepted", counts["proved"], "`foldproof check`"),
        ("refuted, each with a counterexample that was evaluated", counts["refuted"], "`foldproof check`"),
        ("invalid: shapes that cannot fit, sides that have values nowhere", counts["invalid"], "`foldproof check`"),
        ("undecided", counts["undecided"], "`foldproof check`"),
        ("not as the claim file expects", counts["differing"], "`foldproof check`"),
        ("operators of the language", len(run("foldproof operators", folder, programs)), "`foldproof operators`"),
        ("laws of the kernel", len(re.findall(r"^FOLDPROOF_", laws, re.M)), "`src/kernel/laws.def`"),
        ("lines of the kernel, at most", line_count(kernel), "`src/kernel`"),
        ("lines of the language and its shapes, at most", line_count(language), "`src/expr`, `src/program`, `src/read`, `src/infer`"),
        ("lines of the certificate reader and `foldproof-verify`, at most", line_count(reader), "`src/record`, `src/tool`"),
    ]
    return ["| figure | value | from |", "| --- | ---: | --- |"] + [f"| {name} | {value} | {origin} |" for name, value, origin in rows]


def with_figures(lines, source, folder, programs):
    begin, end = lines.index("<!-- figures:begin -->"), lines.index("<!-- figures:end -->")
    return lines[: begin + 1] + table(source, folder, programs) + lines[end:]


def not_undecided(text, folder, programs):
    """Claims of which the README says that they stay undecided, and that do not."""
    claims = re.findall(r"`([^`]+)`, stays undecided", text)
    if not claims:
        raise SystemExit("readme: README.md names no claim that stays undecided")
    return [claim for claim in claims if not run("foldproof decide -e " + shlex.quote(claim), folder, programs)[0].startswith("undecided")]


def predicates_missing(text, source):
    """Predicates of the language that the README does not list, or lists beyond the language."""
    listed = re.search(r"<!-- predicates -->(.*?)<!-- end -->", text, re.S)
    known = re.search(r"predicates\[\] = \{(.*?)\}", (source / "src/infer/problem.hpp").read_text(), re.S)
    return set(re.findall(r"`(\w+)`", listed.group(1))) ^ set(re.findall(r'"(\w+)"', known.group(1)))


def main():
    source, tools = pathlib.Path(sys.argv[1]).resolve(), [pathlib.Path(tool).resolve() for tool in sys.argv[2:4]]
    programs = list(dict.fromkeys(str(tool.parent) for tool in tools))
    readme = source / "README.md"
    before = readme.read_text().split("\n")
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "fixtures").symlink_to(source / "fixtures")
        decided = not_undecided("\n".join(before), folder, programs)
        lines = with_outputs(before, folder, programs)
        left = [] if not (source / ".git").exists() else [
            file.name for file in sorted(pathlib.Path(folder).iterdir())
            if file.name != "fixtures" and subprocess.run(["git", "-C", source, "check-ignore", "-q", "--no-index", file.name + ("/" if file.is_dir() else "")], check=False).returncode == 1]
        after = with_figures(lines, source, folder, programs)
    if predicates_missing("\n".join(before), source):
        print(f"readme: not the predicates of src/infer/problem.hpp: {predicates_missing(chr(10).join(before), source)}")
        return 1
    if left:
        print(f"readme: the commands leave files that .gitignore does not name: {left}")
        return 1
    if decided:
        print(f"readme: these do not stay undecided: {decided}")
        return 1
    if sys.argv[4:] == ["--write"]:
        readme.write_text("\n".join(after))
        return 0
    ci = source / ".ci/run"  # not in an export without dot files
    if ci.exists():
        commands = subprocess.run(["bash", str(ci), "--list"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False).stdout.splitlines()
        if len(commands) != 2 or "apt-get install" not in commands[0] or "cmake --workflow" not in commands[1]:
            print(f"readme: .ci/run takes these commands from README.md, not the two of \"Build and test\": {commands}")
            return 1
    if after == before:
        return 0
    print("\n".join(difflib.unified_diff(before, after, "README.md", "what the programs say", lineterm="")))
    print("readme: run properties/readme.py with --write and read the difference")
    return 1


if __name__ == "__main__":
    sys.exit(main())
