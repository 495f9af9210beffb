"""From counts as from rows: weights and costs of classes, drawn features, numbers to be predicted."""

import sqlite3
from contextlib import closing

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from sklearn.base import clone

import dtlib.out_of_core.spread as spread
from dtlib import C45Classifier, CARTClassifier, CARTRegressor, Prior, arrays
from dtlib.dialects import CARTDialect
from dtlib.out_of_core import Batches, Database, grow_from, intervals, small_nodes, streams
from dtlib.prune import HoldoutValidated, PrePruned, ReducedError, pre_prune, reduced_error
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
    CARTClassifier(loss=LOSS, class_weight={1: 0.7}, criterion="misclassification"),
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
        "byte": rng.integers(0, 9, n).astype(np.int8),
        "name": rng.choice(list("pqrs"), n).astype(object),
        "size": pd.Categorical(rng.choice(["s", "m", "l"], n), ["s", "m", "l"], ordered=True),
    })  # fmt: skip
    some = draw(st.permutations(list(frame)))[: draw(st.integers(1, 6))]
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
    frame = frame.reset_index(drop=True)
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


@pytest.mark.long
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


@pytest.mark.long
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


RATIOS = [
    C45Classifier(),
    C45Classifier(min_samples_leaf=3, mdl_correction=True, prune=None),
    C45Classifier(group_values="merge", prune=None),
    C45Classifier(group_values="one_vs_rest", average_gain=False),
    C45Classifier.j48(raising=False),
    C45Classifier.j48(prune=None, threshold_by="gain_ratio", min_samples_leaf=0),
]


@pytest.mark.long
@examples(150)
@given(tables(), st.sampled_from(RATIOS), st.sampled_from([1, 4, 1000]), st.booleans())
def test_parts_of_rows(drawn, estimator, rows, every):
    frame, labels, _, _ = drawn
    wanted = clone(estimator).fit(frame, pd.Series(labels, name="y"))
    data = frame.assign(y=labels)
    with pytest.MonkeyPatch.context() as patch:
        if every:
            patch.setattr(streams, "ROOM", 60)
        source = Batches(lambda: (data.iloc[a : a + rows] for a in range(0, len(data), rows)), "y")
        found = grow_from(source, estimator)
    assert found.tree_.to_json() == wanted.tree_.to_json()


LOCAL = [
    CARTClassifier(),
    CARTClassifier(criterion="entropy", max_depth=4, min_samples_leaf=2),
    CARTClassifier(max_leaf_nodes=5, nominal="one_vs_rest"),
    CARTClassifier.sklearn(min_samples_leaf=2),
    *REGRESSORS[:2],
    *REGRESSORS[3:],
]


@pytest.mark.long
@examples(150)
@given(tables(), st.sampled_from(LOCAL), st.sampled_from([1, 5, 20, 1000]), st.booleans())
def test_small_nodes_that_are_finished_in_memory(drawn, estimator, rows, several):
    frame, labels, numbers, holes = drawn
    estimator = clone(estimator)
    if holes:
        estimator.set_params(missing="majority" if len(frame) % 2 else "stay")
    y = pd.Series(numbers if isinstance(estimator, CARTRegressor) else labels, name="y")
    wanted = estimator.fit(frame, y).tree_.to_json()
    source = next(sources(frame.assign(y=y)))
    with pytest.MonkeyPatch.context() as patch:
        if several:
            patch.setattr(small_nodes, "FETCHED_CELLS", 60)
        assert grow_from(source, clone(estimator), rows_in_memory=rows).tree_.to_json() == wanted


@pytest.mark.long
@examples(100)
@given(tables(), st.sampled_from([CARTClassifier(), CARTClassifier(class_weight="balanced", max_leaf_nodes=4),
                                  CARTClassifier(criterion="entropy"), CARTRegressor()]),
       st.sampled_from([2, 3, 9]))  # fmt: skip
def test_what_bins_lose_is_no_more_than_they_say(drawn, estimator, bins):
    frame, labels, numbers, holes = drawn
    assume(not holes)
    y = pd.Series(numbers if isinstance(estimator, CARTRegressor) else labels, name="y")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spread, "FEW_VALUES", 4)
        found = grow_from(next(sources(frame.assign(y=y))), clone(estimator), bins=bins)
    tree, n = found.tree_, len(frame)
    assert len(found.gain_lost_) == tree.node_count
    assert (found.gain_lost_ >= 0).all()
    ends, weight = tree.apply(tree._matrix(frame)), None
    assert np.bincount(ends, minlength=tree.node_count).sum() == n
    if getattr(estimator, "class_weight", None):
        weight = n / 3 / np.bincount(y)[y]
    for node in range(tree.node_count):
        here = np.isin(ends, [k for k in range(tree.node_count) if node in {k, *tree[k].ancestors}])
        best = (
            clone(estimator).set_params(max_depth=1, class_weight=None)
            if weight is not None
            else clone(estimator).set_params(max_depth=1)
        )
        own = None if weight is None else weight[here]
        gain = best.fit(frame[here], y[here], sample_weight=own).tree_.gain[0]
        if tree.feature[node] >= 0:
            assert gain - tree.gain[node] <= found.gain_lost_[node] + 1e-9


