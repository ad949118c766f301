# SPDX-License-Identifier: MIT
"""foldproof explain: cards of claims and answers to questions, as text and as Markdown that forums show as it is meant.

    explain.py SOURCE FOLDPROOF FOLDPROOF_VERIFY
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
from xml.sax.saxutils import unescape

from checks import check, finish

source, foldproof = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()


def explain(*words, folder=source, status=0):
    done = subprocess.run([foldproof, "explain", *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=300)
    check("status of " + " ".join(map(str, words))[:80], done.returncode == status, (done.returncode, done.stderr))
    return done


claims = {c["id"]: c for file in sorted((source / "fixtures/claims").glob("*.json")) for c in json.loads(file.read_text())}
questions = json.loads((source / "fixtures/questions.json").read_text())["questions"]


def cards():
    """One claim of each verdict of each family: the first line answers, and the evidence follows."""
    chosen = {}
    for claim in claims.values():
        chosen.setdefault((claim["id"].split("-")[0], claim["expect"]), claim)
    ids = [claim["id"] for claim in chosen.values()]
    texts = explain(*ids).stdout.split("\n" + "-" * 100 + "\n\n")
    check("one card a claim", len(texts) == len(ids) >= 30, len(texts))
    for id, text in zip(ids, texts):
        word = {"proved": "True: ", "refuted": "False: ", "invalid": "The shapes do not fit: "}[claims[id]["expect"]]
        empty = "no instance was found" in text  # shapes fit, but the sides have values nowhere
        word = "Not a claim (all-undefined): " if empty else word
        check(id + ": the first line answers", text.split("\n")[0] == word + claims[id]["title"], text[:200])
        evidence = {"proved": "accepted by the kernel", "refuted": "ounterexample", "invalid": "has none: " if empty else "must be"}[claims[id]["expect"]]
        check(id + ": the evidence follows", evidence in text, text)
        check(id + ": source", re.sub(r"\s", "", "Source: " + claims[id]["source"]) in re.sub(r"\s", "", text), text)
    return ids


def nearest():
    """What is called the nearest true statement is decided, not believed."""
    text = explain("two-projections-row-swapped").stdout
    check("the nearest true statement is proved and has a card", "Nearest true statement (proved), card two-projections-row:" in text, text)
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "lies.json"
        path.write_text(json.dumps({"id": "lies", "lhs": "A @ B", "rhs": "B @ A", "expect": "refuted", "nearest_true": "A @ B == A.T @ B"}))
        check("a wrong one is seen", "Nearest true statement (refuted)" in explain("lies", "--claims", path).stdout)


def declared():
    """A nearest statement that only declares more shows what: its formula is the false one."""
    for option in ("--markdown", "--html"):
        card = explain(option, "-e", "softmax(Q @ K.T) == softmax(Q @ (K + b).T)").stdout
        check(option + ": what the nearest statement declares", re.search(r"with (`|<code>)b: \[1, d\](`|</code>)", card), card)
        check(option + ": the other reading names both", "declare b: " in card and ", or b: " in card, card)
    check("what both declare is not repeated", "with `" not in explain("--markdown", "two-projections-row-swapped").stdout)


def hazards():
    """What decide --hazards says of a proof stands on its card, and in the report, in the same words."""
    claim = "exp(a) * exp(b) == exp(a + b)"
    decided = subprocess.run([foldproof, "decide", "--hazards", "--json", "-e", claim], capture_output=True, text=True, timeout=300)
    texts = [hazard["text"] for hazard in json.loads(decided.stdout)["results"][0]["hazards"]]
    check("there are hazards", len(texts) > 1, texts)
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "claim.txt"
        path.write_text(claim)
        subprocess.run([foldproof, "check", path, "--cases", "20", "--out", name], capture_output=True, timeout=300)
        shown = {"report.html": (pathlib.Path(name) / "report.html").read_text()}
    shown |= {" ".join(["explain", *option]): explain(*option, "-e", claim).stdout for option in ([], ["--markdown"], ["--html"])}
    for where, text in shown.items():
        plain = " ".join(unescape(text).replace("\\", "").split())
        check(where + ": hazards beside the proof", "Hazards in floating point, beside the proof" in plain and all(hazard in plain for hazard in texts), plain)


def comments():
    """A comment is no part of what is shown as the claim, nor of the command that repeats it."""
    markdown = explain("--markdown", "-e", "# hi; there\n(X@A)@B == X@(A@B)  # why").stdout
    again = markdown.split("$ foldproof explain -e ")[1].split("\n")[0]
    check("the command to repeat has no comment", again == "'(X@A)@B == X@(A@B)'", markdown)
    check("nor has the card", "hi" not in markdown and "there" not in markdown and "why" not in markdown, markdown)


def claims_as_words():
    """Where there is no catalogue a claim needs no -e; an id is looked up."""
    with tempfile.TemporaryDirectory() as folder:
        check("a claim in place of an id", explain("A@B==B@A", folder=folder).stdout == explain("-e", "A@B==B@A").stdout)
        check("an id without a catalogue", "--claims PATH" in explain("nosuch", folder=folder, status=2).stderr)
    check("a claim beside an id", explain("two-projections-row", "A@B==B@A").stdout.count("-" * 100) == 1)


def costs():
    text = explain("two-projections-row", "--dim", "d=512", "p=512", "k=64", "n=10").stdout
    left, right = 512 * 512 + 512 * 64, 512 * 64
    for part in (f"{left} = ", f"{right} = ", "(9 times fewer)", f"{left * 10} = "):
        check("cost: " + part, part in text, text)
    inferred = explain("-e", "(X @ W_Q) @ W_Qi == X @ (W_Q @ W_Qi)").stdout
    cost = inferred.split("\nCost ")[1].split("\nHazards ")[0]
    check("inferred sizes have no numbers", "d*k" in cost and "times" not in cost and "512" not in cost, inferred)
    named = explain("-e", "X: [n, d]; W_Q: [d, p]; W_Qi: [p, k]; (X @ W_Q) @ W_Qi == X @ (W_Q @ W_Qi)").stdout
    check("sizes that the claim names have their usual numbers", "(9 times fewer)" in named, named)
    check("a given size counts for any claim", "(2 times fewer)" in explain("-e", "(X @ W_Q) @ W_Qi == X @ (W_Q @ W_Qi)", "--dim", "d=8", "--dim", "k=8", "--dim", "m=8", "--dim", "n=2").stdout)
    check("other sizes, other numbers", "(9 times fewer)" not in explain("two-projections-row", "--dim", "p=64").stdout)


def answers():
    for question in questions:
        text = explain(question["id"]).stdout
        check(question["id"] + ": the answer comes first", re.sub(r"\s+", " ", text).startswith(question["answer"]), text[:300])
        verdicts = dict(re.findall(r"^   (\w+) +([^ :]+):", text, re.M) and [(id, verdict) for verdict, id in re.findall(r"^   (\w+) +([^ :]+):", text, re.M)])
        for part in question["parts"]:
            for id in part["claims"]:
                check(f"{question['id']}: {id} is as the catalogue says", verdicts.get(id) == claims[id]["expect"], verdicts.get(id))
        check(question["id"] + ": no number is left out", "{" not in re.sub(r"^   .*$", "", text, flags=re.M), text)
    text = re.sub(r"\s+", " ", explain("redundant-or-essential").stdout)
    check("nine times fewer when folded", "9 times fewer parameters (32768 instead of 294912)" in text, text)
    check("four times more for queries and keys", "4 times more parameters (262144 instead of 65536)" in text, text)


# What Markdown, GitHub or Discourse would change inside a formula: an escaped sign, an underscore that could open an emphasis, a forbidden command.
UNSAFE = [(r"\\[^A-Za-z \n]", "Markdown eats the backslash"), (r"[^ ]_\{", "an underscore that may open emphasis"), (r"\\operatorname", "GitHub forbids it"), (r"\*", "emphasis"),
          (r"[<>]", "a tag"), (r"(?<!\\left)(?<!\\right)\|", "a table cell")]


def unsafe(markdown):
    prose = re.sub(r"^```.*?^```$", "", markdown, flags=re.S | re.M)
    prose = re.sub(r"`[^`\n]*`", "", prose)
    prose = re.sub(r"\\\$", "", prose)
    found = []
    if prose.count("$$") % 2 or prose.replace("$$", "").count("$") % 2:
        found.append("a dollar sign is left open")
    for formula in re.findall(r"\$\$(.*?)\$\$", prose, re.S) + re.findall(r"(?<!\$)\$([^$\n]+)\$(?!\$)", prose):
        found += [f"{why}: {formula[:80]}" for pattern, why in UNSAFE if re.search(pattern, formula)]
        if formula.count("{") != formula.count("}"):
            found.append("braces: " + formula[:80])
    return found


def markdown(ids):
    text = explain("--markdown", *ids).stdout
    check("formulas are safe", not unsafe(text), unsafe(text)[:5])
    check("formulas are there", text.count("$$") >= 2 * len(ids) * 0.9, text.count("$$"))
    for question in questions:
        text = explain("--markdown", question["id"]).stdout
        check(question["id"] + ": formulas are safe", not unsafe(text) and text.startswith("**"), unsafe(text)[:5])
    gain = explain("--markdown", "norm-rms-gain-folds").stdout
    check("a gain is multiplied entry by entry", "\\odot g" in gain.split("$$")[1], gain[:600])
    scaled = explain("--markdown", "-e", "c: []; c * (X @ W) == X @ (c * W)").stdout
    check("a number is not", "\\odot" not in scaled and "c " in scaled.split("$$")[1], scaled[:400])
    hostile = explain("--markdown", "-e", "log_x_y @ B_1 == B_1 @ log_x_y").stdout
    check("names with underscores are safe", not unsafe(hostile), unsafe(hostile))
    for bad in (r"$$ \operatorname{softmax} $$", "$$ W_{Q} (a)_{b} $$", r"$a\\b$", "one $ sign", "$$ a < b $$"):
        check("what is unsafe is seen: " + bad, unsafe(bad))


def derivations():
    """Every line of a derivation equals the one before: each pair is a claim of its own, read from text and decided again."""
    files = [source / f"fixtures/claims/{name}.json" for name in ("projection", "bias", "circuits", "lora", "mla", "questions")]
    results = json.loads(subprocess.run([foldproof, "decide", "--json", *files], capture_output=True, timeout=300).stdout)["results"]
    found = [r for r in results if r.get("steps")]
    check("most of these have a derivation at the level of matrices", len(found) >= 30, len(found))
    pairs = []
    for result in found:
        steps, assumed = result["steps"], claims[result["id"]].get("assume", [])
        lets = claims[result["id"]].get("let", {})
        given = [f"{name}: [{', '.join(axes)}]" for name, axes in result["shapes"].items()] + [f"let {k} = {v}" for k, v in dict(lets).items()] + ["assume " + a for a in assumed]
        check(result["id"] + ": laws and parts", steps[0]["law"] == "" and all(s["law"] and 0 <= s["changed"][0] < s["changed"][1] <= len(s["expression"]) for s in steps[1:]), steps)
        pairs += ["\n".join(given + [f"{a['expression']} == {b['expression']}"]) for a, b in zip(steps, steps[1:])]
        ends = "\n".join(given + [f"{steps[0]['expression']} == {steps[-1]['expression']}"])
        pairs.append(ends if len(steps) > 2 else pairs[-1])
    decide = lambda texts: [r["verdict"] for r in json.loads(subprocess.run([foldproof, "decide", "--json", "-"], input="\n---\n".join(texts), capture_output=True, text=True, timeout=300).stdout)["results"]]
    verdicts = decide(pairs)
    check("every line follows", verdicts == ["proved"] * len(pairs), [p for p, v in zip(pairs, verdicts) if v != "proved"][:2])
    check("a line that does not follow is seen", decide(["X @ A @ B == X @ (B @ A)"]) == ["refuted"])
    text = explain("two-projections-row").stdout
    numbers = subprocess.run([foldproof, "decide", "-e", "trace(eye(3)) == 3"], capture_output=True, text=True, timeout=60).stdout
    check("a number stands for itself", "    right = 3\n" in numbers and "    both sides = 3\n" in numbers, numbers)
    check("what changed is underlined", "  = X @ (W_Q @ W_Qi)\n    ^^^^^^^^^^^^^^^^  associativity of the matrix product\n" in text, text)


def errors():
    check("an unknown id", "did you mean `two-projections-row`" in explain("two-projection-row", status=2).stderr)
    check("a word that is no id", "these speak of it: redundant-or-essential" in explain("redundant", status=2).stderr)
    check("a word of many", " and " in explain("SOFTMAX", status=2).stderr and " more" in explain("SOFTMAX", status=2).stderr)
    check("nothing to explain", "hint: foldproof explain" in explain(status=2).stderr)
    check("one form only", explain("--markdown", "--html", "key-bias", status=2).stdout == "")
    check("a bad size", "NAME=NUMBER" in explain("key-bias", "--dim", "d", status=2).stderr)
    check("a claim that cannot be read", "sofmax" in explain("-e", "sofmax(X) == X", status=2).stderr)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check("no catalogue", "--claims" in explain("key-bias", folder=folder, status=2).stderr)
        check("a claim of one's own needs none", explain("-e", "A @ B == B @ A", folder=folder).stdout.startswith("False: it fails at n = 2"))
        (folder / "fixtures/claims").mkdir(parents=True)
        (folder / "fixtures/claims/one.json").write_text(json.dumps({"id": "one", "lhs": "A + B", "rhs": "B + A"}))
        question = {"id": "q", "question": "?", "answer": "!", "parts": [{"says": "{colour}", "claims": ["one"], "cost": {"claim": "one", "sizes": {}}}]}
        for change, says in (({}, "{colour}"), ({"parts": [{"says": "x", "claims": ["two"]}]}, "two"), ({"answr": ""}, "did you mean `answer`"), ({"parts": []}, "at least one part"), ({"id": ""}, "/questions/0/id")):
            (folder / "fixtures/questions.json").write_text(json.dumps({"schema": "foldproof-questions-1", "questions": [{**question, **change}]}))
            check("a bad question: " + says, says in explain("q", folder=folder, status=2).stderr)
            done = subprocess.run([foldproof, "check", "--cases", "0"], cwd=folder, capture_output=True, text=True, timeout=60)
            check("check refuses it before it decides anything: " + says, done.returncode == 2 and says in done.stderr and not (folder / "reports/report.json").exists(), done.stderr)


ids = cards()
nearest()
declared()
hazards()
comments()
claims_as_words()
costs()
answers()
markdown(ids)
derivations()
errors()
finish("explain", least=150)
