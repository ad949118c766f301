# SPDX-License-Identifier: MIT
"""The false properties of false_properties.hpp, found and shrunk by Hypothesis with NumPy: forms and processor time, as JSON.

Usage: hypothesis_shrink.py SEEDS. Arrays are drawn by hypothesis.extra.numpy, whose shrinker is the peer.
"""
import json
import random
import sys
import time

try:
    import numpy
    from hypothesis import HealthCheck, find, settings
    from hypothesis import strategies as st
    from hypothesis.errors import NoSuchExample
    from hypothesis.extra import numpy as arrays
except ImportError as missing:
    print(json.dumps({"skipped": f"{missing.name} is not installed"}))
    raise SystemExit(0)

numpy.seterr(all="ignore")
SIZES = st.integers(1, 33)
ENTRIES = st.floats(-1000, 1000)


@st.composite
def matrices(draw, *axes):
    """Matrices whose axes are named by letters; equal letters are equal sizes."""
    sizes = {}
    for axis in "".join(axes):
        if axis not in sizes:
            sizes[axis] = draw(SIZES)
    return [draw(arrays.arrays(numpy.float64, (sizes[a], sizes[b]), elements=ENTRIES)) for a, b in axes]


def softmax(x):
    e = numpy.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def differ(left, right, size, terms):
    return (numpy.abs(left - right) > 2 * terms * 2.0**-53 * size + 2.0**-1000).any()


def folds_differ(x, a, b, folded):
    terms = a.shape[0] + a.shape[1] + 2
    return differ((x @ a) @ b, x @ folded, numpy.abs(x) @ (numpy.abs(a) @ numpy.abs(b)), terms)


def not_additive(x, y):
    return differ(softmax(x + y), softmax(x) + softmax(y), 1, 4 * x.shape[1] + 40)


def not_commuting(x, a, b):
    size = numpy.abs(x) @ (numpy.abs(a) @ numpy.abs(b) + numpy.abs(b) @ numpy.abs(a))
    return differ((x @ a) @ b, x @ (b @ a), size, 2 * a.shape[0] + 2)


def not_finite(x):
    e = numpy.exp(x)
    return not numpy.isfinite(e / e.sum(axis=1, keepdims=True)).all()


def drops_last(x, a, b):
    return a.shape[1] % 8 == 5 and folds_differ(x, a, b, a[:, :-1] @ b[:-1, :])


def flips_row_16(x, a, b):
    if a.shape[0] < 17:
        return False
    folded = a @ b
    folded[16, numpy.abs(folded[16]) > 0.5] *= -1
    return folds_differ(x, a, b, folded)


PROPERTIES = {
    "F1": (not_additive, ("nm", "nm")),
    "F2": (not_commuting, ("na", "aa", "aa")),
    "F3": (not_finite, ("nm",)),
    "F4": (drops_last, ("na", "ab", "bc")),
    "F5": (flips_row_16, ("na", "ab", "bc")),
}


def shrunk(fails, axes, seeds):
    forms, times, missed, entries, nonzeros = set(), [], 0, 0, 0
    quiet = settings(max_examples=10000, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    for seed in range(seeds):
        start = time.process_time()
        try:
            minimal = find(matrices(*axes), lambda m: bool(fails(*m)), settings=quiet, random=random.Random(seed))
        except NoSuchExample:
            missed += 1
            continue
        times.append(1000 * (time.process_time() - start))
        entries, nonzeros = sum(m.size for m in minimal), sum(int(numpy.count_nonzero(m)) for m in minimal)
        forms.add(json.dumps([m.tolist() for m in minimal]))
    times.sort()
    result = {"seeds": seeds, "missed": missed, "forms": len(forms), "entries": entries, "nonzeros": nonzeros}
    return {**result, "median_ms": round(times[len(times) // 2], 3), "largest_ms": round(times[-1], 3)} if times else result


print(json.dumps({name: shrunk(*property, int(sys.argv[1])) for name, property in PROPERTIES.items()}))
