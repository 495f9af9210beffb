"""The plain algorithm on the book's tables, and where its rules decide."""

import pandas as pd
import pytest

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, plain
from dtlib.datasets import load_customers, load_golf, load_loan, load_regression_points, load_watermelon
from dtlib.measures import classification_error, entropy

NAMES = [load_loan, load_watermelon, load_customers]
CASES = [
    *((load, plain.choose_id3, ID3Classifier()) for load in NAMES),
    *((load, plain.choose_c45, C45Classifier()) for load in [*NAMES, load_golf]),
    *((load, plain.choose_cart, CARTClassifier()) for load in [*NAMES, load_golf]),
    (load_regression_points, plain.choose_regression, CARTRegressor()),
    (lambda: load_watermelon("3.0"), plain.choose_c45, C45Classifier()),
    (lambda: load_watermelon("3.0"), plain.choose_cart, CARTClassifier()),
]


@pytest.mark.parametrize(("load", "choose", "estimator"), CASES)
def test_the_trees_of_the_book(load, choose, estimator):
    data = load()
    grown = plain.grow(data.frame, list(data.X), data.target, choose)
    assert plain.rules(grown) == list(estimator.fit(data.X, data.y).tree_.rules()["rule"])


def test_names_that_gain_nothing_count_in_the_average_of_c45():
    """Without r, which gains 0, the average is above the gain of q, and p would be asked."""
    D = pd.DataFrame({"p": list("aababb"), "q": list("bbbbab"), "r": list("abaabb"), "c": list("yynyny")})
    assert plain.choose_c45(D, ["p", "q", "r"], "c").split.feature == "q"
    assert plain.choose_c45(D, ["p", "q"], "c").split.feature == "p"
    assert C45Classifier().fit(D[["p", "q", "r"]], D["c"]).tree_.root.feature == "q"


def test_a_number_that_gains_nothing_does_not_count():
    """The even number would pull the average down, so that q could be asked."""
    D = pd.DataFrame({"p": list("aababb"), "q": list("bbbbab"), "x": [1] * 6, "c": list("yynyny")})
    assert plain.choose_c45(D, ["p", "q", "x"], "c").split.feature == "p"


def test_a_branch_without_rows_answers_as_the_node_above():
    D = pd.DataFrame({"x": pd.Categorical(list("aab"), categories=list("abc")), "y": list("ppq")})
    grown = plain.grow(D, ["x"], "y", plain.choose_id3)
    assert [branch.answer for branch in grown.branches] == ["p", "q", "p"]


def test_least_gain():
    loan = load_loan()
    grown = plain.grow(loan.frame, list(loan.X), "approved", plain.choose_id3, least=0.5)
    assert grown == plain.PlainTree("yes")


@pytest.mark.parametrize(
    ("name", "impurity"), [("entropy", entropy), ("misclassification", classification_error)]
)
def test_cart_by_other_impurities(name, impurity):
    melons = load_watermelon("3.0")

    def choose(*arguments):
        return plain.choose_cart(*arguments, impurity=impurity)

    root = plain.grow(melons.frame, list(melons.X), "good", choose)
    tree = CARTClassifier(criterion=name).fit(melons.X, melons.y).tree_
    assert root.gain == pytest.approx(tree.gain[0], abs=1e-12)


def test_a_table_in_which_nothing_differs_is_a_leaf():
    D = pd.DataFrame({"x": [1.0, 1.0], "y": [0.1, 0.2]})
    assert plain.grow(D, ["x"], "y", plain.choose_regression).split is None
    assert plain.grow(D.assign(y=["p", "q"]), ["x"], "y", plain.choose_c45).split is None
