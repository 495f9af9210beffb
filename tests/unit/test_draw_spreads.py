"""Pictures of what scatters: means of samples, and prices of the trees of folds."""

# ruff: noqa: RUF001  (Chinese has its own comma and colon)

import numpy as np
import pytest
from pictures import overlap, texts

from dtlib import messages
from dtlib.book import pictures
from dtlib.book.subtrees import listed, subtrees

RNG = np.random.default_rng(3)
DICE = {n: RNG.integers(1, 7, (500, n)).mean(axis=1) for n in (5, 20, 80)}


@pytest.fixture(autouse=True)
def _english_afterwards():
    yield
    messages.use_language("en")


def test_says_the_spread_beside_the_standard_error():
    said = pictures.spread_of_means(DICE, 3.5, (35 / 12) ** 0.5, step=1).description.split(". ")
    assert len(said) == 3
    assert said[1] == f"500 means of 20: spread {DICE[20].std():.3g}, standard error 0.382"


def test_the_words_are_the_standard_errors_and_do_not_overlap():
    shown = texts(pictures.spread_of_means(DICE, 3.5, (35 / 12) ** 0.5, step=1))
    assert {"± 0.764", "± 0.382", "± 0.191", "means of 5"} <= {words for words, *_ in shown}
    assert not any(overlap(a, b) for i, a in enumerate(shown) for b in shown[:i])


def test_numbers_that_may_be_any_and_means_that_are_all_alike_are_drawn():
    assert "spread 0," in pictures.spread_of_means({3: [2.0, 2.0]}, 2, 1).description
    assert pictures.spread_of_means({1: RNG.random(50)}, 0.5, 0.3, x_label="x").title == "x"


@pytest.mark.parametrize("means", [{}, {0: [1.0]}, {3: []}, {3: [np.nan]}])
def test_refuses_means_of_nothing(means):
    with pytest.raises(ValueError, match="wanted finite means of 1 number or more"):
        pictures.spread_of_means(means, 0, 1)


def test_prices_leave_out_what_a_scale_of_factors_cannot_show():
    shown = pictures.prices_of_folds([0, 1, 30], [[0, 0.9, 28], [0, 1.2, np.inf]], [0, 5.48, np.inf])
    assert shown.description.startswith("All samples: 1, 30. Between them 5.48. Fold 1: 0.9, 28. ")
    words = {words for words, *_ in texts(shown)}
    assert {"fold 1", "fold 2", "1", "10", "20"} <= words
    assert "0.5" not in words


@pytest.mark.parametrize(("alphas", "folds"), [([0], [[1]]), ([1, 2], [])])
def test_refuses_prices_of_nothing(alphas, folds):
    with pytest.raises(ValueError, match="wanted some"):
        pictures.prices_of_folds(alphas, folds, [1])


def test_speaks_chinese():
    messages.use_language("zh")
    assert pictures.prices_of_folds([1, 4], [[2]], [2]).description == (
        "全部样本：1，4。其间 2。第 1 折：2。"
    )
    assert "标准误" in pictures.spread_of_means({4: [3.0, 4.0]}, 3.5, 1).description


def test_a_list_of_subtrees_has_as_many_as_the_product_says():
    """(12.5)."""
    from subtrees import how_many
    from subtrees import subtrees as slowly

    from dtlib import ID3Classifier
    from dtlib.datasets import load_watermelon
    from dtlib.prune import risk

    melons = load_watermelon()
    tree = ID3Classifier().fit(melons.X, melons.y).tree_
    every = listed(tree, risk(tree))
    assert {frozenset(nodes) for nodes in every["nodes"]} == {*slowly(tree)}
    assert len(every) == how_many(tree) == len([*subtrees(tree.root)])
    assert every["risk"].min() == 0
