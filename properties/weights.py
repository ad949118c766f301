# SPDX-License-Identifier: MIT
# Claims on stored tensors: what was not compared is never a pass, files are named without doubt, and `weights check` and
# `weights diagnose` tell rounding from bugs, and which bug.
# The checkpoints are written here, from the description of the format. Usage: weights.py SOURCE_DIR FOLDPROOF FOLDPROOF_VERIFY
import io
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree
import zlib

try:
    import numpy as np
except ImportError:
    sys.exit("FAILED: the Python module numpy is missing; install the package python3-numpy")

from checks import check, finish, run_parts

foldproof = os.path.abspath(sys.argv[2])


def run(*words, seconds=60, **more):
    try:
        return subprocess.run([foldproof, *map(str, words)], capture_output=True, text=True, timeout=seconds, **more)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, -1, "", "hang")


class Raw:
    """A tensor of a dtype that NumPy does not have."""

    def __init__(self, dtype, shape, data):
        self.dtype, self.shape, self.data = dtype, shape, data


def bf16_bits(a):
    """Rounded to nearest even."""
    bits = np.ascontiguousarray(a, dtype=np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def bf16(a):
    """From float64 in one rounding: to odd in float32 first, so that the second rounding sees on which side the number lay."""
    a = np.asarray(a, dtype=np.float64)
    single = a.astype(np.float32)
    toward = np.where(np.abs(single.astype(np.float64)) > np.abs(a), np.nextafter(single, np.float32(0)), single)
    odd = np.where(toward.astype(np.float64) == a, toward, (toward.view(np.uint32) | 1).view(np.float32))
    return Raw("BF16", list(a.shape), bf16_bits(odd).tobytes())


def as_float(raw):
    return (np.frombuffer(raw.data, np.uint16).astype(np.uint32) << 16).view(np.float32).reshape(raw.shape)


def save(path, tensors):
    header, data = {}, b""
    for name, t in tensors.items():
        if not isinstance(t, Raw):
            t = Raw({"f8": "F64", "f4": "F32", "f2": "F16", "i8": "I64", "i4": "I32"}[np.asarray(t).dtype.str[1:]], list(np.asarray(t).shape), np.ascontiguousarray(t).tobytes())
        header[name] = {"dtype": t.dtype, "shape": t.shape, "data_offsets": [len(data), len(data) + len(t.data)]}
        data += t.data
    text = json.dumps(header).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
    return path


def reports(folder):
    report = json.loads((folder / "report.json").read_text())
    return report, xml.etree.ElementTree.parse(folder / "junit.xml").getroot(), (folder / "report.md").read_text(), (folder / "report.html").read_text()


def nothing_compared(folder):
    """Vacuous and discarded cases are said everywhere, and are no pass."""
    files = save(folder / "hard.safetensors", {"big": np.full((2, 2), 2e38, "f4"), "zero": np.zeros((2, 2), "f4"), "huge": np.full((2, 2), 1e300), "one": np.ones((2, 2), "f4")})
    cases = {
        "both sides overflow": ("2*A == A + A", ["A=big"], "both sides overflow"),
        "one side overflows": ("assume A > 0; A*A/A == A", ["A=big"], "one side overflows"),
        "no value": ("B * (A/A) == B", ["A=zero", "B=one"], "a side has no value"),
        "an infinite bound": ("exp(1000*A - 1000*A + B) == exp(B) * exp(1000*A) / exp(1000*A)", ["A=one", "B=one"], ""),
        "too large": ("A: [n, n]; X: [16384, 16384]; 2*X + A[0, 0] == X + X + A[0, 0]", ["A=one"], "150 million"),
        "no equation": ("rank(A) <= d", ["A=one"], "only equations are tested"),
    }
    for name, (claim, bindings, why) in cases.items():
        path = folder / "claim.txt"
        path.write_text(claim)
        out = folder / "out"
        result = run("check", path, "--out", out, "--weights", files, "--bind", *bindings)
        if name == "one side overflows" and result.returncode == 2:
            check(name + ": cannot be asked", False, result.stderr)
            continue
        report, junit, markdown, html = reports(out)
        record = report["claims"][0]
        if record["verdict"] not in ("proved", "refuted"):
            check(name + ": decided", False, (record["verdict"], record["detail"], result.stderr))
            continue
        expected = 3 if record["as_expected"] else 1
        check(name + ": exit status", result.returncode == expected == report["exit_status"], (result.returncode, result.stdout, result.stderr))
        reason = record["tests"].get("not_tested", "")
        check(name + ": the reason", why in reason and reason, record["tests"])
        check(name + ": on the terminal", "not tested: " + reason in result.stdout and "1 not tested" in result.stdout and "worst |L-R|/bound 0;" not in answer_line(result.stdout), result.stdout)
        check(name + ": counted", report["counts"]["untested"] == 1 and report["counts"]["tested"] == 0, report["counts"])
        skipped = junit.findall(".//skipped")
        check(name + ": skipped in junit", len(skipped) == (1 if record["as_expected"] else 0), len(skipped))
        check(name + ": in Markdown", "Not tested on the given tensors" in markdown)
        check(name + ": in HTML", "not tested: " in html if record["as_expected"] else "Not tested as a program" in html)
    path.write_text("2*A == A + A")
    result = run("check", path, "--out", out, "--weights", files, "--bind", "A=huge", "--format", "gradescope")
    rows = {f["format"]: f for f in reports(out)[0]["claims"][0]["tests"]["formats"]}
    check("float64 answers for float64", result.returncode == 0 and rows["float64"]["compared"] == 1, result.stdout)
    check("a tensor that a format cannot hold is no comparison there", rows["float32"]["compared"] == 0 and "a given tensor overflows" in rows["float32"]["not_compared"] and rows["float32"]["rerounded"] == ["A"], rows["float32"])
    run("check", path, "--out", out, "--weights", files, "--bind", "A=big", "--format", "gradescope")
    test = json.loads((out / "results.json").read_text())["tests"][0]
    check("Gradescope gives no point for what was not tested", test["status"] == "failed" and "not tested" in test["output"], test)


def answer_line(text):
    return next((line for line in text.splitlines() if "answer format" in line), "")


def formats_that_answer(folder):
    a = np.array([[1.5, -2], [0.25, 3]])
    files = save(folder / "kinds.safetensors", {"f64": a, "f32": a.astype("f4"), "f16": a.astype("f2"), "bf16": bf16(a)})
    claim = folder / "sum.txt"
    claim.write_text("A + B == B + A")
    for bindings, expected in ((("f64", "f32"), "float64"), (("f32", "f32"), "float32"), (("f16", "f16"), "float16"), (("bf16", "bf16"), "bfloat16"), (("bf16", "f16"), "float32"), (("bf16", "f32"), "float32")):
        run("check", claim, "--out", folder / "out", "--weights", files, "--bind", f"A={bindings[0]}", f"B={bindings[1]}")
        tests = reports(folder / "out")[0]["claims"][0]["tests"]
        check(f"the format that holds {bindings}", tests["answer_format"] == expected, tests["answer_format"])


def names_of_files(folder):
    w = np.arange(4, dtype="f4").reshape(2, 2)
    base, merged = save(folder / "base/model.safetensors", {"w": w}), save(folder / "merged/model.safetensors", {"w": 2 * w})
    np.save(folder / "base/v.npy", w)
    np.save(folder / "merged/v.npy", 2 * w)
    claim = folder / "double.txt"
    claim.write_text("M == 2 * W")

    def ask(*words):
        return run("weights", "check", claim, "--weights", base, merged, folder / "base/v.npy", folder / "merged/v.npy", "--bind", *words)

    for name, tensor in (("model.safetensors", "w"), ("v.npy", "v")):
        doubt = ask(f"W={name}::{tensor}", f"M=merged/{name}::{tensor}")
        check(f"{name}: two files of one name are an error", doubt.returncode == 2 and f"base/{name}::" in doubt.stderr and f"merged/{name}::" in doubt.stderr, doubt)
        plain = ask(f"W={tensor}", f"M=merged/{name}::{tensor}")
        check(f"{name}: so is a tensor of both", plain.returncode == 2 and f"base/{name}::{tensor}" in plain.stderr, plain)
        good = ask(f"W=base/{name}::{tensor}", f"M=merged/{name}::{tensor}")
        check(f"{name}: with a folder each is itself", good.stdout.startswith("equal\n"), good)
        other = ask(f"M=base/{name}::{tensor}", f"W=merged/{name}::{tensor}")
        check(f"{name}: and not the other", other.stdout.startswith("bug\n"), other)
    near = run("weights", "check", claim, "--weights", "./base/model.safetensors", "base/../merged/model.safetensors", "--bind", "W=./base/model.safetensors::w", "M=base/../merged/model.safetensors::w", cwd=folder)
    check("a path as it was typed is a name", near.stdout.startswith("equal\n"), near)
    whole = ask(f"W={base}::w", f"M={merged}::w")
    check("a whole path is a name", whole.returncode == 0, whole)
    run("check", claim, "--out", folder / "out", "--weights", base, merged, "--bind", "W=base/model.safetensors::w", f"M={merged}::w")
    bound = reports(folder / "out")[0]["claims"][0]["tests"]["bound"]
    check("the report names files without doubt", bound == {"W": "base/model.safetensors::w", "M": "merged/model.safetensors::w"}, bound)


def checkpoints(folder):
    """Folders, indices of shards, several values after one option; what is no file at all."""
    w = np.arange(4, dtype="f4").reshape(2, 2)
    one, two = save(folder / "llm/model-1.safetensors", {"a": w}), save(folder / "llm/model-2.safetensors", {"b": w + 1, "c": w})
    np.save(folder / "llm/extra.npy", w)
    (folder / "llm/notes.txt").write_text("no tensors")
    index = folder / "llm/model.safetensors.index.json"
    good = {"metadata": {"total_size": 48}, "weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors", "c": "model-2.safetensors"}}
    index.write_text(json.dumps(good))
    claim = folder / "sum.txt"
    claim.write_text("A + B == B + A")

    def inputs(*words):
        result = run("check", *words, "--out", folder / "out")
        return result, [pathlib.Path(i["path"]).name for i in reports(folder / "out")[0]["inputs"]] if result.returncode == 0 else result.stderr

    bind = ["--bind", "A=a", "B=b"]
    result, read = inputs("--weights", one, two, *bind, claim)
    check("several files after one option, and a claim after them", read == ["sum.txt", "model-1.safetensors", "model-2.safetensors"], read)
    result, read = inputs(claim, "--weights", folder / "llm", *bind)
    check("a folder is its files, in order", read == ["sum.txt", "extra.npy", "model-1.safetensors", "model-2.safetensors", "model.safetensors.index.json"], read)
    result, read = inputs(claim, "--weights", index, *bind)
    check("an index is its shards, and recorded", read == ["sum.txt", "model.safetensors.index.json", "model-1.safetensors", "model-2.safetensors"], read)
    result, read = inputs(claim, "--weights", index, folder / "llm", one, *bind)
    check("a file that is named twice is read once", sorted(read) == sorted(["sum.txt", "model.safetensors.index.json", "extra.npy", "model-1.safetensors", "model-2.safetensors"]), read)
    again = run("repro", folder / "out/report.json")
    check("such a run can be repeated", again.returncode == 0, again)
    bad = {
        "a missing shard": ({"weight_map": {"a": "model-1.safetensors", "z": "model-3.safetensors"}}, "the shard `model-3.safetensors` is missing"),
        "a tensor elsewhere": ({"weight_map": {"a": "model-2.safetensors"}}, "`a` is not in `model-2.safetensors`"),
        "a shard outside": ({"weight_map": {"a": "../llm/model-1.safetensors"}}, "no file name"),
        "no map": ({"weights": {}}, "no index"),
        "an empty map": ({"weight_map": {}}, "no index"),
        "no name": ({"weight_map": {"a": 1}}, "no file name"),
    }
    for name, (value, says) in bad.items():
        index.write_text(json.dumps(value))
        result = run("check", claim, "--out", folder / "never", "--weights", index, *bind)
        check(f"index: {name}", result.returncode == 2 and says in result.stderr and len(result.stderr.splitlines()) <= 2, result)
    index.write_text("[" * 100000)
    check("index: deep JSON", run("check", claim, "--out", folder / "never", "--weights", index, *bind).returncode == 2)
    index.unlink()
    (folder / "none").mkdir()
    result = run("check", claim, "--out", folder / "never", "--weights", folder / "none", *bind)
    check("a folder without tensors", result.returncode == 2 and ".safetensors" in result.stderr, result)
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    for place in (pipe, "/dev/zero"):
        for words in ((claim, "--weights", place, *bind), (place,), (claim, "--weights", one, place, *bind)):
            result = run("check", *words, "--out", folder / "never", seconds=20)
            check(f"{place} is no file", result.returncode == 2 and "not a regular file" in result.stderr and len(result.stderr.splitlines()) <= 2, (words, result))
    odd = save(folder / "odd.safetensors", {"a": w, "mx": Raw("F6_E2M3", [8], b"\x11" * 6), "scale": Raw("F8_E8M0", [4], b"\x7f" * 4), "b": w})
    check("a dtype of tomorrow leaves the others readable", run("weights", "check", claim, "--weights", odd, *bind).returncode == 0)
    result = run("weights", "check", claim, "--weights", odd, "--bind", "A=mx", "B=b")
    check("and is an error where it is used", result.returncode == 2 and "`F6_E2M3`" in result.stderr, result)
    empty = save(folder / "empty.safetensors", {"a": w, "b": w, "mx": Raw("F6_E2M3", [8], b"")})
    check("but it cannot be empty and hold something", run("weights", "check", claim, "--weights", empty, *bind).returncode == 2)


def shapes(folder):
    w = np.ones((4, 4), "f4")
    files = save(folder / "shapes.safetensors", {"g": np.full(4, 2, "f4"), "W": w, "Q": np.ones((8, 4), "f4")})
    claim = folder / "shape.txt"
    claim.write_text("g: [1, d]; W: [d, k]; (W.T * g).T == g.T * W")
    words = ["check", claim, "--out", folder / "out", "--weights", files, "--bind", "W=W"]
    result = run(*words, "g=g")
    check("a vector where a row is needed", result.returncode == 2 and "[None]" in result.stderr, result)
    check("the advice is right", run(*words, "g=g[None]").returncode == 0)
    claim.write_text("g: [d, 1]; W: [d, k]; (W.T * g.T).T == g * W")
    result = run(*words, "g=g")
    check("a vector where a column is needed", result.returncode == 2 and "[:, None]" in result.stderr, result)
    check("that advice is right", run(*words, "g=g[:, None]").returncode == 0)
    r = np.random.default_rng(24)
    tall = r.standard_normal((6, 4)).astype("f4")
    files = save(folder / "turned.safetensors", {"W": tall, "M": np.ascontiguousarray(2 * tall.T)})
    asked = ["weights", "check", "-e", "2 * W == M", "--weights", files, "--bind", "W=W"]
    result = run(*asked, "M=M")
    check("a transpose is offered where it fits, and the sizes are numbers", result.returncode == 2 and "[n, d], here [6, 4] by W" in result.stderr and "M=TENSOR.T" in result.stderr, result)
    for steps in (".T", ".t()", ".permute(1, 0)", ".transpose(1, 0)"):
        check(f"M{steps}", run(*asked, f"M=M{steps}").returncode == 0)
    check("view is reshape", run("weights", "check", "-e", "2 * W == M", "--weights", files, "--bind", "W=W.view(24)", "M=M.T.reshape(24)").returncode == 0)
    result = run(*asked, "M=M.transpose(0, 1)")
    check("what NumPy and PyTorch mean differently is an error", result.returncode == 2 and "PyTorch's exchanges them" in result.stderr, result)
    (folder / "pointer.safetensors").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    result = run("weights", "check", "-e", "2 * W == M", "--weights", folder / "pointer.safetensors", "--bind", "W=W", "M=M")
    check("a pointer to a file", result.returncode == 2 and "git lfs pull" in result.stderr, result)
    files = save(folder / "shapes.safetensors", {"g": np.full(4, 2, "f4"), "W": w, "Q": np.ones((8, 4), "f4")})
    claim.write_text("Q: [h*k, d]; 2*Q + h == Q + Q + h")
    words = ["check", claim, "--out", folder / "out", "--weights", files, "--bind", "Q=Q"]
    result = run(*words)
    check("a size that nothing determines", result.returncode == 2 and "--dim h=4" in result.stderr, result)
    result = run(*words, "--dim", "h=2")
    check("--dim determines it", result.returncode == 0 and "--dim" in reports(folder / "out")[0]["command"], result)
    check("--dim must fit the tensor", run(*words, "--dim", "h=3").returncode == 2)
    check("--dim must be a size of the claim", "no size called x" in run(*words, "--dim", "h=2", "x=3").stderr)
    check("--dim without tensors", run("check", claim, "--out", folder / "never", "--dim", "h=2").returncode == 2)


def what_engineers_read(folder):
    """Shapes of what is bound where they do not fit, one layer alone, bounds in words, and no transposes of vectors."""
    r = np.random.default_rng(36)
    W, g, h = r.standard_normal((64, 32)).astype("f4"), (1 + 0.1 * r.standard_normal(64)).astype("f4"), r.standard_normal(32).astype("f4")
    stack = r.standard_normal((4, 8, 6)).astype("f4")
    files = save(folder / "shapes.safetensors", {"layers.0.W": W, "layers.0.g": g, "h": h, "M": g[:, None] * W, "bad": W * h * h, "S": stack, "T": stack.transpose(0, 2, 1).copy()})
    column = run("weights", "check", "-e", "W * g == M", "--weights", files, "--bind", "W=layers.0.W", "g=layers.0.g", "M=M")
    check("a vector of the rows", column.returncode == 2 and "g=TENSOR[:, None]" in column.stderr, column)
    check("that advice is right, too", answer(files, "W * g == M", {"W": "layers.0.W", "g": "layers.0.g[:, None]", "M": "M"})[0] in ("equal", "rounding"))
    shape = run("weights", "check", "-e", 'np.einsum("hnq,hnr->hqr", S.reshape(4, 8, 6)[:, :4], S.reshape(4, 8, 6)[:, :4]) == M', "--weights", files, "--bind", "S=S", "M=T")
    check("shapes that do not fit are those of the tensors", shape.returncode == 2 and "M [4, 6, 8]" in shape.stderr and "S [4, 8, 6]" in shape.stderr, shape)
    whole = [save(folder / "whole-a.safetensors", {"layers.0.W": np.eye(3, dtype="f4"), "norm": np.ones(3, "f4"), "head.W": np.ones((2, 3), "f4")}), save(folder / "whole-b.safetensors", {"model.layers.0.W": np.eye(3, dtype="f4"), "model.norm": np.ones(3, "f4"), "model.head.W": np.full((2, 3), 2, "f4"), "lm.head": np.ones(1, "f4")})]
    compared = run("weights", "check", "-e", "W == M", "--weights", *whole, "--bind", "W=whole-a.safetensors::**", "M=whole-b.safetensors::model.**")
    check("two whole checkpoints", compared.returncode == 1 and all(line in compared.stdout for line in ("layers.0.W: equal", "norm: equal", "head.W: bug", "all layers: bug (1 bug, 2 equal); bug in head.W")), compared.stdout + compared.stderr)
    for star, told in (("*", "write ** for whole names"), ("model.**.W.*", "for nothing beside another star"), ("model.*", "in one binding and `*` in another")):
        refused = run("weights", "check", "-e", "W == M", "--weights", *whole, "--bind", *(("W=whole-a.safetensors::**",) if star != "*" else ()), f"M=whole-b.safetensors::{star}")
        check(f"stars, {star}", refused.returncode == 2 and told in refused.stderr, refused.stderr)
    alone = run("weights", "check", "-e", "W * g[:, None] == M", "--weights", files, "--bind", "W=layers.*.W", "g=layers.*.g", "M=M")
    check("one layer alone", "`*` is 0 alone" in alone.stdout, alone)
    told = run("weights", "diagnose", "-e", "W * h == M", "--weights", files, "--bind", "W=layers.0.W", "h=h", "M=bad").stdout
    check("a bound in words", "the bound is " in told and "E_R" not in told and "with the factor h twice" in told and "h.T" not in told, told)


def recipes(folder):
    """The claims of the help hold on folds as they are made."""
    r = np.random.default_rng(37)
    f = lambda *shape: r.standard_normal(shape).astype("f4")
    one = np.float32(1)
    t = {"W": f(16, 8), "A": f(4, 8), "B": f(16, 4), "m": f(16), "g": f(8), "b": f(16), "be": f(8), "Q": f(16, 8), "K": f(16, 8), "V": f(16, 8), "C": f(16, 4, 3, 3), "gamma": f(16), "beta": f(16), "mu": f(16), "var": r.random(16).astype("f4") + one}
    t["s"] = (r.random((16, 1)) * 0.01 + 0.01).astype("f4")
    merged = t["W"] + 2 * (t["B"] @ t["A"])
    deviation = np.sqrt(t["var"] + np.float32(1e-5))
    results = {
        "LoRA": merged,
        "DoRA": merged * (t["m"][:, None] / np.sqrt((merged * merged).sum(1, keepdims=True))),
        "gain": t["W"] * t["g"],
        "bias": t["b"] + t["W"] @ t["be"],
        "fused": np.vstack([t["Q"], t["K"], t["V"]]),
        "grouped": np.repeat(t["K"].reshape(4, 4, 8), 2, axis=0).reshape(32, 8),
        "BatchNorm, weight": t["C"] * (t["gamma"] / deviation)[:, None, None, None],
        "BatchNorm, bias": (t["b"] - t["mu"]) * t["gamma"] / deviation + t["beta"],
        "quantised": None,
        "the same in FP8": None,
    }
    lines = [line for line in run("weights", "--help").stdout.partition("Claims for ")[2].splitlines() if " == " in line]
    check("a claim for each", len(lines) == len(results), lines)
    for line in lines:
        name = next(n for n in results if line.strip().startswith(n))
        claim = line.strip()[24:].strip()
        tensors = dict(t)
        if name == "quantised":
            tensors["q"] = Raw("I8", [16, 8], np.round(t["W"] / t["s"]).astype("i1").tobytes())
            tensors["W"] = (np.round(t["W"] / t["s"]).astype("i1") * t["s"] + (r.random((16, 8)).astype("f4") - np.float32(0.5)) * t["s"] * np.float32(0.98)).astype("f4")
        elif name == "the same in FP8":
            codes = (t["W"] / t["s"]).astype("f2").view("u2") >> 8
            tensors["q"] = Raw("F8_E5M2", [16, 8], codes.astype("u1").tobytes())
            tensors["W"] = (codes << 8).astype("u2").view("f2").astype("f4") * t["s"] * (1 + (r.random((16, 8)).astype("f4") - np.float32(0.5)) / 10)
        else:
            tensors[claim.split(" == ")[-1]] = results[name]
        names = [n for n in tensors if re.search(rf"\b{n}\b", claim) and not (name == "DoRA" and n == "V")]
        word, result = answer(save(folder / "recipe.safetensors", tensors), claim, {n: n for n in names})
        check(f"{name}: {claim}", word in ("equal", "rounding"), result.stdout[:300] + result.stderr)


def readings(folder):
    """Bound tensors have the shapes that they have, also beside declarations of others, and where declared sizes are equally large."""
    r = np.random.default_rng(3)
    W, g = r.standard_normal((24, 24)).astype("f4"), r.standard_normal(24).astype("f4")
    files = save(folder / "readings.safetensors", {"W": W, "g": g, "M": (g[:, None] * W).astype("f4"), "columns": (g * W).astype("f4")})
    for declared in ("", "x: [n, d]; ", "x: [n, 24]; ", "x: [n, p]; W: [p, d]; ", "x: [n, d]; W: [d, p]; M: [d, p]; "):
        for stored, expected in (("M", "rounding"), ("columns", "bug")):
            word, result = answer(files, declared + "(rmsnorm(x) * g) @ W == rmsnorm(x) @ M", {"W": "W", "g": "g", "M": stored})
            check(f"a gain that is a vector, with `{declared}` declared: {stored}", word == expected, (result.stdout[:300], result.stderr))


def large_tensors(folder):
    """Layers of the sizes that people have: what takes long there is left out, and said."""
    r = np.random.default_rng(4)
    W, V, long = r.standard_normal((900, 1100)).astype("f4"), r.standard_normal((1100, 800)).astype("f4"), r.standard_normal(4_000_000).astype("f4")
    M = W @ V
    wrong = M.copy()
    wrong[717, 3] *= 1.01
    files = save(folder / "large.safetensors", {"W": W, "V": V, "M": M, "wrong": wrong, "long": long})
    for stored, expected in (("M", "rounding"), ("wrong", "bug")):
        word, result = answer(files, "W @ V == M", {"W": "W", "V": "V", "M": stored}, "--json")
        one = json.loads(result.stdout)["results"][0]
        check(f"a product of layers: {stored}", one["answer"] == expected and one["left_out"] == ["bfloat16/16", "float16/16"], (one["answer"], one["left_out"]))
        check(f"the other formats were run: {stored}", {f["format"] for f in one["formats"]} == {"float64", "float32", "bfloat16", "float16"}, [f["format"] for f in one["formats"]])
    word, result = answer(files, "W @ V == M", {"W": "W", "V": "V", "M": "M"})
    check("what was left out is said", "not run, as it takes long on tensors of this size: bfloat16/16, float16/16" in result.stdout, result.stdout)
    word, result = answer(files, "x: [n, d]; x @ W @ V == x @ M", {"W": "W", "V": "V", "M": "M"}, "--json")
    one = json.loads(result.stdout)["results"][0]
    check("more than one case, of other sizes", len({s["n"] for s in one["open_sizes"]}) >= 2 and one["answer"] == "rounding", (one["answer"], one["open_sizes"]))
    W, g = (r.standard_normal((1300, 1300)) / 36).astype("f4"), (1 + 0.1 * r.standard_normal(1300)).astype("f4")
    M = W * g
    wrong = M.copy()
    wrong[1234, 1117] *= np.float32(1.0002)
    wide = save(folder / "wide.safetensors", {"W": W, "g": g, "M": M, "wrong": wrong})
    check("a fold before random rows", answer(wide, "(x * g) @ W.T == x @ M.T", {"W": "W", "g": "g", "M": "M"})[0] == "rounding")
    word, result = answer(wide, "(x * g) @ W.T == x @ M.T", {"W": "W", "g": "g", "M": "wrong"})
    check("one entry that is off a little, before random rows", word in ("bug", "unclear"), result.stdout[:400])
    word, result = answer(wide, "(x * g) @ W.T @ W == x @ M.T @ W", {"W": "W", "g": "g", "M": "M"})
    check("single entries that take too long to try are no pass", word == "unclear" and "may hide" in result.stdout, result.stdout[:400])
    word, result = answer(files, "a + b == 2*a", {"a": "long", "b": "long"})
    check("more than ten million entries", word == "equal", result.stdout[:300])
    W, g = (r.standard_normal((2100, 2000)) / 40).astype("f4"), (1 + 0.1 * r.standard_normal(2000)).astype("f4")
    update = np.outer(r.standard_normal(2100), r.standard_normal(2000)).astype("f2").astype("f4")
    layer = save(folder / "layer.safetensors", {"W": W, "g": g, "M": W * g, "wrong": W / g, "h": bf16(W), "hg": bf16(as_float(bf16(W)) * g), "U": update, "added": bf16(as_float(bf16(W)) + as_float(bf16(update)))})
    for claim, names, expected, formats in (("W * g == M", {"W": "W", "g": "g", "M": "M"}, "equal", {"float32"}), ("W * g == M", {"W": "W", "g": "g", "M": "wrong"}, "bug", {"float32"}), ("W * g == M", {"W": "h", "g": "g", "M": "wrong"}, "bug", {"float32", "bfloat16", "bfloat16/16"}),
                                            ("W + U == M", {"W": "h", "U": "U", "M": "added"}, "rounding", None)):
        word, result = answer(layer, claim, names, "--json")
        one = json.loads(result.stdout)["results"][0]
        check(f"a large layer, {claim} on {names}: no format that adds nothing", word.startswith("{") and one["answer"] == expected and (formats is None or {f["format"] for f in one["formats"]} == formats), (one["answer"], one["left_out"]))
    (folder / "product.txt").write_text("W @ V == M")
    result = run("check", folder / "product.txt", "--out", folder / "out", "--weights", files, "--bind", "W=W", "V=V", "M=M")
    report, _, markdown, html = reports(folder / "out")
    check("reports say what was left out", report["claims"][0]["tests"]["left_out"] == ["bfloat16/16", "float16/16"] and "not run" in result.stdout and "not run" in markdown and "not run" in html, result.stdout)


def answer(files, claim, bindings, *more):
    result = run("weights", "check", "-e", claim, "--weights", files, "--bind", *[f"{k}={v}" for k, v in bindings.items()], *more)
    return result.stdout.split("\n")[0], result


