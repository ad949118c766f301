# SPDX-License-Identifier: MIT
# The command line as its users meet it: good input, every kind of bad input, exit statuses, streams, interruption, digests.
# Each bad input ends with status 2, one message on standard error and no trace of a crash, within a time limit.
# Usage: cli.py SOURCE_DIR FOLDPROOF FOLDPROOF_VERIFY
import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

from checks import check, failures, finish, run_parts

source = os.path.abspath(sys.argv[1])
foldproof, verify = os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
SEED = "(X @ W_Q) @ W_Qi == X @ (W_Q @ W_Qi)"


def run(*words, stdin=b"", program=foldproof, seconds=300, **more):  # a sanitized build on a busy machine is slow, and no hang
    try:
        return subprocess.run([program, *map(str, words)], input=stdin, capture_output=True, timeout=seconds, **more)
    except subprocess.TimeoutExpired:
        failures.append("hang")
        print("FAILED hang:", " ".join(map(str, words))[:200])
        return subprocess.CompletedProcess(words, -1, b"", b"")


def status(name, expected, *words, says="", **more):
    """Runs, and checks the exit status and that `says` is in the message of a failure, or in the output of a success."""
    result = run(*words, **more)
    stream = result.stderr if expected == 2 else result.stdout + result.stderr
    text = stream.decode(errors="replace")
    detail = (result.returncode, result.stdout[:200], result.stderr[:400])
    check(name, result.returncode == expected and says in text and "internal error" not in text, detail)
    if expected == 2:
        check(name + ": one short message", 0 < len(text) < 2000 and len(text.splitlines()) <= 8, text)
    return result


def bad_claims(folder):
    status("typo", 2, "decide", "-e", "softmx(X) == X", says="did you mean `softmax`?")
    status("unknown function", 2, "decide", "-e", "X == frobnicate(X)", says="frobnicate")
    conflict = status("shape conflict", 2, "decide", "-e", "Q: [n, d_k]; W: [d_model, d_model]; Q @ W == Q", says="d_model")
    check("a shape conflict shows both sizes", b"d_k" in conflict.stderr, conflict.stderr)
    status("cut-off claim", 2, "decide", "-e", "(X @ A", says="<-e>:1:")
    status("a claim without -e", 0, "decide", "(A @ B).T == B.T @ A.T")
    status("a claim in NumPy's words without -e", 1, "decide", "np.allclose(A, B)", says="they differ at")
    status("an expression without -e", 2, "decide", "A + B", says="<claim>:1:1: this statement is an expression without `==`")
    status("a file that is not there", 2, "decide", "claims of (mine)/all.json", says="No such file")
    status("a cut-off claim without -e", 2, "decide", "(X @ A", says="<claim>:1:")
    status("empty claim", 2, "decide", "-e", "", says="there is no claim")
    status("empty standard input", 2, "decide", "-", says="there is no claim")
    status("10 000 parentheses", 2, "decide", "-e", "(" * 10000 + "X" + ")" * 10000 + " == X", says="hint")
    status("10 000 open parentheses", 2, "decide", "-e", "(" * 10000)
    status("10 000 signs", 2, "decide", "-e", "-" * 10000 + "X == X")
    status("1 MB of names", 2, "decide", "-", stdin=b"X" * 1000000)
    status("1 MB of sums", 2, "decide", "-", stdin=b"A == " + b" + ".join([b"A"] * 250000))
    status("bytes that are no text", 2, "decide", "-", stdin=bytes(range(256)) * 100)
    program = "x = torch.randn(3)\nassert torch.equal(x, 1 * x)\nassert torch.equal(x, {} * x)\n"
    status("each assert of a program is decided", 0, "decide", "-e", program.format("1.0"), says="proved  2 asserts, of which 2 are proved")
    status("a program with a false assert", 1, "decide", "-e", program.format("2"), says="refuted  2 asserts, of which 1 is refuted")
    status("both sides the same text", 2, "decide", "-e", "A @ B == A @ B", says="same")
    big = folder / "big.txt"
    big.write_text("A + B == B + A\n" + "# a comment\n" * 90000, encoding="utf-8")
    result = run("decide", big)
    check("1 MB of comments is decided, or refused with a message", result.returncode in (0, 2) and (result.returncode == 0 or result.stderr), result)


