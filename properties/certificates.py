# SPDX-License-Identifier: MIT
# fixtures/certificates through foldproof-verify: what must be accepted is, and what must be rejected is, for the reason that
# reject/reasons.json gives. Usage: certificates.py SOURCE_DIR FOLDPROOF FOLDPROOF_VERIFY
import json
import pathlib
import re
import subprocess
import sys

from checks import check, finish

source, verify = pathlib.Path(sys.argv[1]), sys.argv[3]
root = source / "fixtures/certificates"


def run(files):
    return subprocess.run([verify, *map(str, files)], capture_output=True, text=True, timeout=120)


accept = sorted((root / "accept").glob("*.json"))
result = run(accept)
check("accept/: status", len(accept) > 0 and result.returncode == 0, result.returncode)
check("accept/: every line says accepted", [line.split("  ")[0] for line in result.stdout.splitlines()] == ["accepted"] * len(accept), result.stdout)

shown = subprocess.run([verify, "--laws", str(accept[0])], capture_output=True, text=True, timeout=120)
uses = json.dumps(json.loads(accept[0].read_text(encoding="utf-8")))
words = [re.match(r"  (?:law|reduction) ([\w-]+)", line) for line in shown.stdout.splitlines()[1:]]
check("--laws: lists what the certificate uses", shown.returncode == 0 and words and all(w and f'"{w.group(1)}"' in uses for w in words), shown.stdout)
alone = subprocess.run([verify, "--laws"], capture_output=True, text=True, timeout=120)
check("--laws: without a file is bad usage", alone.returncode == 2 and not alone.stdout and "usage" in alone.stderr, (alone.returncode, alone.stderr))

index = json.loads((root / "reject/reasons.json").read_text(encoding="utf-8"))
files = {path.name for path in (root / "reject").iterdir()} - {"reasons.json"}
check("reject/: the files are those of reasons.json", files == set(index["rejected"]) | set(index["unreadable"]))
check("reject/: no reason twice", len(set(index["rejected"].values())) == len(index["rejected"]))

result = run(root / "reject" / name for name in index["rejected"])
check("reject/: status", result.returncode == 1 and not result.stderr, (result.returncode, result.stderr))
lines = result.stdout.splitlines()
check("reject/: a line for each file", len(lines) == len(index["rejected"]), len(lines))
for (name, reason), line in zip(index["rejected"].items(), lines):
    found = re.sub(r"(^|(?<=\s))\d+", "N", re.sub(r"^(part \d+: )+", "", line.partition(": ")[2]))
    check(f"reject/{name}", line.startswith("rejected  ") and found == reason, f"`{found}` instead of `{reason}`")

for name, complaint in index["unreadable"].items():
    result = run([root / "reject" / name])
    check(f"reject/{name}", result.returncode == 2 and not result.stdout and complaint in result.stderr, (result.returncode, result.stderr))

# Every reason that the kernel's source spells out either has a file or is explained as out of reach: a new reason needs certificate_files.
spelled = set()
for path in (source / "src/kernel").glob("*.?pp"):
    spelled |= set(re.findall(r'(?:(?:Reject|require)\(.*|false, )"([^"]{6,})"(?:\)|, 0)', path.read_text(encoding="utf-8")))
for reason in sorted(spelled):
    general = "N" + reason if reason.startswith(" ") else re.sub(r"(^|(?<=\s))\d+", "N", reason)
    found = general in index["rejected"].values()
    check(f"`{reason}` either has a file or is explained: run certificate_files", found != (reason in index["not_found"]), f"a file: {found}")
check("what is explained is a reason of the source", set(index["not_found"]) <= spelled, set(index["not_found"]) - spelled)

print(f"{len(accept)} accepted, {len(index['rejected'])} rejected for as many reasons, {len(index['unreadable'])} unreadable, {len(index['not_found'])} reasons out of reach")
# After a change of the laws run build/release/properties/certificate_files . and read the difference.
finish("certificates")