def rounding_or_bug(folder):
    """Folds and merges as engineers write them to files, right and wrong, in every storage."""
    r = np.random.default_rng(5)
    d = 48
    tensors, cases = {}, []
    store = {"f4": lambda a: a.astype("f4"), "f2": lambda a: a.astype("f2"), "bf": bf16}
    load = {"f4": lambda a: a.astype("f4"), "f2": lambda a: a.astype("f2").astype("f4"), "bf": lambda a: as_float(bf16(a))}
    for kind in store:
        W, g = load[kind](r.standard_normal((d, d)) * 0.02), load[kind](1 + 0.05 * r.standard_normal((1, d)))
        exact = g.T.astype("f8") * W
        A, B = (r.standard_normal((8, d)) * 0.1).astype("f4"), (r.standard_normal((d, 8)) * 2e-3).astype("f4")
        merged = W.astype("f8") + 2 * (B.astype("f8") @ A)
        folds = {"exact": exact, "float32": (g.T * W).astype("f4")}
        wrong_folds = {"forgot": W, "transposed": exact.T, "axis": g.astype("f8") * W, "1+": (g.T.astype("f8") - 1) * W, "row": np.vstack([exact[:-1], W[-1:]])}
        merges = {"exact": merged, "float32": W + np.float32(2) * (B @ A)}
        wrong_merges = {"scale": W.astype("f8") + B.astype("f8") @ A, "transposed": W + 2 * (B.astype("f8") @ A).T, "forgot": W, "twice": 2 * merged - W, "sign": 2 * W - merged}
        tensors.update({f"{kind}.W": store[kind](W), f"{kind}.g": store[kind](g), f"{kind}.A": A, f"{kind}.B": B})
        for claim, group, right in (("fold", folds, True), ("fold", wrong_folds, False), ("merge", merges, True), ("merge", wrong_merges, False)):
            for name, value in group.items():
                tensors[f"{kind}.{claim}.{name}"] = store[kind](np.asarray(value))
                cases.append((kind, claim, name, right))
    files = save(folder / "stored.safetensors", tensors)
    claims = {
        "fold": ["g.T * W == M", "M == g.T * W", "M.T == W.T * g", "x: [n, d]; g: [1, d]; W: [d, k]; (x * g) @ W == x @ M"],
        "merge": ["W + 2*(B @ A) == M", "x: [n, d]; W: [d, k]; B: [d, r]; A: [r, k]; x @ W + 2*((x @ B) @ A) == x @ M"],
    }
    for kind, claim, name, right in cases:
        bindings = {"W": f"{kind}.W", "M": f"{kind}.{claim}.{name}", **({"g": f"{kind}.g"} if claim == "fold" else {"A": f"{kind}.A", "B": f"{kind}.B"})}
        for text in claims[claim]:
            word, result = answer(files, text, bindings)
            expected = ("equal", "rounding") if right else ("bug",)
            check(f"{kind} {claim} {name}: {text}", word in expected and result.returncode == (0 if right else 1), (word, result.returncode, result.stdout[:400], result.stderr))
    word, result = answer(files, "g.T * W == M", {"g": "f4.g", "W": "f4.W", "M": "f4.fold.float32"})
    check("bit for bit", word == "equal" and "as an identity" not in result.stdout, result.stdout)
    word, result = answer(files, "(x * g) @ W == x @ (g.T * W)", {"g": "f4.g", "W": "f4.W"})
    check("an identity is proved at the shapes of the tensors", word == "rounding" and "proved" in result.stdout.split("\n")[1], result.stdout)
    word, result = answer(files, "g.T * W == M", {"g": "f4.g", "W": "f4.W", "M": "f4.fold.forgot"}, "--json")
    one = json.loads(result.stdout)["results"][0]
    worst = next(f for f in one["formats"] if f["format"] == one["answer_format"])["worst"]
    W, g = tensors["f4.W"], tensors["f4.g"]
    i, j = worst["entry"]
    check("the worst element is where it says", float.fromhex(worst["lhs"]) == np.float32(g[0, i] * W[i, j]) and float.fromhex(worst["rhs"]) == W[i, j], worst)
    check("its difference and bound", float.fromhex(worst["difference"]) == abs(float.fromhex(worst["lhs"]) - float.fromhex(worst["rhs"])) > float.fromhex(worst["bound"]) > 0, worst)
    trip = save(folder / "trip.safetensors", {"W": W, "g": g, "M": as_float(bf16(g.T.astype("f8") * W))})
    every = run("weights", "check", "-e", "g.T * W == M", "--weights", save(folder / "layers.safetensors", {f"{i}.{n}": t for i in range(2) for n, t in {"W": W, "g": g, "M": as_float(bf16(g.T.astype("f8") * W))}.items()}), "--bind", "g=*.g", "W=*.W", "M=*.M")
    check("and so it is of every layer", every.stdout.count("every number of M is a bfloat16") == 2, every.stdout)
    gains = save(folder / "gains.safetensors", {"g": (1 + 0.1 * r.uniform(-1, 1, 64)).astype("f4"), "ones": np.ones(64, "f4")})
    word, result = answer(gains, "g == h", {"g": "g", "h": "ones"})
    check("ones are numbers of every format", word == "bug" and "every number of" not in result.stdout, result.stdout)
    zeros = save(folder / "zeros.safetensors", {"a": np.zeros((4, 4), "f4"), "b": -np.zeros((4, 4), "f4"), "c": np.zeros((4, 4), "f4")})
    word, result = answer(zeros, "A == B", {"A": "a", "B": "b"})
    check("the signs of zeros are said", word == "equal" and "16 are 0 on one side and -0 on the other" in result.stdout and "bit for bit" not in answer_line(result.stdout), result.stdout)
    check("where they differ", "bit for bit" in answer_line(answer(zeros, "A == B", {"A": "a", "B": "c"})[1].stdout))
    word, result = answer(trip, "g.T * W == M", {"g": "g", "W": "W", "M": "M"})
    check("a trip through bfloat16 changes no answer of bfloat16 files, and digits were lost by it", word == "rounding" and "every number of M is a bfloat16, though stored as float32" in result.stdout and "digits of W, g were lost" in result.stdout, result.stdout)
    word, result = answer(save(folder / "cut.safetensors", {"W": W, "M": (W.view("u4") & np.uint32(0xFFFF0000)).view("f4")}), "W == M", {"W": "W", "M": "M"})
    check("digits that were cut off are a bug in float32 as in bfloat16", word == "bug" and "as if digits had been cut off" in result.stdout, result.stdout)
    W, g = np.random.default_rng(8).standard_normal((96, 96)).astype("f4"), np.random.default_rng(9).uniform(0.5, 2, 96).astype("f4")
    larger = W * g
    larger[10] = np.nextafter(np.nextafter(np.nextafter(larger[10], larger[10] * 4), larger[10] * 4), larger[10] * 4)
    word, result = answer(save(folder / "larger.safetensors", {"W": W, "g": g, "M": larger}), "W * g == M", {"W": "W", "g": "g", "M": "M"})
    check("one row that is 3 units larger has lost no digits", word == "bug" and "cut off" not in result.stdout, result.stdout)
    word, result = answer(folder / "larger.safetensors", "W == M", {"W": "W.flip(0)", "M": "M"})
    check("a step that is not read is named", "`.flip(0)` is no step that is read" in result.stderr and "steps are .T" in result.stderr, result.stderr)


def which_mistake(folder):
    """Each single mistake is named by its claim, bit for bit where it was made in the same format; what is no single mistake is not."""
    r = np.random.default_rng(11)
    d = 24
    W, g = (r.standard_normal((d, d)) * 0.02).astype("f4"), (1 + 0.05 * r.standard_normal((1, d))).astype("f4")
    A, B = (r.standard_normal((4, d)) * 0.1).astype("f4"), (r.standard_normal((d, 4)) * 2e-2).astype("f4")
    one, two = np.float32(1), np.float32(2)
    folds = {
        "without the factor g.T": W,
        "with g for g.T": g * W,
        "with W.T for W": g.T * W.T,
        "with the result transposed": (g.T * W).T,
        "with 1 + g.T for g.T": (one + g.T) * W,
        "with g.T - 1 for g.T": (g.T - one) * W,
        "divided by g.T instead of multiplied": W / g.T,
        "with the factor g.T twice": g.T * (g.T * W),
        "with the sign of the result changed": -(g.T * W),
    }
    merges = {
        "without the factor 2": W + B @ A,
        "with the term 2 * (B @ A) twice": W + two * (two * (B @ A)),
        "without the term W": two * (B @ A),
        "without the term 2 * (B @ A)": W,
        "with the sign of 2 * (B @ A) changed": W - two * (B @ A),
        "with the sign of W changed": two * (B @ A) - W,
        "with (B @ A).T for B @ A": W + two * (B @ A).T,
    }
    tensors = {"W": W, "g": g, "A": A, "B": B, "g.w": g - one, "fold.row": np.vstack([(g.T * W)[:-1], W[-1:]]), "gemma": (g - one).T * W}
    for claim, group in (("fold", folds), ("merge", merges)):
        tensors.update({f"{claim}.{i}": value for i, value in enumerate(group.values())})
    files = save(folder / "mistakes.safetensors", tensors)

    def ask(text, bindings):
        result = run("weights", "diagnose", "-e", text, "--weights", files, "--bind", *[f"{k}={v}" for k, v in bindings.items()], "--json")
        one = json.loads(result.stdout)["results"][0]
        check(f"{bindings['M']}: a diagnosis changes no answer", result.returncode == 1 and one["answer"] == "bug", (result.returncode, one["answer"]))
        return {e["change"]: e for e in one["diagnosis"]["found"]}, one["diagnosis"]

    for i, words in enumerate(folds):
        found, _ = ask("g.T * W == M", {"g": "g", "W": "W", "M": f"fold.{i}"})
        check(f"fold: {words}", next(iter(found)) == words and len(found) <= 2, found)
    for i, words in enumerate(merges):
        found, _ = ask("W + 2*(B @ A) == M", {"W": "W", "A": "A", "B": "B", "M": f"merge.{i}"})
        check(f"merge: {words}", words in found and len(found) == 1, found)
    found, _ = ask("(1 + w).T * W == M", {"w": "g.w", "W": "W", "M": "gemma"})
    check("1 + w forgotten", "without the 1 +" in found, found)
    found, whole = ask("g.T * W == M", {"g": "g", "W": "W", "M": "fold.row"})
    check("a row that was left out is a mistake in that row", list(found) == ["in rows 23:24, without the factor g.T"] and whole["tried"] > 10, whole)
    text = run("weights", "diagnose", "-e", "g.T * W == M", "--weights", files, "--bind", "g=g", "W=W", "M=fold.0").stdout
    check("in words", "it holds without the factor g.T, bit for bit: " in text and "W == M" in text and text.startswith("bug\n"), text)
    module = run("weights", "check", "-e", "lin = nn.Linear(24, 24); lin(x) == x @ lin.weight.T + lin.bias", "--weights", files, "--bind", "lin.weight=W", "lin.bias=g[0]")
    check("weights of a module by its names", module.returncode == 0 and "random in every case: x;" in module.stdout, (module.stdout, module.stderr))
    lost = run("weights", "fold", "-e", "W / 100000000", "--weights", files, "--bind", "W=W", "--name", "M", "--format", "float16", "--out", folder / "lost.safetensors")
    check("what a format has no numbers for is said", f"{d * d} of them are 0 there" in lost.stdout, lost)
    equation = run("weights", "fold", "-e", "g.T * W == M", "--weights", files, "--bind", "g=g", "W=W", "--name", "M", "--out", folder / "never.safetensors")
    check("an equation is no fold", equation.returncode == 2 and "-e 'g.T * W'" in equation.stderr, equation)
    good = run("weights", "diagnose", "-e", "g.T * W == M", "--weights", files, "--bind", "g=g", "W=W", "M=fold.0", "M2=W")
    check("bad input is bad input here too", good.returncode == 2, good)


def sixteen_bits_saved_in_more(folder):
    """A checkpoint of 16 bits that was saved as float32 or float64 gets the answer of its 16-bit file; whole numbers, steps of one size and few numbers do not tell a format."""
    r = np.random.default_rng(61)
    for kind, store, u in (("bfloat16", bf16, 2.0**-8), ("float16", lambda a: np.asarray(a).astype("f2"), 2.0**-11)):
        load = (lambda a: as_float(bf16(a))) if kind == "bfloat16" else (lambda a: np.asarray(a).astype("f2").astype("f4"))
        W, g, few = load(r.standard_normal((32, 32)) * 0.02), load(1 + 0.2 * r.standard_normal(32)), load(np.array([0.5, 1, 2, 1] * 8))
        A, B = load(r.standard_normal((4, 32)) * 0.3), load(r.standard_normal((32, 4)) * 0.02)
        wide = W.astype("f8")
        cases = {
            "W * g == M": {"once": wide * g, "factor": wide * g * (1 + 6 * u), "row": wide * g * np.where(np.arange(32)[:, None] == 3, 1.2, 1)},
            "W * few == M": {"once": wide * few, "off": wide * few * 1.2},
            "W + 2*(B @ A) == M": {"once": wide + 2.0 * B @ A, "steps": load(W + load(2 * load(B @ A))), "half": wide + 1.0 * B @ A},
        }
        given = {"W": W, "g": g, "few": few, "A": A, "B": B}
        for claim, results in cases.items():
            names = [n for n in given if re.search(rf"\b{n}\b", claim)]
            for name, M in results.items():
                words = {}
                for container, save_as in (("16 bits", store), ("float32", lambda a: load(a)), ("float64", lambda a: load(a).astype("f8"))):
                    files = save(folder / "one.safetensors", {**{n: save_as(given[n]) for n in names}, "M": save_as(M)})
                    words[container], result = answer(files, claim, {**{n: n for n in names}, "M": "M"})
                    says = f"M, W{', few' if 'few' in names else ''}" in result.stdout.replace("A, B, ", "").replace(", g", "") and f"is a {kind}, though stored as {container}" in result.stdout
                    check(f"{kind} in {container}, {claim}, {name}: said", says == (container != "16 bits"), result.stdout[:500])
                right = name in ("once", "steps")
                check(f"{kind}, {claim}, {name}: one answer", len(set(words.values())) == 1 and (words["float32"] in ("equal", "rounding")) == right, words)
        M = load(wide * g)
        near = answer(save(folder / "near.safetensors", {"W": W, "g": (g * 1.0001).astype("f4"), "M": store(M)}), "W * g == M", {"W": "W", "g": "g", "M": "M"})
        check(f"{kind}: a gain that is rounded to the format of the result first", near[0] == "rounding" and f"bit for bit what arithmetic in {kind} gives with W, g rounded to it first" in near[1].stdout.replace("with g", "with W, g"), near[1].stdout[:400])
        word, result = answer(save(folder / "digits.safetensors", {"W": W, "g": (g * 1.02).astype("f4"), "M": M}), "W * g == M", {"W": "W", "g": "g", "M": "M"})
        asked = "the 16-bit result beside its operands of more digits"
        narrow = answer(save(folder / "narrow.safetensors", {"W": W, "g": (g * 1.02).astype("f4"), "M": store(M)}), "W * g == M", {"W": "W", "g": "g", "M": "M"})[0]
        same = word == narrow and word in ("bug", "unclear") and f"every number of M is a {kind}" in result.stdout
        check(f"{kind}: {asked} gets the answer that it has as stored in 16 bits", same and "digits of g were lost" in result.stdout, (narrow, result.stdout[:400]))
        q = r.integers(-127, 128, (32, 32))
        files = save(folder / "integers.safetensors", {"q": Raw("I8", [32, 32], q.astype("i1").tobytes()), "s": np.asarray(load(abs(g) / 100)), "M": store(load(abs(g) / 100).astype("f8") * q), "N": store(load(abs(g) / 100).astype("f8") * q * 1.2)})
        for name, expected in (("M", ("equal", "rounding")), ("N", ("bug",))):
            word, told = answer(files, "q * s == M", {"q": "q", "s": "s", "M": name})
            check(f"{kind}: integers go with the others, {expected[0]}", word in expected and f"{kind} (answer format)" in told.stdout, told.stdout[:400])
    whole = r.integers(64, 128, (16, 16)).astype("f4") * 2 + 1
    ones = np.array([1, 2] * 8, "f4")
    for name, W in (("whole numbers", whole), ("steps of one size", whole / 1024)):
        scale = ones if name == "whole numbers" else np.ones(16, "f4")
        M = W * scale
        M[2, 3] = (W[2, 3] + (1 if name == "whole numbers" else 1 / 1024)) * scale[3]
        word, result = answer(save(folder / "whole.safetensors", {"W": W, "g": scale, "M": M}), "W * g == M", {"W": "W", "g": "g", "M": "M"})
        check(f"{name} are of no format of their own", word == "bug" and "though stored as" not in result.stdout, result.stdout[:400])
    word, result = answer(save(folder / "few.safetensors", {"W": np.array([1.5, 0.7109375, 3], "f4"), "M": np.array([1.5, 0.70703125, 3], "f4")}), "1 * W == M", {"W": "W", "M": "M"})
    check("three numbers may be of 16 bits by accident", word == "bug" and "though stored as" not in result.stdout, result.stdout[:400])


def factors_of_terms(folder):
    """A term that is added at 0.97 of its scale is less than a rounding of every entry, and no rounding; programs that round the update, or each partial sum, are."""
    r = np.random.default_rng(62)
    load = lambda a: as_float(bf16(a)).astype("f8")
    W, A = load(r.standard_normal((96, 80)) * 0.03), load(r.uniform(-1, 1, (64, 80)) * 0.07)
    B = r.standard_normal((96, 64))
    B = load(B * 0.003 / (2 * B @ A).std())
    c, V, v = load(r.standard_normal(512)), load(r.standard_normal((512, 64)) * 0.0125), load(r.standard_normal(64))
    partial = lambda terms: __import__("functools").reduce(lambda sum, term: load(sum + load(term)), terms, 0.0)
    update, sums = 2 * B @ A, V @ v
    cases = {
        "W + 2*(B @ A) == M": {
            "rounding": [W + update, W + load(2 * load(B @ A)), W + 2 * partial([np.outer(B[:, k], A[k]) for k in range(64)]), W + load(2 * B) @ A],
            "bug": [W + 0.97 * update, W + 1.03 * update],
            "unclear": [(W + 0.98 * update) * (1 + r.choice([-1, 1], W.shape) * 2.0**-10 * (abs(update) < abs(W) / 4))],
        },
        "M == V @ v + c": {"rounding": [c + sums, c + load(sums), c + partial([V[:, k] * v[k] for k in range(64)])], "bug": [c + 1.05 * sums]},
        "U = W - 2*(B @ A); M == U": {"rounding": [W - update], "bug": [W - 0.97 * update]},
    }
    given = {"W": W, "A": A, "B": B, "c": c, "V": V, "v": v}
    files = save(folder / "terms.safetensors", {**{n: bf16(t) for n, t in given.items()}, **{f"{i}.{word}.{k}": bf16(M) for i, group in enumerate(cases.values()) for word, results in group.items() for k, M in enumerate(results)}})
    for i, (claim, group) in enumerate(cases.items()):
        for word, results in group.items():
            for k in range(len(results)):
                got, result = answer(files, claim, {**{n: n for n in given if re.search(rf"\b{n}\b", claim)}, "M": f"{i}.{word}.{k}"})
                check(f"{claim}, {word} {k}", got in (word, "equal" if word == "rounding" else word), result.stdout[:500])
                factor = re.search(r"the term (.*) is there ([0-9.]+) times, by a fit with a standard error of ([0-9.e-]+)", result.stdout)
                check(f"{claim}, {word} {k}: names the factor", bool(factor) == (word != "rounding"), result.stdout[:500])
                if word == "bug" and factor:
                    true = {"0.0": 0.97, "0.1": 1.03, "1.0": 1.05, "2.0": 0.97}[f"{i}.{k}"]
                    check(f"{claim}, {word} {k}: the factor", factor[1] in ("2 * (B @ A)", "V @ v") and abs(float(factor[2]) - true) <= max(6 * float(factor[3]), 1e-3), result.stdout[:500])


def operands_that_were_rounded(folder):
    """Factors of a matrix and rotated weights are rounded where they are stored, and their product is off by that. What a product misses in one row, one entry, by a factor or with a rank less is none."""
    r = np.random.default_rng(63)
    for kind, store in (("bf", bf16), ("f2", lambda a: np.asarray(a).astype("f2"))):
        load = (lambda a: as_float(bf16(a)).astype("f8")) if kind == "bf" else (lambda a: np.asarray(a).astype("f2").astype("f8"))
        d = 96
        W = load(r.standard_normal((d, d)) * 0.05)
        U, S, V = np.linalg.svd(W)
        R = load(np.linalg.qr(r.standard_normal((d, d)))[0])
        H = np.array([[1.0]])
        while len(H) < 64:
            H = np.block([[H, H], [H, -H]]) / np.sqrt(2)
        signs = load(np.sign(H)) / 8
        W64 = W[:, :64]
        A, B = load(U * np.sqrt(S)), load(np.sqrt(S)[:, None] * V)
        P = load(A @ B)
        row, entry = W.copy(), P.copy()
        row[7] *= 1.06
        entry[5, 9] *= 1 + 2.0**-5
        less = lambda k: load((U * np.sqrt(S))[:, :k]) @ load((np.sqrt(S)[:, None] * V)[:k])
        factors = {"A": A, "B": B}
        cases = [
            ("A @ B == W", {**factors, "W": W}, "rounding"),
            ("W == A @ B", {**factors, "W": W}, "rounding"),
            ("M @ R.T == W", {"M": load(W @ R), "R": R, "W": W}, "rounding"),
            ("M @ R.T == W", {"M": load(W64 @ signs), "R": signs.T, "W": W64}, "rounding"),
            ("W == L @ M @ R.T", {"L": R, "M": load(R.T @ W @ R), "R": R, "W": W}, "rounding"),
            ("A @ B == W", {**factors, "W": 1.02 * W if kind == "bf" else load(1.003 * W)}, "bug"),
            ("A @ B == W", {**factors, "W": load(row)}, "bug"),
            ("A @ B == W", {**factors, "W": entry}, "bug"),
            ("A @ B == W", {"A": load((U * np.sqrt(S))[:, : d - 24]), "B": load((np.sqrt(S)[:, None] * V)[: d - 24]), "W": W}, "bug"),
            ("M @ R.T == W", {"M": load(W @ R), "R": R.T, "W": W}, "bug"),
        ]
        for k, (claim, tensors, expected) in enumerate(cases):
            word, result = answer(save(folder / "product.safetensors", {n: store(t) for n, t in tensors.items()}), claim, {n: n for n in tensors})
            check(f"{kind}: {claim}, {k}", word == expected, result.stdout[:600])
            check(f"{kind}: {claim}, {k}: says why", k == 4 or ("half a unit in the last place of every stored operand" in result.stdout) == (expected == "rounding"), result.stdout[:600])