def hints(folder):
    """What to write instead: a hint names what is meant, and nothing that does not fit."""
    for claim, says in (
        ("concat(H_1, H_2) @ concat(W_1, W_2) == H_1 @ W_1 + H_2 @ W_2", "vstack(W_1, W_2)"),
        ("A: [n, d]; A == A.T", "a transpose may be missing"),
        ("Attention(Q, K, V) == softmax(Q @ K.T) @ V", "F.scaled_dot_product_attention(Q, K, V), or softmax(Q @ K.T / sqrt(d)) @ V"),
        ("MultiHead(Q, K, V) == concat(H_1, H_2) @ W_O", "for i in range(h)"),
        ("q = self.W_q(x); q @ k.T == x @ k.T", "x @ W_q"),
        ("W_q(x + y) == x @ W_q", "(x + y) @ W_q"),
        ("Q_1 = A == B", "leave out `Q_1 =`: a claim is written A == B"),
    ):
        status("hint for " + claim, 2, "decide", "-e", claim, says=says)
    result = status("a slice is no transpose", 2, "decide", "-e", "A: [n, d]; A[:, 1:] == A", says="one shape")
    check("no transpose is missing there", b"transpose" not in result.stderr, result.stderr)
    for claim, says in (
        ("X @ W == concat(H_1, H_2) @ concat(W_1, W_2)", "write vstack(W_1, W_2)"),
        ("rmsnorm(X, g) @ W == rmsnorm(X) @ (g.T * W)", "the second operand of rmsnorm is eps, one number; a gain is a factor: rmsnorm(X) * g"),
    ):
        status("note for " + claim, 1, "decide", "-e", claim, says=says)
    check("eps is no gain", b"gain" not in run("decide", "-e", "rmsnorm(X, eps) == rmsnorm(X)").stdout)
    for command in ("explain", "decide"):
        status(command + ": an id that is like no other", 2, command, "nosuch", cwd=source, says="foldproof explain WORD")
        status(command + ": an id that is nearly right", 2, command, "two-projection-row", cwd=source, says="did you mean `two-projections-row`")


