"""The counted search finds what the library finds, whatever it is spared; and it is spared something."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from dtlib import OptimalTreeClassifier
from dtlib.book.searched import Spared, errors_by_pairs, visited

MISSING_POLICIES = [Spared(*way) for way in product((False, True), repeat=4)]


def drawn(seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Return some questions, and classes that depend on two of them."""
    rng = np.random.default_rng(seed)
    asked = rng.random((rng.integers(2, 40), rng.integers(1, 6))) < rng.random()
    y = (asked[:, 0] ^ asked[:, -1]) + rng.integers(0, 2, len(asked)) * rng.integers(0, 2)
    return pd.DataFrame(asked).add_prefix("q"), y


def fewest(asked: pd.DataFrame, y: np.ndarray, depth: int) -> int:
    """Return the fewest errors, as the library finds them."""
    model = OptimalTreeClassifier(max_depth=depth).fit(asked.astype(float), y)
    return int((model.predict(asked.astype(float)) != y).sum())


@pytest.mark.long
@pytest.mark.parametrize("spared", MISSING_POLICIES, ids=str)
def test_it_finds_the_fewest_errors(spared):
    for seed in range(12):
        asked, y = drawn(seed)
        for depth in (0, 1, 2, 3):
            assert visited(asked, y, depth, spared)[0] == fewest(asked, y, depth), (seed, depth)


def test_every_saving_saves_something():
    rng = np.random.default_rng(1)
    x = rng.random((60, 2))
    asked = pd.DataFrame({f"{j} {c}": x[:, j] <= c / 20 for j in range(2) for c in range(1, 20)})
    y = ((x[:, 0] > 0.4) ^ (x[:, 1] > 0.6) ^ (rng.random(60) < 0.2)).astype(int)
    alone = Spared(memory=False, limit=False, pairs=False, similar=False)
    nodes = visited(asked, y, 2, alone)[1]
    for name in ("memory", "limit", "pairs", "similar"):
        assert visited(asked, y, 2, alone._replace(**{name: True}))[1] < nodes, name


def test_pairs_know_each_first_question():
    """Each side is a task of its own, with one level left."""
    for seed in range(12):
        asked, y = drawn(seed)
        for q, found in zip(asked, errors_by_pairs(asked, y), strict=True):
            sides = [asked[q], ~asked[q]]
            assert found == sum(fewest(asked[s], y[s], 1) for s in sides if s.any()), (seed, q)
