"""Small tables on which rpart decides by rounding or counts rows of weight 0; and what it is not here."""

import numpy as np
import pandas as pd
import pytest

from dtlib import CARTClassifier, CARTRegressor, cart
from dtlib.dialects import CARTDialect
from dtlib.prune import CrossValidated

KINDS = ["numbers", "names"]
TWELVE = pd.DataFrame(
    {"a": [13, 12, 3, 2, 12, 12, 11, 13, 2, 3, 13, 2], "b": [11, 11, 3, 2, 12, 11, 13, 11, 3, 1, 11, 2]}
)
OF_TWELVE = [2.8, 2.8, 0.7, 0.8, 2.3, 2.6, 2.3, 2.8, 0.6, 0.2, 2.8, 0.3]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("classes", [2, 3, None])
def test_each_leaf_weighs_what_is_asked(kind, classes):
    rng, split = np.random.default_rng(4), 0
    for _ in range(40):
        n = int(rng.integers(6, 25))
        table = rng.integers(0, 4, (n, 2))
        X = pd.DataFrame(np.array(list("abcd"))[table] if kind == "names" else table, columns=["u", "v"])
        w = rng.choice([0.01, 0.5, 1.0, 20.0], n)
        settings = {"dialect": CARTDialect(ties="rounding"), "min_weight_fraction_leaf": 0.2}
        model = (CARTRegressor if classes is None else CARTClassifier)(**settings)
        y = rng.standard_normal(n).round() if classes is None else rng.integers(0, classes, n)
        tree = model.fit(X, y, w).tree_
        split += tree.node_count > 1
        if tree.node_count > 1:
            assert tree.n[tree.feature < 0].min() >= 0.2 * w.sum() * (1 - 1e-9)
    assert split > 20


@pytest.mark.parametrize("columns", [["a", "b"], ["b", "a"]])
def test_equal_splits_are_told_apart_in_the_order_that_a_quicksort_leaves(columns):
    """A stable sort would leave b the better one; rpart 4.1.19 asks a < 7."""
    model = CARTRegressor.rpart(min_samples_split=12, min_samples_leaf=3, max_depth=1, cp=0)
    assert str(model.fit(TWELVE[columns], OF_TWELVE).tree_.root.split) == "a < 7?"
    assert str(model.set_params(dialect__ties="first").fit(TWELVE[columns], OF_TWELVE).tree_.root.split) == (
        f"{columns[0]} < 7?"
    )


def test_folds_keep_the_order_of_all_rows(monkeypatch):
    """Each part has its own rows, and is told where they are among all."""
    told, grow = [], cart.grow_by_score
    monkeypatch.setattr(
        cart, "grow_by_score", lambda data, rules: (told.append(rules.ties.order), grow(data, rules))[1]
    )
    folds = [(np.arange(3, 12), np.arange(3)), (np.array([7, 2, 0, 9]), np.arange(3, 7))]
    model = CARTRegressor.rpart(min_samples_split=2, prune=CrossValidated(folds=folds))
    model.fit(TWELVE, OF_TWELVE)
    assert [order.rows.tolist() for order in told] == [list(range(12)), *(list(train) for train, _ in folds)]
    assert [order.whole.shape for order in told] == [(2, 12)] * 3


def test_names_with_equal_means_are_ordered_by_rounding():
    """b and c have the mean 0.7; where four rows must be left, it matters which of them comes first."""
    X = pd.DataFrame({"a": list("cbbdbddca")})
    y, w = [0.6, 0.3, 0.9, 1.5, 0.3, 1.2, 0.9, 0.9, 0.3], [0.2, 0.1, 0.6, 0.6, 0.2, 0.6, 0.6, 0.1, 0.2]
    model = CARTRegressor.rpart(min_samples_split=8, min_samples_leaf=4, cp=0)
    assert str(model.fit(X, y, w).tree_.root.split) == "a in {a, b}?"
    assert model.set_params(dialect__ties="first").fit(X, y, w).get_n_leaves() == 1


def test_equal_surrogates_are_told_apart_by_rounding():
    """Both agree in 2.7 of 3.4; added up in rpart's order, b does in a little more."""
    X = pd.DataFrame(
        {"x": range(1, 9), "a": [2, 2, 1, 2, 2, 1, 1, 1], "b": [1, 2, 2, 1, 2, 2, 1, 1]}, dtype=float
    )
    y, w = [0, 0, 0, 0, 1, 1, 1, 1], [0.2, 0.7, 0.6, 0.2, 0.1, 0.2, 0.7, 0.7]
    model = CARTClassifier.rpart(min_samples_split=8, min_samples_leaf=4, max_depth=1, cp=0)
    assert model.fit(X, y, w).tree_.surrogates_of(0)["feature"].tolist() == ["b", "a"]
    model.set_params(dialect__ties="first")
    assert model.fit(X, y, w).tree_.surrogates_of(0)["feature"].tolist() == ["a", "b"]


def test_a_tree_does_not_keep_the_rows_for_the_sake_of_their_order():
    tree = CARTRegressor.rpart(min_samples_split=2, keep_data=False).fit(TWELVE, OF_TWELVE).tree_
    assert tree.training is None
    assert tree.grown_by.ties.order is None


TWENTY, HALVES = pd.DataFrame({"x": np.arange(1.0, 21)}), np.repeat([0, 1], 10)