def bad_files(folder):
    def file(name, text):
        path = folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    for command in ("decide", "check"):
        extra = ["--out", folder / "out"] if command == "check" else []
        status(command + ": cut-off JSON", 2, command, file("cut.json", '[{"lhs": "A", "rhs'), *extra, says="cut.json:1:")
        status(command + ": unknown key", 2, command, file("key.json", '{"lhs": "A", "rhs": "B", "expct": "proved"}'), *extra, says="expect")
        status(command + ": another word for a key", 2, command, file("word.json", '{"lhs": "A", "rhs": "B", "verdict": "proved"}'), *extra, says="the key for it is `expect`")
        status(command + ": another relation", 2, command, file("relation.json", '{"lhs": "A", "rhs": "B", "relation": ">="}'), *extra, says="exchange `lhs` and `rhs`")
        status(command + ": wrong type", 2, command, file("type.json", '{"lhs": ["A"], "rhs": "B"}'), *extra, says="/lhs")
        status(command + ": deep JSON", 2, command, file("deep.json", "[" * 100000), *extra)
        status(command + ": empty file", 2, command, file("empty.json", ""), *extra, says="empty")
        status(command + ": no such file", 2, command, folder / "absent.json", *extra, says="absent.json")
    every = run("decide", folder)
    check("each file of a folder that cannot be read is named", every.returncode == 2 and all(f"{folder}/{name}.json:".encode() in every.stderr for name in ("cut", "key", "type", "deep", "empty")), every.stderr)
    status("the product that fits", 2, "decide", "-e", "q: [n, k]; W: [r, k]; c: [n, r]; q @ (c @ W).T == (q @ W) @ c.T", says="`q @ W.T` fits")
    status("sizes that are numbers are not assumed equal", 2, "decide", "-e", "A: [3, 64]; B: [32, 5]; A @ B == A @ B + 1", says="give the second a name of its own\n")
    status("the place of an error in JSON", 2, "decide", file("place.json", '{"lhs": "A @@ B",\n "rhs": "B"}'), says="place.json:1:9: /lhs")
    status("the line of an error in text", 2, "decide", file("several.txt", "A + B == B + A\n---\n\nA +* B == B\n"), says="several.txt:4")
    good = {"lhs": "A + B", "rhs": "B + A"}
    claims = file("claims.json", json.dumps([good, {"lhs": "A +", "rhs": "B"}, {**good, "id": "last"}]))
    result = run("decide", claims, "--json")
    verdicts = [r["verdict"] for r in json.loads(result.stdout)["results"]]
    check("one bad claim never stops the rest", result.returncode == 2 and verdicts == ["proved", "invalid", "proved"], (result.returncode, verdicts))
    bad_entries(folder / "mixed", good)
    broken = file("broken.safetensors", b"\xff" * 64)
    status("broken checkpoint", 2, "check", claims, "--out", folder / "out", "--weights", broken, "--bind", "A=w", says="broken.safetensors")
    cut = run("check", file("ok.json", json.dumps(good)), "--out", folder / "never", "--weights", broken, "--bind", "A=w")
    check("bad input leaves no report", cut.returncode == 2 and not (folder / "never/report.json").exists())


def bad_entries(folder, good):
    """Entries and files that cannot be read stand in the results as invalid, with place and hint; the others are decided."""
    folder.mkdir()
    (folder / "a.json").write_text(json.dumps([{**good, "id": "first"}, {**good, "id": "bad", "expct": "proved"}, {**good, "id": "first"}]))
    (folder / "b.json").write_text('[{"lhs": "A", "rhs')
    (folder / "c.json").write_text(json.dumps({**good, "id": "last"}))
    expected = [("first", "proved"), ("bad", "invalid"), (f"{folder}/a.json#2", "invalid"), (f"{folder}/b.json", "invalid"), ("last", "proved")]
    decided = run("decide", folder, "--json")
    results = json.loads(decided.stdout)["results"]
    check("decide goes on after what cannot be read", decided.returncode == 2 and [(r["id"], r["verdict"]) for r in results] == expected, results)
    shown = run("decide", folder / "a.json")
    check("the place and the hint of a bad entry", b"a.json:1:" in shown.stderr and b"/1/expct" in shown.stderr and b"did you mean `expect`?" in shown.stderr, shown.stderr)
    out = folder.parent / "mixed-out"
    checked = run("check", folder, "--out", out, "--cases", "20")
    claims = json.loads((out / "report.json").read_text())["claims"]
    check("check goes on after what cannot be read", checked.returncode == 2 and [(c["id"], c["verdict"]) for c in claims] == expected, checked.stderr)
    for name in ("report.md", "report.html", "junit.xml"):
        text = (out / name).read_text()
        check(f"{name} lists what cannot be read", "b.json:1:" in text and "expct" in text, text[:400])
    status("explain goes on after what cannot be read", 0, "explain", "last", "--claims", folder, says="True")
    status("the card of a bad entry", 2, "explain", "bad", "--claims", folder, says="expct")
    status("an id that may be in a file that cannot be read", 2, "explain", "lost", "--claims", folder, says="not all claims can be read")


