"""What C4.5 counts, and that it does not matter how much of it is counted at once."""

import numpy as np
import pandas as pd
import pytest

from dtlib import C45Classifier
from dtlib.arrays import xlogx
from dtlib.counting.pairs import sort_pairs
from dtlib.search import ratio
from dtlib.search.ratio import FractionalRows, count_entries, information


@pytest.mark.parametrize("J", [1, 5, 70_000])
@pytest.mark.parametrize("V", [3, 65_536, 65_537, 200_000])
def test_pairs_are_sorted_by_node_then_code(J, V):
    rng = np.random.default_rng(0)
    node, code = np.sort(rng.integers(0, J, 3000)), rng.integers(0, V, 3000)
    code[:3] = 0, V - 1, V - 1
    assert (sort_pairs(node, J, code, V) == np.lexsort((code, node))).all()


def entries(weight, node=None):
    n = len(weight)
    node, label = np.zeros(n, np.intp) if node is None else node, np.arange(n) % 2
    table = np.zeros((2, node.max() + 1))
    np.add.at(table, (label, node), weight)
    return FractionalRows(np.arange(n), node, np.asarray(weight, float), label, table)


@pytest.mark.parametrize("V", [6, 10**6])
def test_count_adds_the_weights_of_each_value_of_each_node(V):
    node, code = np.array([0, 0, 0, 0, 1, 1, 1]), np.array([5, 2, 5, -1, 2, 2, 3])
    pairs = count_entries(entries([1, 2, 4, 8, 16, 32, 64], node), code, V)
    assert (pairs.node.tolist(), pairs.code.tolist()) == ([0, 0, 1, 1], [2, 5, 2, 3])
    assert pairs.sums.tolist() == [[0, 5, 16, 64], [2, 0, 32, 0]]


@pytest.mark.parametrize("V", [6, 10**6])
def test_count_of_a_column_without_any_value(V):
    pairs = count_entries(entries([1, 1, 1]), np.full(3, -1), V)
    assert (pairs.node.tolist(), pairs.sums.tolist()) == ([], [[], []])


@pytest.mark.parametrize("make", [C45Classifier, C45Classifier.j48, C45Classifier.release8])
@pytest.mark.parametrize("holes", [0.0, 0.2])
def test_the_tree_is_the_same_however_many_features_are_measured_at_once(make, holes, monkeypatch):
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.normal(size=(400, 3)), columns=["a", "b", "c"])
    X.insert(1, "name", rng.choice(list("uvwx"), 400))
    X["few"], X["many"] = rng.integers(0, 3, 400), [f"m{i}" for i in rng.integers(0, 90, 400)]
    y = (X["a"] + (X["name"] < "w") + rng.normal(size=400) > 0.5).to_numpy()
    X = X.mask(rng.random(X.shape) < holes)
    trees = []
    for block in (1, 900, 10**6):
        monkeypatch.setattr(ratio, "MEASURED_TOGETHER", block)
        trees.append(make().fit(X, y).tree_.to_dict())
    assert trees[0] == trees[1] == trees[2]


@pytest.mark.parametrize("missing", [0.0, 0.25, 1.0, 3.0])
def test_split_information_is_the_entropy_of_the_branches_and_of_what_is_missing(missing):
    parts = np.array([2.0, 1.5, missing])
    n, share = parts.sum(), parts[parts > 0] / parts.sum()
    found = information(np.array([n]), np.array([missing]), xlogx(parts[:2]).sum())
    assert found == pytest.approx(-(share * np.log2(share)).sum(), abs=1e-12)
