# SPDX-License-Identifier: MIT
"""Claims put to Z3 at one small shape: every entry a real variable, and the question whether the sides can differ. Prints JSON.

Usage: prover_z3.py CLAIMS SIZE SECONDS ROUNDS. Every free size is SIZE. "holds" (unsat) speaks of this shape only; "fails" (sat) comes with the
counterexample. exp and log are not of Z3's reals: each of their values is a fresh variable, one for each argument, positive for exp.
So "unsat" still holds, but "sat" shows nothing and is open. Claims about sizes alone are put for all sizes, as integers.
"""
import ast
import itertools
import json
import math
import sys
import time
from fractions import Fraction

from prover_claims import Teller, Unstated, ask

try:
    import z3
    import numpy
except ImportError as missing:
    print(json.dumps({"skipped": f"{missing.name} is not installed"}))
    raise SystemExit(0)

MOST_ENTRIES = 5000
RELATIONS = {ast.Eq: lambda a, b: a == b, ast.NotEq: lambda a, b: a != b, ast.LtE: lambda a, b: a <= b, ast.Lt: lambda a, b: a < b,
             ast.GtE: lambda a, b: a >= b, ast.Gt: lambda a, b: a > b}


def known(x):
    return isinstance(x, (int, Fraction))


def whole(x):
    """The integer of a NumPy scalar, for indices and shapes."""
    return int(array(x)[()])


def array(x):
    if isinstance(x, numpy.ndarray):
        return x
    out = numpy.empty((), dtype=object)
    out[()] = x
    return out


def entries(function, *operands):
    return array(numpy.frompyfunc(function, len(operands), 1)(*map(array, operands)))


def words_of(claim):
    """The names in a claim without tensors and functions: sizes, all of them."""
    texts = [claim["lhs"], claim["rhs"], *claim["assume"]]
    return sorted({node.id for text in texts for node in ast.walk(ast.parse(text.strip(), mode="eval")) if isinstance(node, ast.Name)})


def as_condition(c):
    return c if z3.is_expr(c) else z3.BoolVal(bool(c))


def term(x):
    return x if z3.is_expr(x) else z3.RealVal(str(x))


def choice(condition, x, y):
    return z3.If(as_condition(condition), term(x), term(y))


