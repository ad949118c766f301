# SPDX-License-Identifier: MIT
# fixtures/certificates through foldproof-verify: what must be accepted is, and what must be rejected is, for the reason that
# reject/reasons.json gives. Usage: certificates.py SOURCE_DIR FOLDPROOF FOLDPROOF_VERIFY
import json
import pathlib
import re
import subprocess
import sys

source, verify = pathlib.Path(sys.argv[1]), sys.argv[3]
root = source / "fixtures/certificates"
failures = []


def check(holds, message):
    if not holds:
        failures.append(message)
        print("FAILED", message)


def run(files):
    return subprocess.run([verify, *map(str, files)], capture_output=True, text=True, timeout=120)


accept = sorted((root / "accept").glob("*.json"))
result = run(accept)
check(len(accept) > 0 and result.returncode == 0, f"accept/: status {result.returncode}")
check([line.split("  ")[0] for line in result.stdout.splitlines()] == ["accepted"] * len(accept), "accept/: not every line says accepted")

index = json.loads((root / "reject/reasons.json").read_text(encoding="utf-8"))
files = {path.name for path in (root / "reject").iterdir()} - {"reasons.json"}
check(files == set(index["rejected"]) | set(index["unreadable"]), "reject/: the files are not those of reasons.json")
check(len(set(index["rejected"].values())) == len(index["rejected"]), "reject/: a reason twice")

result = run(root / "reject" / name for name in index["rejected"])
check(result.returncode == 1 and not result.stderr, f"reject/: status {result.returncode}: {result.stderr[:200]}")
lines = result.stdout.splitlines()
check(len(lines) == len(index["rejected"]), "reject/: a line for each file")
for (name, reason), line in zip(index["rejected"].items(), lines):
    found = re.sub(r"(^|(?<=\s))\d+", "N", re.sub(r"^(part \d+: )+", "", line.partition(": ")[2]))
    check(line.startswith("rejected  ") and found == reason, f"reject/{name}: `{found}` instead of `{reason}`")

for name, complaint in index["unreadable"].items():
    result = run([root / "reject" / name])
    check(result.returncode == 2 and not result.stdout and complaint in result.stderr, f"reject/{name}: status {result.returncode}: {result.stderr[:200]}")

# Every reason that the kernel's source spells out has a file, or is listed as not found: a new reason needs certificate_files.
spelled = set()
for path in (source / "src/kernel").glob("*.cpp"):
    spelled |= set(re.findall(r'(?:Reject|require)\((?:[^;"]*, )?"([^"]{6,})"', path.read_text(encoding="utf-8")))
listed = list(index["rejected"].values()) + index["not_found"]
for reason in sorted(spelled):
    general = re.sub(r"(^|(?<=\s))\d+", "N", reason)
    check(any(general in known or reason in known for known in listed), f"`{reason}` has no file: run certificate_files")

print(f"{len(accept)} accepted, {len(index['rejected'])} rejected for as many reasons, {len(index['unreadable'])} unreadable, {len(index['not_found'])} reasons without a file")
if failures:
    sys.exit(f"{len(failures)} failures; after a change of the laws run build/release/properties/certificate_files . and read the difference")