def nothing_to_check(folder):
    (folder / "none.json").write_text("[]")
    (folder / "empty").mkdir()
    for where in ("none.json", "empty"):
        status(f"no claim in {where}", 2, "check", folder / where, "--out", folder / "out", says="there is no claim to check")
        check(f"no claim in {where}: no report", not (folder / "out/report.json").exists())


def bad_usage(folder):
    status("unknown command", 2, "chek", says="did you mean `check`?")
    status("unknown option", 2, "decide", "--jsn", "-e", SEED, says="--jsn")
    status("an option that is nearly right", 2, "check", "--case", "20", says="did you mean `--cases`?")
    status("an assumption that is nearly right", 2, "decide", "-e", "assume orthoganal(R); (X @ R) @ (R.T @ W) == X @ W", says="did you mean `orthogonal`?")
    status("another assumption", 2, "decide", "-e", "assume pretty(R); (X @ R) @ (R.T @ W) == X @ W", says="or one of: positive")
    status("an id that is nearly right", 2, "decide", "two-projection-row", cwd=source, says="did you mean `two-projections-row`")
    status("an option without its value", 2, "decide", "-e")
    status("no claim", 2, "decide", says="no claim")
    status("bad shard", 2, "check", "--shard", "3/2", "--out", folder / "out", says="i/N")
    status("shard of nothing", 2, "check", "--shard", "1/", "--out", folder / "out", says="i/N")
    status("bad threads", 2, "check", "--threads", "-1", "--out", folder / "out")
    status("bad number", 2, "check", "--cases", "many", "--out", folder / "out", says="cases")
    status("bad size", 2, "cost", "-e", SEED, "--dim", "d=0", says="--dim")
    claim = folder / "one.txt"
    claim.write_text(SEED)
    status("weights without binding", 2, "check", claim, "--bind", "X=w", "--out", folder / "out")
    (folder / "file").write_text("")
    for place in (folder / "file" / "below", folder / "file", "/proc/none"):
        status(f"unwritable {place}", 2, "check", claim, "--out", place, says=str(place))
    check("an unwritable folder is noticed before any work", run("check", claim, "--out", folder / "file").stdout == b"")