class Z3Teller(Teller):
    """Values are NumPy arrays of numbers and Z3 terms. `conditions`: what is assumed, and where every part of the claim has a value."""

    def __init__(self, claim, size):
        super().__init__(claim)
        self.conditions, self.fresh, self.applied, self.variables = [], itertools.count(), {}, {}
        self.symbolic = not claim["shapes"]
        if self.symbolic:
            self.names = {name: z3.Int(name) for name in words_of(claim)}
            self.conditions += [n >= 1 for n in self.names.values()]
        else:
            self.names = {name: size for name in claim["dimensions"]}
            self.bind()
        for name, shape in claim["shapes"].items():
            shape = [whole(self.tell(axis)) for axis in shape]
            if math.prod(shape) > MOST_ENTRIES:
                raise Unstated("too many entries")
            value = numpy.empty(shape, dtype=object)
            for at in numpy.ndindex(*shape):
                value[at] = z3.Real(name + "".join(f"_{i}" for i in at))
            self.names[name] = self.variables[name] = value
        self.bind()
        self.define()
        for text in claim["assume"]:
            self.assume(ast.parse(text.strip(), mode="eval").body)

    def bind(self):
        """Equations that give a name its value where it has none yet: d == h*k, W_Q == eye(d)."""
        if self.symbolic:
            return
        for text in self.claim["assume"]:
            node = ast.parse(text.strip(), mode="eval").body
            if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.Eq) or not isinstance(node.left, ast.Name):
                continue
            if node.left.id in self.names or node.left.id in self.claim["shapes"]:
                continue
            try:
                value = array(self.value(node.comparators[0]))
            except Unstated:
                continue  # of tensors, which have their names later
            self.names[node.left.id] = value if value.ndim or not known(value[()]) else value[()]

    count = staticmethod(whole)

    def number(self, value):
        return int(value) if value.denominator == 1 else value

    def real(self):
        return z3.Real(f"_{next(self.fresh)}")

    # Operations, entry by entry.
    def add(self, a, b):
        return array(array(a) + array(b))

    def multiply(self, a, b):
        return array(array(a) * array(b))

    def quotient(self, a, b):
        if known(b):
            if b == 0:
                raise Unstated("a division by zero")
            return self.number(Fraction(a) / b) if known(a) else a * Fraction(1, b)
        if self.symbolic:
            raise Unstated("a quotient of sizes")
        return a * self.once("inverse", b, lambda v: [v * b == 1])

    def divide(self, a, b):
        return entries(self.quotient, a, b)

    def floor_divide(self, a, b):
        return whole(a) // whole(b)

    def modulo(self, a, b):
        return whole(a) % whole(b)

    def matmul(self, a, b):
        return array(array(a) @ array(b))

    def power(self, x, exponent):
        exponent = Fraction(array(exponent)[()])
        return entries(lambda entry: self.power_of(entry, exponent), x)

    def power_of(self, x, exponent):
        if exponent < 0:
            return self.quotient(1, self.power_of(x, -exponent))
        if exponent.denominator == 1:
            return math.prod([x] * int(exponent))
        if exponent.denominator != 2:
            raise Unstated(f"the power {exponent}")
        return self.root(x) if exponent.numerator == 1 else math.prod([self.root(x)] * exponent.numerator)

    def root(self, x):
        if known(x) and x >= 0 and math.isqrt(Fraction(x).numerator) ** 2 == Fraction(x).numerator and Fraction(x).denominator == 1:
            return math.isqrt(x)
        return self.once("sqrt", x, lambda r: [r >= 0, r * r == x])

    def once(self, name, x, law):
        """The fresh variable that stands for name(x), one for each argument up to the order of sums and products."""
        key = name, x if known(x) else z3.simplify(x, som=True, sort_sums=True).sexpr()
        if key not in self.applied:
            self.applied[key] = self.real()
            self.conditions += law(self.applied[key])
        return self.applied[key]

    def apply(self, name, x):
        laws = {"exp": lambda t: lambda v: [v > 0], "log": lambda t: lambda v: [t > 0]}
        return entries(lambda t: self.once(name, t, laws[name](t)), x)

    def transposed(self, a):
        return array(array(a).T)

    def total(self, x, axis):
        return array(x).sum(axis=whole(axis), keepdims=True)

    def size(self, x, axis):
        return array(x).shape[whole(axis)]

    def index(self, value, subscripts):
        def one(node):
            if isinstance(node, ast.Slice):
                return slice(*(None if end is None else whole(self.value(end)) for end in (node.lower, node.upper)))
            return whole(self.value(node))
        return array(value[tuple(map(one, subscripts.elts)) if isinstance(subscripts, ast.Tuple) else one(subscripts)])

    # Functions.
    def f_relu(self, x):
        return entries(lambda t: choice(t > 0, t, 0), x)

    def f_abs(self, x):
        return entries(lambda t: choice(t > 0, t, -t), x)

    def maxima(self, x, axis):
        larger = numpy.frompyfunc(lambda a, b: choice(a > b, a, b), 2, 1)
        return array(larger.reduce(x, axis=axis, keepdims=True))

    def f_rowmax(self, x):
        return self.maxima(x, 1)

    def f_colmax(self, x):
        return self.maxima(x, 0)

    def f_eye(self, n):
        return numpy.array(numpy.eye(whole(n), dtype=int), dtype=object)

    def f_ones(self, *shape):
        return numpy.full([whole(n) for n in shape], 1, dtype=object)

    def f_zeros(self, *shape):
        return numpy.full([whole(n) for n in shape], 0, dtype=object)

    def f_tril(self, n):
        if array(n).ndim:
            raise Unstated("tril of a matrix")
        return numpy.array(numpy.tri(whole(n), dtype=int), dtype=object)

    def f_diag(self, v):
        flat = v.reshape(-1)
        out = self.f_zeros(len(flat), len(flat))
        numpy.fill_diagonal(out, flat)
        return out

    def f_diagonal(self, a):
        return numpy.diagonal(a)

    def f_trace(self, a):
        return array(numpy.trace(a))

    def f_kron(self, a, b):
        return numpy.kron(a, b)

    def f_rowkron(self, a, b):
        return array(numpy.stack([numpy.kron(x, y) for x, y in zip(a, b)]))

    def f_inv(self, a):
        out = entries(lambda _: self.real(), a)
        eye = self.f_eye(len(a))
        for product in (a @ out, out @ a):
            self.conditions += [x == y for x, y in zip(product.flat, eye.flat)]
        return out

    def has_inverse(self, a):
        self.f_inv(a)
        return []

    def f_onehot(self, t, count):
        for entry in t.flat:
            self.conditions.append(z3.Or([entry == j for j in range(whole(count))]))
        return entries(lambda entry, j: choice(entry == j, 1, 0), t[:, None], numpy.arange(whole(count)).astype(object)[None, :])

    def f_take(self, table, t):
        return self.matmul(self.f_onehot(t, len(table)), table)

    def f_reshape(self, x, *shape):
        return x.reshape([whole(n) for n in shape])

    def f_transpose(self, x, *axes):
        return x.transpose([whole(n) for n in axes]) if axes else x.T

    def f_stack(self, *items):
        return numpy.stack(items)

    def f_concat(self, *items, axis=1):
        return numpy.concatenate(items[0] if isinstance(items[0], list) else items, axis=whole(axis))

    def f_vstack(self, *items):
        return numpy.concatenate(items[0] if isinstance(items[0], list) else items, axis=0)

    # Assumptions.
    def assume(self, node):
        if isinstance(node, ast.Compare):
            relation = RELATIONS[type(node.ops[0])]
            self.conditions += list(entries(relation, self.value(node.left), self.value(node.comparators[0])).flat)
        else:
            self.conditions += self.predicate(node.func.id, self.value(node.args[0]))

    def predicate(self, name, a):
        def same(x, y):
            return [p == q for p, q in zip(x.flat, array(y).flat)]
        rows_one = same(a.sum(axis=-1), self.f_ones(len(a))) if a.ndim == 2 else []
        binary = [z3.Or(x == 0, x == 1) for x in a.flat]
        meaning = {"positive": lambda: [x > 0 for x in a.flat], "nonnegative": lambda: [x >= 0 for x in a.flat], "nonzero": lambda: [x != 0 for x in a.flat],
                   "mask01": lambda: binary, "onehot": lambda: binary + rows_one, "rowstochastic": lambda: [x >= 0 for x in a.flat] + rows_one,
                   "orthogonal": lambda: same(a.T @ a, self.f_eye(len(a))) + same(a @ a.T, self.f_eye(len(a))),
                   "permutation": lambda: binary + rows_one + same(a.sum(axis=0), self.f_ones(len(a))),
                   "symmetric": lambda: same(a, a.T), "invertible": lambda: self.has_inverse(a)}
        if name not in meaning or a.ndim > 2:
            raise Unstated(f"the assumption {name}")
        return meaning[name]()


