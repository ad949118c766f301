# SPDX-License-Identifier: MIT
# Validates every JSON file under fixtures/ against its schema, and what the program itself writes: a report, decisions,
# certificates. Usage: schemas.py SOURCE_DIR FOLDPROOF FOLDPROOF_VERIFY
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    from jsonschema import Draft202012Validator
except ImportError:
    sys.exit("FAILED: the Python module jsonschema is missing; install the package python3-jsonschema")

source, foldproof, verify = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
failures, checked = [], 0


def fail(message):
    failures.append(message)
    print("FAILED", message)


def load(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        fail(f"{path}: {error}")
        return None


schemas = {}
for path in sorted((source / "fixtures/schemas").glob("*.schema.json")):
    schema = load(path)
    if schema is not None:
        Draft202012Validator.check_schema(schema)
        schemas[path.name.removesuffix(".schema.json")] = schema


def errors_of(name, value):
    return [f"/{'/'.join(map(str, e.absolute_path))}: {e.message[:300]}" for e in Draft202012Validator(schemas[name]).iter_errors(value)]


def validate(name, value, where):
    global checked
    checked += 1
    if name not in schemas:
        fail(f"{where}: there is no schema called {name}")
        return
    for error in errors_of(name, value)[:5]:
        fail(f"{where}: {error}")


def schema_of(path, value):
    """By the schema that a file names itself, else by its folder: fixtures/claims holds claims, and so on."""
    if isinstance(value, dict) and str(value.get("schema", "")).startswith("foldproof-"):
        return value["schema"].removeprefix("foldproof-").rpartition("-")[0]
    folder = path.relative_to(source / "fixtures").parts[0]
    return folder.removesuffix(".json").removesuffix("s")


# Certificates that must be rejected may be malformed on purpose, and those files say so by their folder; what lists them may not.
for path in sorted((source / "fixtures").rglob("*.json")):
    parts = path.relative_to(source / "fixtures").parts
    if parts[0] == "schemas" or (parts[:2] == ("certificates", "reject") and path.name != "reasons.json"):
        continue
    value = load(path)
    if value is not None:
        validate(schema_of(path, value), value, path.relative_to(source))

CLAIMS = [
    {"id": "fold", "lhs": "(X @ A) @ B", "rhs": "X @ (A @ B)", "expect": "proved", "title": "a <title> & \"quotes\""},
    {"id": "order", "lhs": "A @ B", "rhs": "B @ A", "expect": "refuted"},
    {"id": "softmax", "lhs": "softmax(X @ A) @ B", "rhs": "softmax(X @ A @ B)", "expect": "refuted"},
    {"id": "rotation", "vars": {"R": ["d", "d"]}, "assume": ["R.T @ R == eye(d)"], "lhs": "(X @ R.T) @ (R @ Y)", "rhs": "X @ Y", "expect": "proved"},
    {"id": "halves", "lhs": "concat([A, B], axis=1) @ vstack([C, D])", "rhs": "A @ C + B @ D", "expect": "proved"},
    {"id": "shape", "vars": {"A": ["n", "k"], "B": ["m", "m"]}, "lhs": "A @ B", "rhs": "A", "expect": "invalid"},
    {"id": "typo", "lhs": "sofmax(A)", "rhs": "A", "expect": "invalid"},
]

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    claims = folder / "claims.json"
    claims.write_text(json.dumps(CLAIMS), encoding="utf-8")
    validate("claim", CLAIMS, "the claims of this test")

    run = subprocess.run([foldproof, "check", claims, "--out", folder / "reports", "--cases", "50"], capture_output=True, text=True)
    report = load(folder / "reports/report.json")
    if run.returncode not in (0, 1) or report is None:
        fail(f"foldproof check ends with {run.returncode}: {run.stderr[:500]}")
    else:
        validate("report", report, "report.json")

    run = subprocess.run([foldproof, "decide", claims, "--json", "--certificates", folder / "certificates"], capture_output=True, text=True)
    decisions = json.loads(run.stdout)
    validate("decision", decisions, "decide --json")
    written = sorted((folder / "certificates").glob("*.json"))
    for path in written:
        validate("certificate", load(path), path.name)
    if not written or subprocess.run([verify, *written], capture_output=True).returncode != 0:
        fail(f"foldproof-verify does not accept the {len(written)} certificates written")

    for extra in (["--measure"], []):
        sizes = ["--dim", "n=8", "d=8", "k=4", "m=4"] if extra else ["--dim", "d=8"]
        run = subprocess.run([foldproof, "cost", "-e", "(X @ A) @ B == X @ (A @ B)", "--json", *sizes, *extra], capture_output=True, text=True)
        validate("cost", json.loads(run.stdout or "null"), "cost --json")

    tensors = folder / "w.safetensors"
    header = json.dumps({"w": {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}, "big": {"dtype": "F32", "shape": [1, 1], "data_offsets": [8, 12]}}).encode()
    tensors.write_bytes(len(header).to_bytes(8, "little") + header + bytes([0, 0, 128, 63] * 2 + [255, 255, 127, 127]))
    for claim, bound in (("W == 2*W", "w"), ("2*W == W + W", "big"), ("W + X == X + W", "w"), ("rank(W) <= 1", "w"), ("W +", "w")):
        words = ["--weights", tensors, "--bind", f"W={bound}"]
        run = subprocess.run([foldproof, "weights", "diagnose", "-e", claim, "--json", *words], capture_output=True, text=True)
        on_weights = json.loads(run.stdout or "null")
        validate("weights", on_weights, f"weights check {claim} --json")
        text = folder / "claim.txt"
        text.write_text(claim)
        subprocess.run([foldproof, "check", text, "--out", folder / "given", *words], capture_output=True)
        validate("report", load(folder / "given/report.json"), f"report.json of {claim} on tensors")

    holes = folder / "holes.safetensors"  # a stored result that holds NaN, which no format is run on
    header = json.dumps({"M": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}).encode()
    holes.write_bytes(len(header).to_bytes(8, "little") + header + bytes([0, 0, 128, 63, 0, 0, 192, 127]))
    run = subprocess.run([foldproof, "weights", "diagnose", "-e", "2*W == M", "--json", "--weights", tensors, holes, "--bind", "W=w", "M=M"], capture_output=True, text=True)
    validate("weights", json.loads(run.stdout or "null"), "weights diagnose of NaN --json")

    nothing = folder / "nothing.safetensors"  # a tensor without elements beside one that has some
    header = json.dumps({"M": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}, "empty": {"dtype": "F32", "shape": [0], "data_offsets": [4, 4]}}).encode()
    nothing.write_bytes(len(header).to_bytes(8, "little") + header + bytes([0, 0, 128, 63]))
    run = subprocess.run([foldproof, "weights", "check", "-e", "A == B", "--json", "--weights", nothing, "--bind", "A=**", "B=**"], capture_output=True, text=True)
    without = json.loads(run.stdout or "null")
    validate("weights", without, "weights check of a tensor without elements --json")
    if not without or without.get("empty") != ["empty"]:
        fail(f"a tensor without elements is not told: {run.stdout[:300]} {run.stderr[:300]}")

    # A schema that accepts everything would find nothing: each must refuse these.
    broken = {
        "weights": [{**on_weights, "results": [{**on_weights["results"][0], "answer": "perhaps"}]}, {**on_weights, "results": [{**on_weights["results"][0], "answer": "unclear"}]}],
        "report": [{**report, "extra": 1}, {**report, "digests": {"exact": "0"}}, {k: v for k, v in report.items() if k != "environment"}],
        "decision": [{"schema": "foldproof-decision-1", "results": [{**decisions["results"][0], "certificate": None}]}, {"schema": "foldproof-decision-2", "results": []}],
        "certificate": [{**load(written[0]), "goal": [["no-such-law", 0]]}, {**load(written[0]), "goal": [[0]]}, {**load(written[0]), "note": ""}],
    }
    for kind, values in broken.items():
        for value in values:
            checked += 1
            if not errors_of(kind, value):
                fail(f"the schema {kind} accepts a broken file")

print(f"schemas: {len(schemas)} schemas, {checked} files checked, {len(failures)} failures")
sys.exit(1 if failures or checked == 0 else 0)
