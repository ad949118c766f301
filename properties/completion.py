# SPDX-License-Identifier: MIT
# Completion scripts and the manual page name every command and every option that the help names, and bash completes with them.
# Usage: completion.py SOURCE_DIR FOLDPROOF FOLDPROOF_VERIFY
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from checks import check, finish

foldproof = sys.argv[2]


def run(*words):
    return subprocess.run([foldproof, *words], capture_output=True, text=True, timeout=60)


def options(help_text):
    """What an indented line of the help begins with: "  -e,--expression TEXT ..."."""
    found = []
    for line in help_text.splitlines():
        match = re.match(r"^  (-[\w-]+(?:,-[\w-]+)*)", line)
        found += match.group(1).split(",") if match else []
    return found


def commands(help_text):
    return re.findall(r"^  ([a-z][\w-]*) ", help_text[help_text.index("Subcommands:"):], re.M)


def completed(script, *words):
    """What bash offers for the last of the words."""
    line = f"source {script}; COMP_WORDS=({' '.join(repr(w) for w in words)}); COMP_CWORD={len(words) - 1}; _foldproof; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60).stdout.split()


top = run("--help").stdout
known = {command: options(run(command, "--help").stdout) for command in commands(top)}
check("the help was understood", "check" in known and "--seed" in known["check"] and "--json" in known["decide"] and len(known) >= 6, known)
pages = {shell: run("completion", shell).stdout for shell in ("bash", "zsh", "fish")}
pages["man"] = run("man").stdout
for name, text in pages.items():
    check(f"{name}: not empty", len(text) > 500)
    for command, names in known.items():
        where = {
            "bash": lambda: re.search(rf"^ +{command}\) words='([^']*)'", text, re.M).group(1).split(),
            "zsh": lambda: re.findall(r"'\*(-[\w-]+)\[", re.search(rf"^    {command}\)\n(.*?) ;;", text, re.M | re.S).group(1)),
            "fish": lambda: ["--" + o for o in re.findall(rf"__fish_seen_subcommand_from {command}'.* -l ([\w-]+)", text)] + ["-" + o for o in re.findall(rf"__fish_seen_subcommand_from {command}'.*? -s (\w)", text)],
            "man": lambda: [o.replace("\\-", "-") for o in re.findall(r"\\fB((?:\\-)[\w\\-]+?)\\fR", re.search(rf"^\.SS {command}\n(.*?)(?=^\.S)", text, re.M | re.S).group(1))],
        }[name]
        try:
            shown = where()
        except AttributeError:
            shown = None
        check(f"{name}: {command} with exactly its options", shown is not None and sorted(shown) == sorted(names), (shown, names))

with tempfile.TemporaryDirectory() as folder:
    script = pathlib.Path(folder) / "foldproof.bash"
    script.write_text(pages["bash"])
    check("bash completes a command", completed(script, "foldproof", "com") == [c for c in known if c.startswith("com")], completed(script, "foldproof", "com"))
    check("bash completes an option", completed(script, "foldproof", "check", "--see") == ["--seed"])
    check("bash leaves file names to the shell", completed(script, "foldproof", "check", "fix") == [])
    for shell, checker in (("bash", ["bash", "-n"]), ("zsh", ["zsh", "-n"]), ("fish", ["fish", "--no-execute"]), ("man", ["groff", "-man", "-ww", "-z"])):
        path = pathlib.Path(folder) / shell
        path.write_text(pages[shell])
        if shutil.which(checker[0]):
            done = subprocess.run([*checker, path], capture_output=True, text=True)
            check(f"{checker[0]} reads it without complaint", done.returncode == 0 and not done.stderr, done.stderr)
        else:
            print(f"note: {checker[0]} is not installed, the text for it was not read by it")
macros = {line.split()[0] for line in pages["man"].splitlines() if line.startswith(".")}
check("the manual page uses macros of man(7)", macros == {".TH", ".SH", ".SS", ".TP", ".br"}, macros)
check("an unknown shell is bad usage", run("completion", "tcsh").returncode == 2)
finish("completion")
