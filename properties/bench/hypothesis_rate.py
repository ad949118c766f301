# SPDX-License-Identifier: MIT
"""The fold of foldproof-bench as a property of Hypothesis with NumPy: cases per second of processor time, as JSON.

Two usual ways to write it: arrays drawn by hypothesis.extra.numpy, and shapes with a seed for NumPy's own generator.
"""
import json
import time

try:
    import hypothesis
    import numpy
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st
    from hypothesis.extra import numpy as arrays
except ImportError as missing:
    print(json.dumps({"skipped": f"{missing.name} is not installed"}))
    raise SystemExit(0)

SIZES = st.integers(1, 64)
ENTRIES = st.floats(-1, 1)


def holds(x, a, b):
    left, right = (x @ a) @ b, x @ (a @ b)
    bound = 2 * (x.shape[1] + a.shape[1] + 2) * 2.0**-53 * (numpy.abs(x) @ (numpy.abs(a) @ numpy.abs(b))) * (1 + 1e-12) + 1e-300
    assert (numpy.abs(left - right) <= bound).all()


def rate(cases, strategy):
    """Cases per second of a property that receives what `strategy` draws."""
    ran = 0

    @settings(max_examples=cases, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def fold(factors):
        nonlocal ran
        ran += 1
        holds(*factors)

    start = time.process_time()
    fold()
    return ran / (time.process_time() - start)


@st.composite
def drawn_arrays(draw):
    n, a, b, c = (draw(SIZES) for _ in range(4))
    return [draw(arrays.arrays(numpy.float64, shape, elements=ENTRIES)) for shape in ((n, a), (a, b), (b, c))]


@st.composite
def seeded(draw):
    n, a, b, c = (draw(SIZES) for _ in range(4))
    random = numpy.random.Generator(numpy.random.Philox(draw(st.integers(0, 2**32 - 1))))
    return [random.uniform(-1, 1, shape) for shape in ((n, a), (a, b), (b, c))]


print(json.dumps({
    "versions": {"hypothesis": hypothesis.__version__, "numpy": numpy.__version__},
    "cases_per_second": {"arrays": round(rate(100, drawn_arrays()), 1), "shapes and a seed": round(rate(300, seeded()), 1)},
}))
