"""What it costs to leave a feature out: against fits made one by one, and rows said twice."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import KFold, PredefinedSplit
from sklearn.tree import DecisionTreeClassifier

from dtlib import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    ID3Regressor,
    ObliqueTreeClassifier,
    OptimalTreeClassifier,
)
from dtlib.importance import leave_out_importances

CLOSE = {"rel": 1e-12, "abs": 1e-12}
RNG = np.random.default_rng(3)
N = 40
X = pd.DataFrame({"a": RNG.integers(0, 5, N) * 1.0, "b": RNG.choice(list("uvw"), N), "c": RNG.normal(size=N)})
Y = np.where((X["a"] > 2) ^ (X["b"] == "u"), 1, 0) + (RNG.random(N) < 0.15)
WEIGHT = RNG.integers(1, 4, N)
LOSS = np.array([[0, 1, 5], [2, 0, 1], [7, 3, 0.5]]) * (1 - np.eye(3))
PAIRS = list(KFold(4).split(X))


def wrong(truth, said):
    return (truth != said).astype(float)


CASES = {
    "errors": (CARTClassifier(max_depth=2), Y, None, wrong),
    "weights": (CARTClassifier(max_depth=2), Y, WEIGHT, wrong),
    "loss": (CARTClassifier(max_depth=3, loss=LOSS), Y, WEIGHT, lambda truth, said: LOSS[truth, said]),
    "names of classes": (C45Classifier(), np.array(["no", "yes", "so"])[Y], None, wrong),
    "branches": (ID3Classifier(), Y, None, wrong),
    "squares": (CARTRegressor(max_depth=2), X["c"] * 2 + Y, WEIGHT, lambda t, said: (t - said) ** 2),
    "distances": (
        CARTRegressor(max_depth=2, criterion="absolute_error"), Y * 1.5, None, lambda t, s: abs(t - s),
    ),
    "outputs": (
        CARTClassifier(max_depth=2), np.stack([Y, Y[::-1]], axis=1), WEIGHT, lambda t, s: (t != s).mean(1),
    ),
    "lots": (ObliqueTreeClassifier(random_state=1, max_depth=1), Y, None, wrong),
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("name", CASES)
def test_as_fitted_one_by_one(name):
    model, y, weight, cost = CASES[name]
    table, y = X.drop(columns="b").assign(d=X["a"] + X["c"]) if name == "lots" else X, np.asarray(y)
    if name == "branches":
        table = X.assign(a=X["a"].astype(str)).drop(columns="c")
    found = leave_out_importances(model, table, y, weight, folds=PAIRS)
    assert found.index.tolist() == table.columns.tolist()
    w = np.ones(N) if weight is None else weight

    def costs(columns):
        cell = np.empty(N)
        for train, test in PAIRS:
            model.fit(table[columns].iloc[train], y[train], w[train])
            cell[test] = cost(y[test], model.predict(table[columns].iloc[test]))
        return cell

    base = costs(list(table))
    for column in table:
        without = costs([name for name in table if name != column])
        d = np.repeat(without - base, w.astype(int))
        line = found.loc[column]
        assert line["with"] == pytest.approx(np.average(base, weights=w), **CLOSE)
        assert line["without"] == pytest.approx(np.average(without, weights=w), **CLOSE)
        assert line["importance"] == pytest.approx(d.mean(), **CLOSE)
        assert line["standard_error"] == pytest.approx(d.std() / np.sqrt(len(d)), **CLOSE)
    assert found["importance"].abs().max() > 0.01


def test_a_row_of_weight_two_is_the_row_twice():
    fold = np.arange(N) % 4
    once = leave_out_importances(CARTClassifier(max_depth=2), X, Y, WEIGHT, PredefinedSplit(fold))
    rows = np.repeat(np.arange(N), WEIGHT)
    twice = leave_out_importances(
        CARTClassifier(max_depth=2), X.iloc[rows], Y[rows], folds=PredefinedSplit(fold[rows])
    )
    pd.testing.assert_frame_equal(once, twice, rtol=1e-12)


@pytest.mark.filterwarnings("ignore:A column-vector y was passed")
def test_arrays_and_answers_in_a_column():
    numbers = X[["a", "c"]].to_numpy()
    found = leave_out_importances(CARTClassifier(), numbers, Y.tolist(), folds=2)
    same = leave_out_importances(CARTClassifier(), X[["a", "c"]], pd.DataFrame({"y": Y}), folds=2)
    assert found.index.tolist() == ["x0", "x1"]
    assert found.to_numpy().tolist() == same.to_numpy().tolist()


def test_either_of_two_copies_may_be_left_out():
    both = X.copy()
    both.insert(1, "copy", X["a"])
    model = CARTClassifier(max_depth=2)
    worth = leave_out_importances(model, both, Y, folds=2)[["importance", "standard_error"]]
    assert worth.loc[["a", "copy"]].to_numpy().tolist() == [[0, 0], [0, 0]]
    assert leave_out_importances(model, X, Y, folds=2).loc["a", "importance"] > 0.1


@pytest.mark.filterwarnings("ignore:The least populated class")
@pytest.mark.parametrize("weight", [None, np.ones(12)])
@pytest.mark.parametrize("rare", [2, 1, 0])
def test_a_loss_holds_also_where_a_fold_lacks_a_class(rare, weight):
    y = np.array([k for k in range(3) if k != rare] * 6)
    y[-1] = rare
    table = pd.DataFrame({"a": np.arange(12) % 2 * 1.0, "b": 0.0})
    found = leave_out_importances(CARTClassifier(loss=1 - np.eye(3)), table, y, weight, folds=3)
    assert found.loc["a", "with"] == pytest.approx(1 / 12)  # the row of the rare class alone
    plain = leave_out_importances(CARTClassifier(), table, y, weight, folds=3)
    pd.testing.assert_frame_equal(found, plain)
    safe = 4.0 * (1 - np.eye(3))
    safe[:, rare] = 1 - (np.arange(3) == rare)  # whoever predicts the rare class is not far off
    found = leave_out_importances(CARTClassifier(loss=safe, max_depth=0), table, y, weight, folds=3)
    assert found["with"].tolist() == pytest.approx([11 / 12] * 2)


def test_every_estimator_may_be_given():
    table = pd.DataFrame({"a": 1 * (Y > 0), "b": np.arange(N) % 2})
    for model in (OptimalTreeClassifier(max_depth=1), ID3Regressor()):
        names = table.astype(str) if isinstance(model, ID3Regressor) else table
        found = leave_out_importances(model, names, table["a"], folds=2)
        assert found.loc["a", "with"] == 0 < found.loc["a", "importance"]


def test_the_estimator_stays_as_it_is():
    model = CARTClassifier()
    leave_out_importances(model, X, Y, folds=2)
    assert not hasattr(model, "tree_")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((DecisionTreeClassifier(), X, Y), TypeError, "estimator is DecisionTreeClassifier.*of this library"),
        ((CARTClassifier(class_weight="balanced"), X, Y), ValueError, "class_weight='balanced', which"),
        ((CARTClassifier(), X[["a"]], Y), ValueError, r"X has shape \(40, 1\); wanted at least two columns"),
        ((CARTClassifier(), X["a"].to_numpy(), Y), ValueError, r"X has shape \(40,\); wanted at least two"),
        ((CARTClassifier(), X, Y[:9]), ValueError, "y has 9"),
        ((CARTClassifier(), X, Y, -WEIGHT), ValueError, "weights must be finite and not negative"),
        ((CARTClassifier(), X, Y, np.arange(N) > 9, [(np.arange(20, 40), np.arange(10))]), ValueError,
         "no row to test with that has a weight"),
        ((CARTClassifier(), X, Y, None, 41), ValueError, "folds is 41"),
        ((CARTClassifier(), X, Y, None, []), ValueError, "no row to test with that has a weight"),
        ((CARTClassifier(), [[1, 2], [3]], [0, 1]), ValueError, "X .*; wanted rows of equally many columns"),
        ((CARTRegressor(), X, X["b"]), ValueError, "y holds no real numbers"),
    ],
)  # fmt: skip
def test_what_is_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        leave_out_importances(*arguments)
