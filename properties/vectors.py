# SPDX-License-Identifier: MIT
# The golden vectors as somebody uses them who has never seen foldproof: NumPy programs written from the papers are run on the inputs
# and compared with the expected values, bit for bit or within the bound. Then: replaying, refusing to rewrite, damaged files.
# Usage: vectors.py SOURCE_DIR FOLDPROOF FOLDPROOF_VERIFY
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

from checks import check, finish

try:
    import numpy as np
except ImportError:
    sys.exit("FAILED: the Python module numpy is missing; install the package python3-numpy")

source, foldproof = pathlib.Path(sys.argv[1]), sys.argv[2]


# The five lines of fixtures/README.md, taken from there.
reader = [line for line in (source / "fixtures/README.md").read_text().split("```python\n")[1].split("```")[0].splitlines() if line.strip()]
check("the reader has five lines", len(reader) == 5, reader)
exec("\n".join(reader[:4]))


def softmax(s):
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def rms(x):
    return x / np.sqrt((x * x).mean(axis=-1, keepdims=True))


def layer(x):
    return (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True))


def rotated(x, theta, shift=0, half=False):
    """Su et al. 2021, with complex numbers: pair i of row r turned by (r + shift) theta[i]."""
    p = len(theta)
    first, second = (x[:, :p], x[:, p:]) if half else (x[:, 0::2], x[:, 1::2])
    turned = (first + 1j * second) * np.exp(1j * (np.arange(len(x))[:, None] + shift) * theta)
    if half:
        return np.hstack([turned.real, turned.imag])
    return np.stack([turned.real, turned.imag], axis=-1).reshape(x.shape)


def causal(n, dtype):
    return np.where(np.tri(n, dtype=bool), 0, -np.inf).astype(dtype)


def mla(i):
    heads = []
    for q, uk, uv in zip(i["Q"], i["W_UK"], i["W_UV"]):
        heads.append(softmax(q @ (i["C"] @ uk).T) @ (i["C"] @ uv))
    return np.hstack(heads) @ np.vstack(list(i["W_O"]))


def to_half_layout(w):
    return np.hstack([w[:, 0::2], w[:, 1::2]])


# Independent programs; none of them is the text of the claim.
PROGRAMS = {
    "two-projections-row": lambda i: i["X"] @ (i["W_Q"] @ i["W_Qi"]),
    "circuit-whole-head": lambda i: softmax((i["X"] @ i["W_Q"]) @ (i["X"] @ i["W_K"]).T / np.sqrt(i["W_K"].shape[1]).astype(i["X"].dtype) + causal(len(i["X"]), i["X"].dtype)) @ (i["X"] @ i["W_V"]) @ i["W_O"],
    "heads-concat-output-is-sum": lambda i: np.hstack(list(i["H"])) @ i["W_O"],
    "mla-heads-on-one-latent": mla,
    "mla-absorb-key": lambda i: softmax(i["Q"] @ (i["C"] @ i["W_UK"]).T),
    "gqa-stacked-queries": lambda i: np.vstack([softmax(q @ i["K"].T) @ i["V"] for q in (i["Q0"], i["Q1"])]),
    "gqa-repeat-keys": lambda i: np.hstack([i["X"] @ w for w in np.repeat(i["W_K"], 2, axis=0)]),
    "rope-distance-only": lambda i: rotated(i["Q"], i["theta"], i["t"]) @ rotated(i["K"], i["theta"], i["t"]).T,
    "rope-layouts-permuted": lambda i: rotated(i["X"] @ to_half_layout(i["W_Q"]), i["theta"], half=True) @ rotated(i["Y"] @ to_half_layout(i["W_K"]), i["theta"], half=True).T,
    "norm-rms-gain-folds": lambda i: (rms(i["X"]) * i["g"]) @ i["W"],
    "norm-layer-gain-and-bias-fold": lambda i: (layer(i["X"]) * i["g"] + i["b"]) @ i["W"] + i["c"],
    "lora-merges": lambda i: i["X"] @ (i["W"] + i["s"] * (i["A"] @ i["B"])),
    "mask-weights-renormalised": lambda i: softmax(np.where(i["M"] == 1, i["S"], -np.inf)),
    "softmax-one-more-is-zero-key": lambda i: np.exp(i["S"]) / (1 + np.exp(i["S"]).sum(axis=1, keepdims=True)) @ i["V"],
    "softmax-blocks-merge-by-lse": lambda i: softmax(np.hstack([i["S1"], i["S2"]])) @ np.vstack([i["V1"], i["V2"]]),
    "linear-attention-features": lambda i: (np.exp(i["Q"]) @ np.exp(i["K"]).T) @ i["V"] / (np.exp(i["Q"]) @ np.exp(i["K"]).T).sum(axis=1, keepdims=True),
    "position-sinusoids-relative": lambda i: np.cos((np.arange(4)[:, None] - np.arange(4))[:, :, None] * i["theta"]).sum(axis=2),
    "bias-key-masked": lambda i: softmax(i["Q"] @ (i["K"] + i["b_K"]).T + causal(len(i["Q"]), i["Q"].dtype)),
    "affine-two-layers": lambda i: (i["X"] @ i["W1"] + i["b1"]) @ i["W2"] + i["b2"],
}


