# SPDX-License-Identifier: MIT
"""What the scripts that drive the executables share: checks that are counted, and the end of a script."""
import pathlib
import sys
import tempfile

checks, failures = 0, []


def check(name, holds, detail=""):
    global checks
    checks += 1
    if not holds:
        failures.append(name)
        print("FAILED", name, "|", str(detail)[:800])


def run_parts(*parts):
    """Runs each part in an empty folder of its own."""
    for part in parts:
        with tempfile.TemporaryDirectory() as name:
            try:
                part(pathlib.Path(name))
            except Exception as error:  # a crash of the test is a failure like any other, and the other parts still run
                failures.append(part.__name__)
                print("FAILED", part.__name__, "|", repr(error)[:600])


def finish(title, least=1):
    """Ends the script: status 1 after a failure, or when fewer than `least` checks were made."""
    print(f"{title}: {checks} checks, {len(failures)} failures")
    sys.exit(1 if failures or checks < least else 0)
