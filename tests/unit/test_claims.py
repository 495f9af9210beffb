"""What the notes claim of measures and of trees, decided by numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from dtlib import CARTClassifier, ID3Classifier, load_watermelon
from dtlib.measures import entropy, gini, information_gain


def test_half_the_entropy_and_gini_differ_most_near_a_tenth():
    p = np.linspace(0, 1, 100_001)
    counts = np.stack([p, 1 - p], axis=-1)
    gap = entropy(counts) / 2 - gini(counts)
    assert p[gap[p <= 0.5].argmax()] == pytest.approx(0.096, abs=5e-4)
    assert gap.max() == pytest.approx(0.0545, abs=5e-5)
    assert gap == pytest.approx(gap[::-1], abs=1e-12)
    assert gap[[0, 50_000, 100_000]] == pytest.approx(0, abs=1e-12)


def test_dividing_every_gain_by_the_entropy_of_the_node_changes_no_order():
    melons = load_watermelon()
    gains = np.array(
        [information_gain(pd.crosstab(melons.X[name], melons.y).to_numpy()) for name in melons.X.columns]
    )
    ratios = gains / entropy(melons.y.value_counts().to_numpy())
    assert (gains.argsort(kind="stable") == ratios.argsort(kind="stable")).all()


@pytest.mark.parametrize(("values", "classes"), [(2, 2), (5, 2), (4, 3)])
def test_a_useless_feature_gains_by_its_values_in_samples(values, classes):
    rng = np.random.default_rng(0)
    n, runs = 400, 2_000
    cells = rng.multinomial(n, np.full(values * classes, 1 / (values * classes)), size=runs)
    gains = information_gain(cells.reshape(runs, values, classes))
    expected = (values - 1) * (classes - 1) / (2 * n * np.log(2))
    error = gains.std() / np.sqrt(runs)
    assert gains.mean() == pytest.approx(expected, abs=4 * error + 0.02 * expected)
    assert information_gain(np.ones((values, classes))) == 0  # no gain in the distribution itself


def questions(tree) -> np.ndarray:
    """Return how many questions lead to each leaf."""
    return tree.depth[[node.is_leaf for node in tree]]


def test_a_balanced_tree_asks_log2_of_its_leaves_and_a_chain_does_not():
    x = np.repeat(np.arange(64), 2)[:, None]
    halves = CARTClassifier(criterion="entropy").fit(x, x[:, 0])
    assert set(questions(halves.tree_)) == {6}
    chain = CARTClassifier(criterion="gini").fit(x, x[:, 0])  # any cut between equal classes gains the same
    assert sorted(questions(chain.tree_)) == [*range(1, 64), 63]


def test_an_id_leaves_no_entropy_behind_it_and_so_gains_all():
    melons = load_watermelon()
    X = melons.X.assign(id=[f"melon {k}" for k in range(len(melons.X))])
    root = ID3Classifier().fit(X, melons.y).tree_.explain(0).set_index("feature")
    whole = entropy(melons.y.value_counts().to_numpy())
    assert root.gain["id"] == pytest.approx(whole, abs=1e-12)
    assert root.gain.idxmax() == "id"
