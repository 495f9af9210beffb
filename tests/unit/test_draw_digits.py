"""Pictures whose numbers ten digits do not tell apart."""

import numpy as np
import pandas as pd

from dtlib import CARTClassifier, CARTRegressor
from dtlib.book import pictures
from dtlib.dialects import CARTDialect
from tests.private import subclass_with

BIG, DATES = 1e12 + np.arange(4.0), 1.7e12 + 20 * np.arange(4.0)
STRICT = subclass_with(CARTDialect, strict=True)()


def column(x):
    return pd.DataFrame({"x": x})


def test_pictures_say_thresholds_as_the_tree_does():
    frame = pd.DataFrame({"x": BIG, "z": [1.0, 2, 1, 2], "y": list("aabb")})
    tree = CARTClassifier().fit(frame[["x", "z"]], frame["y"]).tree_
    plane = pictures.plane(tree, frame, "y", x="x", y="z")
    assert "x ≤ 1000000000001.5: predicted a" in plane.description
    assert ">1000000000001.5<" in plane.svg
    cuts = pictures.cuts(DATES, list("aabb"), feature="t").description
    assert cuts.startswith("t ≤ 1700000000010: 0.311 bits; t ≤ 1700000000030: 1.000 bits (chosen)")
    assert cuts.endswith("a: 1700000000000, 1700000000020. b: 1700000000040, 1700000000060.")
    means = pictures.two_means(BIG, [1, 2, 8, 9], 1e12 + 1.5).description
    assert "Up to 1000000000001.5: 2 of mean 1.5" in means


def test_staircases_say_thresholds_and_different_steps():
    X, y = column(BIG), [1e6, 1e6 + 1, 5, 9]
    steps = pictures.steps({"tree": CARTRegressor().fit(X, y).tree_}, BIG, y).description
    assert "1000000 up to 1000000000000.5, 1000001 up to 1000000000001.5" in steps
    strict = CARTRegressor(dialect=STRICT, max_depth=1).fit(column([1.0, 3]), [4, 9]).tree_
    assert "tree: 4 below 2, 9 from 2." in pictures.steps({"tree": strict}, [1, 3], [4, 9]).description


def test_slanted_tests_have_all_digits_where_ten_send_a_sample_elsewhere():
    frame = pd.DataFrame({"x": [1 + 2e-12, 1 + 1e-11], "y": [1.0, 1], "side": ["a", "b"]})
    said = pictures.slanted(frame, "side", {"t": (1, 1, 2 + 5e-12)}, x="x", y="y").description
    assert said == "t: x + y at most 2.000000000005: 0 a; more: 1 b."
