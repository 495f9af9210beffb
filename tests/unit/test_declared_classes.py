"""Classes without rows: a categorical y declares them, and C4.5 counts them as its programs do."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dtlib import C45Classifier, CARTClassifier, Tree

X = pd.DataFrame({"x": [1.0, 2, 3, 4]})
LABELS = ["c", "a", "c", "a"]
DECLARED = ["c", "b", "a"]


@pytest.mark.parametrize("ordered", [False, True])
def test_a_category_declares_classes_without_rows(ordered: bool) -> None:
    y = pd.Series(pd.Categorical(LABELS, DECLARED, ordered=ordered))
    model = C45Classifier(max_depth=0).fit(X, y)
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert model.n_classes_ == 3
    assert model.predict_proba(X.head(1)).tolist() == [[0.5, 0, 0.5]]
    assert model.predict(X).tolist() == ["a"] * 4
    assert model.tree_.classes == ("a", "b", "c")
    assert Tree.from_json(model.tree_.to_json()) == model.tree_


def test_shares_by_laplace_count_a_class_without_rows() -> None:
    y = pd.Categorical(LABELS, DECLARED)
    shares = C45Classifier(max_depth=0, leaf_shares="laplace").fit(X, y).predict_proba(X.head(1))
    np.testing.assert_allclose(shares, [[3 / 7, 1 / 7, 3 / 7]], rtol=0, atol=1e-12)
    undeclared = C45Classifier(max_depth=0, leaf_shares="laplace").fit(X, LABELS).predict_proba(X.head(1))
    assert undeclared.tolist() == [[0.5, 0.5]]


def test_the_minimum_of_a_threshold_is_shared_by_all_declared_classes() -> None:
    """A tenth of 60 rows is 3 for two classes, and 2 for three: then a cut after two rows is allowed."""
    x = pd.DataFrame({"x": np.arange(60.0)})
    labels = np.where(np.arange(60) < 2, "a", "c")
    grow = C45Classifier.j48(prune=None, charge=False).fit
    assert grow(x, labels).tree_.threshold[0] != 1
    assert grow(x, pd.Categorical(labels, DECLARED)).tree_.threshold[0] == 1


def test_a_declared_class_whose_rows_weigh_nothing_is_one_without_rows() -> None:
    y = pd.Series(pd.Categorical([*LABELS, "b"], DECLARED))
    rows = pd.concat([X, X.head(1)], ignore_index=True)
    weighed = C45Classifier(leaf_shares="laplace").fit(rows, y, [1, 1, 1, 1, 0])
    left_out = C45Classifier(leaf_shares="laplace").fit(X, y.head(4))
    assert weighed.classes_.tolist() == left_out.classes_.tolist()
    assert weighed.tree_ == left_out.tree_


def test_questions_are_the_same_with_and_without_a_declared_class() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        frame = pd.DataFrame({"x": rng.integers(0, 6, 30), "z": rng.choice(list("uvw"), 30)})
        labels = rng.choice(["a", "c"], 30)
        plain = C45Classifier().fit(frame, labels)
        more = C45Classifier().fit(frame, pd.Categorical(labels, DECLARED))
        assert plain.tree_.feature.tolist() == more.tree_.feature.tolist()
        assert plain.tree_.summary.tolist() == more.tree_.summary[:, [0, 2]].tolist()
        assert plain.predict(frame).tolist() == more.predict(frame).tolist()


def test_whole_numbers_may_be_declared_too() -> None:
    model = C45Classifier(max_depth=0).fit(X, pd.Categorical([3, 1, 3, 1], [1, 2, 3]))
    assert model.classes_.tolist() == [1, 2, 3]
    assert model.classes_.dtype.kind == "i"


def test_cart_has_the_classes_of_its_rows() -> None:
    assert CARTClassifier().fit(X, pd.Categorical(LABELS, DECLARED)).classes_.tolist() == ["a", "c"]
