# SPDX-License-Identifier: MIT
"""Claims put to SymPy's matrix expressions, whose sizes are symbols: an answer is for all shapes. Prints JSON.

Usage: prover_sympy.py CLAIMS SECONDS ROUNDS. "holds" when the sides are equal as written, or after doit, expand, block_collapse, refine
(with what is assumed) or simplify, in this order. Sides that stay different show nothing: that is open. "fails" when their difference is a number.
"""
import ast
import json
import sys
from fractions import Fraction

from prover_claims import Teller, Unstated, ask

try:
    import sympy
    from sympy import Q
    from sympy.core.cache import clear_cache
    from sympy.matrices.expressions.blockmatrix import BlockMatrix, block_collapse
    from sympy.matrices.expressions.diagonal import DiagMatrix, DiagonalMatrix
    from sympy.matrices.expressions.hadamard import HadamardPower, HadamardProduct
    from sympy.matrices.expressions.kronecker import KroneckerProduct
    from sympy.matrices.expressions.matexpr import MatrixExpr
    from sympy.matrices.expressions.special import Identity, OneMatrix, ZeroMatrix
except ImportError as missing:
    print(json.dumps({"skipped": f"{missing.name} is not installed"}))
    raise SystemExit(0)

OF_SCALARS = {"positive": {"positive": True}, "nonnegative": {"nonnegative": True}, "nonzero": {"nonzero": True}}
OF_MATRICES = {"orthogonal": Q.orthogonal, "invertible": Q.invertible, "symmetric": Q.symmetric}
OF_RELATIONS = {ast.Gt: "positive", ast.GtE: "nonnegative", ast.NotEq: "nonzero"}

ENTRY = sympy.Symbol("entry", real=True)  # one for all: two Lambdas are equal when their variables are
ENTRYWISE = {"exp": sympy.Lambda(ENTRY, sympy.exp(ENTRY)), "log": sympy.Lambda(ENTRY, sympy.log(ENTRY)), "relu": sympy.Lambda(ENTRY, sympy.Max(ENTRY, 0))}


def is_matrix(x):
    return isinstance(x, MatrixExpr)