def good_usage(folder):
    status("proved", 0, "decide", "-e", SEED, says="proved")
    status("refuted though stated", 1, "decide", "-e", "A @ B == B @ A", says="refuted")
    for claim in ("-relu(X) <= 0", "-exp(X)<=0", "-X @ A == X @ -A"):
        status("a claim that begins with a minus sign", 0, "decide", claim, says="proved")
    status("the same after an option and its value", 0, "decide", "--seed", "2", "-X @ A == X @ -A", says="proved")
    for words in (["-e", "-A == B"], ["-eA @ B == B @ A"], ["--", "-A == B"]):
        status("a minus sign, as an option says", 1, "decide", *words, says="refuted")
    for command in (["explain"], ["cost"]):
        status("a minus sign for " + command[0], 0, *command, "-X @ A == X @ -A", says="-X @ A")
    status("an id of the catalogue", 0, "decide", "two-projections-row", cwd=source, says="proved  two-projections-row")
    status("cost of an id", 0, "cost", "two-projections-row", cwd=source, says="two-projections-row")
    status("a folder", 0, "decide", os.path.join(source, "fixtures/claims"), says="two-projections-row")
    wrong = json.dumps({"lhs": "A @ B", "rhs": "B @ A", "expect": "proved"}).encode()
    status("what was expected instead", 1, "decide", "-", stdin=wrong, says="its file expects proved")
    status("what was expected instead, beside JSON", 1, "decide", "--json", "-", stdin=wrong, says="refuted, expected proved")
    status("standard input", 0, "decide", "-", stdin=SEED.encode(), says="proved")
    status("JSON on standard input", 0, "decide", "-", stdin=b'{"lhs": "A @ B", "rhs": "B @ A", "expect": "refuted"}', says="refuted")
    status("expected undecided", 1, "decide", "-", stdin=b'{"lhs": "A + B", "rhs": "B + A", "expect": "undecided"}')
    status("help", 0, "--help", says="check")
    status("version", 0, "--version", says="foldproof 0.")
    check("no arguments: short help with two examples", run().returncode == 0 and run().stdout.count(b"  foldproof ") == 2)
    status("operators", 0, "operators", says="softmax")
    cost = status("cost of the seed question", 0, "cost", "-e", "X: [n, d_model]; W_Q: [d_model, d_model]; W_Qi: [d_model, d_k]; " + SEED, "--dim", "d_model=512", "--dim", "d_k=64", says="294912")
    check("cost of the folded map", b"parameters     32768" in cost.stdout, cost.stdout)

    same = run("decide", "-e", "X == X")
    check("one sentence once", (same.stdout + same.stderr).count(b"both sides are the same text") == 1, same)
    sizes = run("decide", "-e", "assume k == d; W: [d, k]; X @ W @ W == X @ (W @ W)").stdout
    check("a needed assumption without an example says why", b"assumption `k == d`: needed; without it the shapes do not fit" in sizes, sizes)
    strict = run("decide", "-e", "S: [n, m]; softmax(S) < 1")
    check("equal sides are no difference", b"lhs is not smaller at [0, 0]" in strict.stdout and b"<= instead of <" in strict.stdout, strict.stdout)

    result = run("decide", "--json", "-e", SEED, "-e", "A @ B == B @ A")
    document = json.loads(result.stdout)
    keys = {"id", "verdict", "reason", "derivation", "certificate", "counterexample", "assumptions", "time_ms"}
    check("--json: structure", document["schema"] == "foldproof-decision-1" and all(keys <= r.keys() for r in document["results"]), document)
    found = document["results"][1]["counterexample"]
    check("--json: the smallest counterexample", found["dims"] == {"n": 2} and found["lhs"] != found["rhs"] and set(found["values"]) == {"A", "B"}, found)
    check("--json: order and status", [r["verdict"] for r in document["results"]] == ["proved", "refuted"] and result.returncode == 1)
    false = ["A @ B == B @ A", "S: [n, n]; exp(S) / np.sum(exp(S), axis=1) == softmax(S)", "min(X) == max(X)", "max(x, 0) == min(x, 0)", "rowmin(X) == rowmax(X)", "colmin(X) == colmax(X)",
             "flip(X) == flip(X, axis=0)", "clip(X, 0, 1) == elu(X)", "exp2(X) == erf(X) + gelu(X)", "A: [n, d]; sum(A) == sum(A, axis=1)", "W: [h, n, d]; sum(W[i] for i in range(h)) == W[0]"]
    result = run("decide", "--json", *(word for claim in false for word in ("-e", claim)))
    for claim, answer in zip(false, json.loads(result.stdout)["results"]):
        printed = []
        check("refuted: " + claim, answer["verdict"] == "refuted", answer["reason"])
        if has_numpy() and answer["counterexample"]:
            exec(answer["counterexample"]["numpy"], {"print": printed.append})
            check("the NumPy program shows that the sides differ: " + claim, len(printed) == 2 and not (printed[0] == printed[1]).all(), printed)
    for claim, named in (("X: [a, b]; Y: [b, i]; (X @ Y).T == Y.T @ X.T", "left[j,k] = sum_c X[k,c] Y[c,j]"), ("X: [n, c]; Y: [c, n]; a, b: []; a * X @ (b * Y) == a * b * (X @ Y)", "left[i,j] = sum_e a b X[i,e] Y[e,j]")):
        status("indices have names that the claim has not: " + claim, 0, "decide", "-e", claim, says=named)
    plain = run("decide", "-e", "A @ B == B @ A")
    check("no colours off a terminal", b"\x1b" not in plain.stdout + plain.stderr)


def has_numpy():
    try:
        import numpy  # noqa: F401
    except ImportError:
        return False
    return True