def golden():
    manifest = json.loads((source / "fixtures/vectors/manifest.json").read_text())
    for entry in manifest["files"]:
        path = source / "fixtures/vectors" / entry["file"]
        check(f"{entry['id']}: digest of the file", hashlib.sha256(path.read_bytes()).hexdigest() == entry["sha256"])
        program = PROGRAMS.get(entry["id"])
        check(f"{entry['id']}: there is a program for it", program is not None)
        for v in json.loads(path.read_text())["vectors"] if program else []:
            name = f"{entry['id']} {v['lane']}"
            check(name + ": flags are explained", all(flag in manifest["flags"] for flag in v["flags"]))
            expected = array(v["expected"])
            for dtype in (np.float64, np.float32):
                with np.errstate(divide="ignore"):
                    result = program({key: array(t).astype(dtype) for key, t in v["inputs"].items()}).astype(np.float64)
                check(name + ": shape", result.shape == expected.shape, result.shape)
                if "integers" in v["flags"]:
                    check(f"{name}: bit for bit in {dtype.__name__}", (result == expected).all(), result - expected)
                elif v["lane"] == "exact":
                    # Logarithms were rounded, and a logit is a sum of terms that are up to 100 together: six roundings of each, in the
                    # numerator and the denominator of softmax, and values of both signs that are averaged. Not a bound; the float lanes have those.
                    tolerance = 4096 * np.finfo(dtype).eps * (1 + abs(expected).max())
                    check(f"{name}: near in {dtype.__name__}", abs(result - expected).max() <= tolerance, abs(result - expected).max())
                elif v["lane"] == dtype.__name__:
                    bound = array(v["bound"])
                    check(name + ": within the bound", (abs(result - expected) <= bound).all(), (abs(result - expected) / np.maximum(bound, 1e-300)).max())
                    wrong = result * (1 + 2.0**-10)
                    check(name + ": a wrong scale is beyond the bound", (abs(wrong - expected) > bound).any())
            numbers = "\n".join(" ".join(t["values"]) for t in [*v["inputs"].values(), v["expected"]])
            check(name + ": sha256", hashlib.sha256(numbers.encode()).hexdigest() == v["sha256"])


def run(*words):
    return subprocess.run([foldproof, *map(str, words)], cwd=source, capture_output=True, text=True, timeout=120)


def tool(folder):
    result = run("replay", "fixtures/vectors/manifest.json")
    check("replay passes", result.returncode == 0 and result.stdout.count("passes") == len(result.stdout.splitlines()) > 60, result)
    made = run("vectors", "--out", folder / "v", "two-projections-row", "mask-weights-renormalised")
    same = all(json.loads((folder / "v" / n).read_text())["vectors"][0] == json.loads((source / "fixtures/vectors" / n).read_text())["vectors"][0] for n in ("two-projections-row.json", "mask-weights-renormalised.json"))
    check("made again, the exact vectors are the golden ones", made.returncode == 0 and same, made)
    path = folder / "v/two-projections-row.json"
    before = path.read_bytes()
    result = run("vectors", "--out", folder / "v")
    check("made again, nothing is rewritten", result.returncode == 0 and "0 files written, 2 were there already" in result.stdout and path.read_bytes() == before, result)

    value = json.loads(before)
    entry = value["vectors"][0]["expected"]["values"]
    entry[0] = str(int(entry[0]) + 1)
    path.write_text(json.dumps(value))
    result = run("replay", path)
    check("a changed value does not fit the digest", result.returncode == 2 and "were changed" in result.stderr, result)
    vector = value["vectors"][0]
    numbers = "\n".join(" ".join(t["values"]) for t in [*vector["inputs"].values(), vector["expected"]])
    vector["sha256"] = hashlib.sha256(numbers.encode()).hexdigest()
    path.write_text(json.dumps(value))
    wrong = path.read_bytes()
    result = run("replay", path)
    check("a wrong value fails", result.returncode == 1 and "FAILS" in result.stdout and "at entry 0" in result.stdout, result)
    result = run("replay", folder / "v/manifest.json")
    check("a file that is not the manifest's is refused", result.returncode == 2 and "manifest" in result.stderr, result)
    result = run("vectors", "--out", folder / "v")
    check("golden values that differ are not replaced", result.returncode == 2 and "other values" in result.stderr and path.read_bytes() == wrong, result)
    result = run("vectors", "--out", folder / "v", "--replace-golden-values")
    check("unless that is asked for", result.returncode == 0 and path.read_bytes() == before, result)
    value = json.loads(before)
    value["vectors"][1]["bound"]["values"] = ["0x0p+0"] * len(value["vectors"][1]["bound"]["values"])
    value["vectors"][1]["expected"]["values"][0] = "0x1p+0"
    path.write_text(json.dumps(value))
    check("a float vector with changed values is refused", run("replay", path).returncode == 2)
    result = run("vectors", "--out", folder / "w", "heads-permuted-one-side-only")
    check("an unknown claim", result.returncode == 2 and not (folder / "w").exists(), result)
    false = folder / "false.json"
    false.write_text('{"id": "false", "lhs": "A @ B", "rhs": "B @ A", "expect": "proved"}')
    result = run("vectors", "--claims", false, "--out", folder / "w", "false")
    check("a false claim makes no vectors", result.returncode != 0 and not (folder / "w").exists(), result)


golden()
with tempfile.TemporaryDirectory() as name:
    tool(pathlib.Path(name))
finish("vectors")
