# SPDX-License-Identifier: MIT
# The claims that CONTRIBUTING.md shows how to add are decided as it says, in a copy of the catalogue where they were added.
# (Its operator is compiled and run by expr/recipe_properties.cpp.)  Usage: recipes.py SOURCE_DIR FOLDPROOF FOLDPROOF_VERIFY
import json
import pathlib
import re
import subprocess
import sys
import tempfile

source, foldproof = pathlib.Path(sys.argv[1]), str(pathlib.Path(sys.argv[2]).resolve())
blocks = re.findall(r"^```json\n(.*?)^```", (source / "CONTRIBUTING.md").read_text(), re.M | re.S)
if not blocks:
    sys.exit("FAILED: CONTRIBUTING.md shows no claim")
failures = 0
with tempfile.TemporaryDirectory() as name:
    for i, block in enumerate(blocks):
        folder = pathlib.Path(name) / f"claims{i}"
        folder.mkdir()
        (folder / "recipe.json").write_text(block)
        claims = json.loads(block)
        claims = claims if isinstance(claims, list) else [claims]
        run = subprocess.run([foldproof, "check", folder, "--cases", "50", "--out", folder / "out"], capture_output=True, text=True)
        results = json.loads((folder / "out/report.json").read_text())["claims"] if run.returncode in (0, 1, 3) else []
        told = [(c["id"], c["expect"]) for c in claims]
        if run.returncode != 0 or [(r["id"], r["verdict"]) for r in results] != told or not all(r["tests"]["passed"] for r in results):
            failures += 1
            print("FAILED", told, run.returncode, run.stdout[-300:], run.stderr[-600:])
        # The check can fail: with the expectations turned round it does.
        turned = [{**c, "expect": "refuted" if c["expect"] == "proved" else "proved"} for c in claims]
        (folder / "recipe.json").write_text(json.dumps(turned))
        if subprocess.run([foldproof, "check", folder / "recipe.json", "--cases", "0", "--out", folder / "out"], capture_output=True).returncode != 1:
            failures += 1
            print("FAILED: expectations turned round are not noticed")
print(f"recipes: {len(blocks)} blocks of claims, {failures} failures")
sys.exit(1 if failures else 0)