def certificates(folder):
    run("decide", "-e", SEED, "--certificates", folder / "certificates")
    path = folder / "certificates/claim.json"
    text = path.read_text()
    accepted = run(path, program=verify)
    check("verify accepts", accepted.returncode == 0 and accepted.stdout.startswith(b"accepted"), accepted)
    check("replay accepts", run("replay", path).returncode == 0)
    run("decide", "-e", "# hi\n" + SEED + "  # why", "--certificates", folder / "commented")
    shown = run(folder / "commented/claim.json", program=verify).stdout
    check("verify shows no comment", shown.endswith(f")  {SEED}\n".encode()), shown)
    value = json.loads(text)
    changed = {
        "another claim": {**value, "claim": "(X @ W_Q) @ W_Qi == X @ (W_Qi @ W_Q)"},
        "a missing step": {**value, "goal": value["goal"][:-1]},
        "a step too many": {**value, "goal": value["goal"] + [["keep"]]},
        "a wrong variable": {**value, "goal": [["keep", 7]] + value["goal"][1:]},
    }
    for name, wrong in changed.items():
        path.write_text(json.dumps(wrong))
        result = run(path, program=verify)
        check("verify rejects " + name, result.returncode == 1 and result.stdout.startswith(b"rejected") and b"at step" in result.stdout, result)
        check("replay rejects " + name, run("replay", path).returncode == 1)
    unreadable = ["", "{", "[]", text[:-20], text.replace('"keep"', '"kep"'), text.replace("certificate-1", "certificate-9"), text.replace('"goal"', '"gaol"'), "[" * 100000,
                  json.dumps({**value, "goal": [["split", 0, "n]; Y: [n"]]}), json.dumps({**value, "goal": [["keep", 2**63]]}), json.dumps({**value, "goal": [["keep", 0.5]]}),
                  text.replace('"claim":', '"claim": "A == A", "claim":'), json.dumps({**value, "claim": "((("}), json.dumps({**value, "assumptions": [[[[[[[[["keep"]]]]]]]]]})]
    for i, wrong in enumerate(unreadable):
        path.write_text(wrong)
        result = run(path, program=verify)
        check(f"verify cannot read broken file {i}", result.returncode == 2 and result.stderr and not result.stdout, (wrong[:80], result))
    path.write_bytes(bytes(range(256)))
    check("verify cannot read bytes", run(path, program=verify).returncode == 2)
    check("verify without arguments", run(program=verify).returncode == 2)


def many_claims(folder, count):
    path = folder / "many.json"
    words = ["(X @ A) @ B == X @ (A @ B)", "A @ B == B @ A", "softmax(X @ A) @ B == softmax(X @ A @ B)", "rowsum(softmax(S @ T)) == ones(n, 1)"]
    claims = []
    for i in range(count):
        lhs, rhs = words[i % 4].split(" == ")
        shapes = {"vars": {"S": ["n", "k"]}} if i % 4 == 3 else {}
        claims.append({"id": f"claim {i}", "lhs": lhs, "rhs": rhs, "expect": "refuted" if i % 4 in (1, 2) else "proved", **shapes})
    path.write_text(json.dumps(claims))
    return path


