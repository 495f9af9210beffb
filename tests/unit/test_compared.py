"""The table that fills itself: each cell says what the estimator does, whoever it is (chapter 23)."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtlib.book.compared import capabilities, coins, criterion, measured, probes
from dtlib.measures import entropy, gini

pytestmark = pytest.mark.long

FAMILY = {
    "ID3": [ID3Classifier()],
    "C4.5": [C45Classifier()],
    "CART": [CARTClassifier(missing="surrogate"), CARTRegressor()],
}
EXPECTED = {  # worked out from the definitions of the algorithms, not from the table
    "classes": ("yes", "yes", "yes"),
    "numbers to predict": ("no", "no", "yes"),
    "two classes at once": ("no", "no", "yes"),
    "a name of 3 values": ("3 branches", "3 branches", "2 branches"),
    "a number": ("no", "2 branches", "2 branches"),
    "missing values": ("no", "yes", "yes"),
    "a name on a path": ("once", "once", "up to 2 times"),
    "a number on a path": ("no", "up to 2 times", "up to 2 times"),
    "pruned: pessimistic": ("no", None, "no"),
    "pruned: cv": ("no", "no", None),
}


@pytest.fixture(scope="module")
def filled():
    return capabilities(FAMILY)


@pytest.mark.parametrize("question", EXPECTED)
def test_each_cell_is_what_the_algorithm_does(filled, question):
    table, _ = filled
    for name, said in zip(FAMILY, EXPECTED[question], strict=True):
        if said is None:
            assert table.loc[question, name].endswith(" leaves")
        else:
            assert table.loc[question, name] == said


def test_pruned_trees_have_fewer_leaves_as_the_estimators_themselves_say(filled):
    table, _ = filled
    asked = probes()
    for question in ("not pruned", "pruned: reduced error", "pruned: pessimistic", "pruned: cv"):
        probe = asked[question]
        for name, (maker, *_) in FAMILY.items():
            if table.loc[question, name] != "no":
                tree = maker.set_params(**{"prune": None} | dict(probe.options)).fit(probe.X, probe.y)
                assert table.loc[question, name] == f"{tree.get_n_leaves()} leaves"
                maker.set_params(prune=None)
    full = table.loc["not pruned"].str.split().str[0].astype(int)
    for way in ("reduced error", "pessimistic", "cv"):
        said = table.loc[f"pruned: {way}"]
        leaves = said[said != "no"].str.split().str[0].astype(int)
        assert len(leaves)
        assert (leaves < full[leaves.index]).all()


def test_the_criterion_is_found_from_outside(filled):
    table, _ = filled
    assert table.loc["criterion"].tolist() == [
        "gain 100%", "gain ratio 96%", "Gini 100%, squared error 100%",
    ]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize(
    ("estimator", "measure"),
    [
        (CARTClassifier(criterion="entropy"), "gain"),
        (C45Classifier(average_gain=False), "gain ratio"),
        (CARTRegressor(criterion="absolute_error"), "distance"),
    ],
)
def test_another_criterion_is_found_too(estimator, measure):
    share = criterion(estimator)
    assert share.idxmax() == measure
    assert share[measure] == 1
    assert (share.drop(measure) < 1).all()


def test_who_refuses_is_named_once_with_a_reason(filled):
    _, refusals = filled
    assert len(set(refusals)) == len(refusals)
    assert {words.split(":")[0] for words in refusals} == {
        "ID3Classifier", "C45Classifier", "CARTClassifier", "CARTRegressor",
    }  # fmt: skip
    assert all(len(words) > 30 for words in refusals)


class Refusing(BaseEstimator):
    """An estimator that takes no table."""

    def fit(self, X, y):
        raise ValueError("never")


def test_a_column_is_that_of_its_estimators_and_not_of_a_name():
    liar, none = capabilities({"ID3": [CARTClassifier(missing="surrogate")], "C4.5": [Refusing()]})[
        0
    ].T.to_numpy()
    questions = [*probes(), "criterion"]
    said = dict(zip(questions, liar, strict=True))
    assert (said["a name of 3 values"], said["a number"], said["criterion"]) == (
        "2 branches",
        "2 branches",
        "Gini 100%",
    )
    assert said["numbers to predict"] == "no"  # of two estimators it was the other that took them
    assert set(none) == {"no"}


def test_what_is_measured_is_the_fall_of_entropy_gini_and_squares():
    X, z, c = coins(3)
    found, of_numbers = measured(X, c), measured(X, z)
    for name in X:
        parts = [c[X[name] == value] for value in ("a", "b")]
        for measure, f in (("gain", entropy), ("Gini", gini)):
            counts = [part.value_counts().to_numpy() for part in (c, *parts)]
            left = sum(
                len(part) * f(n) for part, n in zip(parts, counts[1:], strict=True) if len(part)
            ) / len(c)
            assert found.loc[name, measure] == pytest.approx(f(counts[0]) - left)
        shares = np.array([len(part) for part in parts if len(part)]) / len(c)
        if len(shares) > 1:
            ratio = found.loc[name, "gain"] / -(shares * np.log2(shares)).sum()
            assert found.loc[name, "gain ratio"] == pytest.approx(ratio)
        squares = [((part - part.mean()) ** 2).sum() for part in (z, *(z[p.index] for p in parts if len(p)))]
        assert of_numbers.loc[name, "squared error"] == pytest.approx(squares[0] - sum(squares[1:]))


def test_coins_are_drawn_anew_by_each_seed_and_the_same_by_one():
    (X, z, c), (again, *_), (other, *_) = coins(5), coins(5), coins(6)
    pd.testing.assert_frame_equal(X, again)
    assert not X.equals(other)
    assert c.eq("yes").equals(z > 0.5)
