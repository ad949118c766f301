# SPDX-License-Identifier: MIT
# The benchmark runs, writes what its schema says, and the report shows every row of it; damaged files are refused.
# Usage: benchmark.py SOURCE_DIR FOLDPROOF FOLDPROOF_BENCH
import copy
import json
import os
import pathlib
import re
import subprocess
import sys
from fractions import Fraction

import numpy
from jsonschema import Draft202012Validator

from checks import check, finish, run_parts

source, foldproof, bench = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]


def schema(name):
    return Draft202012Validator(json.loads((source / f"fixtures/schemas/{name}.schema.json").read_text(encoding="utf-8")))


def report(folder, benchmark):
    """Runs `check` without cases and shows it the benchmark."""
    (folder / "claim.json").write_text(json.dumps({"id": "fold", "lhs": "(X @ A) @ B", "rhs": "X @ (A @ B)"}))
    (folder / "benchmark.json").write_text(json.dumps(benchmark))
    return subprocess.run([foldproof, "check", "claim.json", "--cases", "0", "--benchmark", "benchmark.json", "--out", "out"],
                          cwd=folder, capture_output=True, text=True, timeout=60)


def damaged(benchmark):
    """Copies of the benchmark with one thing wrong."""
    for part, key, value in (("small", "ratio", "fast"), ("small", "numbers", 1), ("large", "library", None), ("large", "check_ms", "soon"), ("shrinking", "forms", "one"), ("alarms", "alarms", "none"),
                             ("memory", "megabytes", None)):
        copied = copy.deepcopy(benchmark)
        copied[part][0][key] = value
        yield f"{part} {key}", copied
    yield "bugs made", {**benchmark, "bugs": {**benchmark["bugs"], "made": "many"}}
    yield "bugs survivors", {**benchmark, "bugs": {**benchmark["bugs"], "survivors": [1]}}
    for part, key, value in (("totals", "right", "all"), ("totals", "prover", 1), ("totals", "wrong_ids", [1]), ("totals", "unstated", {"causal": "many"}), ("rows", "id", None), ("rows", "foldproof", {"answer": "holds"}),
                             ("rows", "z3", "holds"), ("rows", "sympy", {"answer": "holds", "says": "as written", "mark": "right"})):
        copied = copy.deepcopy(benchmark)
        copied["provers"][part][0][key] = value
        yield f"provers {part} {key}", copied
    yield from ((f"no {part}", {key: value for key, value in benchmark.items() if key != part}) for part in ("bugs", "alarms", "memory", "provers"))
    yield "no large products", {key: value for key, value in benchmark.items() if key != "large"}
    yield "another schema", {**benchmark, "schema": "foldproof-benchmark-0"}


def counts_are_plausible(benchmark):
    bugs, alarms, memory = benchmark["bugs"], benchmark["alarms"], benchmark["memory"]
    check("what is made is killed or survives", bugs["made"] == bugs["killed"] + len(bugs["survivors"]), bugs)
    check("few cases kill most bugs, though of a sum that is always 1 many bugs are none", bugs["made"] >= 25 and bugs["killed"] >= 0.8 * bugs["made"], bugs)
    formats = ["float64", "float32", "bfloat16", "float16", "bfloat16/16", "float16/16"]
    check("correct cases run in every format and lane", [row["format"] for row in alarms] == [*formats, "bit for bit", "exact rationals"] and all(row["cases"] > 0 for row in alarms), alarms)
    check("most say something", all(2 * (row["discarded"] + row["vacuous"]) < row["cases"] for row in alarms), alarms)
    check("no correct case raises an alarm", all(row["alarms"] == 0 for row in alarms), alarms)
    check("memory is that of a campaign, ten times as long", memory[1]["cases"] == 10 * memory[0]["cases"] and memory[0]["megabytes"] > 1, memory)
    check("and does not grow with its cases", memory[1]["megabytes"] < memory[0]["megabytes"] + 2, memory)


def counts_are_shown(benchmark, printed, text, page):
    bugs = f"{benchmark['bugs']['killed']} of {benchmark['bugs']['made']} killed within {benchmark['bugs']['cases']} cases a claim"
    check("seeded bugs are printed and shown", bugs in printed and bugs in text and bugs in page, bugs)
    rows = [[row["format"], row["cases"], row["discarded"], row["vacuous"], row["alarms"]] for row in benchmark["alarms"]]
    rows += [[row["cases"], f"{row['megabytes']:.1f}"] for row in benchmark["memory"]]
    for row in rows:
        check("report.md shows every count", "| " + " | ".join(map(str, row)) + " |\n" in text, row)
        check("report.html shows every count", "".join(map(str, row)) in re.sub("<[^>]*>", "", page), row)
    for row in benchmark["small"]:
        check("report.html shows every rate", f">{row['bare_per_second']:.0f}</td>" in page, row)
    for row in benchmark["alarms"]:
        check("what it prints of correct cases is what it writes", f"correct cases, {row['format']:<16} {row['cases']:9}, " in printed, row)
    for row in benchmark["memory"]:
        check("what it prints of memory is what it writes", f"memory: {row['cases']} cases, at most {row['megabytes']:.1f} MB" in printed, row)