def casts_of_one_checkpoint(folder):
    """A fold made in float32, of which both checkpoints were then saved in 16 bits: half a unit of each operand. It is rounding as of products of matrices, and smaller errors are no bug where larger ones are none."""
    r = np.random.default_rng(71)
    for kind, store in (("bf", bf16), ("f2", lambda a: np.asarray(a).astype("f2"))):
        load = (lambda a: as_float(bf16(a)).astype("f8")) if kind == "bf" else (lambda a: np.asarray(a).astype("f2").astype("f8"))
        u = 2.0**-8 if kind == "bf" else 2.0**-11
        W, g, s = r.standard_normal((64, 48)) * 0.05, 1 + 0.2 * r.standard_normal(48), 1 + 0.2 * r.standard_normal(64)
        A, B, L = r.standard_normal((48, 96)), r.standard_normal((96, 64)) * 0.1, r.standard_normal((64, 48)) * 2
        p = np.exp(L - L.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        row, entry, exact, one = load(W * g), load(W * g), load(load(W) * load(g)), load(load(W) * load(g))
        row[5] = load(row[5] * (1 + 8 * u))
        entry[3, 7] *= 1 + 16 * u
        one[3, 7] *= 1 + 6 * u  # no farther off than the roundings of the operands allow, where no other entry needs them
        product = load(A) @ load(B)
        cases = [
            ("W * g == M", {"W": W, "g": g, "M": W * g}, "rounding"),
            ("W * g[:, None] == M", {"W": W, "g": s, "M": W * s[:, None]}, "rounding"),
            ("W / g == M", {"W": W, "g": g, "M": W / g}, "rounding"),
            ("s[:, None] * W * g == M", {"W": W, "g": g, "s": s, "M": s[:, None] * W * g}, "rounding"),
            ("softmax(L) == M", {"L": L, "M": p}, "rounding"),
            ("A @ B == M", {"A": A, "B": B, "M": product * (1 + u / 4 * r.standard_normal(product.shape))}, "rounding"),
            ("A @ B == M", {"A": A, "B": B, "M": product * (1 + u * r.standard_normal(product.shape))}, "rounding"),
            ("W * g == M", {"W": W, "g": g, "M": W * g * (1 + 3 * u)}, "bug"),
            ("W * g == M", {"W": W, "g": g, "M": row}, "bug"),
            ("W * g == M", {"W": W, "g": g, "M": entry}, "bug"),
            ("W * g == M", {"W": W, "g": g, "M": one}, "bug"),
            ("W * g == M", {"W": W, "g": g, "M": np.where(np.arange(64)[:, None] == 9, W * g * (1 + 2 * u * r.standard_normal(48)), exact)}, "bug"),
            ("W * g == M", {"W": W, "g": g, "M": W * g * (1 + 4 * u * r.standard_normal((64, 48)))}, "bug"),
        ]
        V = W * (1 + 8 * u * r.standard_normal(W.shape))
        D, E, F = load(0.6 * u * W * r.standard_normal(W.shape)), load(r.standard_normal((64, 4)) * 0.02), load(r.standard_normal((4, 48)) * u)  # updates that are hardly larger than the roundings of what they are added to
        cases += [
            ("W + D == M", {"W": W, "D": D, "M": load(W)}, "no rounding"),
            ("W - D == M", {"W": W, "D": D, "M": load(W) + D}, "no rounding"),
            ("W + E @ F == M", {"W": W, "E": E, "F": F, "M": load(W)}, "no rounding"),
            ("W - V == M", {"W": W, "V": V, "M": W - V}, "rounding"),
        ]
        for k, (claim, tensors, expected) in enumerate(cases):
            if expected == "no rounding":
                word, result = answer(save(folder / "casts.safetensors", {n: store(t) for n, t in tensors.items()}), claim, {n: n for n in tensors})
                check(f"{kind}: {claim}, {k}", word in ("bug", "unclear"), result.stdout[:600])
                continue
            word, result = answer(save(folder / "casts.safetensors", {n: store(t) for n, t in tensors.items()}), claim, {n: n for n in tensors})
            check(f"{kind}: {claim}, {k}", word == expected, result.stdout[:600])


def roundings_in_common(folder):
    """Entries of a row or a column share the rounding of the sum that they are divided by, of its reciprocal, and of a scale beside the stored tensor; what the others leave in their mean is no more a bug."""
    r = np.random.default_rng(72)
    for kind, store in (("bf", bf16), ("f2", lambda a: np.asarray(a).astype("f2")), ("f4", lambda a: np.asarray(a).astype("f4"))):
        load = {"bf": lambda a: as_float(bf16(a)).astype("f8"), "f2": lambda a: np.asarray(a).astype("f2").astype("f8"), "f4": lambda a: np.asarray(a).astype("f4").astype("f8")}[kind]
        u = {"bf": 2.0**-8, "f2": 2.0**-11, "f4": 2.0**-24}[kind]
        words = {}
        for k in range(6):
            L = load(r.standard_normal((48, 40)) * 2)
            e = np.exp(L - L.max(1, keepdims=True))
            each, by_reciprocal = load(load(e) / load(load(e).sum(1, keepdims=True))), load(e * load(1 / e.sum(1, keepdims=True)))
            wrong = by_reciprocal.copy()
            wrong[7] = load(wrong[7] * (1 + (200 if kind == "f4" else 12) * u))  # float32 rounds each of 40 terms
            W, g, s = load(r.standard_normal((64, 48)) * 0.05), load(1 + 0.2 * r.standard_normal(48)), np.exp(0.5 * r.standard_normal(48))
            scaled, rest = load(W * s), load(g / s)
            off = rest.copy()
            off[9] *= 1 + 6 * u
            for name, claim, tensors in (
                ("softmax", "softmax(L) == M", {"L": L, "M": each}),
                ("reciprocal", "softmax(L) == M", {"L": L, "M": by_reciprocal}),
                ("scaled", "V * M == W * g", {"V": scaled, "M": rest, "W": W, "g": g}),
                ("wrong row", "softmax(L) == M", {"L": L, "M": wrong}),
                ("wrong column", "V * M == W * g", {"V": scaled, "M": off, "W": W, "g": g}),
            ):
                word, result = answer(save(folder / "common.safetensors", {n: store(t) for n, t in tensors.items()}), claim, {n: n for n in tensors})
                words.setdefault(name, []).append(word)
        for name, found in words.items():
            good = all(w == "rounding" for w in found) if "wrong" not in name else all(w in ("bug",) + (("unclear",) if kind == "f4" else ()) for w in found)
            check(f"{kind}: {name}", good, found)


def results_saved_in_more(folder):
    """A result of float32, or of 16 bits, that was saved as float64 beside float64 tensors has the digits of its own arithmetic. What was computed wrongly is a bug all the same."""
    r = np.random.default_rng(73)
    W, A, B = r.standard_normal((32, 24)) * 0.1, r.standard_normal((32, 4)) * 0.3, r.standard_normal((4, 24)) * 0.3
    exact = W + A @ B
    single = lambda a: a.astype("f4").astype("f8")
    wrong = exact.copy()
    wrong[3] *= 1 + 1e-5
    digits = exact.copy()
    digits[:, 1:] = single(digits[:, 1:])  # one column has all digits of float64, so that the others were lost on the way
    digits[3, 5] += 1e-7
    files = save(folder / "more.safetensors", {"W": W, "A": A, "B": B, "single": single(exact), "steps": single(single(W) + single(single(A) @ single(B))), "bf": as_float(bf16(exact)).astype("f8"), "wrong": single(wrong), "twice": single(W + 2 * A @ B), "digits": digits})
    for stored, words, told in (("single", ("rounding",), "float32"), ("steps", ("rounding", "unclear"), "float32"), ("bf", ("rounding",), "bfloat16"), ("wrong", ("bug",), "float32"), ("twice", ("bug",), "float32"), ("digits", ("bug",), "")):
        word, result = answer(files, "W + A @ B == M", {"W": "W", "A": "A", "B": "B", "M": stored})
        check(f"{stored} saved as float64", word in words and ("though stored as float64" in result.stdout) == bool(told) and told in result.stdout, result.stdout[:600])


def results_of_fewer_digits(folder):
    """A result of 16 bits that was saved with more digits gets the answer of its 16-bit file, whatever digits its operands have; numbers below the normal ones of float16 are rounded as such, wherever they are stored."""
    r = np.random.default_rng(103)
    half = lambda a: np.asarray(a).astype("f2").astype("f8")
    brain = lambda a: as_float(bf16(a)).astype("f8")
    widened = {"float16": lambda a: half(a).astype("f4"), "bfloat16": lambda a: brain(a).astype("f4")}
    stored = {"float16": lambda a: half(a).astype("f2"), "bfloat16": bf16}
    W, g, A, B = r.standard_normal((64, 48)) * 0.02, 1 + 0.2 * r.standard_normal(48), r.standard_normal((64, 4)) * 0.2, r.standard_normal((4, 48)) * 0.2
    W[:, ::5] *= 1e-4  # products below 2**-14
    single = lambda a: np.asarray(a).astype("f4").astype("f8")
    for source, load, save_as in (("float32", single, lambda a: a.astype("f4")), ("bfloat16", brain, bf16), ("float16", half, lambda a: a.astype("f2"))):
        w, gain, a, b = (load(t) for t in (W, g, A, B))
        for claim, names, exact in (("W * g == M", "Wg", w * gain), ("W + 2*(A @ B) == M", "WAB", w + 2 * (a @ b)), ("W == M", "W", w)):
            given = {n: save_as({"W": w, "g": gain, "A": a, "B": b}[n]) for n in names}
            bound = {n: n for n in [*names, "M"]}
            wrong = exact.copy()
            wrong[7] *= 1.2
            for kind in ("float16", "bfloat16"):
                for name, M in (("right", exact), ("wrong", wrong)):
                    narrow = answer(save(folder / "narrow.safetensors", {**given, "M": stored[kind](M)}), claim, bound)[0]
                    word, result = answer(save(folder / "wide.safetensors", {**given, "M": widened[kind](M)}), claim, bound)
                    check(f"{claim} of {source} in {kind}, {name}", word == narrow and (word in ("equal", "rounding")) == (name == "right"), (narrow, result.stdout[:500]))
            if source == "float16" or claim == "W == M":
                continue
            for name, M in (("right", exact), ("wrong", wrong)):
                word, result = answer(save(folder / "twice.safetensors", {**given, "M": bf16(half(M))}), claim, bound)
                passed = word in ("equal", "rounding", "unclear") and (source == "float32" or word != "unclear" or claim == "W + 2*(A @ B) == M")
                check(f"{claim} of {source} in float16, saved as bfloat16, {name}", passed if name == "right" else word == "bug", result.stdout[:600])


def what_explains_nothing(folder):
    """No factor within the last place of 1, no wider bound where a mistake explains it or most entries are right, no coincidence where one entry of a vector is wrong, and nothing of what is 0 everywhere."""
    r = np.random.default_rng(75)
    load = lambda a: as_float(bf16(a)).astype("f8")

    def diagnosed(tensors, claim):
        files = save(folder / "nothing.safetensors", tensors)
        return run("weights", "diagnose", "-e", claim, "--weights", files, "--bind", *[f"{n}={n}" for n in tensors]).stdout

    W, g = r.standard_normal((64, 48)) * 0.05, 1 + 0.2 * r.standard_normal(48)
    near = load(W) * load(g) * (1 + 2.0**-10) * (1 + 2.0**-7 * (r.random(W.shape) < 0.03) * r.choice([-1, 1], W.shape))
    out = diagnosed({"W": bf16(W), "g": bf16(g), "M": bf16(near)}, "W * g == M")
    check("a factor within the last place of 1", out.startswith("bug") and "it holds with the factor" not in out, out[:500])
    A, v, c = r.standard_normal((64, 48)) * 0.1, r.standard_normal(48), r.standard_normal(64) * 0.1
    right = load(c) + load(A) @ load(v)
    out = diagnosed({"W": bf16(A), "v": bf16(v), "c": bf16(c), "M": bf16(load(c) + 2 * load(A) @ load(v))}, "c + W @ v == M")
    check("a mistake and no wider bound", "it holds with the term W @ v twice" in out and "the wider bound" not in out, out[:500])
    Q, K, s = r.standard_normal((32, 64)), r.standard_normal((32, 64)), np.exp(0.5 * r.standard_normal(64))
    out = diagnosed({"Q": Q.astype("f4"), "K": K.astype("f4"), "S": (Q * s).astype("f4"), "T": (K * s).astype("f4")}, "Q @ K.T == S @ T.T")
    check("no 16 bits in float32 files", out.startswith("bug") and "the wider bound" not in out, out[:500])
    for k in range(12):
        place, times = int(r.integers(0, 64)), (0.5, 0.8, 1.25, 2)[k % 4]
        one = right.copy()
        one[place] *= times
        out = diagnosed({"W": bf16(A), "v": bf16(v), "c": bf16(c), "M": bf16(one)}, "c + W @ v == M")
        far = abs(load(one) - load(right))[place] > 2.0**-4 * abs(right).max()
        check(f"one entry of a vector, {place} times {times}", not out.startswith("bug") or not far or (f"all entries but one agree, up to rounding: at [{place}]" in out and "it holds" not in out), out[:500])
    out = diagnosed({"W": (W * 1e-6).astype("f2"), "g": g.astype("f2"), "M": np.zeros((64, 48), "f2")}, "W * g == M")
    check("0 everywhere", out.startswith("bug") and "M is 0 everywhere" in out and "times the left" not in out and "it holds" not in out, out[:500])


def updates_below_what_is_stored(folder):
    """An update that 16 bits would make 0 was rounded nowhere; one less than the steps of nearly all entries shows in the few small ones. What an inverse or the norm of a row shifts is no mistake."""
    r = np.random.default_rng(91)
    half = lambda a: np.asarray(a).astype("f2").astype("f8")
    single = lambda a: np.asarray(a).astype("f4").astype("f8")
    for kind, load, store, scale in (("f4", single, "f4", 1e-8), ("f2", half, "f2", 1e-6)):
        W, A, B = load(r.standard_normal((64, 48)) / 7), load(r.standard_normal((4, 48)) / 7), load(r.standard_normal((64, 4)) * scale)
        for word, factor in (("right", 2.0), ("never added", 0.0), ("rank-stabilised", 16 / 8**0.5)):
            tensors = {"W": W, "A": A, "B": B, "M": load(W + factor * (B @ A))}
            got, result = answer(save(folder / "small.safetensors", {n: t.astype(store) for n, t in tensors.items()}), "W + 16/8*(B @ A) == M", {n: n for n in tensors})
            check(f"{kind}: an update {word}", got in (("equal", "rounding") if factor == 2 else ("bug",)), result.stdout[:600])
    for k in range(6):
        n = int(r.integers(6, 16))
        A, B = r.standard_normal((n, n)), r.standard_normal((n, 3))
        A = A @ np.diag(10.0 ** r.uniform(-3, 0, n)) @ A if k % 2 else A
        for claim, P in (("inv(A) @ B == P", np.linalg.solve(A, B)), ("inv(A) == P", np.linalg.inv(A))):
            tensors = {"A": A, "B": B, "P": P} if "B" in claim else {"A": A, "P": P}
            got, result = answer(save(folder / "inverse.safetensors", tensors), claim, {n: n for n in tensors})
            check(f"{claim}, {k}", got == "rounding", result.stdout[:600])
            got, result = answer(save(folder / "inverse.safetensors", {**tensors, "P": P * (1 + 1e-3)}), claim, {n: n for n in tensors})
            check(f"{claim}, {k}: another result", got == "bug", result.stdout[:600])
    for k in range(20):
        x, g = (10 * r.standard_normal((10, 11))).astype("f4"), (1 + 0.2 * r.standard_normal(11)).astype("f4")
        P = x / np.sqrt((x * x).mean(-1, keepdims=True, dtype="f4") + np.float32(1e-6)) * g
        got, result = answer(save(folder / "norm.safetensors", {"x": x, "g": g, "P": P}), "x / sqrt(mean(x*x) + 1e-6) * g == P", {n: n for n in "xgP"})
        check(f"a norm of rows, {k}", got in ("equal", "rounding"), result.stdout[:600])


def layers_that_are_named(folder):
    """The last line of many layers says which are not right, the first of them."""
    r = np.random.default_rng(76)
    tensors = {}
    for k in range(30):
        W, g = r.standard_normal((8, 6)).astype("f4"), r.standard_normal(6).astype("f4")
        tensors |= {f"l.{k}.W": W, f"l.{k}.g": g, f"l.{k}.M": W * g * np.float32(1.5 if k in (3, 17) else 1), f"l.{k}.D": W * g * np.float32(1.5 if k % 2 else 1)}
    files = save(folder / "layers.safetensors", tensors)
    last = lambda name: run("weights", "check", "-e", "W * g == M", "--weights", files, "--bind", "W=l.*.W", "g=l.*.g", f"M=l.*.{name}").stdout.splitlines()[-1]
    check("two of them", last("M") == "all layers: bug (2 bug, 28 equal); bug in 3, 17", last("M"))
    check("half of them", last("D") == "all layers: bug (15 bug, 15 equal); bug in 1, 3, 5, 7, 9, 11, 13, 15 and 7 more", last("D"))


def tolerances(folder):
    """A claim with a tolerance is no equation, and is told how it would be one, which then has an answer."""
    W, g = np.arange(12, dtype="f4").reshape(3, 4) + 1, np.full(4, 2, "f4")
    files = save(folder / "tolerance.safetensors", {"W": W, "g": g, "M": W * g + np.float32(0.25)})
    for claim, expected in (("abs(W * g - M) <= 0.5", "equal"), ("abs(W * g - M) <= 1/8", "bug"), ("0.5 >= abs(W * g - M)", "equal"), ("np.allclose(W * g, M, atol=0.5)", "equal"), ("np.max(np.abs(W * g - M)) <= 0.5", "equal")):
        word, result = answer(files, claim, {"W": "W", "g": "g", "M": "M"})
        asked = re.search(r"ask whether the excess is 0: (.*)", result.stdout)
        check(f"{claim}: says what to ask", word == "unclear" and asked, result.stdout)
        if asked:
            word, result = answer(files, asked.group(1), {"W": "W", "g": "g", "M": "M"})
            check(f"{claim}: which has an answer", word == expected, result.stdout[:300])
    word, result = answer(files, "rank(W) <= 2", {"W": "W"})
    check("not of what has no value here", word == "unclear" and "excess" not in result.stdout, result.stdout)


def interrupted(folder):
    """Ctrl-C while a fold is written leaves the old file, no half one, and the status of the README."""
    np.save(folder / "W.npy", np.ones((3000, 4000), "f4"))
    out = folder / "out" / "fold.safetensors"
    save(out, {"old": np.ones(2, "f4")})
    old, caught = out.read_bytes(), 0
    for sent in (signal.SIGINT, signal.SIGTERM):
        for attempt in range(5):
            process = subprocess.Popen([foldproof, "weights", "fold", "-e", "2 * W", "--weights", folder / "W.npy", "--bind", "W=W", "--name", "M", "--out", out, "--force"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while process.poll() is None and not any(p.name.startswith(".") for p in out.parent.iterdir()):
                time.sleep(0.0005)
            process.send_signal(sent)
            status = process.wait(60)
            check(f"{sent.name}: no half file", not any(p.name.startswith(".") for p in out.parent.iterdir()), list(out.parent.iterdir()))
            if status == 0:  # it was done before
                out.write_bytes(old)
                continue
            caught += 1
            check(f"{sent.name}: status, and the file is the old one or the new one", status == 130 and (out.read_bytes() == old or out.stat().st_size > 4 * 12e6), status)
            out.write_bytes(old)
            break
    check("some were interrupted", caught > 0)


def entries_elsewhere(folder):
    """The entries of a bias shifted by one, and its heads exchanged."""
    r = np.random.default_rng(77)
    for kind, store in (("bf", bf16), ("f4", lambda a: np.asarray(a).astype("f4"))):
        W, v, c = r.standard_normal((48, 32)) * 0.2, r.standard_normal(32), r.standard_normal(48) * 0.2
        held = [as_float(bf16(a)).astype("f8") if kind == "bf" else a.astype("f4").astype("f8") for a in (c, W, v)]
        right = held[0] + held[1] @ held[2]
        swapped = right.copy()
        swapped[:16], swapped[16:32] = right[16:32], right[:16]
        other = right[r.permutation(48)]
        for name, stored, says in (("shifted", np.roll(right, 1), "it holds with the entries 1 place further, around the end"), ("shifted back", np.roll(right, -2), "it holds with the entries 2 places back, around the end"), ("exchanged", swapped, "it holds with the entries in the order 16:32, 0:16, 32:48"), ("anyhow", other, "no single mistake")):
            files = save(folder / "vector.safetensors", {"W": store(W), "v": store(v), "c": store(c), "M": store(stored)})
            out = run("weights", "diagnose", "-e", "c + W @ v == M", "--weights", files, "--bind", "W=W", "v=v", "c=c", "M=M").stdout
            check(f"{kind}: {name}", out.startswith("bug") and says in out, out[:500])


def short_vectors_off_to_one_side(folder):
    """Sixteen entries that are all off by nearly the same share are no roundings, though each is within its bound; those of honest programs lie on both sides."""
    r = np.random.default_rng(64)
    for kind, store, u in (("bf", bf16, 2.0**-8), ("f2", lambda a: np.asarray(a).astype("f2"), 2.0**-11)):
        load = (lambda a: as_float(bf16(a)).astype("f8")) if kind == "bf" else (lambda a: np.asarray(a).astype("f2").astype("f8"))
        claim = "(b - m) * g / sqrt(v + 1e-5) + be == M"
        for seed in range(4):
            b, m, g, v, be = (load(a) for a in (r.standard_normal(16), r.standard_normal(16), 1 + 0.2 * r.standard_normal(16), r.random(16) + 0.5, 3 + 0.1 * r.standard_normal(16)))
            exact = (b - m) * g / np.sqrt(v + 1e-5) + be
            steps = load(load(load(load(b - m) * g) / load(np.sqrt(load(v + 1e-5)))) + be)
            for name, M, expected, says in (("once", exact, "rounding", False), ("steps", steps, "rounding", False), ("high", exact * (1 + 2.5 * u), "unclear", True), ("low", exact * (1 - 2.5 * u), "unclear", True), ("both sides", exact * (1 + 2.5 * u * r.choice([-1, 1], 16)), "rounding", False)):
                word, result = answer(save(folder / "short.safetensors", {n: store(t) for n, t in {"b": b, "m": m, "g": g, "v": v, "be": be, "M": M}.items()}), claim, {n: n for n in ("b", "m", "g", "v", "be", "M")})
                said = "all 16 entries are off to one side" in result.stdout and "a chance below" in result.stdout
                check(f"{kind}: {name} {seed}", said == says and word in ((expected, "equal") if expected == "rounding" else (expected,)), result.stdout[:500])


def constants_by_their_precision(folder):
    """A plain factor is named as the number that it is, one constant at a term; the quotients of what is no multiple are no factor; 1 + g for a column of gains; one wrong entry."""
    r = np.random.default_rng(65)
    stores = {"f4": (lambda a: np.asarray(a).astype("f4"),) * 2, "f2": (lambda a: np.asarray(a).astype("f2"), lambda a: np.asarray(a).astype("f2").astype("f4")), "bf": (bf16, lambda a: as_float(bf16(a)))}
    for kind, (store, load) in stores.items():
        W, g = load(r.standard_normal((96, 64)) * 0.02).astype("f8"), load(2 + 0.6 * r.standard_normal(64)).astype("f8")
        A, B, small = load(r.standard_normal((8, 64)) * 0.3).astype("f8"), load(r.standard_normal((96, 8)) * 0.01).astype("f8"), load(0.3 * r.standard_normal(96)).astype("f8")
        given = {"W": W, "g": g, "A": A, "B": B, "h": small, "v": load(0.01 * small).astype("f8")}
        entry, vector = W * g, W @ g
        entry[3, 5] *= 1.5
        vector[7] *= 2
        cases = [
            ("W * g == M", 1.01 * W * g, "it holds with the factor 1.01 at W * g", ""),
            ("W * g == M", 0.97 * W * g, "it holds with the factor 0.97 at W * g", ""),
            ("W * g == M", 1.5 * W * g, "it holds with the factor 3 / 2 at W * g", ""),
            ("W * g == M", np.sqrt(2) * W * g, "it holds with the factor sqrt(2) at W * g", ""),
            ("W * g == M", W * g / np.sqrt(96), "it holds with the factor sqrt(1 / 96) at W * g", ""),
            ("W + 2*(B @ A) == M", W + 2 * 0.9 * B @ A, "it holds with the factor 0.9 at 2 * (B @ A)", "sqrt"),
            ("v + W @ g == M", 1.01 * (given["v"] + W @ g), "it holds with the factor 1.01 at v + W @ g", "at M"),
            ("h[:, None] * W == M", (1 + small[:, None]) * W, "it holds with 1 + h[:, None] for h[:, None]", "times the left"),
            ("h[:, None] * W == M", (small[:, None] - 1) * W, "it holds with h[:, None] - 1 for h[:, None]", "times the left"),
            ("W * g == M", entry, "all entries but one agree, up to rounding: at [3, 5] the left side is", "nowhere"),
            ("W @ g == M", vector, "all entries but one agree, up to rounding: at [7] the left side is", "no single mistake"),
            ("W * g == M", W * g * np.where(r.random(W.shape) < 0.5, 3.9, 4.1), "no single mistake", "times the left"),
        ]
        if kind == "f4":
            cases += [("W * g == M", W * g * c, f"it holds with the factor {words} at W * g", "no single mistake") for c, words in ((1.001, "1.001"), (1.00001, "1.00001"), (127 / 128, "127 / 128"), (49 / 48, "49 / 48"), (np.sqrt(49 / 48), "sqrt(49 / 48)"), (1.0154343, "1.0154343"))]
        for claim, M, says, never in cases:
            names = [n for n in given if re.search(rf"\b{n}\b", claim)]
            files = save(folder / "one.safetensors", {**{n: store(given[n]) for n in names}, "M": store(M)})
            text = run("weights", "diagnose", "-e", claim, "--weights", files, "--bind", *[f"{n}={n}" for n in names], "M=M").stdout
            check(f"{kind}: {says}", text.startswith("bug") and says in text and not (never and never in text) and len(set(re.findall("it holds with the factor (.*?) at ", text))) <= 1, text[:700])


def factors_beside_one_wide_tensor(folder):
    """Where one float32 tensor takes part in 16-bit files, roundings of it to 16 bits first may explain single entries, and neither a factor of all of them nor of a term."""
    r = np.random.default_rng(66)
    for kind, store, factor in (("bf", bf16, 1.01), ("f2", lambda a: np.asarray(a).astype("f2"), 1.003)):
        load = (lambda a: as_float(bf16(a)).astype("f8")) if kind == "bf" else (lambda a: np.asarray(a).astype("f2").astype("f8"))
        W, g, R = load(r.standard_normal((96, 96)) * 0.03), load(1 + 0.2 * r.standard_normal(96)), np.linalg.qr(r.standard_normal((96, 96)))[0].astype("f4")
        A, B = r.uniform(-0.07, 0.07, (64, 96)).astype("f4"), r.standard_normal((96, 64))
        B = (B * 0.003 / (2 * B @ A).std()).astype("f4")
        turned, update = (W * g) @ R.astype("f8"), 2.0 * B.astype("f8") @ A
        for claim, names, M, words, says in (
            ("(W * g) @ R == M", "WgR", turned, ("rounding", "equal"), ""),
            ("(W * g) @ R == M", "WgR", load(W * g) @ load(R), ("rounding", "equal", "unclear"), ""),
            ("(W * g) @ R == M", "WgR", factor * turned, ("bug",), "times the left; roundings of operands to"),
            ("W + 2*(B @ A) == M", "WAB", W + update, ("rounding", "equal"), ""),
            ("W + 2*(B @ A) == M", "WAB", W + load(2 * load(load(B) @ load(A))), ("rounding", "equal", "unclear"), ""),
            ("W + 2*(B @ A) == M", "WAB", W + 0.97 * update, ("bug",), "the term 2 * (B @ A) is there 0.9" if kind == "bf" else ""),
        ):
            tensors = {"W": store(W), "g": store(g), "R": R, "A": A, "B": B}
            word, result = answer(save(folder / "wide.safetensors", {**{n: tensors[n] for n in names}, "M": store(M)}), claim, {**{n: n for n in names}, "M": "M"})
            check(f"{kind}: {claim}, {words[0]}", word in words and says in result.stdout, result.stdout[:600])


def mistakes_in_numbers(folder):
    """Scales, rotary layouts, vectors along the wrong axis, another tensor of the same file."""
    r = np.random.default_rng(3)
    d = 24
    W, (g, h) = (r.standard_normal((d, d)) * 0.02).astype("f4"), (1 + 0.05 * r.standard_normal((2, d))).astype("f4")
    A, B = (r.standard_normal((4, d)) * 0.1).astype("f4"), (r.standard_normal((d, 4)) * 0.02).astype("f4")
    halves = W.reshape(3, 4, 2, d).transpose(0, 2, 1, 3).reshape(d, d)  # three heads of eight rows
    results = {"axis": g[:, None] * W, "divided": W / g[:, None], "divided twice": W / g / g, "half": W + np.float32(0.5) * (B @ A), "minus": W - np.float32(3) * (B @ A), "root": W + np.float32(16 / np.sqrt(8)) * (B @ A), "halves": halves, "mixed": W * h, "whole": np.float32(3) * W}
    files = save(folder / "numbers.safetensors", {"W": W, "layers.0.g": g, "layers.1.g": h, "A": A, "B": B, **results})
    for claim, result, words, more in (
        ("W * g == M", "axis", "with g along the other axis", ["g=layers.0.g"]),
        ("W * g[None, :] == M", "axis", "with g along the other axis", ["g=layers.0.g"]),
        ("W / g[None, :] == M", "divided", "with g along the other axis", ["g=layers.0.g"]),
        ("W / g == M", "divided twice", "with the divisor g twice", ["g=layers.0.g"]),
        ("W + B @ A == M", "half", "with the factor 1 / 2 at B @ A", ["A=A", "B=B"]),
        ("W - B @ A == M", "minus", "with the factor 3 at B @ A", ["A=A", "B=B"]),
        ("W + 2*(B @ A) == M", "root", "with the factor sqrt(8) at 2 * (B @ A)", ["A=A", "B=B"]),
        ("W == M", "halves", "with the rotary pairs of the rows moved from neighbours to halves, in heads of 8", []),
        ("M == W", "halves", "with the rotary pairs of the rows moved from halves to neighbours, in heads of 8", []),
        ("W * g == M", "mixed", "with the tensor layers.1.g for g", ["g=layers.0.g"]),
        ("W == M", "whole", "with the factor 3 at W", []),
    ):
        result = run("weights", "diagnose", "-e", claim, "--weights", files, "--bind", "W=W", f"M={result}", *more, "--json")
        found = [f["change"] for f in json.loads(result.stdout)["results"][0]["diagnosis"]["found"]]
        check(f"{claim}: {words}", words in found and len(found) <= 2 and not any("M for W" in f or "W for M" in f for f in found), found)


    random = run("weights", "diagnose", "-e", "X @ W == X @ M", "--weights", files, "--bind", "W=W", "M=half")
    check("a tensor that is not given has no scale", random.returncode == 1 and random.stdout.startswith("bug") and "explains it" in random.stdout, random)
    E, D = r.standard_normal((2, d, d)).astype("f4")
    va, mu = r.random((1, d)).astype("f4") + np.float32(0.5), r.standard_normal((1, d)).astype("f4")
    one = np.float32(1)
    others = {
        "W * (g / sqrt(v + 1)) == M": {"without the factor g": W * (one / np.sqrt(va + one)), "without sqrt": W * (g / (va + one))},
        "let V = W + E; V * (g / sqrt(sum(V * V, axis=1))) == M": {
            "without the term W": E * (g / np.sqrt((E * E).sum(1, keepdims=True))),
            "with sqrt(sum(W * W, axis=1)) for sqrt(sum(V * V, axis=1))": (W + E) * (g / np.sqrt((W * W).sum(1, keepdims=True))),
        },
        "(W + E) * (g / sqrt(sum((W + E) * (W + E), axis=1))) == M": {"with sqrt(sum(W * W, axis=1)) for sqrt(sum((W + E) * (W + E), axis=1))": (W + E) * (g / np.sqrt((W * W).sum(1, keepdims=True)))},
        "(W - m) * g / sqrt(v) == M": {"without the factor g / sqrt(v)": W - mu},
        "(m - v) * g == M": {"without the term m": -va * g, "with the factor g at m alone": mu * g - va},
        "0.3 * E + 0.7 * D == M": {"with E and D exchanged": np.float32(0.3) * D + np.float32(0.7) * E},
        "W - mean(W, axis=0) == M": {"with mean along the other axis": W - W.mean(1, keepdims=True)},
    }
    files = save(folder / "more.safetensors", {"W": W, "g": g[None], "v": va, "m": mu, "E": E, "D": D, **{f"M{i}.{j}": m for i, group in enumerate(others.values()) for j, m in enumerate(group.values())}})
    for i, (claim, group) in enumerate(others.items()):
        for j, words in enumerate(group):
            names = [f"{n}={n}" for n in "WgvmED" if re.search(rf"\b{n}\b", claim)]
            result = run("weights", "diagnose", "-e", claim, "--weights", files, "--bind", *names, f"M=M{i}.{j}", "--json")
            found = [f["change"] for f in json.loads(result.stdout or '{"results": [{"diagnosis": {"found": []}}]}')["results"][0].get("diagnosis", {"found": []})["found"]]
            check(f"{claim}: {words}", words in found, (found, result.stdout[:300], result.stderr[:300]))
    heads = r.standard_normal((6, 4, 8)).astype("f4")
    turned = run("weights", "diagnose", "-e", "H == M", "--weights", save(folder / "heads.safetensors", {"H": heads, "M": heads[::-1].copy()}), "--bind", "H=H", "M=M").stdout
    check("heads backwards in a stack", "with the rows in the order 5:6, 4:5, 3:4, 2:3, 1:2, 0:1, bit for bit" in turned, turned)


def copies_of_other_tensors(folder):
    """A copy of the wrong tensor is named as any other exchanged tensor, and where several files have a tensor of its name, with the file."""
    r = np.random.default_rng(107)
    source = {f"layers.{l}.{t}.weight": bf16(r.standard_normal((16, 16))) for l in range(3) for t in "qk"}
    target = {f"h.{l}.{t}": source[f"layers.{l}.{t}.weight"] for l in range(3) for t in "qk"}
    target["h.1.q"], target["h.2.q"] = source["layers.1.k.weight"], source["layers.0.q.weight"]
    files = [save(folder / "a.safetensors", source), save(folder / "b.safetensors", target)]
    for claim in ("Q == M", "1*Q == M", "Q - M == 0", "Q.reshape(2, 8, 16).reshape(16, 16) == M"):
        for layer, other in ((1, "layers.1.k.weight"), (2, "layers.0.q.weight")):
            result = run("weights", "diagnose", "-e", claim, "--weights", *files, "--bind", f"Q=layers.{layer}.q.weight", f"M=h.{layer}.q")
            check(f"{claim}, layer {layer}", result.stdout.startswith("bug") and f"it holds with the tensor {other} for Q, bit for bit" in result.stdout, result.stdout[:500] + result.stderr)
            check(f"{claim}, layer {layer}: the tensor beside itself explains nothing", f"with the tensor h.{layer}.q for Q" not in result.stdout and f"with the tensor layers.{layer}.q.weight for M" not in result.stdout, result.stdout[:500])
    models = [r.standard_normal((16, 16)).astype("f4") for _ in range(3)]
    files = [save(folder / f"{name}.safetensors", {"w": w}) for name, w in zip("xyz", models)]
    files.append(save(folder / "merged.safetensors", {"w": ((models[0].astype("f8") + models[2]) / 2).astype("f4")}))
    result = run("weights", "diagnose", "-e", "(A + B) / 2 == M", "--weights", *files, "--bind", "A=x.safetensors::w", "B=y.safetensors::w", "M=merged.safetensors::w")
    check("the file is named", "it holds with the tensor z.safetensors::w for B" in result.stdout, result.stdout[:500])


def large_copies(folder):
    """What is equal bit for bit and computes nothing is looked at once; the answers are those of small tensors, to the last bit and the last sign."""
    r = np.random.default_rng(109)
    for size, large in (("small", False), ("large", True)):
        W = (r.standard_normal((640, 512) if large else (64, 48)) * 0.02).astype("f4")
        W[:, 3] = 0
        off, signs, narrow = W.copy(), W.copy(), as_float(bf16(W))
        off[-1, -1] = np.nextafter(off[-1, -1], np.float32(9))
        signs[:, 3] = -0.0
        hole = W.copy()
        hole[-1, -2] = np.nan
        files = save(folder / "copies.safetensors", {"W": W, "same": W.copy(), "off": off, "signs": signs, "hole": hole, "narrow": bf16(narrow), "wide": narrow, "turned": W.T.copy()})
        for claim, name, expected in (("W == M", "same", "equal"), ("W == M", "off", "bug"), ("W == M", "signs", "equal"), ("W == M", "hole", "bug"), ("W == M", "narrow", "rounding"), ("W.T == M", "turned", "equal")):
            result = run("weights", "check", "-e", claim, "--weights", files, "--bind", "W=W", f"M={name}", "--json")
            row = json.loads(result.stdout)["results"][0]
            check(f"{size} copies, {name}", row["answer"] == expected, result.stdout[:500])
            if expected == "equal":
                shown = row["formats"][0] if len(row["formats"]) == 1 else next(f for f in row["formats"] if f["format"] == row["answer_format"])
                check(f"{size} copies, {name}: the first entry and all of them are told", shown["equal"] and shown["worst"]["entries"] == W.size and shown["worst"]["entry"] == [0, 0] and float.fromhex(shown["worst"]["bound"]) > 0 and shown["worst"]["differing"] == 0, shown)
                check(f"{size} copies, {name}: other formats add nothing to a large one", (len(row["left_out"]) > 0) == large, row["left_out"])
        text = run("weights", "check", "-e", "W == M", "--weights", files, "--bind", "W=W", "M=signs").stdout
        check(f"{size} copies: the signs of zeros", f"{len(W)} are 0 on one side and -0 on the other" in text, text[:600])
        files = save(folder / "wide.safetensors", {"W": narrow, "M": bf16(narrow)})
        check(f"{size} copies: 16 bits in more", answer(files, "W == M", {"W": "W", "M": "M"})[0] == "equal")


def factors_among_roundings_of_operands(folder):
    """A factor near 1 moves all entries to one side, roundings of operands move them to both: what is beyond the bound is rounding only then."""
    r = np.random.default_rng(113)
    W, g = r.standard_normal((128, 96)) * 0.03, 0.9 + 0.15 * r.standard_normal(96)
    for kind, load, store, u in (("bfloat16", lambda a: as_float(bf16(a)).astype("f8"), bf16, 2.0**-8), ("float16", lambda a: np.asarray(a).astype("f2").astype("f8"), lambda a: np.asarray(a).astype("f2"), 2.0**-11)):
        w, gain = load(W), load(g)
        bound = {"W": "W", "g": "g", "M": "M"}
        for units in (0.3, 0.35, 0.4):
            for sign in (1, -1):
                word, result = answer(save(folder / "factor.safetensors", {"W": store(w), "g": store(gain), "M": store(w * gain * (1 + sign * units * u))}), "W * g == M", bound)
                check(f"{kind}: a factor of {sign * units} units", word in ("unclear", "bug"), result.stdout[:500])
        for seed in range(4):
            q = np.random.default_rng(seed)
            master, scale = q.standard_normal((128, 96)) * 0.03, 0.9 + 0.15 * q.standard_normal(96)
            word, result = answer(save(folder / "masters.safetensors", {"W": store(load(master)), "g": store(load(scale)), "M": store(master * scale)}), "W * g == M", bound)
            check(f"{kind}: computed before its operands were stored, {seed}", word == "rounding", result.stdout[:500])


def what_the_second_line_says(folder):
    """Of stored tensors that are equal nothing is said about all weights where that is only that others differ; a matrix has no rotary pairs where its only block is all of it."""
    r = np.random.default_rng(127)
    S = r.standard_normal((16, 16)).astype("f4")
    gate, up = r.standard_normal((12, 8)).astype("f4"), r.standard_normal((12, 8)).astype("f4")
    turns, halves = np.stack([gate, up], 1).reshape(24, 8), np.vstack([gate, up])
    files = save(folder / "lines.safetensors", {"W": S, "M": S.T.copy(), "S": S + S.T, "G": gate, "U": up, "turns": turns, "halves": halves})
    line = "as an identity, for all weights: "
    for claim, names, verdict in (("W.T == M", {"W": "W", "M": "M"}, ""), ("S == S.T", {"S": "S"}, "refuted"), ("W.T.T == W", {"W": "W"}, "proved"), ("W == M", {"W": "W", "M": "M"}, "refuted")):
        word, result = answer(files, claim, names)
        check(f"{claim}: all weights", (line in result.stdout) == bool(verdict) and line + verdict in (result.stdout if verdict else line), result.stdout[:400])
    for claim, names, words in (("F == M", {"F": "turns", "M": "halves"}, "with the even rows before the odd ones"), ("F == M", {"F": "halves", "M": "turns"}, "with the rows of both halves by turns")):
        result = run("weights", "diagnose", "-e", claim, "--weights", files, "--bind", *[f"{k}={v}" for k, v in names.items()])
        check(f"gate and up: {words}", words in result.stdout and "rotary" not in result.stdout, result.stdout[:600])


def mistakes_of_many_layers(folder):
    """Another slice of a fused weight, an adapter of another layer, an update of some rows, and the same mistakes before random rows."""
    r = np.random.default_rng(35)
    d = 32
    fused, heads = r.standard_normal((d, 3 * d)).astype("f4"), r.standard_normal((4, 3, 8, d)).astype("f4")
    W, A, B, g = r.standard_normal((d, d)).astype("f4"), r.standard_normal((2, 4, d)).astype("f4"), r.standard_normal((2, d, 4)).astype("f4"), (1 + 0.1 * r.standard_normal(d)).astype("f4")
    halves = W + 2 * (B[0] @ A[0])
    halves[16:] = W[16:]
    files = save(folder / "layers.safetensors", {"fused": fused, "k": fused[:, d : 2 * d].T.copy(), "heads": heads.reshape(12 * 8, d), "v": heads[:, 2].reshape(d, d), "W": W, "g": g, **{f"layers.{i}.{n}": m[i] for i in (0, 1) for n, m in (("A", A), ("B", B))},
                                                 "pair": W + 2 * (B[1] @ A[1]), "halves": halves, "turned": W + 2 * (B[0] @ A[0]).T, "axis": W * g[:, None]})
    adapter = ["W=W", "A=layers.0.A", "B=layers.0.B"]
    for claim, bind, words in (
        ("W[:, 0:32].T == M", ["W=fused", "M=k"], "with W[:, 32:64] for W[:, 0:32], bit for bit"),
        ("q, k, v = W.split(32, dim=1); q.T == M", ["W=fused", "M=k"], "parts=3)[1] for split("),
        ("Q == M", ["Q=fused[:, 0:32].T", "M=k"], "with the tensor fused[:, 32:64].T for Q, bit for bit"),
        ("W.reshape(4, 3, 8, 32)[:, 1].reshape(32, 32) == M", ["W=heads", "M=v"], "[:, 2] for "),
        ("W.reshape(4, 3, 8, 32)[:, -2].reshape(32, 32) == M", ["W=heads", "M=v"], "[:, -1] for "),
        ("W + 2*(B @ A) == M", [*adapter, "M=pair"], "with the tensors layers.1.A for A and layers.1.B for B"),
        ("W + 2*(B @ A) == M", [*adapter, "M=halves"], "in rows 16:32, without the term 2 * (B @ A), bit for bit"),
        ("x: [n, 32]; x @ W.T + 2*((x @ A.T) @ B.T) == x @ M.T", [*adapter, "M=halves"], "in columns 16:32, without the term "),
        ("x: [n, 32]; x @ W.T + 2*((x @ A.T) @ B.T) == x @ M.T", [*adapter, "M=turned"], "with (A.T @ B.T).T for A.T @ B.T"),
        ("x: [n, 32]; (rmsnorm(x) * g) @ W.T == rmsnorm(x) @ M.T", ["W=W", "g=g", "M=axis"], "with the factor g along the other axis of W.T"),
        ("x: [n, 32]; 3*(x @ W.T) == x @ M.T", ["W=W", "M=W"], "without the factor 3"),
    ):
        result = run("weights", "diagnose", "-e", claim, "--weights", files, "--bind", *bind)
        check(f"{claim}, {bind[-1]}: {words}", result.returncode == 1 and words in result.stdout and result.stdout.count("it holds") <= 2, result.stdout[:700] + result.stderr)


def few_rows_first(folder):
    """Mistakes in large tensors are tried on some of their rows first, and hold only where they hold on all of them."""
    r = np.random.default_rng(38)
    W, g, A, B, V = r.standard_normal((520, 640)).astype("f4"), (1 + 0.1 * r.standard_normal(640)).astype("f4"), r.standard_normal((4, 640)).astype("f4"), r.standard_normal((520, 4)).astype("f4"), r.standard_normal((640, 520)).astype("f4")
    last = W / g
    last[519] = W[519] * g
    files = save(folder / "tall.safetensors", {"W": W, "g": g, "A": A, "B": B, "V": V, "div": W / g, "last": last, "half": W + np.float32(0.75) * (B @ A), "product": W @ V, "twice": g * (g * W)})
    for claim, bind, words in (
        ("W * g == M", ["g=g", "M=div"], "divided by g instead of multiplied"),
        ("W * g == M", ["g=g", "M=last"], "in rows 0:519, divided by g instead of multiplied"),
        ("W * g == M", ["g=g", "M=twice"], "with the factor g twice"),
        ("W + 2*(B @ A) == M", ["A=A", "B=B", "M=half"], "with the factor 3 / 8 at 2 * (B @ A)"),
        ("3*(W @ V) == M", ["V=V", "M=product"], "without the factor 3"),
        ("sum(W * g, axis=0)[None] + W == M", ["g=g", "M=W"], "without the term "),
    ):
        result = run("weights", "diagnose", "-e", claim, "--weights", files, "--bind", "W=W", *bind)
        found = [line.strip() for line in result.stdout.splitlines() if "it holds" in line]
        check(f"{claim}, {bind[-1]}: {words}", any(line.startswith("it holds " + words) for line in found) and len(found) <= 2, result.stdout[:600] + result.stderr)


def rows_elsewhere(folder):
    """Rows and columns that are all there, in another order, and some that are not."""
    r = np.random.default_rng(6)
    d = 32
    W = (r.standard_normal((96, d)) * 0.02).astype("f4")
    blocks = W.reshape(24, 4, d)
    shuffled = W[r.permutation(96)]
    orders = {
        "qkv": (np.vstack([W[32:64], W[:32], W[64:]]), "with the rows in the order 32:64, 0:32, 64:96"),
        "backwards": (blocks[::-1].reshape(96, d), "with the 24 blocks of 4 rows backwards"),
        "groups": (blocks.reshape(4, 6, 4, d).transpose(1, 0, 2, 3).reshape(96, d), "with the 24 blocks of 4 rows in the order 0, 6, 12, ... 18, 1, 7, ..."),
        "columns": (W[:, np.r_[16:32, 0:16]], "with the columns in the order 16:32, 0:16"),
    }
    halves = {"F": np.arange(64 * d, dtype="f4").reshape(64, d), "turns": np.arange(64 * d, dtype="f4").reshape(64, d)[0::2]}
    shown = run("weights", "diagnose", "-e", "F[0:32] == G", "--weights", save(folder / "turns.safetensors", halves), "--bind", "F=F", "G=turns")
    check("rows by turns", "it holds with F[0::2] for F[0:32], bit for bit" in shown.stdout, shown.stdout)
    seen = {
        "late": (np.vstack([W[1:], W[:1] * np.float32(3)]), "rows 0:95 on the right are 1:96 on the left; 95:96 on the right are nowhere on the left"),
        "shuffled": (shuffled, "rows 0:1 on the right are "),
    }
    files = save(folder / "rows.safetensors", {"W": W, "bf": bf16(W), **{n: v for n, (v, _) in orders.items()}, **{n: v for n, (v, _) in seen.items()}, "bf.qkv": bf16(orders["qkv"][0])})

    def diagnosis(result, weights="W", claim="W == M", names=("W", "M")):
        shown = run("weights", "diagnose", "-e", claim, "--weights", files, "--bind", f"{names[0]}={weights}", f"{names[1]}={result}", "--json")
        return json.loads(shown.stdout)["results"][0]["diagnosis"]

    for name, (_, words) in orders.items():
        found = diagnosis(name)["found"]
        check(f"rows elsewhere: {name}", [(f["change"], f["answer"], f["differing"]) for f in found] == [(words, "equal", 0)], found)
    for claim, names in (("w == m", ("w", "m")), ("m == n", ("m", "n")), ("2*w == 2*k", ("w", "k"))):  # words for sizes, alone on a side
        found = diagnosis("qkv", claim=claim, names=names)["found"]
        check(f"rows elsewhere: {claim}", [f["change"] for f in found] == [orders["qkv"][1]], found)
    check("rows elsewhere, rounded to bfloat16", [f["change"] for f in diagnosis("bf.qkv")["found"]] == [orders["qkv"][1]])
    for name, (_, words) in seen.items():
        check(f"seen: {name}", diagnosis(name)["observation"].startswith(words), diagnosis(name))
    text = run("weights", "diagnose", "-e", "W == M", "--weights", files, "--bind", "W=W", "M=late").stdout
    check("seen, in words", seen["late"][1] in text and "no single mistake" not in text, text)
    one = W.copy()
    one[47] *= 2
    word, result = answer(save(folder / "one.safetensors", {"W": W, "M": one}), "W == M", {"W": "W", "M": "M"})
    check("where entries are wrong", word == "bug" and f"{d} of {96 * d} entries beyond the bound, all in [47, :]" in result.stdout, result.stdout)


def updates_that_are_lost(folder):
    """Updates below the last digit of bfloat16: what fits the stored numbers far better than the claim is said, and what is as good is not."""
    r = np.random.default_rng(7)
    W = bf16(np.sign(r.standard_normal((96, 64))) * r.uniform(0.016, 0.031, (96, 64)))
    A, B = bf16(r.standard_normal((4, 64)) * 0.1), bf16(r.standard_normal((96, 4)) * 2e-3)
    exact, delta = as_float(W).astype("f8"), as_float(B).astype("f8") @ as_float(A)
    stored = {s: bf16(exact + s * 0.05 * delta) for s in (1, 2, 0, -1)}
    by_steps = bf16(as_float(W).astype("f8") + as_float(bf16(np.float32(0.05) * as_float(bf16(delta)))).astype("f8"))
    files = save(folder / "lost.safetensors", {"W": W, "A": A, "B": B, "steps": by_steps, "S": bf16(exact[:64] + exact[:64].T), **{f"M{s}": v for s, v in stored.items()}})

    def ask(result, scale):
        return answer(files, f"W + {scale}*(B @ A) == M", {"W": "W", "A": "A", "B": "B", "M": result})

    for result in ("M1", "steps"):
        check(f"the update was added: {result}", ask(result, 0.05)[0] in ("equal", "rounding"), ask(result, 0.05)[1].stdout)
    for scale, expected in ((0.05, ("unclear", "bug")), (0.02, ("equal",))):
        word, result = ask("M0", scale)
        check(f"the update was not added, scale {scale}", word in expected, result.stdout)
    for s in (2, -1):
        check(f"the update was added {s} times", ask(f"M{s}", 0.05)[0] in ("unclear", "bug"), ask(f"M{s}", 0.05)[1].stdout)
    near = save(folder / "near.safetensors", {"W": W, "A": A, "B": B, "M": bf16(exact + 2 * 0.02 * delta)})
    word, result = answer(near, "W + 0.02*(B @ A) == M", {"W": "W", "A": "A", "B": "B", "M": "M"})
    check("what fits far better is named", word == "unclear" and "are not the nearest stored numbers, and with the term 0.02 * (B @ A) twice it is 0: " in result.stdout and result.returncode == 3, result.stdout)
    word, result = answer(near, "V = W + 0.02*(B @ A); V == M", {"W": "W", "A": "A", "B": "B", "M": "M"})
    check("also in a definition", word == "unclear" and "with the term 0.02 * (B @ A) twice it is 0: " in result.stdout, result.stdout)
    small = save(folder / "small.safetensors", {"W": bf16(exact), "A": A, "B": B, "M": bf16(exact + 0.1 * delta)})
    result = run("weights", "diagnose", "-e", "W + 0.2*(B @ A) == M", "--weights", small, "--bind", "W=W", "A=A", "B=B", "M=M")
    check("half of an update", "with the factor 1 / 2 at 0.2 * (B @ A)" in result.stdout, result.stdout)
    symmetric = answer(files, "X: [k, n]; S: [n, n]; X @ S == X @ S.T", {"S": "S"})
    check("a transpose that changes nothing is no mistake", symmetric[0] in ("equal", "rounding"), symmetric[1].stdout)


def what_says_no_more(folder):
    """What holds whatever the tensors hold, or wherever the claim does, is no mistake and no rival; what only these tensors do not tell apart is said."""
    r = np.random.default_rng(71)
    W, g, ones = (r.standard_normal((40, 24)) * 0.05).astype("f4"), (1 + 0.2 * r.standard_normal(24)).astype("f4"), np.ones(24, "f4")
    scale = (np.abs(W).max(1) / 127).astype("f4")
    steps = (W.astype("f8") / scale[:, None].astype("f8"))
    off = np.rint(steps)
    off[3, 4] += 1
    b = W[0].copy()
    files = save(folder / "more.safetensors", {"W": W, "g": g, "ones": ones, "s16": scale.astype("f2"), "q": np.rint(steps).astype("f4"), "floor": np.floor(steps).astype("f4"), "off": off.astype("f4"), "b": b, "bg": b * g, "V": W * ones})

    def changes(claim, **bindings):
        result = run("weights", "diagnose", "-e", claim, "--weights", files, "--bind", *[f"{k}={v}" for k, v in bindings.items()], "--json")
        one = json.loads(result.stdout)["results"][0]
        return one["answer"], [f["change"] for f in one["diagnosis"]["found"]]

    copy = "relu(abs(W - q * s) - s / 2) == 0"
    check("a right copy with a rounded scale", answer(files, copy, {"W": "W", "q": "q", "s": "s16[:, None]"})[0] == "rounding", answer(files, copy, {"W": "W", "q": "q", "s": "s16[:, None]"})[1].stdout)
    for wrong in ("off", "floor"):
        check(f"a wrong copy: {wrong}", answer(files, copy, {"W": "W", "q": wrong, "s": "s16[:, None]"})[0] == "bug")
    check("a looser claim is no mistake", changes(copy, W="W", q="floor", s="s16[:, None]")[1] in ([], ["with the tensor q for q"]), changes(copy, W="W", q="floor", s="s16[:, None]"))
    check("the same in other words is no rival", changes("b * g == c", b="b", g="g", c="bg") == ("equal", []), changes("b * g == c", b="b", g="g", c="bg"))
    word, found = changes("W * g == V", W="W", g="ones", V="V")
    check("a gain of ones is said to tell nothing", word == "equal" and "without the factor g" in found and "with the factor g twice" in found, found)


def factors_in_common(folder):
    """A wrong constant moves all entries of a 16-bit result the same way, within the bound; roundings of entries, rows and constants do not."""
    r = np.random.default_rng(31)
    stores = {"bf": (bf16, lambda a: as_float(bf16(a))), "f2": (lambda a: np.asarray(a).astype("f2"), lambda a: np.asarray(a).astype("f2").astype("f4"))}
    for kind, (store, load) in stores.items():
        W, g, v = load(r.standard_normal((64, 64)) * 0.02), load(1 + 0.15 * r.standard_normal(64)), load(r.random(64) * 2 + 0.1)
        u = 2.0**-8 if kind == "bf" else 2.0**-11
        wide = W.astype("f8")
        cases = {
            "W / sqrt(128) == M": {"rounding": [wide / np.sqrt(128), wide / load([np.sqrt(128)])], "bug": [wide / np.sqrt(128) * (1 + 3.9 * u), wide / np.sqrt(128) * (1 - 4 * u)], "unclear": [wide / np.sqrt(128) * (1 + 1.5 * u)]},
            "W * 0.3 == M": {"rounding": [wide * 0.3, wide * load([0.3])], "bug": [wide * 0.3 * (1 + 3 * u)]},
            "W * (1 + g) == M": {"rounding": [wide * (1 + g), wide * load(1 + g), wide + load(wide * g)], "bug": [wide * (1 + g) * (1 + 2.5 * u), wide * (1 + g) * (1 - 2.5 * u)]},
            "W * g / sqrt(v + 1e-5) == M": {"rounding": [wide * g / np.sqrt(v + 1e-5), load(wide * g) / load(np.sqrt(v + 1e-5)), wide * load(g / np.sqrt(v + 1e-5))], "bug": [wide * g / np.sqrt(v + 1e-5) * (1 + 4 * u)]},
            "W * 1.001 == M": {"rounding": [wide * 1.001]},
            "M == W.T * g[:, None] * 3": {"rounding": [(wide * g * 3).T], "bug": [(wide * g * 3.05).T]},
        }
        tensors = {"W": store(W), "g": store(g), "v": store(v), **{f"{i}.{word}.{k}": store(m) for i, group in enumerate(cases.values()) for word, values in group.items() for k, m in enumerate(values)}}
        files = save(folder / f"{kind}.safetensors", tensors)
        for i, (claim, group) in enumerate(cases.items()):
            for word, values in group.items():
                for k in range(len(values)):
                    got, result = answer(files, claim, {**{n: n for n in "Wgv" if re.search(rf"\b{n}\b", claim)}, "M": f"{i}.{word}.{k}"})
                    check(f"{kind}: {claim}, {word} {k}", got in (word, "equal" if word == "rounding" else word), result.stdout[:400])
        words = ["-e", "W / sqrt(128) == M", "--weights", files, "--bind", "W=W", "M=0.bug.0"]
        for question in ("check", "diagnose"):
            told = run("weights", question, *words)
            check(f"{kind}: {question} says the factor", told.returncode == 1 and f"the right side is {1 + 3.9 * u:.4f}"[:-1] in told.stdout and "times the left" in told.stdout, told.stdout[:400])
        found = run("weights", "diagnose", "-e", "W * g == M", "--weights", save(folder / "product.safetensors", {"W": store(W), "g": store(g), "M": store(wide * g * (1 + 2 * u))}), "--bind", "W=W", "g=g", "M=M").stdout
        check(f"{kind}: no two factors that contradict each other", found.startswith("bug") and found.count("with the factor sqrt") <= 1 and f"the right side is {1 + 2 * u:.4f}"[:-1] in found, found[:600])


def errors_that_bounds_allow(folder):
    """A factor of one row, a wrong scale in a norm, noise: within the bounds of 16 bits, and no program makes such errors. Those that programs make are rounding."""
    r = np.random.default_rng(45)
    for kind, store, u in (("bf", bf16, 2.0**-8), ("f2", lambda a: np.asarray(a).astype("f2"), 2.0**-11)):
        load = lambda a: as_float(store(a)).astype("f8") if kind == "bf" else store(a).astype("f8")
        W, A, B = load(r.standard_normal((96, 96)) * 0.1), load(r.standard_normal((4, 96)) * 0.3), load(r.standard_normal((96, 4)) * 0.5 * u)
        g, m = load(1 + 0.2 * r.standard_normal(96)), load(1 + 0.1 * r.standard_normal(96))
        norms = lambda V: V * (m[:, None] / np.sqrt((V * V).sum(1, keepdims=True)))
        steps = lambda V: load(V) * load(m[:, None] / load(np.sqrt(load((load(V) ** 2).sum(1, keepdims=True)))))
        row = lambda factor: (W + 2 * B @ A) * np.where(np.arange(96)[:, None] == 5, factor, 1)
        cases = {
            "W / g == M": [("rounding", W * load(1 / g), "")],
            "W * g * m == M": [("rounding", W * load(g * m), "")],
            "W + 2*(B @ A) == M": [("unclear", row(1 + 0.7 * u), "in [5, :] the right side is"), ("bug", row(1 + 1.8 * u), ""), ("rounding", load(W + load(2 * load(B @ A))), ""), ("rounding", load(W + load(load(2 * B) @ A)), "")],
            "V = W + 2*(B @ A); V * (m[:, None] / sqrt(sum(V * V, axis=1, keepdims=True))) == M": [("rounding", norms(W + 2 * B @ A), ""), ("rounding", steps(W + 2 * B @ A), ""), ("unclear", norms(W + 2 * B @ A + r.uniform(-6, 6, W.shape) * u * abs(W)), "times as large")],
            "W @ A.T / 8 == M / 8": [("rounding", W @ A.T, ""), ("rounding", 8 * load(load(W @ A.T) / 8), ""), ("bug", W @ A.T * (1 + 2.5 * u), "times the left"), ("unclear", W @ A.T * (1 + 0.7 * u), "times the left")],
        }
        given = {"W": W, "A": A, "B": B, "g": g, "m": m}
        files = save(folder / f"{kind}.safetensors", {**{n: store(t) for n, t in given.items()}, **{f"M{i}.{k}": store(values) for i, group in enumerate(cases.values()) for k, (_, values, _) in enumerate(group)}})
        for i, (claim, group) in enumerate(cases.items()):
            for k, (expected, _, says) in enumerate(group):
                word, result = answer(files, claim, {**{n: n for n in given if re.search(rf"\b{n}\b", claim)}, "M": f"M{i}.{k}"})
                check(f"{kind}: {claim}, {expected} {k}", word in (expected, "equal" if expected == "rounding" else expected) and says in result.stdout, result.stdout[:500])


def entries_far_off(folder):
    """A wrong entry among right ones is within the bound of programs that round every step, which would have missed others, too. Their results, and those that round one step, are rounding."""
    r = np.random.default_rng(48)
    load = lambda a: as_float(bf16(a)).astype("f8")
    W, x, b = load(r.standard_normal((200, 256)) * 0.05), load(r.standard_normal(256) * 0.3), load(r.standard_normal(200) * 0.05)
    Q, K = load(r.standard_normal((80, 40)) * 4), load(r.standard_normal((80, 30)) * 4)
    bias, scores = b + W @ x, Q.T @ K / np.sqrt(80)

    def halved(exact):
        """One of the smaller entries, and where it is."""
        wrong = exact.copy()
        place = np.unravel_index(np.argsort(np.abs(exact), axis=None)[exact.size // 10], exact.shape)
        wrong[place] /= 2
        return wrong, f"at [{', '.join(map(str, place))}]"

    (half_bias, in_bias), (half_score, in_scores) = halved(bias), halved(scores)
    results = {
        "b + W @ x == M": {"rounding": [bias, load(b + load(W @ x)), b + load(W @ x)], "unclear": [half_bias]},
        "Q.T @ K / sqrt(80) == M": {"rounding": [scores, load(load(Q.T @ K) / np.sqrt(80)), load(Q.T @ K) / load(np.sqrt([80]))], "unclear": [half_score]},
    }
    stored = {f"{i}.{word}.{k}": value for i, group in enumerate(results.values()) for word, values in group.items() for k, value in enumerate(values)}
    files = save(folder / "far.safetensors", {**{n: bf16(t) for n, t in {"W": W, "x": x, "b": b, "Q": Q, "K": K, **stored}.items()}})
    for i, (claim, group) in enumerate(results.items()):
        for expected, values in group.items():
            for k in range(len(values)):
                word, result = answer(files, claim, {**{n: n for n in "WxbQK" if re.search(rf"\b{n}\b", claim)}, "M": f"{i}.{expected}.{k}"})
                check(f"{claim}: {expected} {k}", word in (expected, "equal" if expected == "rounding" else expected), result.stdout[:500])
                if expected == "unclear":
                    check(f"{claim}: where", "but those miss what rounding the result once gives" in result.stdout and (in_bias, in_scores)[i] in result.stdout, result.stdout[:500])


def one_entry_where_all_programs_agree(folder):
    """A product over a power of two: who rounds every step gets what rounding once gives, and the bound is that of sums in 16 bits. One entry that is off by a quarter is none of theirs, and is named."""
    r = np.random.default_rng(74)
    A, B = r.standard_normal((64, 96)) * 0.05, r.standard_normal((64, 112)) * 0.05
    exact = as_float(bf16(A)).astype("f8").T @ as_float(bf16(B)).astype("f8") / 8
    place = tuple(int(k) for k in np.unravel_index(np.argsort(np.abs(exact), axis=None)[exact.size // 8], exact.shape))
    one = exact.copy()
    one[place] *= 1.25
    files = save(folder / "lone.safetensors", {"A": bf16(A), "B": bf16(B), "right": bf16(exact), "one": bf16(one)})
    word, result = answer(files, "A.T @ B / 8 == M", {"A": "A", "B": "B", "M": "right"})
    check("all entries agree", word in ("equal", "rounding"), result.stdout[:500])
    word, result = answer(files, "A.T @ B / 8 == M", {"A": "A", "B": "B", "M": "one"})
    check("one does not", word in ("unclear", "bug") and f"the one at [{place[0]}, {place[1]}]" in result.stdout, result.stdout[:500])


def one_wrong_entry(folder):
    """Few entries, one tensor on each side, results of more digits than the operands: where all others are the nearest numbers, one that is not is no rounding. Programs that miss it miss others."""
    r = np.random.default_rng(53)
    load = lambda a: as_float(bf16(a)).astype("f8")
    half = lambda a: np.asarray(a).astype("f2").astype("f8")
    W, mu = half(r.standard_normal((14, 56)) * 0.1), half(r.standard_normal(56) * 3)
    b = half(W @ mu + r.uniform(0.03, 0.06, 14))
    C, x = load(r.standard_normal((90, 13)) * 0.1), load(r.standard_normal(160))
    unrounded = C + r.uniform(-0.5, 0.5, C.shape) * 2.0**-8 * 2 ** np.floor(np.log2(abs(C)))  # what may have been rounded to C
    softplus, mean = np.log1p(np.exp(x)), lambda a: a - a.mean(0, keepdims=True)

    def accumulated(terms):
        """Every step rounded to float16."""
        total = terms[0]
        for term in terms[1:]:
            total = half(total + term)
        return total

    def wrong(exact, factor):
        """One of the smaller entries times the factor."""
        out = exact.copy()
        out.flat[np.argsort(np.abs(exact), axis=None)[exact.size // 10]] *= factor
        return out

    steps = half(b - np.array([accumulated(half(row * mu)) for row in W]))
    tensors = {"W": W.astype("f2"), "mu": mu.astype("f2"), "b": b.astype("f2"), "C": bf16(C), "x": bf16(x)}
    cases = {
        "b - W @ mu == M": [("rounding", (b - W @ mu).astype("f2")), ("rounding", steps.astype("f2")), ("unclear", wrong(b - W @ mu, 1.1).astype("f2"))],
        "C - mean(C, axis=0) == M": [("rounding", bf16(mean(C))), ("rounding", bf16(load(C) - load(C.mean(0, keepdims=True)))), ("rounding", bf16(mean(unrounded))), ("unclear", bf16(wrong(mean(C), 1.03)))],
        "log(1 + exp(x)) == M": [("rounding", softplus), ("rounding", softplus.astype("f4")), ("unclear", wrong(softplus, 1 + 1e-6)), ("unclear", wrong(softplus, 1 + 1e-4).astype("f4"))],
    }
    tensors.update({f"{i}.{k}": value for i, group in enumerate(cases.values()) for k, (_, value) in enumerate(group)})
    files = save(folder / "one.safetensors", tensors)
    for i, (claim, group) in enumerate(cases.items()):
        for k, (expected, _) in enumerate(group):
            word, result = answer(files, claim, {**{n: n for n in ("W", "mu", "b", "C", "x") if re.search(rf"\b{n}\b", claim)}, "M": f"{i}.{k}"})
            check(f"{claim}: {expected} {k}", word in (expected, "equal" if expected == "rounding" else expected), result.stdout[:500])
            if expected == "unclear":
                check(f"{claim}: where {k}", re.search(r"at \[\d+(, \d+)?\]", result.stdout.split("\n")[3]), result.stdout[:500])


def steps_of_sixteen_bits(folder):
    """What a program gives bit for bit that rounds every step to 16 bits is rounding, also where it takes operands of more digits as they are; what is within its bound may be."""
    r = np.random.default_rng(81)
    load = lambda a: as_float(bf16(a)).astype("f8")
    half = lambda a: np.asarray(a).astype("f2").astype("f8")
    W = (r.standard_normal((60, 64)) * 0.1).astype("f4").astype("f8")
    A = (W + r.standard_normal(W.shape) * 0.001).astype("f4").astype("f8")
    mixed = load(W + load(np.float32(0.3) * load(A - W)))
    near = mixed.copy()
    near[::7] = load((W + 0.3 * (A - W))[::7])
    far = mixed.copy()
    far[5, 6] *= 1.5
    H, s = half(r.standard_normal((64, 64)) * 0.02), np.float32(3.7e-6)
    eight = lambda a: Raw("F8_E5M2", list(a.shape), e5m2(a).tobytes())
    quotient = half(H / np.float64(s))
    q = eight(quotient)
    wrong = np.frombuffer(q.data, np.uint8).copy()
    wrong[100] ^= 3
    tensors = {"W": W.astype("f4"), "A": A.astype("f4"), "mixed": bf16(mixed), "near": bf16(near), "far": bf16(far), "H": H.astype("f2"), "s": np.full((1, 1), s), "q": q, "wrong": Raw("F8_E5M2", q.shape, wrong.tobytes())}
    files = save(folder / "steps.safetensors", tensors)
    task = "W + 0.3 * (A - W) == M"
    for stored, expected, says in (("mixed", "rounding", "bit for bit what a program gives that rounds every step to bfloat16"), ("near", "unclear", "within that of bfloat16"), ("far", "bug", "")):
        word, result = answer(files, task, {"W": "W", "A": "A", "M": stored})
        check(f"a step by step program in bfloat16: {stored}", word == expected and says in result.stdout, result.stdout[:500])
    twice = np.abs(half(H / np.float64(s)) - H / np.float64(s)).max() > 0 and not np.array_equal(e5m2(quotient), e5m2(H / np.float64(s)))
    check("rounding twice matters here", twice)
    word, result = answer(files, "q == H / s", {"q": "q", "H": "H", "s": "s"})
    check("a quotient that was stored in 16 bits before it became FP8", word == "rounding", result.stdout[:500])
    check("and one that is wrong at one place", answer(files, "q == H / s", {"q": "wrong", "H": "H", "s": "s"})[0] == "bug")


def e5m2(a):
    """Rounded to nearest even, from numbers that float16 has or that are rounded once."""
    codes = np.arange(0x7C, dtype=np.uint16)
    values = (codes << 8).view(np.float16).astype("f8")
    size = np.abs(np.asarray(a, dtype="f8"))
    low = np.clip(np.searchsorted(values, size, side="right") - 1, 0, len(values) - 2)
    below, above = size - values[low], values[low + 1] - size
    up = (above < below) | ((above == below) & (low % 2 == 1))
    return ((low + up).astype(np.uint8) | (np.signbit(a).astype(np.uint8) << 7)).astype(np.uint8)


def on_one_side(folder):
    """Bounds of sums in 16 bits have room for digits that were cut off, for half of a small difference, and for none of it. Roundings lie on both sides."""
    r = np.random.default_rng(82)
    load = lambda a: as_float(bf16(a)).astype("f8")
    cut = lambda a: Raw("BF16", list(a.shape), (np.ascontiguousarray(a, dtype="f4").view(np.uint32) >> 16).astype(np.uint16).tobytes())

    def accumulated(rows):
        """Every step rounded to bfloat16."""
        total = rows[0]
        for row in rows[1:]:
            total = load(total + row)
        return total

    W, be, mu = load(r.standard_normal((28, 96)) * 0.1), load(r.standard_normal(96) * 0.3), load(r.standard_normal(96))
    b, near = load(r.standard_normal(28) * 0.01), load((W @ mu) * (1 + 0.01 * r.standard_normal(28)))
    up, positive = load(r.random((28, 96))), load(r.random(96))
    small, bias = near - W @ mu, b + W @ be
    cases = {
        "b + W @ x == M": ({"b": b, "W": W, "x": be}, [("rounding", bias), ("rounding", load(b + load(W @ be))), ("rounding", load(b + accumulated(load(W * be).T))), ("unclear", as_float(cut(bias))), ("unclear", 2 * b + W @ be)]),
        "b - W @ x == M": ({"b": near, "W": W, "x": mu}, [("rounding", small), ("rounding", load(near - load(W @ mu))), ("unclear", small / 2), ("unclear", 0 * small)]),
        "b + U @ y == M": ({"b": b, "U": up, "y": positive}, [("rounding", b + up @ positive), ("rounding", load(b + accumulated(load(up * positive).T)))]),
    }
    for i, (claim, (given, results)) in enumerate(cases.items()):
        files = save(folder / f"{i}.safetensors", {n: bf16(t) for n, t in {**given, **{f"M{k}": m for k, (_, m) in enumerate(results)}}.items()})
        for k, (expected, _) in enumerate(results):
            word, result = answer(files, claim, {**{n: n for n in given}, "M": f"M{k}"})
            check(f"{claim}: {expected} {k}", word in (expected, "equal" if expected == "rounding" else expected), result.stdout[:500])


def norms_step_by_step(folder):
    """Libraries round the result of a norm; who writes it out rounds every step, which may be what happened, and bit for bit it is."""
    r = np.random.default_rng(86)
    load = lambda a: as_float(bf16(a)).astype("f8")
    x, g = load(r.standard_normal((12, 200)) * 0.02), load(1 + 0.2 * r.standard_normal((1, 200)))

    def steps(x, epsilon, mean):
        return load(load(x / load(np.sqrt(load(load(mean(load(x * x))) + epsilon)))) * g)

    exact = lambda a: a.mean(1, keepdims=True)
    halves = lambda a: load(load(a[:, ::2].sum(1, keepdims=True)) + load(a[:, 1::2].sum(1, keepdims=True))) / a.shape[1]
    stored = {"same": steps(x, 1e-5, exact), "other": steps(x, 1e-5, halves), "once": load(x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-5)) * g, "epsilon": steps(x, 1e-4, exact)}
    files = save(folder / "norms.safetensors", {n: bf16(t) for n, t in {"x": x, "g": g, **stored}.items()})
    for name, expected in (("same", "rounding"), ("other", "unclear"), ("once", "equal"), ("epsilon", "bug")):
        word, result = answer(files, "rmsnorm(x, 1e-5) * g == M", {"x": "x", "g": "g", "M": name})
        check(f"a norm in bfloat16: {name}", word == expected, result.stdout[:500])


def far_below_zero(folder):
    """exp(-x) is too large for a format where the sigmoid of x is a plain small number, and a program that adds erf to 1 has zeros there."""
    r = np.random.default_rng(83)
    exact = lambda x: x * np.exp(-np.logaddexp(0, -x))
    for kind, dtype, far in (("f4", "f4", 120), ("f2", "f2", 20)):
        G = (r.standard_normal((8, 40)) * far / 3).astype(dtype)
        G[0, :4] = -far
        P = r.standard_normal((8, 40)).astype(dtype)
        M = exact(G.astype("f8")) * P
        wrong = M.copy()
        wrong[1] *= 1.5
        files = save(folder / f"{kind}.safetensors", {"G": G, "P": P, "M": M.astype(dtype), "wrong": wrong.astype(dtype)})
        names = {"G": "G", "P": "P"}
        word, result = answer(files, "silu(G) * P == M", {**names, "M": "M"})
        check(f"{kind}: a gate far below zero", word == "rounding", result.stdout[:500])
        check(f"{kind}: and a wrong row", answer(files, "silu(G) * P == M", {**names, "M": "wrong"})[0] == "bug")
    from math import erf

    x = (r.standard_normal((12, 40)) * 6).astype("f4")
    M = 0.5 * x.astype("f8") * (1 + np.vectorize(erf)(x.astype("f8") / np.sqrt(2)))
    files = save(folder / "gelu.safetensors", {"x": x, "M": bf16(M)})
    check("the tail of a gelu is 0 in some programs", (M[x < -9] == 0).all() and (x < -9).any())
    word, result = answer(files, "gelu(x) == M", {"x": "x", "M": "M"})
    check("which is rounding", word == "rounding", result.stdout[:500])


def sums_in_common(folder):
    """All entries of a row have the sum that they are divided by in common, with all of its roundings."""
    r = np.random.default_rng(84)
    S = (r.standard_normal((12, 300)) * 2).astype("f4")
    e = np.exp(S - S.max(1, keepdims=True))
    total = np.zeros((12, 1), "f4")
    for k in range(300):
        total += e[:, k : k + 1]
    right = e / total
    wrong = right.copy()
    wrong[3] *= np.float32(1 + 1e-4)
    x = r.standard_normal((30, 500))
    norm = lambda x: x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-5)
    off = norm(x)
    off[4] *= 1 + 1e-12
    files = save(folder / "sums.safetensors", {"S": S, "right": right, "wrong": wrong, "x": x, "norm": norm(x), "off": off})
    for claim, names, stored, expected in (("softmax(S) == M", "S", "right", ("rounding",)), ("softmax(S) == M", "S", "wrong", ("unclear", "bug")), ("rmsnorm(x, 1e-5) == M", "x", "norm", ("rounding",)), ("rmsnorm(x, 1e-5) == M", "x", "off", ("unclear", "bug"))):
        word, result = answer(files, claim, {**{n: n for n in names}, "M": stored})
        check(f"{claim}: {stored}", word in expected, result.stdout[:500])


def copies_in_groups(folder):
    """A quantised copy with a scale for every few numbers: that the scales are not negative is no rival of the claim."""
    r = np.random.default_rng(85)
    W = as_float(bf16(r.standard_normal((59, 64)) * 0.008)).reshape(59, 4, 16).astype("f4")
    s = (np.abs(W).max(2) / 7).astype("f4")
    steps = W.astype("f8") / s[:, :, None].astype("f8")
    q = np.rint(steps).astype("f4")
    ties = W.copy()
    ties[3, 1, 2:5] = np.float32(0.5) * s[3, 1] * np.float32(1 + 2.0**-23)  # half of a step, in float32
    q[3, 1, 2:5] = 0
    off = q.copy()
    off[7, 2, 5] += 1
    files = save(folder / "groups.safetensors", {"W": ties.reshape(59, 64), "s": s, "q": q.reshape(59, 64), "off": off.reshape(59, 64)})
    copy = "relu(abs(W.reshape(59, 4, 16) - q.reshape(59, 4, 16) * s[:, :, None]) - s[:, :, None] / 2) == 0"
    word, result = answer(files, copy, {"W": "W", "s": "s", "q": "q"})
    check("a right copy in groups", word == "rounding", result.stdout[:600])
    check("and a wrong one", answer(files, copy, {"W": "W", "s": "s", "q": "off"})[0] == "bug")


def digits_on_the_way(folder):
    """That fewer digits on the way explain a difference is said where the stored numbers allow it, and not where all others show that there were more."""
    r = np.random.default_rng(49)
    load = lambda a: as_float(bf16(a)).astype("f8")
    W, x, b = (r.standard_normal((48, 96)) * 0.1).astype("f4"), (r.standard_normal(48) * 0.3).astype("f4"), (r.standard_normal(96) * 0.1).astype("f4")
    bias = (b.astype("f8") + x.astype("f8") @ W).astype("f4")
    no_keys = bias.copy()
    no_keys[32:64] = 0
    A, B = load(r.standard_normal((64, 256)) * 0.05), load(r.standard_normal((256, 64)) * 0.05)
    product = A @ B
    one = product.copy()
    one[17, 33] += 0.01 * np.abs(product).max()
    turned = product.copy()
    turned[16:32, 16:32] = turned[16:32, 16:32].T
    update, C = load(r.standard_normal((64, 64)) * 0.1), (r.standard_normal((64, 64)) * 0.1).astype("f4")
    tensors = {"W": W, "x": x, "b": b, "no_keys": no_keys, "bf": load(b + load(load(x) @ load(W))).astype("f4") + np.float32(2**-20), "A": bf16(A), "B": bf16(B), "one": one.astype("f4"), "turned": bf16(turned), "C": C, "U": bf16(update)}
    tensors["rounded"] = (load(C) + update).astype("f4")
    tensors["one of them"] = (C.astype("f8") + update).astype("f4")
    tensors["one of them"][5, 6] += np.float32(1e-3)
    files = save(folder / "digits.safetensors", tensors)
    way = "rounding if "
    word, result = answer(files, "b + x @ W == M", {"b": "b", "x": "x", "W": "W", "M": "no_keys"})
    check("a third that is 0 beside exact ones", word == "bug" and way not in result.stdout, result.stdout[:600])
    word, result = answer(files, "A @ B == M", {"A": "A", "B": "B", "M": "one"})
    check("one entry of a product in float32", word == "bug" and way not in result.stdout, result.stdout[:600])
    word, result = answer(files, "A @ B == M", {"A": "A", "B": "B", "M": "turned"})
    check("a block that is transposed", word == "bug" and way not in result.stdout, result.stdout[:600])
    word, result = answer(files, "C + U == M", {"C": "C", "U": "U", "M": "rounded"})
    check("an operand that was rounded first", word == "unclear" and way + "what is added or multiplied was rounded to bfloat16 first" in result.stdout, result.stdout[:600])
    word, result = answer(files, "C + U == M", {"C": "C", "U": "U", "M": "one of them"})
    check("an operand that was not", word == "bug" and way not in result.stdout, result.stdout[:600])
    program = save(folder / "program.safetensors", {**{n: tensors[n] for n in "Wxb"}, "M": bf16(load(load(b) + load(load(x) @ load(W))))})
    word, result = answer(program, "b + x @ W == M", {"b": "b", "x": "x", "W": "W", "M": "M"})
    check("a program in bfloat16", word in ("rounding", "unclear") or way in result.stdout, result.stdout[:600])


def eight_bits(folder):
    """FP8: every number as its description says, and results that are stored in it have its bounds."""
    def e4m3(code):
        sign, e, f = -1.0 if code & 128 else 1.0, code >> 3 & 15, code & 7
        return sign * (f / 8 * 2.0**-6 if e == 0 else (1 + f / 8) * 2.0 ** (e - 7))

    def e5m2(code):
        sign, e, f = -1.0 if code & 128 else 1.0, code >> 2 & 31, code & 3
        return sign * (f / 4 * 2.0**-14 if e == 0 else (1 + f / 4) * 2.0 ** (e - 15))

    for dtype, value, finite in (("F8_E4M3", e4m3, [c for c in range(256) if c & 127 != 127]), ("F8_E5M2", e5m2, [c for c in range(256) if c & 127 < 124])):
        table = np.array([value(c) for c in finite])
        largest, by_size = table.max(), np.array(sorted(finite, key=value))
        store = lambda a: Raw(dtype, list(a.shape), by_size[np.abs(table[np.argsort(table, kind="stable")][:, None] - np.clip(a, -largest, largest).ravel()).argmin(axis=0)].astype("u1").tobytes())
        r = np.random.default_rng(41)
        W = (r.standard_normal((32, 48)) * 0.02).astype("f4")
        s = (np.abs(W).max(axis=1, keepdims=True) / largest).astype("f4")
        q = store(W / s.astype("f8"))
        held = np.array([value(c) for c in q.data]).reshape(q.shape)
        files = save(folder / f"{dtype}.safetensors", {"all": Raw(dtype, [len(finite)], bytes(finite)), "table": table, "nan": Raw(dtype, [2], b"\x01\xff"), "W": W, "s": s, "q": q, "wrong": store(W / s.astype("f8") * 1.3), "T": store(W / np.abs(W).max() * largest), "D": (held * s).astype("f4"), "b": bf16(held * s), "N": held.astype("f4")})
        check(f"{dtype}: every number", answer(files, "W == M", {"W": "all", "M": "table"})[0] == "equal")
        nan = answer(files, "W == M", {"W": "nan", "M": "table[:2]"})[1]
        check(f"{dtype}: no number", nan.returncode == 1 and "W holds NaN at [1]" in nan.stdout, nan)
        asked = {"W": "W", "s": "s", "q": "q"}
        for claim, how in (("W == q * s", "q == W / s"), ("q * s == W", "q == W / s"), ("W / 2 == s * q / 2", "q == W / 2 * 2 / s")):
            word, result = answer(files, claim, asked)
            check(f"{dtype}: {claim} names the other question", word == "unclear" and f"which is asked by {how};" in result.stdout, result.stdout[:500])
        without = Raw(dtype, q.shape, b"".join(bytes(48) if i == 7 else bytes(q.data[48 * i:48 * i + 48]) for i in range(32)))
        told = run("weights", "diagnose", "-e", "q == W / s", "--weights", save(folder / "without.safetensors", {"W": W, "s": s, "q": without}), "--bind", "q=q", "s=s", "W=W")
        check(f"{dtype}: a row of zeros is named", told.returncode == 1 and "the rows 7:8 of q are 0, and no others differ" in told.stdout, told.stdout)
        for name in ("wrong", "T"):
            check(f"{dtype}: and not where that is a bug, {name}", answer(files, "W == q * s", {**asked, "q": name})[0] == "bug")
        for name, values in (("scaled", held * s * (1 + 2e-3)), ("noisy", held * s * (1 + 2e-3 * r.standard_normal(held.shape)))):
            near = save(folder / "near.safetensors", {"W": values.astype("f4"), "s": s, "q": q})
            check(f"{dtype}: what is nearer to q than roundings are is a product, and a bug, {name}", answer(near, "W == q * s", asked)[0] == "bug", answer(near, "W == q * s", asked)[1].stdout)
        for claim, bound, expected in (("q * s == M", {"q": "q", "s": "s", "M": "D"}, ("equal",)), ("q * s == M", {"q": "q", "s": "s", "M": "b"}, ("rounding", "equal")), ("q * s == M", {"q": "q", "s": "s", "M": "N"}, ("bug",)), ("W / s == q", {"W": "W", "s": "s", "q": "q"}, ("rounding",)), ("W / s == q", {"W": "W", "s": "s", "q": "wrong"}, ("bug",)), ("W / s == q", {"W": "W", "s": "s", "q": "T"}, ("bug",))):
            word, result = answer(files, claim, bound)
            check(f"{dtype}: {claim} {bound}", word in expected, result.stdout[:500])


def packed(folder):
    """Two values in a byte, eight in an integer, bytes that stand for another type: `.view(TYPE)`, and the types of MX formats by name."""
    r = np.random.default_rng(46)
    table = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])
    codes, powers = r.integers(0, 16, (6, 4, 32)).astype("u1"), r.integers(118, 130, (6, 4)).astype("u1")
    blocks = (codes[..., 0::2] | codes[..., 1::2] << 4).astype("u1")
    values = (table[codes] * 2.0 ** (powers.astype("f8") - 127)[..., None]).reshape(6, 128)
    turned = (table[(codes >> 2 | codes << 2) & 15] * 2.0 ** (powers.astype("f8") - 127)[..., None]).reshape(6, 128)
    ints, s, z = r.integers(0, 16, (64, 24)), (r.random((2, 24)) * 0.02).astype("f2"), r.integers(6, 10, (2, 24))
    rows = np.zeros((8, 24), "u4")
    for k in range(8):
        rows |= ints[k::8].astype("u4") << np.uint32(4 * k)
    dequantised = ((ints - np.repeat(z, 32, 0)) * np.repeat(s.astype("f8"), 32, 0)).astype("f2")
    wide = r.standard_normal((8, 8)).astype("f4")
    files = save(folder / "packed.safetensors", {"blocks": Raw("U8", [6, 4, 16], blocks.tobytes()), "scales": Raw("U8", [6, 4], powers.tobytes()), "fp4": Raw("F4", [6, 4, 32], blocks.tobytes()), "e8m0": Raw("F8_E8M0", [6, 4], powers.tobytes()),
                                                 "M": bf16(values), "turned": bf16(turned), "qweight": Raw("I32", [8, 24], rows.tobytes()), "s": s, "z": Raw("I32", [2, 24], z.astype("i4").tobytes()), "D": dequantised, "near": bf16(wide),
                                                 "nan": Raw("U8", [2, 2], bytes([127, 255, 127, 127])), "signed": Raw("U8", [1, 2], bytes([0x8F, 0x70])), "row": np.array([[-1, -8, 0, 7]], "f4"), "odd": Raw("U8", [1, 3], bytes(3)),
                                                 "W": np.array([[0.26, 5.1, -0.7, 20]], "f4"), "Q": Raw("F4", [1, 4], bytes([0x71, 0x79]))})
    np.savez(folder / "bits.npz", near=bf16_bits(wide), exact=wide)
    mx = "(b * s[:, :, None]).reshape(6, 128) == M"
    for names, stored, expected in (({"b": "blocks.view(F4)", "s": "scales.view(F8_E8M0)"}, "M", "equal"), ({"b": "fp4", "s": "e8m0"}, "M", "equal"), ({"b": "blocks.view(F4)", "s": "e8m0"}, "turned", "bug")):
        word, result = answer(files, mx, {**names, "M": stored})
        check(f"MXFP4 as {names}: {stored}", word == expected, (result.stdout[:400], result.stderr))
    codes4, steps = r.integers(0, 16, (32, 48)).astype("f4"), (r.random((32, 1)) * 0.02 + 0.01).astype("f4")
    gain, weights = (r.standard_normal(48) * 0.1).astype("f4"), (r.standard_normal((32, 48)) * 0.05).astype("f4")
    zeros = r.integers(6, 10, (32, 1)).astype("f4")
    off = save(folder / "off.safetensors", {"q": codes4, "s": steps, "z": zeros, "g": gain, "W": weights, "seven": (codes4 - 7) * steps, "more": (codes4 - zeros - 1) * steps, "twice": weights * (2 + gain)})
    for claim, names, words in (("(q - 8) * s == seven", ("q", "s", "seven"), "with 7 for 8"), ("(q - z) * s == more", ("q", "z", "s", "more"), "with z + 1 for z"), ("W * (1 + g) == twice", ("W", "g", "twice"), "with the 1 of 1 + g twice")):
        told = run("weights", "diagnose", "-e", claim, "--weights", off, "--bind", *[f"{n}={n}" for n in names])
        check(f"one too many: {claim}", told.returncode == 1 and words in told.stdout, told.stdout)
    many = r.integers(0, 16, (32, 4, 32)).astype("u1"), r.integers(121, 124, (32, 4)).astype("u1")
    unsigned = save(folder / "unsigned.safetensors", {"b": Raw("F4", [32, 4, 32], (many[0][..., 0::2] | many[0][..., 1::2] << 4).astype("u1").tobytes()), "s": Raw("F8_E8M0", [32, 4], many[1].tobytes()),
                                                      "M": bf16(np.abs(table[many[0]] * 2.0 ** (many[1].astype("f8") - 127)[..., None]).reshape(32, 128))})
    asked = run("weights", "diagnose", "-e", mx.replace("6, 128", "32, 128"), "--weights", unsigned, "--bind", "b=b", "s=s", "M=M")
    check("MXFP4 without signs: no rows are said to be others", asked.returncode == 1 and " on the left" not in asked.stdout, asked.stdout)
    group = "((q.reshape(2, 32, 24) - z[:, None]) * s[:, None]).reshape(64, 24) == D"
    for steps, expected in ((".view(U4).reshape(8, 24, 8).transpose(0, 2, 1).reshape(64, 24)", ("equal", "rounding")), (".view(U4).reshape(64, 24)", ("bug",))):
        word, result = answer(files, group, {"q": "qweight" + steps, "z": "z", "s": "s", "D": "D"})
        check(f"eight in an integer: {steps}", word in expected, (result.stdout[:400], result.stderr))
    word, result = answer(folder / "bits.npz", "A == B", {"A": "exact", "B": "near.view(BF16)"})
    check("bfloat16 in an archive of NumPy", word == "rounding", (result.stdout[:300], result.stderr))
    check("signed ones, the low one first", answer(files, "A == B", {"A": "signed.view(I4)", "B": "row"})[0] == "equal")
    check("a slice from the middle of a byte", answer(files, "A == B", {"A": "signed.view(I4)[:, 1:3]", "B": "row[:, 1:3]"})[0] == "equal")
    check("a result that is stored in FP4", answer(files, "W == Q", {"W": "W[:, :3]", "Q": "Q[:, :3]"})[0] == "rounding" and answer(files, "2 * W == Q", {"W": "W[:, :3]", "Q": "Q[:, :3]"})[0] == "bug")
    for binding, says in (("nan.view(F8_E8M0)", "holds NaN at [0, 1] (bits 0xff"), ("odd.view(U16)", "the last axis of U8 [1, 3] is no row of whole U16"), ("odd.view(F5)", "the type `F5` is not known"), ("odd[0].view(U4)", "right behind the name"), ("odd.view(U4", "expected `)`"), ("odd.view(1, 4)", "cannot be reshaped")):
        result = answer(files, "A == A.T", {"A": binding})[1]
        check(f"{binding} is an error", result.returncode == 2 and says in result.stderr, result.stderr)
    save(folder / "half.safetensors", {"h": Raw("F4", [3], bytes(2))})
    check("values that end inside of a byte", "end inside of a byte" in answer(folder / "half.safetensors", "A == A.T", {"A": "h"})[1].stderr)


def archives(folder):
    """What numpy.savez writes is read in place, what numpy.savez_compressed packs is unpacked; what is damaged, cut off or no archive of tensors is refused by name."""
    r = np.random.default_rng(42)
    W, g = r.standard_normal((16, 12)).astype("f4"), r.standard_normal(12).astype("f4")
    np.savez(folder / "base.npz", **{"layers.0.w": W, "g": g, "turned": np.asfortranarray(W)})
    np.savez(folder / "merged.npz", M=W * g)
    integers = r.integers(-3, 4, (300, 400)).astype("f4")
    np.savez_compressed(folder / "packed.npz", W=W, g=g, M=W * g, zeros=np.zeros((500, 400), "f4"), integers=integers, twice=np.concatenate([integers, integers]), small=np.zeros((1, 1)))
    names = [folder / "base.npz", folder / "merged.npz"]
    for claim, bind in (("W * g == M", ["W=layers.0.w", "g=g", "M=merged.npz::M"]), ("W * g == M", ["W=turned", "g=g", "M=M"])):
        result = run("weights", "check", "-e", claim, "--weights", *names, "--bind", *bind)
        check(f"from archives: {bind}", result.returncode == 0 and result.stdout.startswith("equal\n"), result)
    packed = folder / "packed.npz"
    for claim, bindings, expected in (("W * g == M", {n: n for n in "WgM"}, "equal"), ("W == M", {"W": "W", "M": "M"}, "bug"), ("vstack(A, A) == B", {"A": "integers", "B": "twice"}, "equal"), ("A == 0 * A", {"A": "zeros"}, "equal"), ("A == 0 * A", {"A": "small"}, "equal"), ("A == B", {"A": "W", "B": "base.npz::layers.0.w"}, "equal")):
        result = run("weights", "check", "-e", claim, "--weights", packed, folder / "base.npz", "--bind", *[f"{k}={'packed.npz::' if '::' not in v else ''}{v}" for k, v in bindings.items()])
        check(f"unpacked: {claim} {bindings}", result.stdout.startswith(expected + "\n"), result)
    for level, strategy in ((0, 0), (1, 0), (9, 0), (6, 4)):  # the last one: the codes that need no description
        member = io.BytesIO()
        np.save(member, integers)
        deflate = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy)
        data = deflate.compress(member.getvalue()) + deflate.flush()
        sizes = zlib.crc32(member.getvalue()).to_bytes(4, "little") + len(data).to_bytes(4, "little") + len(member.getvalue()).to_bytes(4, "little")
        local = b"PK\x03\x04" + bytes(4) + b"\x08\x00" + bytes(4) + sizes + b"\x05\x00\x00\x00M.npy"
        entry = b"PK\x01\x02" + bytes(6) + b"\x08\x00" + bytes(4) + sizes + b"\x05\x00" + bytes(16) + b"M.npy"
        end = b"PK\x05\x06" + bytes(4) + b"\x01\x00\x01\x00" + len(entry).to_bytes(4, "little") + len(local + data).to_bytes(4, "little") + bytes(2)
        (folder / "level.npz").write_bytes(local + data + entry + end)
        result = run("weights", "check", "-e", "A == B", "--weights", folder / "level.npz", packed, "--bind", "A=level.npz::M", "B=integers")
        check(f"deflate of level {level}, strategy {strategy}", result.stdout.startswith("equal\n"), result)
        for cut in (0, 1, 7, len(data) // 2, len(data) - 1):
            for flip in (1, 0x80, 0xFF):
                bad_data = data[:cut] + bytes([data[cut] ^ flip]) + data[cut + 1 :]
                (folder / "bad.npz").write_bytes(local + bad_data + entry + end)
                result = run("weights", "check", "-e", "A == B", "--weights", folder / "bad.npz", packed, "--bind", "A=bad.npz::M", "B=integers")
                check(f"deflate of level {level}, strategy {strategy}, byte {cut} changed by {flip}", (result.returncode == 2 and "packed bytes of `M.npy` are damaged" in result.stderr) or result.stdout.startswith("equal\n"), result)
    check("a wrong one", run("weights", "check", "-e", "W == M", "--weights", *names, "--bind", "W=turned", "M=M").returncode == 1)
    whole = (folder / "merged.npz").read_bytes()
    directory = whole.rindex(b"PK\x01\x02")
    bad = {
        "packed otherwise": (whole[: directory + 10] + b"\x0e" + whole[directory + 11 :], "packed in a way that is not read"),
        "not packed, but said to be": (whole[: directory + 10] + b"\x08" + whole[directory + 11 :], "are damaged"),
        "a bomb": (whole[: directory + 10] + b"\x08" + whole[directory + 11 : directory + 24] + b"\xfe\xff\xff\xff" + whole[directory + 28 :], "are damaged"),
        "cut off": (whole[:-30], "no directory at its end"),
        "a directory elsewhere": (whole[:-6] + b"\xf0\xff\xff\x7f" + whole[-2:], "outside of the file"),
        "a directory that breaks off": (whole[:directory] + b"XX" + whole[directory + 2 :], "breaks off here"),
        "a member elsewhere": (whole[: directory + 42] + b"\x04\x00\x00\x00" + whole[directory + 46 :], "no member here"),
        "no tensors": (whole.replace(b"M.npy", b"M.txt"), "no .npy file"),
        "no archive": (b"\x93NUMPY" + whole[6:], "not a .npz file"),
        "a longer member": (whole[: directory + 20] + (len(whole)).to_bytes(4, "little") * 2 + whole[directory + 28 :], "inside of the member"),
        "a shorter member": (whole[: directory + 20] + (200).to_bytes(4, "little") * 2 + whole[directory + 28 :], "more bytes of values"),
        "a member without a header": (whole[: directory + 20] + (9).to_bytes(4, "little") * 2 + whole[directory + 28 :], "inside of its header"),
    }
    values = whole.index(b"NUMPY") + 200  # behind the header of 128 bytes
    bad["a changed byte"] = (whole[:values] + bytes([whole[values] ^ 0x10]) + whole[values + 1 :], "the bytes of `M.npy` are damaged: their checksum is not what the archive says")
    both = (folder / "base.npz").read_bytes()
    first, second = [m.start() for m in re.finditer(b"PK\x01\x02", both)][:2]
    bad["two in one place"] = (both[: second + 20] + both[first + 20 : first + 28] + both[second + 28 : second + 42] + both[first + 42 : first + 46] + both[second + 46 :], "overlap")
    for name, (data, says) in bad.items():
        (folder / "bad.npz").write_bytes(data)
        result = run("weights", "check", "-e", "M == M.T", "--weights", folder / "bad.npz", "--bind", "M=M")
        check(f"an archive, {name}", result.returncode == 2 and says in result.stderr and "bad.npz" in result.stderr and len(result.stderr.splitlines()) <= 2, (says, result))


def listed(folder):
    """The tensors by the names that a binding takes, those of all layers on one line."""
    w = np.zeros((4, 6), "f4")
    one = save(folder / "llm/model-1.safetensors", {**{f"layers.{i}.wq.weight": w for i in range(12)}, "layers.0.g": bf16(np.ones(6)), "norm": w[0]})
    save(folder / "llm/model-2.safetensors", {f"layers.{i}.experts.{j}.w1": w.T for i in range(2) for j in range(3)})
    np.save(folder / "extra.npy", np.zeros((2, 2), "i1"))
    result = run("weights", "list", folder / "llm", folder / "extra.npy")
    lines = [line.strip() for line in result.stdout.splitlines()]
    check("a list", result.returncode == 0 and lines[0].endswith("/llm/  2 files") and lines[1:] == ["layers.*.wq.weight  [4, 6]  F32  12 tensors, 0 to 11", "layers.0.g  [6]  BF16", "norm  [6]  F32", "layers.*.experts.*.w1  [6, 4]  F32  6 tensors, 0.0 to 1.2", "extra.npy", "extra  [2, 2]  |i1"], result)
    check("also after --weights", "layers.0.g  [6]  BF16" in run("weights", "list", "--weights", one).stdout)
    check("of nothing", run("weights", "list").returncode == 2 and run("weights", "list", folder / "none").returncode == 2 and run("weights", "list", one, "-e", "A == B").returncode == 2)


def factors_of_sums(folder):
    """The bound of a long sum in float32 has room for a wrong factor, which all entries have in common; roundings in any order do not."""
    r = np.random.default_rng(43)
    O, V = r.standard_normal((96, 1024)).astype("f4") * np.float32(0.02), r.standard_normal((1024, 80)).astype("f4") * np.float32(0.02)
    exact = O.astype("f8") @ V.astype("f8")
    one_by_one = np.zeros(exact.shape, "f4")
    for k in range(O.shape[1]):
        one_by_one += np.outer(O[:, k], V[k])
    files = save(folder / "sums.safetensors", {"O": O, "V": V, "once": exact.astype("f4"), "blas": O @ V, "slow": one_by_one, "more": (exact * 1.0001).astype("f4"), "less": (exact * (1 - 1e-6)).astype("f4")})
    for stored, expected, says in (("once", ("rounding",), ""), ("blas", ("rounding",), ""), ("slow", ("rounding",), ""), ("more", ("unclear", "bug"), "1 + 0.0001 times the left"), ("less", ("unclear", "bug"), "1 - 1e-06 times the left")):
        word, result = answer(files, "O @ V == M", {"O": "O", "V": "V", "M": stored})
        check(f"a factor in sums: {stored}", word in expected and says in result.stdout, result.stdout[:500])
    base = r.standard_normal((64, 64)).astype("f4") * np.float32(0.1)
    first, second = (base + r.standard_normal((64, 64)).astype("f4") * np.float32(0.002) for _ in range(2))
    files = save(folder / "tasks.safetensors", {"A": base, "B": first, "C": second, "M": np.float32(0.3) * base + np.float32(0.4) * first + np.float32(0.3) * second})
    check("constants that float32 does not have, in another program", answer(files, "A + 0.4*(B - A) + 0.3*(C - A) == M", {n: n for n in "ABCM"})[0] == "rounding")


def filters(folder):
    """A norm of a filter: a thousand numbers in the claim, whatever its sizes, are no reason to search for minutes."""
    r = np.random.default_rng(44)
    W = r.standard_normal((16, 8, 3, 3)).astype("f4")
    rows = W.reshape(16, 72).astype("f8")
    M = ((rows - rows.mean(1, keepdims=True)) / np.sqrt(rows.var(1, keepdims=True) + 1e-6)).reshape(W.shape).astype("f4")
    files = save(folder / "filter.safetensors", {"W": W, "M": M})
    result = run("weights", "check", "-e", "layernorm(W.reshape(16, 72), 1e-6).reshape(16, 8, 3, 3) == M", "--weights", files, "--bind", "W=W", "M=M", seconds=30)
    check("a norm of a filter", result.returncode == 0 and result.stdout.startswith("rounding\n"), result)


def other_epsilons(folder):
    """1e-3 for 1e-5 is within the bound of bfloat16 where the variances are usual, and fits the stored numbers far better."""
    r = np.random.default_rng(32)
    load = lambda a: as_float(bf16(a))
    W, g, v = load(r.standard_normal((64, 32)) * 0.05), load(1 + 0.1 * r.standard_normal(64)), load(r.random(64) * 0.2 + 0.1)
    folded = {e: W.astype("f8") * (g / np.sqrt(v.astype("f8") + e))[:, None] for e in (1e-3, 1e-5)}
    steps = load(W * load(g / load(np.sqrt(load(v + np.float32(1e-3)))))[:, None])
    files = save(folder / "norm.safetensors", {"W": bf16(W), "g": bf16(g), "v": bf16(v), "good": bf16(folded[1e-5]), "bad": bf16(folded[1e-3]), "steps": bf16(steps)})
    for stored, expected in (("good", "rounding"), ("bad", "unclear")):
        word, result = answer(files, "W * (g / sqrt(v + 1e-5))[:, None] == M", {"W": "W", "g": "g", "v": "v", "M": stored})
        check(f"another epsilon: {stored}", word == expected and (word == "rounding" or "with another epsilon, 0.001 for 0.00001" in result.stdout), result.stdout[:500])
    word, result = answer(files, "W * (g / sqrt(v + 1e-3))[:, None] == M", {"W": "W", "g": "g", "v": "v", "M": "steps"})
    check("rounded at every step", word in ("equal", "rounding"), result.stdout[:500])


def rounded_to_the_weights_first(folder):
    """Adapters and gains of float32 that a merge in 16 bits rounds first: bit for bit what that gives, which is no bug."""
    r = np.random.default_rng(33)
    for kind, (store, load) in {"bf": (bf16, lambda a: as_float(bf16(a))), "f2": (lambda a: np.asarray(a).astype("f2"), lambda a: np.asarray(a).astype("f2").astype("f4"))}.items():
        W, g = load(r.standard_normal((48, 48)) * 0.02), (1 + 0.1 * r.standard_normal(48)).astype("f4")
        A, B = (r.standard_normal((4, 48)) * 0.1).astype("f4"), (r.standard_normal((48, 4)) * 0.02).astype("f4")
        merged = load(W + load(np.float32(2) * load(load(B) @ load(A))))
        files = save(folder / f"{kind}.safetensors", {"W": store(W), "g": g, "A": A, "B": B, "merged": store(merged), "gained": store(W * load(g)), "wrong": store(W * load(g) * np.float32(1.02))})
        for claim, names, stored, expected in (("W + 2*(B @ A) == M", "WAB", "merged", "rounding"), ("W * g == M", "Wg", "gained", "rounding"), ("W * g == M", "Wg", "wrong", "bug")):
            word, result = answer(files, claim, {**{n: n for n in names}, "M": stored})
            check(f"{kind} {claim}: {stored}", word == expected and (word == "bug" or "rounded to it first" in result.stdout), result.stdout[:500])


def not_finite(folder):
    """A stored result with NaN or infinities is a bug where everything else is finite, also in one layer of many; in an operand it is bad input."""
    r = np.random.default_rng(34)
    W, g = r.standard_normal((8, 8)).astype("f4"), r.standard_normal(8).astype("f4")
    nan, inf, hole = W * g, W * g, W.copy()
    nan[7, 3], inf[0, 2], hole[1, 1] = np.nan, -np.inf, np.nan
    files = save(folder / "odd.safetensors", {"W": W, "g": g, "nan": nan, "inf": inf, "hole": hole, "W.0": W, "W.1": W, "M.0": W * g, "M.1": nan})
    for claim, stored, says in (("W * g == M", "nan", "M holds NaN at [7, 3], and the left side is made of finite numbers"), ("M == W * g", "inf", "M holds an infinity at [0, 2], and the right side"), ("x: [n, 8]; (x * g) @ W.T == x @ M.T", "nan", "M holds NaN at [7, 3]"), ("W == M", "inf", "M holds an infinity")):
        for question in ("check", "diagnose"):
            result = run("weights", question, "-e", claim, "--weights", files, "--bind", "W=W", f"M={stored}", *(["g=g"] if "g" in claim else []))
            check(f"{question} {claim}: {stored}", result.returncode == 1 and result.stdout.startswith("bug\n") and says in result.stdout, result)
    result = run("weights", "check", "-e", "W * g == M", "--weights", files, "--bind", "W=W.*", "g=g", "M=M.*")
    check("one layer of two", result.returncode == 1 and "1: bug; M holds NaN at [7, 3]" in result.stdout and "all layers: bug (1 bug, 1 equal)" in result.stdout, result)
    result = run("weights", "check", "-e", "W * g == M", "--weights", files, "--bind", "W=hole", "g=g", "M=W")
    check("an operand", result.returncode == 2 and "holds NaN at [1, 1]" in result.stderr, result)
    result = run("weights", "check", "-e", "W * g == M", "--weights", files, "--bind", "W=hole[0:1]", "g=g", "M=W[0:1]")
    check("outside of what is bound", result.returncode == 1, result)


def too_large(folder):
    """More values than a claim takes are compared in blocks of rows, where the claim is about each by itself, and refused before they are read where it is not."""
    rows, columns = 160_000, 1024
    with open(folder / "large.safetensors", "wb") as f:
        header = json.dumps({n: {"dtype": "BF16", "shape": [rows, columns], "data_offsets": [i * 2 * rows * columns, (i + 1) * 2 * rows * columns]} for i, n in enumerate("EH")}).encode()
        f.write(len(header).to_bytes(8, "little") + header)
        f.truncate(8 + len(header) + 4 * rows * columns)  # a file of holes
        f.seek(8 + len(header) + 2 * rows * columns + 2 * columns * 100_001)
        f.write(b"\x80\x3f")
    def limited(*words, claim="E == H"):
        return subprocess.run(["sh", "-c", 'ulimit -v 1500000; exec "$@"', "sh", foldproof, "weights", "check", "-e", claim, "--weights", str(folder / "large.safetensors"), "--bind", *words], capture_output=True, text=True)

    result = limited("E=E", "H=H")
    check("too large for once, in blocks", result.returncode == 1 and result.stdout.startswith("bug\n") and "rows 97650:101556 of 160000" in result.stdout and "1 of 3999744 entries" in result.stdout, result)
    result = limited("E=E", "H=E", claim="E: [n, d]; E * 1 == H")
    check("every block", result.returncode == 0 and result.stdout.startswith("equal\n") and "blocks of 3906 rows" in result.stdout, result)
    result = limited("E=E", "H=H", claim="E.T @ E == H.T @ H")
    check("too large, at once", result.returncode == 2 and "[160000, 1024]" in result.stderr and "E[0:4096]" in result.stderr, result)
    for first, word in ((50_000, "equal"), (100_000, "bug")):
        result = limited(*(f"{n}={n}[{first}:{first + 4}]" for n in "EH"))
        check(f"rows {first} of a large tensor", result.stdout.startswith(word), result)


def layers(folder):
    """`*` stands for one part of the names: a fold and a check of every layer in one command each."""
    r = np.random.default_rng(4)
    d, tensors = 6, {}
    for i in range(12):
        tensors[f"layers.{i}.wq"], tensors[f"layers.{i}.g"] = r.standard_normal((d, d)).astype("f4"), (1 + r.standard_normal(d) / 9).astype("f4")
    tensors["layers.12.wq"] = tensors["layers.0.wq"]  # without its gain
    files, out = save(folder / "model.safetensors", tensors), folder / "folded.safetensors"
    bind = ["--bind", "W=layers.*.wq", "g=layers.*.g"]
    result = run("weights", "fold", "-e", "W * g", "--weights", files, *bind, "--name", "layers.*.folded", "--out", out)
    folded, metadata, whole = read(out)
    check("a layer without its gain is told", result.returncode == 3 and "12 (W, not g)" in result.stderr, result)
    check("a fold of every layer", whole and len(folded) == 12 and all(np.array_equal(folded[f"layers.{i}.folded"][1], (tensors[f"layers.{i}.wq"] * tensors[f"layers.{i}.g"]).astype("f8")) for i in range(12)), result)
    check("it says what each is", metadata["foldproof.bind.g.11"] == "model.safetensors::layers.11.g", metadata)
    words = ["weights", "check", "-e", "W * g == M", "--weights", files, out, *bind, "M=layers.*.folded"]
    good = run(*words)
    told = run(*words, "--json")
    check("a layer that only some have is no success", good.returncode == 3 and "12 (W, not g, M)" in good.stderr and json.loads(told.stdout)["unmatched"] == ["12 (W, not g, M)"], good)
    check("a check of every layer, in order", [line.split(":")[0] for line in good.stdout.splitlines()] == [str(i) for i in range(12)] + ["all layers"], good)
    check("one word for all of them", good.stdout.splitlines()[-1] == "all layers: unclear (12 equal, 1 not checked)" and json.loads(told.stdout)["answer"] == "unclear", good)
    experts = {f"layers.{i}.experts.{j}.w": r.standard_normal((3, 3)).astype("f4") for i in range(2) for j in range(3)}
    copies = {**{f"copy.{name}": value for name, value in experts.items()}, **{f"layers.{i}.twice": np.float32(2) * np.ones((3, 3), "f4") for i in range(2)}}
    copies["copy.layers.1.experts.0.w"] = 2 * copies["copy.layers.1.experts.0.w"]
    moe = save(folder / "moe.safetensors", {**experts, **copies})
    words = ["weights", "check", "--weights", moe, "--bind", "W=layers.*.experts.*.w", "M=copy.layers.*.experts.*.w"]
    bad = run(*words, "-e", "W == M")
    check("two stars are every layer and every expert", bad.returncode == 1 and [line.split(":")[0] for line in bad.stdout.splitlines()] == ["0.0", "0.1", "0.2", "1.0", "1.1", "1.2", "all layers"] and "1.0: bug" in bad.stdout, bad)
    bad = run(*words, "t=layers.*.twice", "-e", "t * W == 2 * M")
    check("one star beside two is the layer", bad.returncode == 1 and "1.0: bug" in bad.stdout and bad.stdout.splitlines()[-1].startswith("all layers: bug (1 bug, 5"), bad)
    refused = run("weights", "fold", "-e", "2 * W", "--weights", moe, "--bind", "W=layers.*.experts.*.w", "--name", "layers.*.folded", "--out", folder / "experts.safetensors")
    check("no tensor is written twice", refused.returncode == 2 and "fewer `*`" in refused.stderr and not (folder / "experts.safetensors").exists(), refused)
    again = run("weights", "fold", "-e", "2 * W", "--weights", out, "--bind", "W=layers.0.folded", "--name", "twice", "--out", out, "--force")
    check("--force does not replace what is read", again.returncode == 2 and "one of the files that are read" in again.stderr and len(read(out)[0]) == 12, again)
    wrong = {**tensors, **{f"layers.{i}.folded": tensors[f"layers.{i}.wq"] * tensors[f"layers.{i - (i == 7)}.g"] for i in range(12)}}
    del wrong["layers.12.wq"]
    save(folder / "wrong.safetensors", wrong)
    words = ["weights", "check", "-e", "W * g == M", "--weights", folder / "wrong.safetensors", *bind, "M=layers.*.folded"]
    bad = run(*words)
    check("one wrong layer is told", bad.returncode == 1 and [line.split(":")[0] for line in bad.stdout.splitlines() if ": bug" in line] == ["7", "all layers"] and "(1 bug, 11 equal)" in bad.stdout, bad)
    results = json.loads(run(*words, "--json").stdout)["results"]
    check("as JSON", [one["star"] for one in results if one["answer"] == "bug"] == ["7"] and len(results) == 12, results)
    found = run("weights", "diagnose", *words[2:])
    check("and what is wrong with it", "it holds with the tensor layers.6.g for g, bit for bit" in found.stdout, found)
    for what, more, says in (
        ("a star that fits nothing", ["--bind", "W=layers.*.wx"], "layers.*.wx"),
        ("stars that do not fit together", ["--bind", "W=layers.*.wq", "g=*.0.g"], "no value of `*`"),
        ("a quoted star", ["--bind", 'W="layers.*.wq"'], "not quoted"),
        ("a claim that cannot be read is told once", ["--bind", "W=layers.*.wq", "-e", "W @"], "expected an expression"),
    ):
        result = run("weights", "check", *(["-e", "W == W.T"] if "-e" not in more else []), "--weights", files, *more)
        check(what, result.returncode == 2 and result.stderr.count(says) == 1, result)
    bad = {k: v.copy() for k, v in tensors.items() if not k.startswith("layers.12.")}
    bad["layers.3.g"][2] = np.nan
    bad["layers.5.wq"] = np.ones((d, d + 1), "f4")
    bad.update({f"layers.{i}.folded": bad[f"layers.{i}.wq"][:, :d] * bad[f"layers.{i}.g"] for i in range(12)})
    damaged = save(folder / "damaged.safetensors", bad)
    result = run("weights", "check", "-e", "W * g == M", "--weights", damaged, *bind, "M=layers.*.folded")
    check("a layer that cannot be compared leaves the others", result.returncode == 3 and "all layers: unclear (10 equal, 2 not checked)" in result.stdout and "3 (" in result.stderr and "NaN" in result.stderr and "5 (" in result.stderr and "has shape" in result.stderr, result)
    told = json.loads(run("weights", "check", "-e", "W * g == M", "--weights", damaged, *bind, "M=layers.*.folded", "--json").stdout)
    check("also as JSON", told["answer"] == "unclear" and len(told["unmatched"]) == 2, told)
    result = run("weights", "check", "-e", "2*W == M", "--weights", save(folder / "nan.safetensors", {"a.0": np.full(2, np.nan, "f4")}), "--bind", "W=a.*", "M=a.*")
    check("nothing but what cannot be read is bad input", result.returncode == 2 and result.stderr.count("NaN") == 1 and result.stdout == "", result)
    for which in ("base", "merged"):
        shards = {f"model-{s}.safetensors": {f"w.{i}": tensors[f"layers.{i}.wq"] * (tensors[f"layers.{i}.g"] if which == "merged" else 1) for i in range(3 * s, 3 * s + 3)} for s in (0, 1)}
        for name, content in shards.items():
            save(folder / which / name, content)
        (folder / which / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {key: name for name, content in shards.items() for key in content}}))
    for first, second in (("base", "merged"), ("base/model.safetensors.index.json", "merged/model.safetensors.index.json"), (str(folder / "base"), "merged/")):
        result = run("weights", "check", "-e", "W * g == M", "--weights", "base/model.safetensors.index.json", "merged", files, "--bind", f"W={first}::w.*", "g=layers.*.g", f"M={second}::w.*", cwd=folder)
        check(f"every layer of two checkpoints of several files, {first}", result.returncode == 3 and "(6 equal" in result.stdout, result)
    result = run("weights", "check", "-e", "W == M", "--weights", "base", "merged", "--bind", "W=model.safetensors.index.json::w.0", "M=w.0", cwd=folder)
    check("a folder is ambiguous", result.returncode == 2 and "several folders" in result.stderr and "base/::" in result.stderr, result)
    parts = save(folder / "parts.safetensors", {f"attn.{p}_proj.weight": tensors["layers.0.wq"] for p in "qkv"})
    inside = run("weights", "check", "-e", "W == W + 0", "--weights", parts, "--bind", "W=attn.*_proj.weight")
    check("a star inside of a part", [line.split(":")[0] for line in inside.stdout.splitlines()] == ["k", "q", "v", "all layers"], inside)
    result = run("weights", "fold", "-e", "W * g", "--weights", files, *bind, "--name", "one", "--out", folder / "never.safetensors")
    check("--name needs the star", result.returncode == 2 and "so must --name" in result.stderr and not (folder / "never.safetensors").exists(), result)
    claim = folder / "claim.txt"
    claim.write_text("W == W + 0")
    result = run("check", claim, "--out", folder / "out", "--weights", files, "--bind", "W=layers.*.wq")
    check("foldproof check has no star", result.returncode == 2 and "foldproof weights" in result.stderr, result)
    whole = run("weights", "check", "-e", "A: [64, 64]; B: [64, 64]; A == B", "--weights", save(folder / "large.safetensors", {"a": np.ones((64, 64), "f4")}), "--bind", "A=a", "B=a", seconds=20)
    check("literal sizes leave nothing to draw", whole.returncode == 0 and whole.stdout.startswith("equal"), whole)


def what_is_open(folder):
    """Sizes and tensors that are not given: sizes above 1 that differ, numbers of usual size, and no word about the stored tensors where nothing was stored."""
    r = np.random.default_rng(8)
    W, b = (r.standard_normal((16, 16)) * 0.3).astype("f4"), r.standard_normal(16).astype("f4")
    files = save(folder / "open.safetensors", {"W": W, "b": b, "z": b})
    for seed in range(1, 13):
        for name in "xXz":
            claim = f"softmax({name} @ W @ {name}.T + causal(n)) == softmax({name} @ W @ {name}.T)"
            word, result = answer(files, claim, {"W": "W"}, "--seed", str(seed), "--json")
            sizes = {s["n"] for s in json.loads(result.stdout)["results"][0]["open_sizes"]}
            check(f"a mask is no rounding: {name}, seed {seed}", result.returncode == 1 and min(sizes) > 1 and len(sizes) > 1, result.stdout[:300])
        biased = "softmax((X @ W + b) @ (X @ W + c).T) == softmax((X @ W + b) @ (X @ W).T)"
        word, result = answer(files, biased, {"W": "W", "b": "b", "c": "b"}, "--seed", str(seed))
        check(f"a key bias is compared in every case: seed {seed}", word == "rounding" and "random in every case: X; sizes n = " in result.stdout, result.stdout[:400])
        word, result = answer(files, biased.replace("+ b)", "+ b)", 1).replace("(X @ W + b) @ (X @ W).T", "(X @ W) @ (X @ W).T"), {"W": "W", "b": "b", "c": "b"}, "--seed", str(seed))
        check(f"a query bias is a bug: seed {seed}", word == "bug", result.stdout[:400])
    word, result = answer(files, "W * b == M", {"W": "W", "b": "b"})
    check("nothing is said of random numbers", word == "unclear" and result.returncode == 3 and "not bound, and on one side only: M" in result.stdout, result.stdout)
    word, result = answer(files, "W * b == W", {"W": "W", "b": "b", "y": "z"})
    check("a name too many is told by its name", result.returncode == 2 and "no tensor called y" in result.stderr, result)
    word, result = answer(files, "rmsnorm(X, g) @ W == X @ W", {"W": "W", "g": "b"})
    check("a gain is no epsilon", result.returncode == 2 and "rmsnorm(x) * g" in result.stderr, result)
    (folder / "w.pt").write_bytes(b"PK")
    word, result = answer(folder / "w.pt", "W == W.T", {"W": "W"})
    check("a pickle is not read", result.returncode == 2 and "only .safetensors, .npz and .npy" in result.stderr, result)


def read(path):
    """The tensors of a file as float64, and its metadata."""
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header, values = json.loads(data[8 : 8 + length]), data[8 + length :]
    out = {}
    for name, t in header.items():
        if name == "__metadata__":
            continue
        raw = values[slice(*t["data_offsets"])]
        kinds = {"F64": "<f8", "F32": "<f4", "F16": "<f2"}
        out[name] = (t["dtype"], as_float(Raw("BF16", t["shape"], raw)).astype("f8") if t["dtype"] == "BF16" else np.frombuffer(raw, kinds[t["dtype"]]).reshape(t["shape"]).astype("f8"))
    return out, header["__metadata__"], len(values) == max(t["data_offsets"][1] for n, t in header.items() if n != "__metadata__")


def folding(folder):
    """What is written is rounded once, and `weights check` finds it right; nothing is overwritten."""
    r = np.random.default_rng(3)
    W, g = r.standard_normal((9, 9)), 1 + 0.1 * r.standard_normal((1, 9))
    stores = {"F64": lambda a: a, "F32": lambda a: a.astype("f4"), "F16": lambda a: a.astype("f2"), "BF16": bf16}
    loads = {"F64": lambda a: a, "F32": lambda a: a.astype("f4").astype("f8"), "F16": lambda a: a.astype("f2").astype("f8"), "BF16": lambda a: as_float(bf16(a)).astype("f8")}
    for dtype, store in stores.items():
        files = save(folder / f"{dtype}.safetensors", {"W": store(W), "g": store(g)})
        out = folder / f"folded-{dtype}.safetensors"
        words = ["--weights", files, "--bind", "W=W", "g=g"]
        result = run("weights", "fold", "-e", "g.T * W", *words, "--name", "M", "--out", out)
        tensors, metadata, whole = read(out)
        exact = loads[dtype](g).T * loads[dtype](W)  # two numbers of at most 24 bits: exact in float64
        check(f"fold to {dtype}", result.returncode == 0 and tensors["M"][0] == dtype and np.array_equal(tensors["M"][1], loads[dtype](exact)) and whole, result)
        check(f"fold to {dtype}: certain", dtype == "F64" or "81 of 81" in result.stdout, result.stdout)
        check(f"fold to {dtype}: how near", ("every entry is within" if dtype == "F64" else "nearest") in result.stdout, result.stdout)
        check(f"fold to {dtype}: says what it is", metadata == {"foldproof.expression": "g.T * W", "foldproof.bind.W": f"{dtype}.safetensors::W", "foldproof.bind.g": f"{dtype}.safetensors::g"}, metadata)
        word = run("weights", "check", "-e", "g.T * W == M", "--weights", files, out, "--bind", "W=W", "g=g", "M=M").stdout.split("\n")[0]
        check(f"fold to {dtype}: checked", word in ("equal", "rounding"), word)
        before = out.read_bytes()
        again = run("weights", "fold", "-e", "W", *words[:-1], "--name", "M", "--out", out)
        check(f"fold to {dtype}: not over a file", again.returncode == 2 and "there already" in again.stderr and out.read_bytes() == before, again)
        forced = run("weights", "fold", "-e", "W", *words[:-1], "--name", "M", "--out", out, "--force")
        check(f"fold to {dtype}: unless forced", forced.returncode == 0 and np.array_equal(read(out)[0]["M"][1], loads[dtype](W)), forced)
    half = folder / "half.safetensors"
    result = run("weights", "fold", "-e", "g.T * W", "--weights", files, "--bind", "W=W", "g=g", "--name", "M", "--out", half, "--format", "float16")
    check("fold to a format that was asked for", result.returncode == 0 and read(half)[0]["M"][0] == "F16", result)
    check("--format belongs to fold", run("weights", "check", "-e", "W == W.T", "--weights", files, "--bind", "W=W", "--format", "float16").returncode == 2)
    mixed = save(folder / "mixed.safetensors", {"W": bf16(W), "g": g.astype("f4"), "big": np.full((2, 2), 3e38, "f4"), "zero": np.zeros((2, 2), "f4")})
    out = folder / "mixed-out.safetensors"
    run("weights", "fold", "-e", "g.T * W", "--weights", mixed, "--bind", "W=W", "g=g", "--name", "M", "--out", out)
    check("the format that holds all tensors", read(out)[0]["M"][0] == "F32")
    sums = run("weights", "fold", "-e", "sum(W)", "--weights", mixed, "--bind", "W=W", "--name", "s", "--out", folder / "scalar.safetensors")
    check("a number", sums.returncode == 0 and read(folder / "scalar.safetensors")[0]["s"][1].shape in ((), (1, 1)), sums)
    never = folder / "never.safetensors"
    bad = {
        "a result that overflows": ("2 * A", ["A=big"], "too large for float32"),
        "no value": ("A / A", ["A=zero"], "no value"),
        "a variable without a value": ("A + B", ["A=big"], "B"),
        "no expression": ("A +* A", ["A=big"], "hint"),
        "a tensor that is not used": ("A + A", ["A=big", "Q=zero"], "no tensor called Q"),
    }
    for name, (text, bindings, says) in bad.items():
        result = run("weights", "fold", "-e", text, "--weights", mixed, "--bind", *bindings, "--name", "M", "--out", never)
        check(f"fold: {name}", result.returncode == 2 and says in result.stderr and not never.exists(), result)
    for words in (["--name", "M"], ["--out", never], ["--name", "M", "--out", folder / "x.txt"], ["--name", "__metadata__", "--out", never], ["--name", "M", "--out", folder / "none.npy"]):
        result = run("weights", "fold", "-e", "A", "--weights", mixed, "--bind", "A=big", *words)
        check(f"fold: usage {words[-1]}", result.returncode == 2 and not never.exists(), result)
    check("check writes no file", run("weights", "check", "-e", "A == A.T", "--weights", mixed, "--bind", "A=big", "--out", never).returncode == 2 and not never.exists())


def formats_that_meet(folder):
    """What a wrong word would hide: updates in more digits than the weights have, copies, overflow, folds that only random inputs look at."""
    rng = np.random.default_rng(11)
    W, A, B = rng.normal(size=(64, 48)).astype("f4"), rng.normal(size=(4, 48)).astype("f4") / 8, rng.normal(size=(64, 4)).astype("f4") / 8
    delta = 2 * B.astype("f8") @ A.astype("f8")
    stored = as_float(bf16(W.astype("f8")))
    cast = bf16(stored.astype("f8") + as_float(bf16(delta)).astype("f8"))  # the update is rounded before it is added
    files = save(folder / "meet.safetensors", {"W": bf16(W.astype("f8")), "A": A, "B": B, "M": cast, "none": bf16(stored.astype("f8") + 2 * delta)})
    names = {"W": "W", "A": "A", "B": "B", "M": "M"}
    word, result = answer(files, "W + 2*(B@A) == M", names)
    check("an update rounded to the format of the weights is no bug", word in ("rounding", "unclear"), result)
    check("an update added twice is one", answer(files, "W + 2*(B@A) == M", {**names, "M": "none"})[0] == "bug")
    untrained = save(folder / "untrained.safetensors", {"W": W, "A": A, "B": np.zeros_like(B)})
    shown = run("weights", "diagnose", "-e", "W + 2*(B@A) == M", "--weights", untrained, "--bind", "W=W", "A=A", "B=B", "M=W")
    check("an untrained update tells nothing", shown.returncode == 0 and shown.stdout.startswith("equal") and "do not tell the claim from others" in shown.stdout and "without the term 2 * (B @ A), bit for bit: W == M" in shown.stdout, shown)
    shown = run("weights", "diagnose", "-e", "W.T == M", "--weights", save(folder / "turned.safetensors", {"W": W, "M": W.T.copy()}), "--bind", "W=W", "M=M")
    check("a claim that the tensors tell from others", shown.returncode == 0 and "do not tell" not in shown.stdout, shown)
    small = (rng.standard_normal((32, 16)) * np.exp(rng.standard_normal((32, 16)) * 4) * 1e-5).astype("f4")
    coarse = as_float(bf16(small))
    half = coarse.astype("f2")
    nudged = half.copy()
    nudged[2, 3] = np.nextafter(nudged[2, 3], np.float16(9))
    casts = save(folder / "casts.safetensors", {"W": bf16(small), "M": half, "T": half.T.copy(), "off": nudged, "back": bf16(half), "again": half})
    for text, bound, expected in (("W == M", {"W": "W", "M": "M"}, "rounding"), ("M == W", {"W": "W", "M": "M"}, "rounding"), ("W.T == M", {"W": "W", "M": "T"}, "rounding"), ("W == M", {"W": "W", "M": "off"}, "bug"), ("W == M", {"W": "back", "M": "again"}, "equal")):
        check(f"bfloat16 beside float16, small numbers: {text} {bound}", answer(casts, text, bound)[0] == expected, answer(casts, text, bound))
    ulp = W.copy()
    ulp[3, 5] = np.nextafter(ulp[3, 5], np.float32(9))
    copies = save(folder / "copies.safetensors", {"W": W, "same": W.T.copy(), "off": ulp.T.copy()})
    check("a copy is equal", answer(copies, "W.T == M", {"W": "W", "M": "same"})[0] == "equal")
    check("a copy that is off by the last bit is a bug", answer(copies, "W.T == M", {"W": "W", "M": "off"})[0] == "bug")
    big = save(folder / "big.safetensors", {"W": np.full((1, 2), 300, "f2"), "M": np.full((1, 2), 65504, "f2")})
    check("a value that does not fit the format is a bug", answer(big, "W * W == M", {"W": "W", "M": "M"})[0] == "bug")
    gain = (1 + 0.02 * rng.normal(size=(1, 256))).astype("f4")
    weights = rng.normal(size=(256, 256)).astype("f4")
    folds = save(folder / "folds.safetensors", {"W": bf16(weights.astype("f8")), "g": bf16(gain.astype("f8")), "good": bf16(as_float(bf16(weights.astype("f8"))).astype("f8") * as_float(bf16(gain.astype("f8"))).astype("f8"))})
    check("a fold seen through random inputs", answer(folds, "(X*g) @ W.T == X @ M.T", {"W": "W", "g": "g", "M": "good"}, "--dim", "n=4")[0] == "rounding")
    check("a fold that was forgotten, too, is not called rounding", answer(folds, "(X*g) @ W.T == X @ M.T", {"W": "W", "g": "g", "M": "W"}, "--dim", "n=4")[0] in ("unclear", "bug"))
    heads = save(folder / "heads.safetensors", {"q": W[:48].copy(), "M": W[:48].reshape(6, 4, 2, 48).transpose(0, 2, 1, 3).reshape(48, 48).copy()})
    for text, sizes in (("reshape(transpose(reshape(q, 6, 4, 2, 48), 0, 2, 1, 3), 48, 48) == M", []), ("reshape(transpose(reshape(q, h, p, 2, d), 0, 2, 1, 3), d, d) == M", ["--dim", "h=6", "p=4", "d=48"])):
        check("shapes that only the tensors tell: " + text, answer(heads, text, {"q": "q", "M": "M"}, *sizes)[0] == "equal")


def parts_of_one_wider(folder):
    """A fused tensor beside parts of fewer digits is asked as each part alone is: the parts were rounded from it, whichever side they stand on, and some may have been left as they were."""
    r = np.random.default_rng(101)

    def half(a):
        return np.asarray(a).astype("f2")

    for wide, narrow in (("f4", bf16), ("f4", half), ("f2", bf16), ("bf16", half)):
        W = (r.standard_normal((96, 48)) * 0.02 * np.exp(r.standard_normal((96, 48)))).astype("f4")
        W = as_float(bf16(W)) if wide == "bf16" else W.astype(wide)
        fused = bf16(W) if wide == "bf16" else W
        off = np.asarray(W, "f8").copy()
        off[40, 3] *= 1.02
        names = {"F": "F", "Q": "Q", "K": "K", "V": "V"}
        biases = save(folder / "biases.safetensors", {"F": bf16(W[:, 0]) if wide == "bf16" else W[:, 0], "Q": narrow(W[:32, 0]), "K": narrow(W[32:64, 0]), "V": narrow(W[64:, 0])})
        for name, stored in (("right", W), ("off", off)):
            files = save(folder / "parts.safetensors", {"F": fused, "Q": narrow(stored[:32]), "K": narrow(stored[32:64]), "V": narrow(stored[64:])})
            expected = "rounding" if name == "right" else "bug"
            for claim in ("F == vstack(Q, K, V)", "vstack(Q, K, V) == F", "F.reshape(3, 32, 48) == stack(Q, K, V)", "F.T == hstack(Q.T, K.T, V.T)"):
                word, result = answer(files, claim, names)
                check(f"{wide} beside {narrow.__name__}, {name}: {claim}", word == expected, result.stdout[:400] + result.stderr)
        word, result = answer(biases, "F == concat(Q, K, V)", names)
        check(f"{wide} beside {narrow.__name__}: biases", word in ("rounding", "equal"), result.stdout[:400] + result.stderr)
    W = (r.standard_normal((64, 48)) * 0.02).astype("f4")
    for name, left, expected in (("right", W[:32], "rounding"), ("off by a bit", np.nextafter(W[:32], np.float32(9)), "bug")):
        files = save(folder / "mixed.safetensors", {"F": W, "Q": left, "K": bf16(W[32:])})
        check(f"a part that was left as it was: {name}", answer(files, "F == vstack(Q, K)", {"F": "F", "Q": "Q", "K": "K"})[0] == expected)


def updates_that_are_rounded(folder):
    """An update that is rounded to the format of the weights before it is added is no bug, and one that is another update is."""
    r = np.random.default_rng(23)
    for kind, load, store in (("bf", lambda a: as_float(bf16(a)), bf16), ("f2", lambda a: a.astype("f2").astype("f4"), lambda a: a.astype("f2"))):
        W = load(r.standard_normal((48, 32)).astype("f4") * np.float32(0.05))
        B, A = (r.standard_normal((48, 4)) * 0.1).astype("f4"), (r.standard_normal((4, 32)) * 0.1).astype("f4")
        update = np.float32(2) * (B @ A)
        stored = {"M": load(W + load(update)), "once": load(W + update), "wrong": load(W + load(np.float32(1.1) * update))}
        files = save(folder / f"{kind}.safetensors", {"W": store(W), "B": B, "A": A, **{name: store(M) for name, M in stored.items()}})
        words = {name: answer(files, "W + 2 * (B @ A) == M", {"W": "W", "B": "B", "A": "A", "M": name}) for name in stored}
        check(f"{kind}: rounded first", words["M"][0] in ("equal", "rounding"), words["M"][1].stdout[:400])
        check(f"{kind}: rounded once", words["once"][0] in ("equal", "rounding"), words["once"][1].stdout[:400])
        check(f"{kind}: another update", words["wrong"][0] in ("bug", "unclear"), words["wrong"][1].stdout[:400])


def updates_computed_in_fewer_digits(folder):
    """What autocast and tensor cores compute for float32 weights is no bug, bit for bit or within the bounds; another update computed so is one."""
    r = np.random.default_rng(29)
    W, B, A = r.standard_normal((48, 40)).astype("f4"), (r.standard_normal((48, 8)) / 4).astype("f4"), (r.standard_normal((8, 40)) / 4).astype("f4")
    bf, half = lambda a: as_float(bf16(a)), lambda a: a.astype("f2").astype("f4")

    def tf32(a, added):
        return ((a.view("u4") + added(a.view("u4"))) >> 13 << 13).astype("u4").view("f4")

    ways = {"even": lambda b: 0xFFF + (b >> 13 & 1), "away": lambda b: np.uint32(0x1000), "cut": lambda b: np.uint32(0)}
    stored = {f"{name}, {scale}": W + load(np.float32(scale) * load(load(B) @ load(A))) for name, load in (("bfloat16", bf), ("float16", half)) for scale in (2, 0.7)}
    stored.update({f"rounded to {name}": W + load(np.float32(0.7) * (B @ A)) for name, load in (("bfloat16", bf), ("float16", half))})
    stored.update({f"TF32, {name}": W + np.float32(0.7) * (tf32(B, way) @ tf32(A, way)) for name, way in ways.items()})
    wrong = {"another scale": W + bf(np.float32(0.75) * bf(bf(B) @ bf(A))), "not everywhere": np.where(np.arange(40) < 20, stored["bfloat16, 2"], W + 2 * (B @ A)), "TF32, another": W + np.float32(0.75) * (tf32(B, ways["even"]) @ tf32(A, ways["even"]))}
    wrong["one entry"] = stored["TF32, even"].copy()
    wrong["one entry"][3, 5] += np.float32(1e-3)
    files = save(folder / "fewer.safetensors", {"W": W, "B": B, "A": A, **{name.replace(" ", "_").replace(",", ""): M.astype("f4") for name, M in {**stored, **wrong}.items()}})
    for name in [*stored, *wrong]:
        scale = 2 if name.endswith(" 2") or name == "not everywhere" else 0.7
        word, result = answer(files, f"W + {scale} * (B @ A) == M", {"W": "W", "B": "B", "A": "A", "M": name.replace(" ", "_").replace(",", "")})
        says = "TF32" if name.startswith("TF32") else name.split(",")[0].split()[-1]
        check(f"an update in fewer digits: {name}", word == ("rounding" if name in stored else "bug") and (name in wrong or says in result.stdout), result.stdout[:500])


def orders_and_parts(folder):
    """Mistakes of order: vectors the wrong way round, parts of heads cut elsewhere, adapters of the projection beside it, scales exchanged."""
    r = np.random.default_rng(41)
    h, n, v, k, q = 3, 4, 5, 8, 12
    W, g = r.standard_normal((12, 12)).astype("f4"), (1 + r.random(12)).astype("f4")
    K, Q, C, s = r.standard_normal((h * (n + v), k)).astype("f4"), r.standard_normal((h * 7, q)).astype("f4"), r.standard_normal((6, 3, 2, 2)).astype("f4"), np.array([0.5, 0.75, 0.875], "f4")
    B, A, B2, A2 = (r.standard_normal(shape).astype("f4") for shape in ((12, 2), (2, 12), (12, 2), (2, 12)))
    b, Wo = r.standard_normal(6).astype("f4"), r.standard_normal((12, 12)).astype("f4")

    def absorbed(keys, queries):
        return np.concatenate([keys[i].T @ queries[i] for i in range(h)]).astype("f4")

    heads, queries = K.reshape(h, n + v, k), Q.reshape(h, 7, q)
    gain, absorb, two = "W * g == M", f"vstack(K.reshape({h}, {n + v}, {k})[i, 0:{n}].T @ Q.reshape({h}, 7, {q})[i, 0:{n}] for i in range({h})) == M", "W + 2*(B @ A) + 1/2*(B2 @ A2) == M"
    mistakes = {
        "reversed": (gain, W * g[::-1], "g from its end to its beginning"),
        "one place": (gain, W * np.roll(g, 1), "g one place later"),
        "root": (gain, W * np.sqrt(g), "the root of g"),
        "channels": ("C / s[None, :, None, None] == M", C / s[::-1][None, :, None, None], "s from its end to its beginning"),
        "values first": (absorb, absorbed(heads[:, v:], queries[:, :n]), f"[i, -{n}:]"),
        "rotary first": (absorb, absorbed(heads[:, :n], queries[:, 3:]), f"[i, -{n}:]"),
        "all keys first": (absorb, absorbed(K[: h * n].reshape(h, n, k), queries[:, :n]), f"K[0:{h * n}]"),
        "tile": ("Wo @ np.repeat(b.reshape(2, 3), 2, axis=0).reshape(12) == M", Wo @ np.tile(b.reshape(2, 3), (2, 1)).reshape(12), "np.tile for np.repeat"),
        "sign inside": ("-exp(W) == M", -np.exp(-W), "exp of minus W"),
        "scales": (two, W + np.float32(0.5) * (B @ A) + np.float32(2) * (B2 @ A2), "the scales 2 and 1 / 2 exchanged"),
        "the other adapter": ("W + 2*(B @ A) == M", W + np.float32(2) * (B2 @ A2), "v.lora_"),
    }
    tensors = {"W": W, "g": g, "K": K, "Q": Q, "C": C, "s": s, "q.lora_B": B, "q.lora_A": A, "v.lora_B": B2, "v.lora_A": A2, "b": b, "Wo": Wo}
    tensors.update({f"M {name}": M.astype("f4") for name, (_, M, _) in mistakes.items()})
    files = save(folder / "orders.safetensors", tensors)
    names = {"B": "q.lora_B", "A": "q.lora_A", "B2": "v.lora_B", "A2": "v.lora_A"}
    for name, (claim, M, says) in mistakes.items():
        mentioned = [x for x in ("W", "g", "K", "Q", "C", "s", "B", "A", "B2", "A2", "b", "Wo") if x in re.findall(r"[A-Za-z]\w*", claim)]
        result = run("weights", "diagnose", "-e", claim, "--weights", files, "--bind", *(f"{x}={names.get(x, x)}" for x in mentioned), f'M="M {name}"')
        check(f"a mistake of order is named: {name}", result.returncode == 1 and "it holds" in result.stdout and says in result.stdout, result.stdout[:700] + result.stderr[:300])
    long = {"A": r.standard_normal((40, 600)).astype("f4"), "B": r.standard_normal((600, 30)).astype("f4")}
    long["M"] = long["A"][:, :599] @ long["B"][:599]
    low = {"A": r.standard_normal((40, 16)).astype("f4"), "B": r.standard_normal((16, 30)).astype("f4"), "W": r.standard_normal((40, 30)).astype("f4")}
    low["M"] = low["W"] + 2 * (low["A"][:, :8] @ low["B"][:8])
    for claim, tensors, says in (("A @ B == M", long, "component 599 of A @ B is not there"), ("W + 2*(A @ B) == M", low, "the part 8:16 of the sum in A @ B is not there")):
        word, result = answer(save(folder / f"{len(tensors)}.safetensors", tensors), claim, {x: x for x in tensors})
        check(f"in float32, {says}", word == "bug" and says in result.stdout, result.stdout[:500])


def ends_of_formats(folder):
    """Clamped to the largest number of a format, or flushed to 0 below the least normal one: that is said, and no bug alone."""
    r = np.random.default_rng(31)
    W, g = (r.standard_normal((30, 20)) * 1e-37).astype("f4"), np.exp(r.standard_normal(20) / 4).astype("f4")
    exact = W.astype("f8") * g
    flushed = np.where(np.abs(exact) < 2.0**-126, 0, W * g).astype("f4")
    large = (r.standard_normal((30, 20)) * 60000).astype("f4")
    clamped = np.clip(large * g, -65504, 65504).astype("f2")
    one_more, other = flushed.copy(), clamped.copy()
    place = np.unravel_index(np.argmax(np.abs(exact)), exact.shape)
    one_more[place] = 0
    other[np.unravel_index(np.argmin(np.abs(large * g)), large.shape)] = 65504
    files = save(folder / "ends.safetensors", {"W": W, "g": g, "flushed": flushed, "one_more": one_more, "L": large, "clamped": clamped, "other": other})
    for tensor, M, says in (("W", "flushed", "flushed to 0"), ("W", "one_more", ""), ("L", "clamped", "the largest float16"), ("L", "other", "")):
        word, result = answer(files, "W * g == M", {"W": tensor, "g": "g", "M": M})
        check(f"at the end of a format: {M}", word == ("unclear" if says else "bug") and says in result.stdout, result.stdout[:400])


def in_blocks_of_rows(folder):
    """A large layer is looked at in blocks of rows, with the answer that all of it at once has."""
    r = np.random.default_rng(37)
    rows, columns = 4200, 4096
    W, g = r.integers(-127, 128, (rows, columns)).astype("f2") / np.float16(64), np.exp2(r.integers(-2, 3, columns)).astype("f2")
    g[:2] = [2, 0.5]
    M = W * g
    wrong = M.copy()
    wrong[4123] = W[4123]
    words = ["-e", "W * g == M", "--weights", save(folder / "block.safetensors", {"W": W, "g": g, "M": M, "wrong": wrong}), "--bind", "W=W", "g=g"]
    good, bad = run("weights", "check", *words, "M=M"), run("weights", "check", *words, "M=wrong")
    check("all blocks are right", good.returncode == 0 and good.stdout.startswith("equal\n") and "in blocks of 976 rows" in good.stdout, good)
    check("the block that is wrong", bad.returncode == 1 and "of rows 3904:4200 of 4200" in bad.stdout and "at [219, " in bad.stdout, bad)
    told = run("weights", "diagnose", *words, "M=wrong")
    check("a diagnosis of that block", "rows 219:220, without the factor g" in told.stdout and "counted from the first of them" in told.stdout, told.stdout[:600])
    out = folder / "folded.safetensors"
    check("a fold in blocks", run("weights", "fold", "-e", "W * g", *words[2:], "--name", "M", "--out", out).returncode == 0)
    folded, metadata, whole = read(out)
    check("is that of all rows", whole and np.array_equal(folded["M"][1].astype("f2"), M) and metadata["foldproof.bind.W"] == "block.safetensors::W", metadata)


def nothing_in_them(folder):
    """Of two checkpoints that are the same, a tensor without elements is no reason for doubt; of two that differ there, it is one."""
    some = np.arange(6, dtype="f4").reshape(2, 3)
    for name, empty in (("a", (0,)), ("b", (0,)), ("c", (0, 2))):
        save(folder / f"{name}.safetensors", {"w": some, "inv_freq": np.zeros(empty, "f4")})
    for other, status, says in (("b", 0, "no element to compare: inv_freq"), ("c", 3, "not checked: inv_freq")):
        result = run("weights", "check", "-e", "W == M", "--weights", folder / "a.safetensors", folder / f"{other}.safetensors", "--bind", "W=a.safetensors::**", f"M={other}.safetensors::**")
        check(f"tensors without elements: {other}", result.returncode == status and says in result.stderr, result)
    told = run("weights", "check", "-e", "W == M", "--weights", folder / "a.safetensors", folder / "b.safetensors", "--bind", "W=a.safetensors::**", "M=b.safetensors::**", "--json")
    check("tensors without elements, as JSON", json.loads(told.stdout)["empty"] == ["inv_freq"] and json.loads(told.stdout)["answer"] == "equal", told.stdout[:300])
    only = [save(folder / f"only{k}.safetensors", {"inv_freq": np.zeros(0, "f4")}) for k in (1, 2)]
    result = run("weights", "check", "-e", "W == M", "--weights", *only, "--bind", "W=only1.safetensors::**", "M=only2.safetensors::**")
    check("nothing at all", result.returncode == 2 and "no tensor" in result.stderr and result.stdout == "", result)
    shards = folder / "shards"
    save(shards / "model-1.safetensors", {"a": some})
    (shards / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors"}}))
    result = run("weights", "list", shards)
    check("a folder with a shard that is missing", result.returncode == 2 and "model-2.safetensors" in result.stderr and "is missing" in result.stderr, result)


def rounded_twice(folder):
    """What float32 rounds onto the middle between two numbers of float16 is beyond the bound of float64, and no bug: the row says whose bound it is."""
    W, A, B = np.full((1, 2), 1024, "f4"), np.array([[0.25]], "f4"), np.array([[1 + 2.0**-14, 1]], "f4")
    files = save(folder / "twice.safetensors", {"W": W, "A": A, "B": B, "M": (W + np.float32(2) * (A @ B)).astype("f2")})
    word, result = answer(files, "W + 2*(A @ B) == M", {name: name for name in "WABM"})
    row = next(line for line in result.stdout.split("\n") if line.startswith("  float64"))
    check("rounded twice", word == "rounding" and "1 of 2 entries beyond the bound" in row, result.stdout)
    check("whose bound that is", row.endswith("that bound is for programs that compute in float64 throughout"), row)


def hidden_in_activations(folder):
    """What roundings of random activations in 16 bits hide, and the same program in more digits does not, is no pass."""
    r = np.random.default_rng(21)
    d, k = 32, 16
    Q, K, V = (as_float(bf16(r.standard_normal((k, d)).astype("f4") * np.float32(0.02))) for _ in range(3))
    files = save(folder / "attention.safetensors", {"Q": bf16(Q), "K": bf16(K), "V": bf16(V), "good": bf16(Q / np.float32(4)), "zero": bf16(0 * Q)})
    claim = f"x: [n, {d}]; softmax((x @ Q.T) @ (x @ K.T).T / sqrt({k})) @ (x @ V.T) == softmax((x @ A.T) @ (x @ K.T).T) @ (x @ V.T)"
    words = {name: answer(files, claim, {"Q": "Q", "K": "K", "V": "V", "A": name}) for name in ("good", "Q", "zero")}
    check("a scale that was folded", words["good"][0] in ("equal", "rounding"), words["good"][1].stdout[:400])
    check("queries of zeros are no rounding", words["zero"][0] in ("bug", "unclear"), words["zero"][1].stdout[:400])
    check("a scale that was not folded is no rounding", words["Q"][0] in ("bug", "unclear") and ("hide differences" in words["Q"][1].stdout or words["Q"][0] == "bug"), words["Q"][1].stdout[:400])
    r = np.random.default_rng(50)
    files = save(folder / "norms.safetensors", {"g": bf16(1 + 0.1 * r.standard_normal(64)), "W": (r.standard_normal((64, 64)) * 0.5).astype("f2"), "u": bf16(r.standard_normal((4, 64)))})
    norm = "x * rsqrt(mean(x*x) + 1e-5) * g == x * rsqrt(mean(x*x) + {}) * g"
    for epsilon, random in (("1e-6", True), ("1e-12", True), ("1e-6", False)):
        word, result = answer(files, norm.format(epsilon) if random else norm.format(epsilon).replace("x", "u"), {"g": "g[None]", **({} if random else {"u": "u"})})
        check(f"another epsilon, {epsilon}, and nothing stored: {word}", word in ("unclear", "bug"), result.stdout[:600])
    word, result = answer(files, "x * rsqrt(mean(x*x) + 1e-5) * g == rsqrt(mean(x*x) + 1e-5) * (g * x)", {"g": "g[None]"})
    check("the same in another order", word in ("equal", "rounding"), result.stdout[:600])
    for seed in range(1, 7):
        word, result = answer(files, "rmsnorm(x @ W, 1e-5) == rmsnorm(x @ W, 1e-6)", {"W": "W"}, "--seed", seed)
        check(f"coarse arithmetic is no excuse for two computed sides, seed {seed}", word in ("unclear", "bug"), result.stdout[:600])
    word, result = answer(files, "layernorm(x @ W, 1e-5) == layernorm(x @ W, 1e-12)", {"W": "W"})
    check("nor for a norm", word in ("unclear", "bug"), result.stdout[:600])


def sums_into_the_addend(folder):
    """acc = W, acc += B[:, k] * A[k]: the small terms are rounded as W is, once each."""
    r = np.random.default_rng(22)
    for rank in (2, 4, 16):
        W = r.standard_normal((24, 24)).astype("f4")
        B, A = (r.standard_normal((24, rank)) * 0.1).astype("f4"), (r.standard_normal((rank, 24)) * 1e-3).astype("f4")
        M = W.copy()
        for j in range(rank):
            M += B[:, j : j + 1] * A[j : j + 1]
        wrong = W + np.float32(1.01) * (B @ A)
        files = save(folder / f"rank{rank}.safetensors", {"W": W, "B": B, "A": A, "M": M, "wrong": wrong})
        good = answer(files, "W + B @ A == M", {"W": "W", "B": "B", "A": "A", "M": "M"})
        check(f"rank {rank}", good[0] in ("equal", "rounding"), good[1].stdout[:300])
        bad = answer(files, "W + B @ A == M", {"W": "W", "B": "B", "A": "A", "M": "wrong"})
        check(f"rank {rank}, another scale", bad[0] == "bug", bad[1].stdout[:300])


def other_programs(folder):
    """Sums in another order, factors multiplied in or out: no program of the same sum of products is a bug. What is another sum is."""
    r = np.random.default_rng(13)
    stores = {"f4": lambda a: np.asarray(a).astype("f4"), "f2": lambda a: np.asarray(a).astype("f2"), "bf": bf16}
    loads = {"f4": lambda a: np.asarray(a).astype("f4"), "f2": lambda a: np.asarray(a).astype("f2").astype("f4"), "bf": lambda a: as_float(bf16(a))}
    for kind, load in loads.items():
        A, B, C = (load(r.standard_normal((48, 48)) * s) for s in (1, 0.3, 1e-3))
        g, b, mu = load(1 + 0.2 * r.standard_normal((1, 48))), load(r.standard_normal((1, 48))), load(r.standard_normal((1, 48)))
        v = load(0.5 + r.random((1, 48)))
        L, R = load(r.standard_normal((48, 4)) * 0.02), load(r.standard_normal((4, 48)))
        three = np.float32(3)
        programs = {
            "A + B + C == M": load(A + load(B + C)),
            "(A + B + C) / 3 == M": load(load(load(A / three) + load(B / three)) + load(C / three)),
            "(b - mu) * g == M": load(load(b * g) - load(mu * g)),
            "(1 + g) * A == M": load(A + load(A * g)),
            "A + 1.5 * (L @ R) == M": load(A + load(load(np.float32(1.5) * L) @ R)),
            "A + L @ R + B == M": load(load(A + B) + load(L @ R)),
            "2 * A - B == M": load(A - load(B - A)),
            "A / 3 == M": load(A * load(np.full(1, 1 / three))),
            "A / g == M": load(A * load(1 / g)),
            "A / (g * v) == M": load(load(A / g) / v),
            "A / g**3 == M": load(load(load(A / g) / g) / g),
            "A * g**2 == M": load(load(A * g) * g),
            "A * v**3 / 7 == M": load(load(load(load(load(A * load(np.full(1, 1 / 7, "f4"))) * v) * v)) * v),
            "A * sqrt(v) / sqrt(g) == M": load(A * load(load(np.sqrt(v)) * load(1 / load(np.sqrt(g))))),
            "A * g / sqrt(v + 0.001) == M": load(load(A * load(1 / load(np.sqrt(load(v + load(np.full(1, 0.001, "f4"))))))) * g),
            "(b - mu) * g / sqrt(v + 0.001) == M": load(load(b * load(load(1 / load(np.sqrt(load(v + load(np.full(1, 0.001, "f4")))))) * g)) - load(mu * load(load(1 / load(np.sqrt(load(v + load(np.full(1, 0.001, "f4")))))) * g))),
        }
        tensors = {"A": A, "B": B, "C": C, "g": g, "b": b, "mu": mu, "L": L, "R": R, "v": v}
        files = save(folder / f"orders-{kind}.safetensors", {**{n: stores[kind](v) for n, v in tensors.items()}, **{f"M{i}": stores[kind](v) for i, v in enumerate(programs.values())}, **{f"N{i}": stores[kind](v * np.float32(1.02)) for i, v in enumerate(programs.values())}})
        for i, claim in enumerate(programs):
            names = {n: n for n in tensors if n in claim}
            word, result = answer(files, claim, {**names, "M": f"M{i}"})
            check(f"{kind}: another program for {claim}", word in ("equal", "rounding"), result.stdout[:500])
            check(f"{kind}: another value than {claim}", answer(files, claim, {**names, "M": f"N{i}"})[0] in ("bug", "unclear"))
    A, B, C = (r.standard_normal((16, 24)).astype("f2") for _ in range(3))
    D = r.standard_normal((24, 8)).astype("f2")
    product = np.zeros((16, 8), "f2")
    for i in range(24):
        product = (product + (A[:, i : i + 1] * D[i]).astype("f2")).astype("f2")
    files = save(folder / "narrow.safetensors", {"A": A, "B": B, "C": C, "D": D, "soup": (((A + B).astype("f2") + C).astype("f2") / np.float16(3)).astype("f2"), "M": product, "near": np.nextafter(product, np.float16(9))})
    check("a mean added up in 16 bits", answer(files, "mean(stack(A, B, C), axis=0)[0] == M", {"A": "A", "B": "B", "C": "C", "M": "soup"})[0] in ("equal", "rounding"))
    word, result = answer(files, "A @ D == M", {"A": "A", "D": "D", "M": "M"})
    check("a product accumulated in 16 bits", word == "rounding" and "bit for bit what arithmetic in float16/16" in result.stdout, result.stdout[:400])
    # Another order of sums in 16 bits may give numbers as near as these; a wrong factor, or errors of the size in one row, no order gives.
    check("and one that may be in another order", answer(files, "A @ D == M", {"A": "A", "D": "D", "M": "near"})[0] == "unclear")
    for case, wrong in {"factor": product * np.float16(1.3), "row": np.where(np.arange(16)[:, None] == 3, product * np.float16(1.01), (A.astype("f8") @ D).astype("f2"))}.items():
        file = save(folder / f"narrow-{case}.safetensors", {"A": A, "D": D, "M": wrong})
        check(f"and one that is not, {case}", answer(file, "A @ D == M", {"A": "A", "D": "D", "M": "M"})[0] == "bug")
    products = (A[:, :, None] * D[None]).astype("f2").astype("f4").sum(1).astype("f2")
    check("products in 16 bits, added in float32", answer(save(folder / "products.safetensors", {"A": A, "D": D, "M": products}), "A @ D == M", {"A": "A", "D": "D", "M": "M"})[0] in ("rounding", "unclear"))
    whole = save(folder / "whole.safetensors", {"a": np.array([4096, 7, 12], "i8"), "b": np.array([4112, 7, 12], "i8"), "c": np.array([4096, 7, 12], "i4")})
    check("integers are the same or not", [answer(whole, "A == B", {"A": "a", "B": b})[0] for b in ("b", "c")] == ["bug", "equal"])
    own = np.random.default_rng(5)  # what follows draws what it did before
    R, X = np.linalg.qr(own.standard_normal((256, 256)))[0].astype("f4"), own.standard_normal((256, 256)).astype("f4")
    rotated = X @ R
    one_off = rotated.copy()
    one_off[5, 7] += 3e-5
    for case, M in {"rounding": rotated, "unclear": one_off}.items():
        word, result = answer(save(folder / f"rotated-{case}.safetensors", {"X": X, "R": R, "M": M}), "X @ R == M", {"X": "X", "R": "R", "M": "M"})
        check(f"one entry of a float32 product: {case}", word in (case, "equal" if case == "rounding" else case) and ("the entry at [5, 7] is off" in result.stdout) == (case == "unclear"), result.stdout[:400])
    W = r.standard_normal((64, 64)).astype("f4")
    cut = Raw("BF16", [64, 64], (W.view(np.uint32) >> 16).astype(np.uint16).tobytes())
    files = save(folder / "cut.safetensors", {"W": W, "near": bf16(W), "cut": cut})
    check("rounded to nearest", answer(files, "W == M", {"W": "W", "M": "near"})[0] == "rounding")
    word, result = answer(files, "W == M", {"W": "W", "M": "cut"})
    check("cut off is not rounded", word == "bug" and "cut off" in result.stdout, result.stdout[:400])
    W, g = bf16(W), bf16(r.standard_normal(64))
    product = (as_float(W).astype("f4") * as_float(g).astype("f4")).reshape(64, 64)
    cut = Raw("BF16", [64, 64], (product.view(np.uint32) >> 16).astype(np.uint16).tobytes())
    files = save(folder / "cut_product.safetensors", {"W": W, "g": g, "cut": cut})
    word, result = answer(files, "W * g == M", {"W": "W", "g": "g", "M": "cut"})
    check("a product cut off", word == "unclear" and "cut off" in result.stdout, result.stdout[:400])
    H, A = r.standard_normal((3, 8, 8)).astype("f4"), r.standard_normal((8, 8)).astype("f4")
    added, divided, cut = A + H[1] + np.float32(2) * H[2], A + sum(H[i] * np.float32(1 / (i + 1)) for i in range(3)), sum(H[i][:, : i + 1] @ A[: i + 1] for i in range(3)) + A
    files = save(folder / "heads.safetensors", {"H": H, "A": A, "added": added, "divided": divided, "cut": cut, "off": divided * np.float32(1.001)})
    for claim, stored, expected in (("sum(i*H[i] for i in range(h)) + A == M", "added", ("equal", "rounding")), ("sum(H[i]/(i+1) for i in range(h)) + A == M", "divided", ("equal", "rounding")), ("sum(H[i]/(i+1) for i in range(h)) + A == M", "off", ("bug",)), ("sum(H[i, :, :i+1] @ A[:i+1] for i in range(h)) + A == M", "cut", ("equal", "rounding"))):
        word, result = answer(files, "H: [h, d, d]; " + claim, {"H": "H", "A": "A", "M": stored})
        check(f"sums over heads that use the index: {claim} {stored}", word in expected, (result.stdout[:400], result.stderr[:300]))
    half = (r.standard_normal((48, 32)).astype("f2"), r.standard_normal(32).astype("f2"))
    files = save(folder / "halves.safetensors", {"W": half[0], "g": half[1], "M": bf16((half[0] * half[1]).astype("f4"))})
    word, result = answer(files, "W * g == M", {"W": "W", "g": "g", "M": "M"})
    check("computed in float16, stored in bfloat16", word == "rounding" and "within half a unit in the last place of every stored operand" in result.stdout, result.stdout[:400])
    C, g, v = r.standard_normal((64, 64)).astype("f2") * np.float16(0.1), (1 + 0.2 * r.random(64)).astype("f2"), (r.random(64) * 0.01 + 0.002).astype("f2")
    C[:, ::4] *= np.float16(1e-5)  # products below the normal numbers, of which a divisor makes larger ones
    files = save(folder / "tiny.safetensors", {"C": C, "g": g, "v": v, "M": ((C * g).astype("f4") / np.sqrt(v).astype("f4")).astype("f2"), "N": (C.astype("f8") * g * 1.02 / np.sqrt(v.astype("f8"))).astype("f2")})
    word, result = answer(files, "C * (g / sqrt(v)) == M", {"C": "C", "g": "g", "v": "v", "M": "M"})
    check("what is lost below the normal numbers grows in the factors that follow", word == "rounding", result.stdout[:500])
    check("but a wrong factor is seen", answer(files, "C * (g / sqrt(v)) == M", {"C": "C", "g": "g", "v": "v", "M": "N"})[0] in ("bug", "unclear"))


def rows_are_broadcast(folder):
    """A bias as a row makes no claim one about a single token."""
    r = np.random.default_rng(14)
    Q, K = r.standard_normal((2, 24, 8)).astype("f4")
    q, k = r.standard_normal((2, 8)).astype("f4")
    files = save(folder / "rows.safetensors", {"Q": Q, "K": K, "q": q, "k": k})
    for rows in ("[None]", ""):
        names = {"Q": "Q", "K": "K", "q": f"q{rows}", "k": f"k{rows}"}
        word, result = answer(files, "X: [n, d]; softmax((X @ Q + q) @ (X @ K + k).T) == softmax((X @ Q) @ (X @ K + k).T)", names)
        check(f"a query bias that was dropped, bound as q{rows}", word == "bug" and "sizes n = " in result.stdout, result.stdout[:400])
        word, result = answer(files, "X: [n, d]; softmax((X @ Q + q) @ (X @ K + k).T) == softmax((X @ Q + q) @ (X @ K).T)", names)
        check(f"a key bias may be, bound as k{rows}", word == "rounding", result.stdout[:400])


def heads_of_written_sizes(folder):
    """Large tensors whose sizes the claim writes as numbers leave room for several rows: in one row a softmax is 1, whatever stands in it."""
    r = np.random.default_rng(16)
    q, k, other = (r.standard_normal((3, 256, 256)) / 16).astype("f4")
    files = save(folder / "written.safetensors", {"q": q, "k": k, "other": other})
    head = "concat(softmax((x @ {}.T)[:, i*64:(i+1)*64] @ (x @ WK.T)[:, i*64:(i+1)*64].T) for i in range(4))"
    claim = f"x: [n, 256]; {head.format('WQ')} == {head.format('M')}"
    for text, tensor, expected in (("another matrix", "other", ("bug",)), ("the same matrix", "q", ("equal", "rounding"))):
        word, result = answer(files, claim, {"WQ": "q", "WK": "k", "M": tensor})
        sizes = re.search("sizes n = ([0-9, ]+)", result.stdout)
        check(f"heads of {text}", word in expected and sizes and "1" not in sizes[1].split(", "), result.stdout[:400])


def integers(folder):
    """Integers beside weights: quantized values, token numbers."""
    r = np.random.default_rng(15)
    q, s = r.integers(-128, 128, (16, 8)), (r.standard_normal((16, 1)) ** 2 / 100).astype("f4")
    order = r.permutation(16)
    files = save(folder / "integers.safetensors", {"q": Raw("I8", [16, 8], q.astype("i1").tobytes()), "s": s, "W": (q * s).astype("f4"), "off": ((q + 1) * s).astype("f4"), "p": Raw("I64", [16], order.astype("<i8").tobytes()), "V": (q * s).astype("f4")[order],
                                                     "big": Raw("I64", [1], np.int64([2**60]).tobytes()), "mask": Raw("BOOL", [2], b"\x00\x01")})
    np.save(folder / "order.npy", order.astype("i4"))
    names = {"q": "q", "s": "s"}
    word, result = answer(files, "q * s == M", {**names, "M": "W"})
    check("a quantized tensor", word == "equal" and "float32 (answer format)" in result.stdout, (result.stdout, result.stderr))
    check("off by one", answer(files, "q * s == M", {**names, "M": "off"})[0] == "bug")
    weights = ((q + r.uniform(-0.49, 0.49, q.shape)) * s).astype("f4")
    near = save(folder / "near.safetensors", {"q": Raw("I8", [16, 8], q.astype("i1").tobytes()), "s": s, "W": weights, "cut": ((q + r.uniform(0, 0.98, q.shape)) * s).astype("f4"), "scaled": (q * s * 1.0005).astype("f4"), "ones": np.ones((16, 8), "f4"), "M": (1.3 * weights).astype("f4")})
    word, result = answer(near, "W == q * s", {**names, "W": "W"})
    check("what was rounded to integers names its question", word == "unclear" and "which is asked by relu(abs(q - W / s) - 0.5) == 0;" in result.stdout, result.stdout)
    check("which holds", answer(near, "relu(abs(q - W / s) - 0.5) == 0", {**names, "W": "W"})[0] in ("equal", "rounding"))
    for wrong in ("cut", "scaled"):
        word, result = answer(near, "W == q * s", {**names, "W": wrong})
        check(f"no rounding to integers: {wrong}", word in ("bug", "unclear") and "which is asked by" not in result.stdout, result.stdout)
    check("a gain of ones is no integer tensor", answer(near, "W * g == M", {"W": "W", "g": "ones", "M": "M"})[0] == "bug")
    for p in ("p", "order"):
        result = run("weights", "check", "-e", "p: [n]; W: [n, d]; W[p] == M", "--weights", files, folder / "order.npy", "--bind", f"p={p}", "W=W", "M=V")
        check(f"an order of rows: {p}", result.stdout.startswith("equal"), (result.stdout[:300], result.stderr))
    huge = answer(files, "b == b + 0", {"b": "big"})[1]
    check("an integer that no format holds", huge.returncode == 2 and "2^53" in huge.stderr, huge)


def the_storage_bound_is_attained(folder):
    """Roundings to storage reach u |M|: without its term they would be bugs, and with twice the error they are."""
    W = np.full((1, 8), 1 + 2.0**-8 - 2.0**-20)  # nearly half way between 1 and the next bfloat16
    files = save(folder / "tight.safetensors", {"W": W.astype("f4"), "M": bf16(W), "far": bf16(np.full((1, 8), 1 + 2.0**-6)), "half": (np.full((1, 8), 1e-7)).astype("f2"), "tiny": np.full((1, 8), 1e-7, "f4")})
    # Two products of three factors each round twice: two orders differ by up to four roundings, here by nearly that.
    a, b, c = (np.full((1, 1), float.fromhex(x), "f4") for x in ("0x1.038204p+0", "0x1.0215f2p+0", "0x1.023a1p+0"))
    orders = save(folder / "orders.safetensors", {"a": a, "b": b, "c": c, "m": a * (b * c)})
    check("another order of the products is rounding", answer(orders, "A * B * C == M", {"A": "a", "B": "b", "C": "c", "M": "m"})[0] == "rounding")
    check("nearly half a step is rounding", answer(files, "W == M", {"W": "W", "M": "M"})[0] == "rounding")
    check("more than half a step is a bug", answer(files, "W == M", {"W": "W", "M": "far"})[0] == "bug")
    check("below the normal numbers half a step is absolute", answer(files, "A == B", {"A": "tiny", "B": "half"})[0] == "rounding")


def usage(folder):
    files = save(folder / "w.safetensors", {"w": np.full((2, 2), 2e38, "f4")})
    result = run("weights", "check", "-", "--weights", files, "--bind", "A=w", input="2*A == A + A\n---\nA == A.T\n")
    blocks = result.stdout.split("\n\n")
    check("several claims from standard input", len(blocks) == 2 and blocks[0].startswith("unclear\n") and blocks[1].startswith("equal\n") and result.returncode == 3, result)
    check("the reason of unclear", "both sides overflow" in blocks[0], blocks[0])
    check("an inequality is unclear", answer(files, "rank(A) <= 1", {"A": "w"})[1].returncode == 3)
    stray = answer(files, "g.T * A == M", {"A": "w", "Q": "w"})[1]
    check("a tensor that the claim does not have", stray.returncode == 2 and "no tensor called Q" in stray.stderr, stray)
    check("no weights", run("weights", "check", "-e", "A == A.T").returncode == 2)
    check("no claim", run("weights", "check", "--weights", files, "--bind", "A=w").returncode == 2)
    check("no question", run("weights", "-e", "A == A.T").returncode == 2 and run("weights", "ask").returncode == 2)
    bad = run("weights", "check", "-e", "A +* A == A", "--weights", files, "--bind", "A=w")
    several = run("weights", "check", "-", "--weights", files, "--bind", "A=w", input="A +* A == A\n---\nA: [3, 3]; A == A.T\n---\nA == A.T\n")
    check("a bad claim does not stop the others", several.returncode == 2 and several.stdout.startswith("equal\n") and "^" in several.stderr and "the claim needs [3, 3]" in several.stderr, several)
    whole = json.loads(run("weights", "check", "-", "--weights", files, "--bind", "A=w", "--json", input="A: [3, 3]; A == A.T\n---\nA == A.T\n").stdout)
    check("as JSON", whole["answer"] is None and [one["answer"] for one in whole["results"]] == [None, "equal"] and "needs [3, 3]" in whole["results"][0]["reason"], whole)
    both = run("weights", "check", "-", "--weights", files, "--bind", "A=w", "B=w", "--json", input="A == A.T\n---\nB == B.T\n")
    check("each claim takes the tensors that it names", both.returncode == 0 and json.loads(both.stdout)["answer"] == "equal", both)
    slip = run("weights", "check", "-", "--weights", files, "--bind", "A=w", "C=w", input="A == A.T\n---\nA == A\n")
    check("but one of them must name it", slip.returncode == 2 and "no claim has a tensor called C" in slip.stderr, slip)
    check("a claim that cannot be read", bad.returncode == 2 and "^" in bad.stderr and not bad.stdout, bad)
    check("a variable that is not there", run("weights", "check", "-e", "A == A.T", "--weights", files, "--bind", "B=w").returncode == 2)


def components_of_products(folder):
    """One component of a product that is missing, or one gain of it, is named among roundings that hide it in each entry; right results of the same kind are none."""
    r = np.random.default_rng(79)
    load = lambda a: as_float(bf16(a)).astype("f8")
    hidden_ones = 0
    for rows in (64, 192):
        W, v, g, b = r.standard_normal((rows, 96)) * 0.04, r.standard_normal(96) * 0.2, 1 + 0.3 * r.standard_normal(96), r.standard_normal(rows) * 0.1
        without, ungained = v.copy(), g.copy()
        at, gained = int(np.argsort(np.abs(v))[12]), int(np.argsort(np.abs((g - 1) * v))[60])
        without[at], ungained[gained] = 0, 1
        M = lambda v, g: bf16(load(b) + (load(W) * load(g)) @ load(v))
        files = save(folder / "component.safetensors", {"W": bf16(W), "v": bf16(v), "g": bf16(g), "b": bf16(b), "right": M(v, g), "without": M(without, g), "ungained": M(v, ungained)})
        for name, component in (("right", None), ("without", at), ("ungained", gained)):
            word, result = answer(files, "b + (W * g) @ v == M", {"W": "W", "v": "v", "g": "g", "b": "b", "M": name})
            told, hidden = f"component {component} of W * g @ v is" in result.stdout, "beyond the bound" not in answer_line(result.stdout)
            check(f"a component of a folded bias of {rows}: {name}", word in (("equal", "rounding") if component is None else ("bug", "unclear")), result.stdout[:500])
            check(f"and what it is, where the bound hides it: {name}", told == (component is not None) or not hidden, result.stdout[:500])
            hidden_ones += hidden and told
    check("of which some are hidden", hidden_ones > 0, hidden_ones)
    W, A, B = r.standard_normal((96, 64)) * 0.02, r.standard_normal((96, 8)) * 0.02, r.standard_normal((8, 64)) * 0.02
    left = A.copy()
    left[:, 4:6] = 0
    files = save(folder / "rank.safetensors", {"W": bf16(W), "A": bf16(A), "B": bf16(B), "right": bf16(load(W) + 2 * load(A) @ load(B)), "left": bf16(load(W) + 2 * load(left) @ load(B))})
    for name in ("right", "left"):
        word, result = answer(files, "W + 2 * (A @ B) == M", {"W": "W", "A": "A", "B": "B", "M": name})
        check(f"two ranks of an update: {name}", (word in ("equal", "rounding")) == (name == "right"), result.stdout[:500])
    mask = np.triu(np.full((6, 6), -np.inf), 1).astype("f4")
    other = mask.copy()
    other[0, 5] = 0
    files = save(folder / "mask.safetensors", {"a": mask, "b": mask, "c": other})
    check("a copy that holds infinities", answer(files, "A == B", {"A": "a", "B": "b"})[0] == "equal")
    word, result = answer(files, "A == B", {"A": "a", "B": "c"})
    check("and one without one of them", word == "bug" and "at [0, 5] they are -inf and 0" in result.stdout, result.stdout)
    W, g = r.standard_normal((64, 48)), 1 + 0.2 * r.standard_normal(48)  # nothing below 2^-17
    W[np.abs(W) < 0.001] = 0.5
    files = save(folder / "alike.safetensors", {"W": bf16(W), "g": bf16(g), "M": bf16(load(W) * load(g) * 1.003)})
    word, result = answer(files, "W * g == M", {"W": "W", "g": "g", "M": "M"})
    check("numbers that every bfloat16 of their size is are no float16", word in ("bug", "unclear") and "float16, and those below" not in result.stdout, result.stdout[:400])


def memory(folder):
    """A tensor that does not fit is no bug of foldproof; the slice of one that does is read without a second copy of it."""
    import resource

    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))

    if run("--version", preexec_fn=limited).returncode != 0:
        print("skipped: memory (the program does not start within 1 GiB of addresses, as with a sanitizer)")
        return
    np.lib.format.open_memmap(folder / "large.npy", mode="w+", dtype="f4", shape=(14000, 10000))  # 560 MB, nearly all of it a hole, as doubles 1120 MB
    large = run("weights", "check", "-e", "A == A.T", "--weights", folder / "large.npy", "--bind", "A=large", preexec_fn=limited)
    check("too large a tensor", large.returncode == 2 and "not enough memory" in large.stderr and "bug" not in large.stderr, large)
    np.save(folder / "fits.npy", np.ones((10000, 8000), "f4"))  # 320 MB, as doubles 640 MB
    fits = run("weights", "check", "-e", "A == A.T", "--weights", folder / "fits.npy", "--bind", "A=fits[:2, :2]", preexec_fn=limited)
    check("a slice of a large tensor", run("weights", "check", "-e", "A == A.T", "--weights", folder / "large.npy", "--bind", "A=large[:2, :2]", preexec_fn=limited).stdout.startswith("equal"))
    check("a slice of one that fits", fits.returncode == 0 and fits.stdout.startswith("equal"), fits)


run_parts(nothing_compared, formats_that_answer, names_of_files, checkpoints, shapes, what_engineers_read, recipes, readings, large_tensors, rounding_or_bug, which_mistake, sixteen_bits_saved_in_more, factors_of_terms, operands_that_were_rounded, casts_of_one_checkpoint, roundings_in_common, results_saved_in_more, results_of_fewer_digits, what_explains_nothing, updates_below_what_is_stored, layers_that_are_named, tolerances, interrupted, entries_elsewhere, short_vectors_off_to_one_side, constants_by_their_precision, factors_beside_one_wide_tensor, mistakes_in_numbers, copies_of_other_tensors, large_copies, factors_among_roundings_of_operands, what_the_second_line_says, mistakes_of_many_layers, few_rows_first, rows_elsewhere, updates_that_are_lost, what_says_no_more, factors_in_common, errors_that_bounds_allow, entries_far_off, one_entry_where_all_programs_agree, one_wrong_entry, steps_of_sixteen_bits, on_one_side, norms_step_by_step, far_below_zero, sums_in_common, copies_in_groups, digits_on_the_way, eight_bits, packed, archives, listed, factors_of_sums, filters, other_epsilons, rounded_to_the_weights_first, not_finite, too_large, layers, what_is_open, folding, formats_that_meet, parts_of_one_wider, updates_that_are_rounded, updates_computed_in_fewer_digits, orders_and_parts, ends_of_formats, in_blocks_of_rows, nothing_in_them, rounded_twice, hidden_in_activations, sums_into_the_addend, other_programs, rows_are_broadcast, heads_of_written_sizes, integers, the_storage_bound_is_attained, components_of_products, usage, memory)
finish("weights", least=200)
