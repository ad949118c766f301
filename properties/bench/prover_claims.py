# SPDX-License-Identifier: MIT
"""Claims put to other provers: read from the file that foldproof-bench writes, and told in the other prover's terms.

Claims are NumPy expressions, so Python's own parser reads them. A Teller of a prover says how its values are added, multiplied, transposed
and so on; functions that are made of these, such as softmax, are spelled here once for all provers.
"""
import ast
import json
import os
import resource
import select
import signal
import time
from fractions import Fraction

MEGABYTES = 3072  # of one claim; Z3's time limit does not bound its memory


class Unstated(Exception):
    """The prover has no word for something in the claim; the text names it."""


class Teller:
    """The claim's names and the value of each of its expressions. `names` holds sizes, tensors and definitions."""

    operators = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.Div: "divide", ast.MatMult: "matmul", ast.Pow: "power",
                 ast.FloorDiv: "floor_divide", ast.Mod: "modulo"}

    def __init__(self, claim):
        self.claim, self.names = claim, {}

    def define(self):
        """The definitions of the claim, in order; sizes and tensors have their names by now."""
        for name, text in self.claim["let"]:
            self.names[name] = self.tell(text)

    def sides(self):
        return self.tell(self.claim["lhs"]), self.tell(self.claim["rhs"])

    def tell(self, text):
        return self.value(ast.parse(text.strip(), mode="eval").body)

    def value(self, node):
        if isinstance(node, ast.Constant):
            return self.number(Fraction(repr(node.value)))
        if isinstance(node, ast.Name):
            if node.id not in self.names:
                raise Unstated(node.id)
            return self.names[node.id]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return self.negative(self.value(node.operand))
        if isinstance(node, ast.BinOp) and hasattr(self, self.operators[type(node.op)]):
            return getattr(self, self.operators[type(node.op)])(self.value(node.left), self.value(node.right))
        if isinstance(node, ast.Attribute) and node.attr == "T":
            return self.transposed(self.value(node.value))
        if isinstance(node, ast.Subscript):
            return self.index(self.value(node.value), node.slice)
        if isinstance(node, ast.List):
            return [self.value(item) for item in node.elts]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self.call(node)
        raise Unstated(ast.unparse(node))

    def call(self, node):
        function = getattr(self, "f_" + node.func.id, None)
        if function is None:
            raise Unstated(node.func.id)
        if len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            return self.f_sum_of(self.items(node.args[0])) if node.func.id == "sum" else function(*self.items(node.args[0]))
        return function(*map(self.value, node.args), **{k.arg: self.value(k.value) for k in node.keywords})

    def items(self, node):
        """The values of `item for i in range(count)`."""
        loop = node.generators[0]
        count = self.count(self.value(loop.iter.args[0]))
        outer, items = dict(self.names), []
        for i in range(count):
            self.names[loop.target.id] = i
            items.append(self.value(node.elt))
        self.names = outer
        return items

    # What follows from the operations of a prover.
    def subtract(self, a, b):
        return self.add(a, self.negative(b))

    def negative(self, a):
        return self.multiply(self.number(Fraction(-1)), a)

    def f_sum_of(self, items):
        total = items[0]
        for item in items[1:]:
            total = self.add(total, item)
        return total

    def f_sum(self, x, axis=None):
        return self.total(self.total(x, 1), 0) if axis is None else self.total(x, axis)

    def f_rowsum(self, x):
        return self.total(x, 1)

    def f_colsum(self, x):
        return self.total(x, 0)

    def f_mean(self, x, axis=1):
        return self.divide(self.total(x, axis), self.size(x, axis))

    f_rowmean = f_mean

    def f_colmean(self, x):
        return self.f_mean(x, 0)

    def f_exp(self, x):
        return self.apply("exp", x)

    def f_log(self, x):
        return self.apply("log", x)

    def f_sqrt(self, x):
        return self.power(x, Fraction(1, 2))

    def f_rsqrt(self, x):
        return self.power(x, Fraction(-1, 2))

    def f_softmax(self, x, axis=1):
        e = self.f_exp(x)
        return self.divide(e, self.total(e, axis))

    def f_softmax1(self, x):
        e = self.f_exp(x)
        return self.divide(e, self.add(self.number(Fraction(1)), self.total(e, 1)))

    def f_lse(self, x):
        return self.f_log(self.total(self.f_exp(x), 1))

    def f_log_softmax(self, x):
        return self.subtract(x, self.f_lse(x))

    def f_sigmoid(self, x):
        one = self.number(Fraction(1))
        return self.divide(one, self.add(one, self.f_exp(self.negative(x))))

    def f_silu(self, x):
        return self.multiply(x, self.f_sigmoid(x))

    def f_tanh(self, x):
        one, two = self.number(Fraction(1)), self.number(Fraction(2))
        return self.subtract(one, self.divide(two, self.add(one, self.f_exp(self.multiply(two, x)))))

    def f_rmsnorm(self, x):
        return self.multiply(x, self.f_rsqrt(self.f_mean(self.multiply(x, x))))

    def f_layernorm(self, x):
        return self.f_rmsnorm(self.subtract(x, self.f_mean(x)))

    def f_l2norm(self, x):
        return self.multiply(x, self.f_rsqrt(self.total(self.multiply(x, x), 1)))


def processor_ms():
    return 1000 * time.process_time()


def in_a_child(job, seconds):
    """What `job` returns, computed in a process of its own that is ended after so many seconds, or None; and the processor time of that process in ms."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        resource.setrlimit(resource.RLIMIT_AS, (MEGABYTES << 20, MEGABYTES << 20))
        try:
            answer = job()
        except Exception as error:  # of the prover's own
            answer = {"answer": "open", "says": f"raised {type(error).__name__}: {error}"[:200], "ms": processor_ms()}
        with os.fdopen(writer, "w") as pipe:
            json.dump(answer, pipe)
        os._exit(0)
    os.close(writer)
    text, end = b"", time.monotonic() + seconds
    while select.select([reader], [], [], max(0, end - time.monotonic()))[0]:
        piece = os.read(reader, 1 << 16)
        if not piece:
            break
        text += piece
    else:
        os.kill(child, signal.SIGKILL)
    os.close(reader)
    usage = os.wait4(child, 0)[2]
    milliseconds = round(1000 * (usage.ru_utime + usage.ru_stime), 4)
    try:
        return json.loads(text), milliseconds
    except ValueError:
        return None, milliseconds


def ask(decide, path, seconds, rounds):
    """{id: answer} of all claims of the file; `decide(claim)` gives {"answer", "says", ...}, and "ms" is the least time of the rounds.

    Answers: holds, fails, open, unstated. A claim gets fewer rounds when they take long together.
    """
    def repeated(claim):
        best, total = None, 0
        for _ in range(rounds):
            start = processor_ms()
            try:
                answer = decide(claim)
            except Unstated as construct:
                return {"answer": "unstated", "says": str(construct)}
            answer["ms"] = round(processor_ms() - start, 4)
            total += answer["ms"]
            if best is None or answer["ms"] < best["ms"]:
                best = answer
            if total > 500:
                break
        return best

    answers = {}
    for claim in json.loads(open(path, encoding="utf-8").read()):
        answer, milliseconds = in_a_child(lambda: repeated(claim), seconds + 2)  # Z3 does not always keep to its time limit
        answers[claim["id"]] = answer or {"answer": "open", "says": f"ended after {seconds + 2} s or at {MEGABYTES} MB", "ms": milliseconds}
    return answers
