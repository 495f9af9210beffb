"""Subtrees as lines over the price of a leaf: which are the lowest, and what the picture says of them."""

import numpy as np
import pytest
from pictures import overlap, texts

from dtlib import CARTClassifier, ID3Classifier
from dtlib.book import pictures
from dtlib.book.pictures.pruning import lowest
from dtlib.counting.criteria import names_of
from dtlib.datasets import load_loan, load_watermelon
from dtlib.messages import use_language
from dtlib.prune import pruning_path, risk
from tests.unit.subtrees import subtrees

LOAN = ([1, 2, 3], [14.564, 8.265, 0.0])


def lines_of(est, data, kind="entropy"):
    tree = est.fit(data.X, data.y).tree_
    cost, every = risk(tree, kind), list(subtrees(tree))
    fit = np.array([cost[list(leaves)].sum() for leaves in every])
    return tree, np.array([len(leaves) for leaves in every]), fit


@pytest.fixture
def chinese():
    use_language("zh")
    yield
    use_language("en")


@pytest.mark.parametrize("kind", ["cost", *names_of("classes")])
@pytest.mark.parametrize("est", [ID3Classifier(), CARTClassifier()])
def test_the_border_of_all_subtrees_is_the_path_of_pruning(est, kind):
    tree, size, fit = lines_of(est, load_watermelon(), kind)
    path = pruning_path(tree, kind)
    best, start = lowest(size, fit)
    assert size[best].tolist() == path.leaves.tolist()
    np.testing.assert_allclose(fit[best], path.risks, atol=1e-9)
    np.testing.assert_allclose(start, path.alphas)


def test_says_which_are_the_least_and_which_never():
    shown = pictures.envelope(*LOAN, x_label="alpha", y_label="loss")
    assert shown.title == "loss against alpha"
    assert shown.description == (
        "Subtrees: 3. The least loss: 3 leaves from 0; 1 leaf from 7.282. "
        "Nowhere the least: 2 leaves, 8.265 at 0."
    )


def test_of_equal_lines_and_of_lines_through_one_point_the_fewest_leaves_count():
    assert lowest(np.array([3, 2, 1]), np.array([0.0, 3.0, 6.0])) == ([0, 2], pytest.approx([0, 3]))
    assert lowest(np.array([3, 2]), np.array([1.0, 1.0]))[0] == [1]
    assert "Nowhere" not in pictures.envelope([2, 2, 1], [1, 1, 2]).description


def test_border_lines_are_whole_and_the_others_dashed():
    svg = pictures.envelope(*LOAN).svg
    assert svg.count("stroke-dasharray") == 1


def test_words_do_not_overlap_and_say_leaves_and_corners():
    _, size, fit = lines_of(ID3Classifier(), load_watermelon())
    found = texts(pictures.envelope(size, fit, x_label="alpha (bits)", y_label="loss (bits)"))
    said = [words for words, *_ in found]
    assert {"9 leaves", "6 leaves", "4 leaves", "1 leaf", "0.9183", "2.061", "3.36"} <= set(said)
    assert not any(overlap(a, b) for i, a in enumerate(found) for b in found[:i])


def test_up_to_leaves_out_what_is_beyond():
    said = [words for words, *_ in texts(pictures.envelope(*LOAN, up_to=5))]
    assert "3 leaves" in said
    assert not {"1 leaf", "7.282"} & set(said)


def test_a_leaf_alone_can_be_drawn():
    assert pictures.envelope([1], [2.0]).description == "Subtrees: 1. The least loss: 1 leaf from 0."


def test_speaks_chinese(chinese):
    loan = load_loan()
    _, size, fit = lines_of(ID3Classifier(), loan)
    said = pictures.envelope(size, fit).description
    assert "3 棵" in said
    assert "从 7.282 起" in said


@pytest.mark.parametrize(
    ("leaves", "fit", "options", "said"),
    [
        ([], [], {}, "one number of each per subtree"),
        ([1, 2], [3.0], {}, "one number of each per subtree"),
        ([0, 1], [1.0, 2.0], {}, "leaves >= 1"),
        ([1, 2], [np.nan, 2.0], {}, "finite fit"),
        ([1, 2], [2.0, 1.0], {"up_to": 0}, "above 0"),
    ],
)
def test_refuses_what_it_cannot_draw(leaves, fit, options, said):
    with pytest.raises(ValueError, match=said):
        pictures.envelope(leaves, fit, **options)
