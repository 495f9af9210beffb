"""A tree that was written down: the table fills in the counts, and nothing else differs from a grown one."""

import numpy as np
import pytest

from dtlib import ID3Classifier, Tree
from dtlib.book.by_hand import tree_by_hand
from dtlib.datasets import load_loan, load_watermelon

LOAN = load_loan()
JOB = {"has_job": {"no": "no", "yes": "yes"}}
SAME = ("feature", "n_values", "code", "branch", "summary", "n", "impurity")


def questions(node):
    """Write a grown tree down."""
    if node.is_leaf:
        return node.prediction
    values = node.split.values
    return {node.feature: {v: questions(kid) for v, kid in zip(values, node.children, strict=True)}}


@pytest.mark.parametrize("data", [LOAN, load_watermelon()], ids=["loan", "melons"])
def test_a_tree_that_id3_grew_is_the_same_by_hand(data):
    grown = ID3Classifier().fit(data.X, data.y).tree_
    written = tree_by_hand(questions(grown.root), data.X, data.y)
    for name in SAME:
        assert getattr(written, name).tolist() == getattr(grown, name).tolist(), name
    assert written.gain == pytest.approx(grown.gain)
    assert (written.apply(data.X) == grown.apply(data.X)).all()
    assert written.rules().equals(grown.rules())


def test_another_order_of_questions_is_counted():
    tree = tree_by_hand(
        {"has_job": {"no": {"owns_house": {"no": "no", "yes": "yes"}}, "yes": "yes"}}, LOAN.X, LOAN.y
    )
    assert tree.rules()["support"].tolist() == [6, 4, 5]
    assert [node.feature for node in tree] == ["has_job", "owns_house", None, None, None]
    assert set(tree.reason) == {"", "no question was given"}
    assert Tree.from_dict(tree.to_dict()) == tree


def test_a_leaf_predicts_what_it_counts_whatever_was_written():
    tree = tree_by_hand({"has_job": {"no": "yes", "yes": "no"}}, LOAN.X, LOAN.y)
    assert [leaf.prediction for leaf in tree if leaf.is_leaf] == ["no", "yes"]


def test_a_branch_that_no_row_takes_counts_nothing():
    below = {"owns_house": {"no": "no", "yes": {"has_job": {"no": "yes", "yes": "yes"}}}}
    tree = tree_by_hand({"credit": {"fair": "no", "good": "yes", "excellent": below}}, LOAN.X[:8], LOAN.y[:8])
    assert tree.n.tolist() == [8, 4, 4, 0, 0, 0, 0, 0]
    assert np.isfinite(tree.gain).all()


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("perhaps", r"a leaf is 'perhaps'; the classes are \['no', 'yes'\]"),
        ({"income": {"no": "no"}}, r"a node asks \['income'\]; wanted one of \['age'"),
        ({**JOB, "age": {}}, r"a node asks \['has_job', 'age'\]"),
        ({"has_job": {"no": "no"}}, r"has_job has the branches \['no'\]; its values are \['no', 'yes'\]"),
        ({"has_job": {"no": "no", "yes": "yes", "half": "no"}}, "has_job has the branches"),
    ],
)
def test_what_is_no_tree_for_the_table_is_refused(written, message):
    with pytest.raises(ValueError, match=message):
        tree_by_hand(written, LOAN.X, LOAN.y)
