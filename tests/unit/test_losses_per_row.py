"""What a row costs at each subtree: by hand, where the root costs nothing, and without a table."""

import numpy as np
import pytest

from dtlib import CARTClassifier, CARTRegressor
from dtlib.prune import CrossValidated, HoldoutValidated, losses_per_row

X = np.arange(8.0)[:, None]


def test_by_hand():
    """The root predicts class 1: row 1 costs 2. Its question is x <= 3, as 3 is held out, and costs 5."""
    y = np.array([0, 0, 0, 1, 1, 1, 1, 1])
    model = CARTClassifier(loss=[[0, 2], [5, 0]], prune=HoldoutValidated(held_out=[1, 3, 5, 7], se=0)).fit(
        X, y
    )
    table = losses_per_row(model)
    assert table["leaves"].tolist() == [1, 2]
    assert table["training"].tolist() == pytest.approx([1, 0])  # rows 0 and 2 of four cost 2 each
    assert table["held_out"].tolist() == pytest.approx([2 / 4, 5 / 4])
    errors = [np.std(cost) / np.sqrt(4) for cost in ([2, 0, 0, 0], [0, 5, 0, 0])]
    assert table["standard_error"].tolist() == pytest.approx(errors)
    assert table["chosen"].tolist() == [True, False]


def test_numbers_cost_squares_or_distances():
    y = np.array([0.0, 0, 0, 0, 3, 3, 3, 5])
    folds = [(np.delete(np.arange(8), [3, 7]), np.array([3, 7]))]
    squares = losses_per_row(CARTRegressor(prune=CrossValidated(folds)).fit(X, y))
    assert squares["held_out"].iloc[-1] == pytest.approx((0 + 4) / 2)
    assert squares["standard_error"].iloc[-1] == pytest.approx(np.std([0, 4]) / np.sqrt(2))
    model = CARTRegressor(criterion="absolute_error", prune=CrossValidated(folds)).fit(X, y)
    assert losses_per_row(model)["held_out"].iloc[-1] == pytest.approx((0 + 2) / 2)


def test_where_the_root_costs_nothing_there_is_no_unit():
    y = np.array([0, 0, 0, 0, 0, 0, 0, 1])
    table = losses_per_row(CARTClassifier(prune=HoldoutValidated(held_out=[6, 7])).fit(X, y))
    assert table["training"].tolist() == [0]
    assert table[["held_out", "standard_error"]].isna().all(axis=None)


@pytest.mark.parametrize("model", [CARTClassifier(prune="cv"), CARTClassifier().fit(X, X[:, 0] > 3)])
def test_models_without_a_table(model):
    with pytest.raises(
        ValueError, match="CARTClassifier has no table of subtrees: wanted a model fitted with"
    ):
        losses_per_row(model)


@pytest.mark.parametrize("given", ["abc", None, 3])
def test_what_is_no_model_is_shown(given: object) -> None:
    with pytest.raises(TypeError, match=rf"model is {given!r}; wanted a CARTClassifier or CARTRegressor"):
        losses_per_row(given)