@pytest.mark.parametrize("zero", [0, 7, 19])
def test_a_row_of_weight_0_is_a_sample_of_its_node_for_rpart_alone(zero):
    w = np.ones(20)
    w[zero] = 0
    assert CARTClassifier.rpart().fit(TWENTY, HALVES, w).get_n_leaves() == 2
    assert CARTClassifier.rpart(zero_weight="drop").fit(TWENTY, HALVES, w).get_n_leaves() == 1
    others, samples = w > 0, {"min_samples_split": 20, "dialect": CARTDialect(samples="rows")}
    for model in (CARTClassifier(), CARTClassifier(**samples), CARTClassifier.sklearn()):
        with_it, without = model.fit(TWENTY, HALVES, w).tree_, model.fit(TWENTY[others], HALVES[others]).tree_
        assert str(with_it) == str(without)


def test_rows_of_weight_0_count_without_surrogates_and_rounding_too():
    w = np.ones(20)
    w[0] = 0
    for given in ({"missing": "error"}, {"missing": "stay"}, {"missing": "majority"}):
        dialect = CARTDialect(samples="rows", zero_weight="count")
        model = CARTClassifier(min_samples_split=20, dialect=dialect, **given)
        assert model.fit(TWENTY, HALVES, w).get_n_leaves() == 2
    assert model.set_params(missing="fractional").fit(TWENTY, HALVES, w).get_n_leaves() == 1


def test_a_row_of_weight_0_is_no_sample_of_a_branch():
    w = np.ones(20)
    w[:4] = 0  # six rows that weigh something are left of 10.5
    model = CARTClassifier.rpart(min_samples_leaf=7, min_samples_split=20, cp=-1).fit(TWENTY, HALVES, w)
    assert model.tree_.root.split.threshold == pytest.approx(11.5)


def test_a_row_of_weight_0_goes_by_the_threshold_that_the_others_set():
    """Its x lies between 4 and 16: it goes to the left with 9, and to the right with 10 or 11."""
    X = pd.DataFrame({"x": [1, 2, 3, 4, 16, 17, 18, 19], "z": [1, 1, 2, 2, 1, 1, 2, 2]}, dtype=float)
    y = np.array([0.0, 0, 1, 1, 8, 8, 8, 8])
    for x, leaves in [(9.0, 3), (10.0, 2), (11.0, 2)]:  # with a fifth row, the left node is split once more
        table = pd.concat([X, pd.DataFrame({"x": [x], "z": [1.0]})], ignore_index=True)
        model = CARTRegressor.rpart(min_samples_split=5, min_samples_leaf=1, cp=-1)
        assert model.fit(table, np.append(y, 5), np.append(np.ones(8), 0)).get_n_leaves() == leaves


def test_a_row_of_weight_0_whose_name_has_no_branch_stays():
    """The other four rows of its node are too few; if it came along, they would be split."""
    X = pd.DataFrame({"a": list("uuuuvvvvw"), "z": [1, 1, 2, 2, 1, 1, 2, 2, 1]})
    y, w = np.array([0.0, 0, 1, 1, 8, 8, 9, 9, 0]), np.append(np.ones(8), 0)
    model = CARTRegressor.rpart(min_samples_split=5, min_samples_leaf=1, cp=-1).fit(X, y, w)
    assert model.get_n_leaves() == 2
    assert model.set_params(min_samples_split=4).fit(X, y, w).get_n_leaves() == 4


def test_a_row_of_weight_0_sets_the_threshold_of_a_surrogate():
    """Its z is 2.2, between 2 and 6: the first of equal thresholds is that below it."""
    X = pd.DataFrame({"x": [1, 2, 3, 7, 8, 9, 1], "z": [1, 1, 2, 6, 7, 7, 2.2]})
    y, w = [0, 0, 0, 1, 1, 1, 0], [1, 1, 1, 1, 1, 1, 0]
    for given, threshold in [({}, 2.1), ({"zero_weight": "drop"}, 4.0)]:
        model = CARTClassifier.rpart(min_samples_split=2, min_samples_leaf=1, **given).fit(X, y, w)
        assert model.tree_.surrogates.threshold[0] == pytest.approx(threshold)


TIMES = np.array([2.5, 4.0, 1.0, 7.0, 3.0])


@pytest.mark.parametrize("status", [[0, 1, 1, 0, 1], [1, 2, 2, 1, 2], [True, False, True, True, False]])
@pytest.mark.parametrize("make", [CARTClassifier.rpart, CARTRegressor.rpart])
def test_survival_data_are_told_that_there_is_no_survival_tree(make, status):
    X, y = np.zeros((5, 1)), pd.DataFrame({"time": TIMES, "status": status})
    with pytest.raises(ValueError, match="there is no survival tree"):
        make().fit(X, y.assign(time=TIMES.round()) if make == CARTClassifier.rpart else y)


def test_records_of_times_and_events_are_told_so_too():
    y = np.array([(True, 2.5), (False, 4.0)], [("event", bool), ("time", float)])
    with pytest.raises(TypeError, match=r"(?s)^y is .*as of times and events: there is no survival tree"):
        CARTRegressor().fit(np.zeros((2, 1)), y)
    with pytest.raises(TypeError, match=r"(?s)^y is .*\(these are records\)"):
        CARTRegressor().fit(np.zeros((2, 1)), y[["time"]])


@pytest.mark.parametrize("second", [TIMES, [0, 2, 0, 2, 0], [1, 1, 1, 1, 1], [0, 1, 2, 1, 0]])
def test_two_outputs_that_are_no_survival_data_are_told_otherwise(second):
    with pytest.raises(ValueError, match="y has 2 outputs: wanted ties='first'"):
        CARTRegressor.rpart().fit(np.zeros((5, 1)), np.c_[TIMES, second])
