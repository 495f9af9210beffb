"""From counts as from rows: weights and costs of classes, drawn features, numbers to be predicted."""

import sqlite3
from contextlib import closing

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

import dtlib.sources.spread as spread
from dtlib import CARTClassifier, CARTRegressor, Prior
from dtlib.dialects import CARTDialect
from dtlib.growing import intervals
from dtlib.out_of_core import Batches, Database, grow_from
from tests.drawn import examples

LOSS = [[0, 5, 1.3], [1, 0, 1], [0.7, 1, 0]]
CLASSIFIERS = [
    CARTClassifier(class_weight="balanced"),
    CARTClassifier(class_weight="balanced", criterion="entropy", min_samples_leaf=0.1),
    CARTClassifier(class_weight={0: 0.1, 1: 0.3, 2: 1 / 3}, dialect=CARTDialect(samples="rows"),
                   min_samples_leaf=3),
    CARTClassifier(class_weight={0: 0, 1: 2}, min_weight_fraction_leaf=0.2),
    CARTClassifier(class_weight=Prior({0: 0.2, 1: 0.3, 2: 0.5}), leaf_shares="laplace"),
    CARTClassifier(loss=LOSS, min_samples_leaf=4),
    CARTClassifier(loss=LOSS, class_weight={1: 0.7}, criterion="error"),
    CARTClassifier(loss=LOSS, class_weight=Prior({0: 0.6, 1: 0.3, 2: 0.1}), max_leaf_nodes=4),
    CARTClassifier(max_features=1, random_state=7),
    CARTClassifier(max_features=2, random_state=3, class_weight="balanced", nominal="one_vs_rest"),
    CARTClassifier.sklearn(class_weight="balanced", min_samples_leaf=2, ccp_alpha=0.01),
]  # fmt: skip
REGRESSORS = [
    CARTRegressor(),
    CARTRegressor(min_samples_leaf=3, nominal="one_vs_rest"),
    CARTRegressor(max_features=1, random_state=5, min_impurity_decrease=0.01),
    CARTRegressor(ccp_alpha=0.02, max_depth=4),
    CARTRegressor(max_leaf_nodes=5),
    CARTRegressor.sklearn(min_samples_split=5),
]


@st.composite
def tables(draw):
    """Return columns of all kinds, of which the last is `y`; whether some values are missing."""
    rng, n = np.random.default_rng(draw(st.integers(0, 2**32 - 1))), draw(st.sampled_from([7, 30, 150]))
    x = rng.normal(size=n)
    frame = pd.DataFrame({
        "x": x,
        "few": rng.integers(0, 4, n),
        "half": rng.integers(0, 30, n) / 2,
        "name": rng.choice(list("pqrs"), n).astype(object),
        "size": pd.Categorical(rng.choice(["s", "m", "l"], n), ["s", "m", "l"], ordered=True),
    })  # fmt: skip
    some = draw(st.permutations(list(frame)))[: draw(st.integers(1, 5))]
    holes = draw(st.booleans())
    for name in some if holes else ():
        frame[name] = frame[name].where(rng.random(n) < 0.8)
    kept = [name for name in some if frame[name].notna().any()] or ["x"]
    frame = frame[kept].fillna({"x": 0.0}) if kept == ["x"] else frame[kept]
    labels = np.clip(np.rint(x + rng.normal(size=n)), 0, 2).astype(int)
    labels[:3] = 0, 1, 2
    kinds = {"few": rng.integers(0, 5, n) / 10, "price": np.round(np.exp(x) + rng.random(n), 2), "real": x**3}
    return frame, labels, kinds[draw(st.sampled_from(sorted(kinds)))], holes


def sources(frame):
    """Yield the frame in batches and in a database."""
    yield Batches(lambda: (frame.iloc[a : a + 11] for a in range(0, len(frame), 11)), "y")
    with closing(sqlite3.connect(":memory:")) as connection:
        frame.to_sql("data", connection, index=False)
        dtypes = {n: t for n, t in frame.dtypes.items() if isinstance(t, pd.CategoricalDtype)}
        yield Database(connection, "data", "y", dtypes=dtypes)


def compare(frame, y, estimator, holes):
    """Require the same tree from memory and from counts."""
    estimator = clone(estimator)
    if holes:
        estimator.set_params(missing="majority" if len(frame) % 2 else "stay")
    wanted = estimator.fit(frame, pd.Series(y, name="y"))
    for source in sources(frame.assign(y=y)):
        found = grow_from(source, clone(estimator))
        assert found.tree_.to_json() == wanted.tree_.to_json()
        assert (found.tree_.loss is None) == (wanted.tree_.loss is None)
        if not holes and "size" not in frame and "name" not in frame:
            np.testing.assert_array_equal(found.predict(frame), wanted.predict(frame))


@examples(150)
@given(tables(), st.sampled_from(CLASSIFIERS), st.booleans())
def test_classes_that_weigh_and_cost(drawn, estimator, many):
    frame, labels, _, holes = drawn
    with pytest.MonkeyPatch.context() as patch:
        if many:
            patch.setattr(spread, "FEW_VALUES", 5)
            patch.setattr(intervals, "INTERVALS", 7)
            patch.setattr(intervals, "FEWEST_INTERVALS", 3)
        compare(frame, labels, estimator, holes)


@examples(150)
@given(tables(), st.sampled_from(REGRESSORS), st.booleans())
def test_numbers_to_be_predicted(drawn, estimator, many):
    frame, _, y, holes = drawn
    with pytest.MonkeyPatch.context() as patch:
        if many:
            patch.setattr(spread, "FEW_VALUES", 5)
            patch.setattr(intervals, "INTERVALS", 7)
            patch.setattr(intervals, "FEWEST_INTERVALS", 3)
        compare(frame, y, estimator, holes)