def verdicts_are_plausible(benchmark):
    """foldproof decides every claim; the others, where they are installed, decide some, and none wrongly."""
    provers = benchmark["provers"]
    for total in provers["totals"]:
        if "skipped" not in total:
            check("what can be stated is right, open or wrong, and the rest is told by construct",
                  total["stated"] == total["right"] + total["open"] + total["wrong"] and total["claims"] == total["stated"] + sum(total["unstated"].values()), total)
            check("every prover decides some claims and none wrongly", total["right"] > 5 and total["wrong"] == 0 and not total["wrong_ids"], total)
            check("times are measured", 0 < total["median_ms"] <= total["slowest_ms"] and total["median_ratio"] > 0, total)
    first = provers["totals"][0]
    check("foldproof decides every claim", first["prover"] == "foldproof" and first["right"] == first["claims"] >= 15, first)
    check("true and false claims are shown", {row["expect"] for row in provers["rows"]} == {"proved", "refuted"} and len(provers["rows"]) >= 9, provers["rows"])
    for row in provers["rows"]:
        for key in ("sympy", "z3", "z3_size_3"):
            if "ratio" in row[key]:
                check("ratios are those of the times", abs(row[key]["ratio"] - row[key]["ms"] / row["foldproof"]["ms"]) < 0.01 * row[key]["ratio"] + 1e-3, row)
    chosen = {row["id"]: row for row in provers["rows"]}
    if "skipped" not in chosen["two-projections-row"]["sympy"]:
        check("SymPy proves two projections in a row, and leaves false claims open",
              (chosen["two-projections-row"]["sympy"]["mark"], chosen["lora-two-adapters-factors-added"]["sympy"]["mark"]) == ("right", "open"), chosen)


def counterexamples_of_z3_hold(benchmark):
    """Both sides by NumPy in rationals, at the numbers that Z3 names."""
    claims = {claim["id"]: claim for path in (source / "fixtures/claims").glob("*.json") for claim in json.loads(path.read_text(encoding="utf-8"))}
    rows = [row for row in benchmark["provers"]["rows"] if "counterexample" in row["z3"]]
    check("Z3 refutes, where it is installed", len(rows) >= 2 or "skipped" in benchmark["provers"]["rows"][0]["z3"], rows)
    for row in rows:
        values = {name: numpy.array([Fraction(entry) for entry in entries], dtype=object).reshape(2, 2) for name, entries in row["z3"]["counterexample"].items()}
        left, right = (eval(claims[row["id"]][side], {}, values) for side in ("lhs", "rhs"))
        check("the counterexample of Z3 refutes", (left != right).any(), row)


def verdicts_are_shown(benchmark, printed, text, page):
    for total in benchmark["provers"]["totals"]:
        if "skipped" in total:
            told = f"{total['prover']} was skipped: {total['skipped']}."
            check("a prover that is not there is named", f"skipped: the claims put to {total['prover']} ({total['skipped']})" in printed and told in text and told in page, total)
            continue
        cells = [total["prover"], *(str(total[key]) for key in ("claims", "stated", "right", "open", "wrong"))]
        check("report.md shows every prover", "| " + " | ".join(cells) + " | " in text, cells)
        check("report.html shows every prover", "".join(cells) in re.sub("<[^>]*>", "", page), cells)
        counts = f"right {total['right']:4}, open {total['open']:4}, wrong {total['wrong']:4}"
        check("what it prints of a prover is what it writes", any(line.startswith(total["prover"] + " ") and counts in line for line in printed.splitlines()), total)
    for row in benchmark["provers"]["rows"]:
        shown = f"| {row['id']} | {row['expect']} | {row['foldproof']['answer']}, {row['foldproof']['ms']:.3f} ms | "
        check("report.md shows verdicts side by side", shown in text, row)
        check("and so does the benchmark", any(line.startswith(row["id"] + " ") and f" {row['foldproof']['ms']:.3f}" in line for line in printed.splitlines()), row)