class SymPyTeller(Teller):
    def __init__(self, claim):
        super().__init__(claim)
        self.assumed, scalars = [], {}
        nodes = [ast.parse(text.strip(), mode="eval").body for text in claim["assume"]]
        nodes = [node for node in nodes if not self.of_a_scalar(node, scalars)]
        self.names = {word: sympy.Symbol(word, integer=True, positive=True) for word in self.sizes()}
        self.bind(nodes)
        for name, shape in claim["shapes"].items():
            if len(shape) not in (0, 2):
                raise Unstated(f"a tensor of {len(shape)} axes")
            self.names[name] = sympy.MatrixSymbol(name, *map(self.tell, shape)) if shape else sympy.Symbol(name, **{"real": True, **scalars.get(name, {})})
        self.bind(nodes)
        self.define()
        for node in nodes:
            self.assume(node)

    def sizes(self):
        texts = [self.claim["lhs"], self.claim["rhs"], *self.claim["assume"], *(text for _, text in self.claim["let"])]
        texts += [axis for shape in self.claim["shapes"].values() for axis in shape]
        words = {node.id for text in texts for node in ast.walk(ast.parse(text.strip(), mode="eval")) if isinstance(node, ast.Name)}
        return words - set(self.claim["shapes"]) - {name for name, _ in self.claim["let"]}

    def of_a_scalar(self, node, scalars):
        """What is assumed of a scalar becomes part of its symbol: positive(c), c > 0."""
        if isinstance(node, ast.Call):
            name, one = node.func.id, node.args[0]
        elif ast.unparse(node.comparators[0]) == "0" and type(node.ops[0]) in OF_RELATIONS:
            name, one = OF_RELATIONS[type(node.ops[0])], node.left
        else:
            return False
        if name not in OF_SCALARS or not isinstance(one, ast.Name) or self.claim["shapes"].get(one.id) != []:
            return False
        scalars.setdefault(one.id, {}).update(OF_SCALARS[name])
        return True

    def bind(self, nodes):
        """Equations that give a name its value: d == 512, W_Q == eye(d)."""
        for node in list(nodes):
            if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.Eq) or not isinstance(node.left, ast.Name):
                continue
            words = {part.id for part in ast.walk(node.comparators[0]) if isinstance(part, ast.Name)}
            if node.left.id in words or (words | {node.left.id}) & set(self.claim["shapes"]) - set(self.names):
                continue
            self.names[node.left.id] = self.value(node.comparators[0])
            nodes.remove(node)

    def assume(self, node):
        if not isinstance(node, ast.Call):
            raise Unstated("an equation or order between matrices as an assumption")
        if node.func.id not in OF_MATRICES:
            raise Unstated(f"the assumption {node.func.id}")
        self.assumed.append(OF_MATRICES[node.func.id](self.value(node.args[0])))

    def count(self, value):
        if not isinstance(value, int):
            raise Unstated("a symbolic number of heads")
        return value

    def number(self, value):
        return int(value) if value.denominator == 1 else sympy.Rational(value.numerator, value.denominator)

    # Operations. A row or column meets a matrix by a product with ones.
    def shaped(self, x, shape):
        if not is_matrix(x):
            return x * OneMatrix(*shape)
        if x.rows == 1 and shape[0] != 1:
            x = OneMatrix(shape[0], 1) * x
        return x * OneMatrix(1, shape[1]) if x.cols == 1 and shape[1] != 1 else x

    def together(self, a, b):
        rows, columns = (next((size for x in (a, b) if is_matrix(x) for size in [x.shape[k]] if size != 1), sympy.Integer(1)) for k in (0, 1))
        return self.shaped(a, (rows, columns)), self.shaped(b, (rows, columns))

    def add(self, a, b):
        if is_matrix(a) or is_matrix(b):
            a, b = self.together(a, b)
        return a + b

    def multiply(self, a, b):
        return HadamardProduct(*self.together(a, b)) if is_matrix(a) and is_matrix(b) else a * b

    def divide(self, a, b):
        return self.multiply(a, self.power(b, -1))

    def power(self, a, exponent):
        return HadamardPower(a, sympy.sympify(exponent)) if is_matrix(a) else sympy.sympify(a) ** sympy.sympify(exponent)

    def matmul(self, a, b):
        return a * b

    def transposed(self, a):
        return a.T

    def apply(self, name, x):
        return x.applyfunc(ENTRYWISE[name]) if is_matrix(x) else ENTRYWISE[name](x)

    def total(self, x, axis):
        return x * OneMatrix(x.cols, 1) if axis == 1 else OneMatrix(1, x.rows) * x

    def size(self, x, axis):
        return x.shape[axis]

    def f_sum(self, x, axis=None):
        return sympy.Trace(x * OneMatrix(x.cols, x.rows)) if axis is None else self.total(x, axis)

    def index(self, value, subscripts):
        if not is_matrix(value):
            raise Unstated("an index")
        parts = list(subscripts.elts) if isinstance(subscripts, ast.Tuple) else [subscripts]
        parts += [ast.Slice()] * (2 - len(parts))
        if not all(isinstance(part, ast.Slice) for part in parts):
            raise Unstated("an index")
        return value[tuple(slice(self.value(p.lower) if p.lower else 0, self.value(p.upper) if p.upper else size) for p, size in zip(parts, value.shape))]

    # Functions.
    def f_relu(self, x):
        return self.apply("relu", x)

    def f_eye(self, n):
        return Identity(n)

    def f_ones(self, rows, columns):
        return OneMatrix(rows, columns)

    def f_zeros(self, rows, columns):
        return ZeroMatrix(rows, columns)

    def f_diag(self, v):
        return DiagMatrix(v.T if v.rows == 1 else v) if 1 in v.shape else DiagonalMatrix(v)

    def f_trace(self, a):
        return sympy.Trace(a)

    def f_inv(self, a):
        return a.I

    def f_kron(self, a, b):
        return KroneckerProduct(a, b)

    def f_concat(self, *items, axis=1):
        items = list(items[0] if isinstance(items[0], list) else items)
        return BlockMatrix([items] if axis == 1 else [[item] for item in items])

    def f_vstack(self, *items):
        return self.f_concat(*items, axis=0)


def steps(assumed):
    yield "as written", lambda e: e
    yield "after doit", lambda e: e.doit()
    yield "after expand", lambda e: e.expand().doit()
    yield "after block_collapse", lambda e: block_collapse(e.expand().doit())
    if assumed:
        yield "after refine", lambda e: sympy.refine(e.expand().doit(), sympy.And(*assumed)).doit()
    yield "after simplify", sympy.simplify


def is_zero(e):
    return e == 0 or isinstance(e, ZeroMatrix)


def decide(claim):
    clear_cache()
    teller = SymPyTeller(claim)
    lhs, rhs = (sympy.sympify(side) for side in teller.sides())
    if is_matrix(lhs) != is_matrix(rhs) or is_matrix(lhs) and lhs.shape != rhs.shape:
        lhs, rhs = teller.together(lhs, rhs)
    if claim["relation"] == "<=":
        return at_most(lhs, rhs)
    for says, step in steps(teller.assumed):
        try:
            left, right = step(lhs), step(rhs)
            if left == right or is_zero(step(left - right)):
                return {"answer": "holds", "says": says}
        except (AttributeError, NotImplementedError, TypeError, ValueError):
            continue  # this step of SymPy cannot take the expression
    if not is_matrix(lhs) and sympy.expand(lhs - rhs).is_number:
        return {"answer": "fails", "says": "the difference is a number"}
    return {"answer": "open", "says": "not equal after any step"}


def at_most(lhs, rhs):
    if is_matrix(lhs):
        raise Unstated("an order between matrices")
    slack = sympy.expand(rhs - lhs)
    if slack.is_nonnegative:
        return {"answer": "holds", "says": "the difference is not negative"}
    return {"answer": "fails", "says": "the difference is negative"} if slack.is_negative else {"answer": "open", "says": "the sign of the difference is not known"}


if __name__ == "__main__":
    path, seconds, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    print(json.dumps({"version": sympy.__version__, "answers": ask(decide, path, seconds, rounds)}))