def question(teller):
    """True where the claim fails."""
    violated = {"==": RELATIONS[ast.NotEq], "<=": RELATIONS[ast.Gt]}[teller.claim["relation"]]
    differences = [violated(a, b) for a, b in numpy.broadcast(*map(array, teller.sides()))]
    return z3.And([as_condition(c) for c in teller.conditions] + [z3.Or([as_condition(d) for d in differences])])


def decide(claim, size, seconds):
    teller = Z3Teller(claim, size)
    asked = question(teller)
    made_up = any(name in ("exp", "log") for name, _ in teller.applied)
    start = time.process_time()
    solvers = [z3.Solver()] if teller.symbolic else [z3.Tactic("qfnra-nlsat").solver(), z3.Solver()]
    for solver in solvers:  # Z3's own tactic for polynomials is the faster one; what it leaves open its default may decide
        solver.set("timeout", int(1000 * seconds / len(solvers)))
        solver.add(asked)
        result = solver.check()
        if result != z3.unknown:
            break
    answer = {"solver_ms": round(1000 * (time.process_time() - start), 4)}
    if result == z3.unsat:
        return {"answer": "holds", "says": "for all sizes" if teller.symbolic else f"at size {size}", **answer}
    if result == z3.unknown:
        return {"answer": "open", "says": solver.reason_unknown() or "unknown", **answer}
    if made_up:
        return {"answer": "open", "says": "differs for some function in place of exp or log", **answer}
    model = solver.model()
    if not z3.is_true(model.eval(asked, model_completion=True)):
        return {"answer": "open", "says": "the model could not be checked", **answer}
    values = {name: [str(model.eval(x, model_completion=True)) for x in array(value).flat] for name, value in teller.variables.items()}
    if teller.symbolic:
        values = {name: [str(model.eval(n, model_completion=True))] for name, n in teller.names.items()}
    return {"answer": "fails", "says": "sizes of its own" if teller.symbolic else f"at size {size}", "counterexample": values, **answer}


if __name__ == "__main__":
    path, size, seconds, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    print(json.dumps({"version": z3.get_version_string(), "answers": ask(lambda claim: decide(claim, size, seconds), path, seconds, rounds)}))
