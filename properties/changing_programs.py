# SPDX-License-Identifier: MIT
"""Random programs whose functions and objects read what changes, or change it themselves, beside Python itself: what they compute of x is a number times x, and that number is asserted, or another one.

    changing_programs.py SOURCE FOLDPROOF FOLDPROOF_VERIFY [PROGRAMS [SEED]]
"""
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy as np

from checks import check, finish

foldproof = pathlib.Path(sys.argv[2]).resolve()
count, seed = (int(sys.argv[k]) if len(sys.argv) > k else otherwise for k, otherwise in ((4, 60), (5, 1)))

CLASS = """class Scale:
    def __init__(self, s):
        self.s = s
        self.twice = self.s * 2
    def __call__(self, x):
        return self.s * x + self.twice * x
    def again(self, x):
        return self.s * self(x)
    def grow(self, c):
        self.s = self.s * c
        return self.s
    def grown_again(self):
        return self.grow(2.0)
    def counted(self, x):
        self.twice += 1
        return self.twice * x"""


class Program:
    """Statements that define functions and objects, call them, and change what they read."""

    def __init__(self, draw):
        self.draw = draw
        self.numbers, self.functions, self.acting, self.makers, self.objects, self.results = ["a", "b", "c"], [], [], [], [], []
        self.lines = ["import numpy as np", "x = np.random.randn(3)", *(f"{n} = {draw.randint(1, 3)}.0" for n in self.numbers), CLASS]
        for _ in range(draw.randint(6, 14)):
            draw.choice([self.function, self.change, self.change, self.object, self.attribute, self.attribute, self.loop, self.result, self.actor, self.maker, self.act, self.act])()
        self.result()

    def any(self, names):
        return self.draw.choice(names)

    def value(self):
        choices = [f"{self.any(self.numbers)} * x"]
        if self.functions:
            choices += [f"{self.any(self.functions)}(x)"] * 2
        if self.objects:
            choices += [form.format(self.any(self.objects)) for form in ("{}(x)", "{}.again(x)", "{}.s * x", "{}.twice * x")]
        return self.any(choices)

    def function(self):
        name, body, number = f"f{len(self.functions)}", f"{self.value()} + {self.value()}", self.any(self.numbers)
        self.lines.append(self.any([f"def {name}(x):\n    return {body}", f"{name} = lambda x: {body}", f"def {name}(x, s={number}):\n    return s * x + {body}", f"def {name}(x):\n    {number} = 5.0\n    return {number} * x + {self.value().replace(number + ' *', '2 *')}"]))
        self.functions.append(name)

    def actor(self):
        """A function that changes an object, with a local that may be called as something outside of it is."""
        name, local = f"g{len(self.acting)}", self.any([*self.numbers, *self.results, "t"])
        keeps = self.any(["o.s = {0}", "o.s += {0}", "o.s = {0}\n    o.twice = o.s + c", "for k in range(2):\n        o.s = o.s + {0}"]).format(local)
        self.lines.append(f"def {name}(o, c):\n    {local} = o.s + c\n    {keeps}\n    return {local} * x + {self.value().replace(local + ' *', '2 *')}")
        self.acting.append(name)

    def maker(self):
        name, local = f"m{len(self.makers)}", self.any([*self.objects, "made"])
        self.lines.append(f"def {name}(c):\n    {local} = Scale(c + {self.any(self.numbers)})\n    {local}.s = {local}.s + 1\n    return {local}")
        self.makers.append(name)

    def act(self):
        """A call that changes something, alone or beside others that may read it."""
        calls = [f"{self.any(self.acting)}({self.any(self.objects)}, {self.any([*self.numbers, '2.0', self.any(self.objects) + '.s'])})"] * 3 if self.acting and self.objects else []
        calls += [form.format(self.any(self.objects)) for form in ("{}.grow(2.0) * x", "{}.counted(x)", "{}.grown_again() * x")] if self.objects else []
        if self.makers and self.draw.random() < 0.3:
            self.lines.append(f"o{len(self.objects)} = {self.any(self.makers)}({self.any(self.numbers)})")
            self.objects.append(f"o{len(self.objects)}")
        elif calls:
            call = self.any(calls)
            y = f"y{len(self.results)}"
            self.lines.append(self.any([f"{y} = {call}", f"{y} = {call}", f"{y} = {call} + {self.value()}", f"{y} = {self.value()} + {call}", f"{call.removesuffix(' * x')}\n{y} = {self.value()}", f"{y} = 0 * x\nfor i in range(2):\n    {y} = {y} + {call}", f"ys = [{call} for i in range(2)]\n{y} = ys[0] + ys[1]"]))
            self.results.append(y)

    def change(self):
        name = self.any(self.numbers)
        self.lines.append(self.any([f"{name} = {name} * {self.draw.randint(2, 3)}", f"{name} = {self.draw.randint(1, 5)}.0", f"{name} += 1", f"{name} = {name} + {self.any(self.numbers)}"]))

    def object(self):
        self.lines.append(f"o{len(self.objects)} = Scale({self.any(self.numbers + [o + '.s' for o in self.objects])})")
        self.objects.append(f"o{len(self.objects)}")

    def attribute(self):
        if self.objects:
            o = self.any(self.objects)
            self.lines.append(self.any([f"{o}.s = {self.draw.randint(1, 4)}.0", f"{o}.s = {o}.s * 2", f"{o}.s += 1", f"{o}.twice = {o}.s", f"{o}.s = {self.any(self.numbers)}"]))

    def loop(self):
        if self.results:
            self.lines.append(f"for i in range({self.draw.randint(1, 3)}):\n    {self.any(self.results)} = {self.any(self.results)} + {self.value()}")

    def result(self):
        self.lines.append(f"y{len(self.results)} = {self.value()}")
        self.results.append(f"y{len(self.results)}")


def factor_of(text, total):
    """What Python makes of x, as a number times x."""
    names = {}
    exec(f"{text}\ntotal = {total}\n", names)  # noqa: S102: the text is made above
    factors = names["total"] / names["x"]
    assert np.allclose(factors, factors[0])
    return round(float(factors[0]))


read = 0
with tempfile.TemporaryDirectory() as folder:
    for n in range(count):
        program = Program(random.Random(f"{seed} {n}"))
        text, total = "\n".join(program.lines), " + ".join(program.results)
        factor = factor_of(text, total)
        for asserted, wrong in ((factor, "refuted"), (factor + 1, "proved")):
            file = pathlib.Path(folder) / "program.py"
            file.write_text(f"{text}\nassert np.allclose({total}, {asserted}.0 * x)\n")
            verdict = subprocess.run([foldproof, "decide", file], capture_output=True, text=True, timeout=120).stdout.split()[:1]
            check(f"program {n} of seed {seed} with {asserted}", verdict in (["proved"], ["refuted"], ["invalid"]) and verdict != [wrong], (verdict, file.read_text()))
            read += verdict != ["invalid"]
check("most programs are read", read > count, f"{read} of {2 * count}")
finish("changing_programs", 2 * count)