def provers_that_are_missing_are_named(folder):
    """Python without its site packages has neither."""
    (folder / "claims.json").write_text("[]")
    for script, arguments, name in (("prover_sympy.py", ["1", "1"], "sympy"), ("prover_z3.py", ["2", "1", "1"], "z3")):
        result = subprocess.run([sys.executable, "-S", source / "properties/bench" / script, folder / "claims.json", *arguments], capture_output=True, text=True, timeout=60)
        check("a prover that is missing is named", json.loads(result.stdout) == {"skipped": f"{name} is not installed"}, result)


def a_wrong_answer_is_shown(folder, benchmark):
    copied = copy.deepcopy(benchmark)
    copied["provers"]["rows"][0]["z3"] = {"answer": "fails", "says": "at size 2", "mark": "wrong", "ms": 1.5}
    copied["provers"]["totals"][0]["wrong_ids"] = ["circuit-qk", "lora-merges"]
    copied["provers"]["totals"][1] = {"prover": "SymPy", "skipped": "sympy is not installed"}
    result = report(folder, copied)
    text = (folder / "out/report.md").read_text(encoding="utf-8")
    check("a wrong answer stands out", result.returncode == 0 and " | WRONG: fails, 1.500 ms | " in text and "foldproof is WRONG about: circuit-qk, lora-merges." in text, result)
    check("a prover that was skipped is named in the report", "SymPy was skipped: sympy is not installed." in text)


def the_benchmark_runs_and_the_report_shows_it(folder):
    # AddressSanitizer keeps what is freed for a while, which would look like growing memory.
    environment = {**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=0:thread_local_quarantine_size_kb=0"}
    result = subprocess.run([bench, "--quick", "--out", "bench.json"], cwd=folder, env=environment, capture_output=True, text=True, timeout=200)
    check("foldproof-bench ends with 0", result.returncode == 0, result)
    benchmark = json.loads((folder / "bench.json").read_text())
    errors = [error.message for error in schema("benchmark").iter_errors(benchmark)]
    check("it writes what its schema says", not errors, errors)
    check("it measures both formats", {row["format"] for row in benchmark["small"]} == {"float64", "float32"}, benchmark)
    check("every row has cases and rates", all(row["cases"] > 0 and row["bare_per_second"] > 0 and row["campaign_per_second"] > 0 for row in benchmark["small"]))
    for row in benchmark["small"]:
        check("what it prints is what it writes", any(line.startswith(row["format"]) and row["numbers"] in line and line.endswith(f"ratio {row['ratio']:.2f} ({row['ratio_with_draw_matrix']:.2f})")
                                                       for line in result.stdout.splitlines()), (row, result.stdout))
    shown = report(folder, benchmark)
    check("check reads it", shown.returncode == 0, shown)
    text = (folder / "out/report.md").read_text(encoding="utf-8")
    for row in benchmark["small"]:
        check("report.md shows every rate", f"| {row['format']} | {row['d']} | {row['numbers']} | {row['bare_per_second']:.0f} | " in text, row)
    for row in benchmark["large"]:
        check("report.md shows the large products", f"| {row['format']} | {row['library']} | {row['d']} | " in text, row)
    for row in benchmark["shrinking"]:
        check("report.md shows how false properties shrink", f"| {row['property']} | {row['forms']} of {row['seeds']} seeds; {row['entries']} numbers" in text, row)
    check("every false property has one minimal case", [row["forms"] for row in benchmark["shrinking"]] == [1] * 5, benchmark["shrinking"])
    page = (folder / "out/report.html").read_text(encoding="utf-8")
    counts_are_plausible(benchmark)
    counts_are_shown(benchmark, result.stdout, text, page)
    verdicts_are_plausible(benchmark)
    verdicts_are_shown(benchmark, result.stdout, text, page)
    counterexamples_of_z3_hold(benchmark)
    a_wrong_answer_is_shown(folder, benchmark)
    errors = [error.message for error in schema("report").iter_errors(json.loads((folder / "out/report.json").read_text()))]
    check("report.json with a benchmark fits its schema", not errors, errors)
    for name, wrong in damaged(benchmark):
        refused = report(folder, wrong)
        check(f"{name} is refused", refused.returncode == 2 and "is no benchmark" in refused.stderr, refused)


def bad_options_are_refused(folder):
    for words in (["--rounds"], ["--rounds", "many"], ["--cases", "0"], ["--fast"], ["--out", "absent/bench.json", "--quick"]):
        result = subprocess.run([bench, *words], cwd=folder, capture_output=True, text=True, timeout=200)
        check(f"{words[0]} is refused", result.returncode == 2, result)


run_parts(the_benchmark_runs_and_the_report_shows_it, provers_that_are_missing_are_named, bad_options_are_refused)
finish("benchmark")