MISSING_POLICIES = [
    HoldoutValidated(se=0),
    HoldoutValidated(risk="impurity"),
    HoldoutValidated(se=1, cp=0.01),
    ReducedError(),
    ReducedError(ties="cut", cp=0.001),
    PrePruned(),
]
JUDGED = [CARTClassifier(), CARTClassifier(class_weight={0: 2, 2: 0.5}), CARTRegressor()]


ONE_NAME_IS_HELD_OUT = (
    pd.DataFrame({"name": np.array(list("rpqqqqp"), object)}), np.array([0, 1, 2, 0, 0, 0, 1]),
    np.array([0.3, 0.4, 0.0, 0.2, 0.3, 0.4, 0.2]), False,
)  # fmt: skip
NO_NUMBER_IS_LEFT = (
    pd.DataFrame({"x": np.arange(7.0), "byte": [2, None, None, 8, None, None, 5]}),
    *ONE_NAME_IS_HELD_OUT[1:3], True,
)  # fmt: skip


@pytest.mark.long
@examples(150)
@given(tables(), st.sampled_from(MISSING_POLICIES), st.sampled_from(JUDGED))
@example(NO_NUMBER_IS_LEFT, ReducedError(), CARTClassifier())
@example(ONE_NAME_IS_HELD_OUT, HoldoutValidated(se=0), CARTClassifier())
@example(ONE_NAME_IS_HELD_OUT, ReducedError(), CARTRegressor())
def test_rows_held_out_are_counted(drawn, way, estimator):
    frame, labels, numbers, holes = drawn
    y = pd.Series(numbers if isinstance(estimator, CARTRegressor) else labels, name="y")
    estimator = clone(estimator).set_params(prune=way)
    if holes:
        estimator.set_params(missing="majority" if len(frame) % 2 else "stay")
    held, every = np.arange(len(frame)) % 3 == 0, frame.assign(y=y)
    positions = clone(way).set_params(held_out=np.flatnonzero(held))
    wanted = clone(estimator).set_params(prune=positions).fit(frame, y).tree_.to_json()
    for source in sources(every[~held]):
        for other in sources(every[held]):
            assert grow_from(source, clone(estimator), held_out=other).tree_.to_json() == wanted


@pytest.mark.long
@examples(60)
@given(tables(), st.sampled_from([ReducedError(), PrePruned()]))
def test_what_they_cost_by_a_loss(drawn, way):
    frame, labels, _, holes = drawn
    if holes or len(frame) < 30:
        return
    held, y = np.arange(len(frame)) % 3 == 0, pd.Series(labels, name="y")
    if len(set(y[~held])) < 3:
        return
    full = CARTClassifier(loss=LOSS).fit(frame[~held], y[~held])
    weigh = full.tree_.counts[0] / np.bincount(y[~held])
    cost = (weigh / np.sum(LOSS, axis=1))[y[held]]
    prune = reduced_error if isinstance(way, ReducedError) else pre_prune
    wanted = prune(full.tree_, frame[held], y[held], cost)
    source, other = (next(sources(frame.assign(y=y)[rows])) for rows in (~held, held))
    found = grow_from(source, CARTClassifier(loss=LOSS, prune=way), held_out=other).tree_
    assert found.feature.tolist() == wanted.feature.tolist()
    np.testing.assert_allclose(found.steps["cost_as_leaf"], wanted.steps["cost_as_leaf"], rtol=1e-12)


@examples(100)
@given(st.lists(st.tuples(st.floats(-1e9, 1e9), st.integers(0, 3), st.integers(0, 20)), max_size=12),
       st.integers(1, 9))  # fmt: skip
def test_sums_are_added_up_number_by_number(rows, at_once):
    rows = sorted(rows, key=lambda row: row[1])
    x, node, times = (
        (np.array(column) for column in zip(*rows, strict=True)) if rows else np.empty((3, 0), int)
    )
    wanted = [0.0] * 4
    for number, j, often in rows:
        for _ in range(often):
            wanted[j] += number
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrays, "ADDED_AT_ONCE", at_once)
        assert arrays.sums_in_order(x, node, times, 4).tolist() == wanted


def test_where_intervals_have_no_room_every_number_is_counted(monkeypatch):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=400), "y": rng.integers(0, 200, 400)})
    monkeypatch.setattr(spread, "FEW_VALUES", 5)
    source, model = next(sources(frame)), CARTClassifier(max_depth=3)
    wanted = clone(model).fit(frame[["x"]], frame["y"]).tree_.to_json()
    assert grow_from(source, model).tree_.to_json() == wanted
    monkeypatch.setattr(intervals, "COUNTS", 1000)
    assert not intervals.fits(200, 1)
    again = next(sources(frame))
    assert grow_from(again, model).tree_.to_json() == wanted
    assert again.passes == 1 + 3 < source.passes
