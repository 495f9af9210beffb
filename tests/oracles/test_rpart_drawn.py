"""Tables full of equal splits, equal surrogates and rows of weight 0: CART's trees are those of rpart.

The tables and the options are drawn at random, by `rpart_drawn.R`; an ordinary run looks at some of them.
"""

import numpy as np
import pandas as pd
import pytest
from test_rpart import estimator, in_kinds, left_branch, read, splits_of

from dtlib.tree.node import surrogate_split
from tests.drawn import as_many

RUNS = read("rpart_drawn.json.gz")
KINDS = {"ties": 1000, "surrogates": 300, "zeros": 100}
USUAL = {"ties": 100, "surrogates": 30, "zeros": 30}  # of these in an ordinary run; with --all, each


def lines_of(columns):
    """Return what was recorded column by column, line by line."""
    return pd.DataFrame(columns).to_dict("records")


def compare(run):
    """Compare questions, groups, surrogates, how many rows these have sent, and where rows end."""
    run = run | {name: lines_of(run[name]) for name in ("frame", "splits")}
    X, y = in_kinds(run, run["x"]), np.array(run["y"])
    model = estimator(run).fit(X, y, run["weights"])
    place = {line["node"]: i + 1 for i, line in enumerate(run["frame"])}
    tree, of_node, number, todo = model.tree_, splits_of(run), {}, [(1, 0)]
    while todo:
        heap, node = todo.pop()
        number[node] = place[heap]
        if heap not in of_node:
            assert tree[node].is_leaf
            continue
        primary, _, surrogates = of_node[heap]
        assert tree[node].feature == primary["var"]
        left = left_branch(run, tree[node].split, primary)
        same_surrogates(run, tree, node, left, surrogates)
        first = int(tree.first_child[node])
        todo += [(2 * heap, first + left), (2 * heap + 1, first + 1 - left)]
    assert [number[node] for node in model.apply(X)] == run["where"]


def same_surrogates(run, tree, node, left, theirs):
    places = [] if tree.surrogates is None else tree.surrogates.at(node)
    ours = [surrogate_split(tree, int(place)) for place in places]
    assert [split.feature for split in ours] == [line["var"] for line in theirs]
    for place, split, line in zip(places, ours, theirs, strict=True):
        assert tree.surrogates.rows[place] == line["count"]
        assert left_branch(run, split, line) == left


@pytest.mark.parametrize("kind", KINDS)
def test_the_trees_are_those_of_rpart(kind):
    runs = [run for run in RUNS if run["kind"] == kind]
    assert len(runs) == KINDS[kind]
    for number, run in enumerate(runs[: as_many(USUAL[kind])]):
        try:
            compare(run)
        except AssertionError as error:
            raise AssertionError(f"table {number} of {kind}") from error
