# SPDX-License-Identifier: MIT
# The benchmark runs, writes what its schema says, and the report shows every row of it; damaged files are refused.
# Usage: benchmark.py SOURCE_DIR FOLDPROOF FOLDPROOF_BENCH
import copy
import json
import pathlib
import subprocess
import sys

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
    for part, key, value in (("small", "ratio", "fast"), ("small", "numbers", 1), ("large", "library", None), ("large", "check_ms", "soon"), ("shrinking", "forms", "one")):
        copied = copy.deepcopy(benchmark)
        copied[part][0][key] = value
        yield f"{part} {key}", copied
    yield "no large products", {key: value for key, value in benchmark.items() if key != "large"}
    yield "another schema", {**benchmark, "schema": "foldproof-benchmark-0"}


def the_benchmark_runs_and_the_report_shows_it(folder):
    result = subprocess.run([bench, "--quick", "--out", "bench.json"], cwd=folder, capture_output=True, text=True, timeout=200)
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
        check("report.md shows the large products", f"| {row['format']} | {row['d']} | {row['library']} | " in text, row)
    for row in benchmark["shrinking"]:
        check("report.md shows how false properties shrink", f"| {row['property']} | {row['forms']} of {row['seeds']} seeds; {row['entries']} numbers" in text, row)
    check("every false property has one minimal case", [row["forms"] for row in benchmark["shrinking"]] == [1] * 5, benchmark["shrinking"])
    errors = [error.message for error in schema("report").iter_errors(json.loads((folder / "out/report.json").read_text()))]
    check("report.json with a benchmark fits its schema", not errors, errors)
    for name, wrong in damaged(benchmark):
        refused = report(folder, wrong)
        check(f"{name} is refused", refused.returncode == 2 and "is no benchmark" in refused.stderr, refused)


def bad_options_are_refused(folder):
    for words in (["--rounds"], ["--rounds", "many"], ["--fast"], ["--out", "absent/bench.json", "--quick"]):
        result = subprocess.run([bench, *words], cwd=folder, capture_output=True, text=True, timeout=200)
        check(f"{words[0]} is refused", result.returncode == 2, result)


run_parts(the_benchmark_runs_and_the_report_shows_it, bad_options_are_refused)
finish("benchmark")