def reports(folder):
    path = many_claims(folder, 24)
    seen = []
    for threads in (1, 2):
        out = folder / f"reports{threads}"
        result = status(f"check with {threads} threads", 0, "check", path, "--out", out, "--cases", "40", "--threads", threads, says="24 as expected")
        check("check names the files it wrote", b"report.json" in result.stdout)
        seen.append(json.loads((out / "report.json").read_text()))
        xml.etree.ElementTree.parse(out / "junit.xml")
        check("report.md", "# foldproof report" in (out / "report.md").read_text())
    check("the same digests with 1 and 2 threads", seen[0]["digests"] == seen[1]["digests"], (seen[0]["digests"], seen[1]["digests"]))
    check("the same claims with 1 and 2 threads", seen[0]["claims"] == seen[1]["claims"])
    check("results in the order of the input", [c["id"] for c in seen[0]["claims"]] == [f"claim {i}" for i in range(24)])
    run("check", path, "--out", folder / "other", "--cases", "40", "--seed", "2")
    other = json.loads((folder / "other/report.json").read_text())
    check("another seed gives another numeric digest", other["digests"]["numeric"] != seen[0]["digests"]["numeric"])
    shards = [run("check", path, "--out", folder / f"shard{i}", "--cases", "5", "--shard", f"{i}/3") for i in (1, 2, 3)]
    ids = [c["id"] for i in (1, 2, 3) for c in json.loads((folder / f"shard{i}/report.json").read_text())["claims"]]
    check("shards are a partition", all(s.returncode == 0 for s in shards) and sorted(ids) == sorted(f"claim {i}" for i in range(24)), ids)
    epoch = run("check", path, "--out", folder / "epoch", "--cases", "1", env={**os.environ, "SOURCE_DATE_EPOCH": "0"})
    check("SOURCE_DATE_EPOCH", epoch.returncode == 0 and json.loads((folder / "epoch/report.json").read_text())["volatile"]["time"] == "1970-01-01T00:00:00Z")
    differs = folder / "differs.json"
    differs.write_text('{"id": "d", "lhs": "A @ B", "rhs": "B @ A", "expect": "proved"}')
    status("a verdict that differs", 1, "check", differs, "--out", folder / "differs", "--cases", "5", says="DIFFERS  d: refuted, expected proved")
    tree = xml.etree.ElementTree.parse(folder / "differs/junit.xml")
    check("junit.xml has the failure", tree.getroot().get("failures") == "1" and tree.find(".//failure") is not None)


def undecided(folder):
    """Status 3. The claim is true, and out of the prover's reach as of today; when it is proved, take a harder one."""
    for text in ("sqrt(A * A) == abs(A)", "exp(A) - 1 <= exp(A)", "tanh(A) <= 1", "det(A @ B) == det(A) * det(B)", "trace(inv(A) @ A @ B) <= trace(B)", "gelu(A) <= abs(A)", "sin(A) <= 1"):
        result = run("decide", "-e", text, "--json")
        results = json.loads(result.stdout)["results"] if result.stdout else [{}]
        if results[0].get("verdict") == "undecided":
            check("undecided though stated", result.returncode == 3 and results[0]["reason"], result)
            return
    print("note: no undecided claim known, status 3 is untested")


def interruption(folder):
    path = many_claims(folder, 400)
    out = folder / "interrupted"
    process = subprocess.Popen([foldproof, "check", path, "--out", out, "--cases", "3000", "--threads", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    started = time.monotonic()
    while not (out / "checkpoint.jsonl").exists() and time.monotonic() < started + 120:
        time.sleep(0.05)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    try:
        process.communicate(timeout=300)
    except subprocess.TimeoutExpired:
        process.kill()
    report = json.loads((out / "report.json").read_text()) if (out / "report.json").exists() else {}
    check("interrupted: exit status", process.returncode == 130, process.returncode)
    counts = report.get("counts", {})
    check("interrupted: finished claims are reported", report.get("interrupted") is True and 0 < len(report["claims"]) < 400, counts)
    check("interrupted: the rest is counted", counts.get("skipped", 0) + len(report.get("claims", [])) == 400, counts)
    check("interrupted: no half-written file", not any(p.name.startswith(".") for p in out.iterdir()) and (out / "checkpoint.jsonl").exists(), list(out.iterdir()))
    xml.etree.ElementTree.parse(out / "junit.xml")


run_parts(bad_claims, hints, bad_files, nothing_to_check, bad_usage, good_usage, certificates, reports, undecided, interruption)
finish("command line")
