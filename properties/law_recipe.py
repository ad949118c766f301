# SPDX-License-Identifier: MIT
# The law that CONTRIBUTING.md shows how to add is put into a copy of the kernel where the text says, compiled, and taken once
# inside and once outside its side condition.  Usage: law_recipe.py SOURCE_DIR FOLDPROOF FOLDPROOF_VERIFY
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

source, libraries = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve().parent
section = re.search(r"^### A law$(.*?)^### ", (source / "CONTRIBUTING.md").read_text(), re.M | re.S)
blocks = re.findall(r"^```cpp\n// (\S+), after: (.*?)\n(.*?)^```", section.group(1) if section else "", re.M | re.S)
if len(blocks) != 2:
    sys.exit(f"FAILED: CONTRIBUTING.md shows {len(blocks)} places of a law, not 2")

DRIVER = """
#include <cmath>
#include <cstdio>
#include "kernel/evaluate.hpp"
#include "kernel/laws.hpp"
using namespace foldproof;
int main() {
  kernel::Theory theory;
  kernel::Arena& arena = theory.arena;
  const int x = arena.tensor({.name = "x", .shape = {}});
  const kernel::Poly body = arena.of(arena.intern({.kind = kernel::AtomKind::entry, .name = x, .indices = {}, .variables = {}, .body = -1}));
  const kernel::Step step{kernel::Law::double_angle, {0}, {}};
  if (kernel::name(kernel::Law::double_angle) != "double-angle" || kernel::name(kernel::Law::one_hot) != "one-hot") return 2;
  const kernel::Poly sine = arena.apply(expr::Function::sin, body), other = arena.apply(expr::Function::exp, body);
  const auto after = kernel::apply(theory, sine[0], step);
  properties::Evaluator values(arena);
  for (const double at : {-2.0, 0.0, 0.7, 3.0}) {
    values.entry = [at](int, const auto&) { return at; };
    double sum = 0;
    for (const auto& m : after) sum += values.monomial(m, {});
    if (!(std::abs(sum - std::sin(at)) < 1e-12)) return 3;
  }
  try {
    kernel::apply(theory, other[0], step);
    return 4;
  } catch (const kernel::Reject&) {
  }
  std::puts("the law holds inside and is refused outside");
}
"""


def run(command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"FAILED: status {done.returncode} of {command[0]}: {done.stdout[-500:]}{done.stderr[-1500:]}")
    return done.stdout


with tempfile.TemporaryDirectory() as name:
    copy = pathlib.Path(name)
    shutil.copytree(source / "src/kernel", copy / "src/kernel")
    for file, after, text in blocks:
        path = copy / file
        lines = path.read_text().split("\n")
        at = next((i for i, line in enumerate(lines) if after in line), None)
        if at is None:
            sys.exit(f"FAILED: {file} has no line with {after!r}")
        lines.insert(at + 1, text.rstrip("\n"))
        path.write_text("\n".join(lines))
    (copy / "driver.cpp").write_text(DRIVER)
    files = [*sorted((copy / "src/kernel").glob("laws*.cpp")), copy / "driver.cpp"]
    flags = ["-std=c++20", "-O0", "-I", copy / "src", "-I", source / "src", "-I", source / "properties", "-c"]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda f: run(["c++", *flags, f, "-o", f.with_suffix(".o")]), files))
    parts = [f.with_suffix(".o") for f in files] + [libraries / f"libfoldproof_{layer}.a" for layer in ("kernel", "infer", "expr")]
    run(["c++", *parts, "-o", copy / "driver"])
    print("law_recipe:", run([copy / "driver"]).strip())
