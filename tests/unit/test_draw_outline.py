"""The outline that folds: it has the nodes of the tree, and each stands in the one above it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from dtlib import CARTClassifier, CARTRegressor, ID3Classifier, draw
from dtlib.datasets import load_loan


@pytest.fixture(scope="module")
def grown():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 3)), columns=["a", "b<c", "d"])
    return CARTClassifier().fit(X, np.where(rng.random(300) < 0.5, "x & y", "z"))


def elements(outline):
    soup = BeautifulSoup(outline.html, "html.parser")
    return soup.find_all("summary"), [p for p in soup.find_all("p") if "dt-whole" not in p.get("class", ())]


def test_each_node_stands_in_the_one_above_it(grown):
    tree = grown.tree_
    summaries, leaves = elements(draw.outline(grown))
    assert (len(summaries), len(leaves)) == (tree.node_count - tree.n_leaves, tree.n_leaves)
    for summary in summaries:
        node = tree[int(summary["id"].rpartition("-")[2])]
        above = summary.parent.find_parent("details")
        assert (above is None) == (node.parent is None)
        if above is not None:
            assert above.summary["id"].endswith(f"-{node.parent.id}")
        assert (node.condition or "root") in summary.get_text()
    said = [leaf.get_text() for leaf in leaves]
    wanted = [
        f"{leaf.condition} ({leaf.said}) → {leaf.predicted}" for leaf in tree.preorder() if leaf.is_leaf
    ]
    assert [" ".join(words.split()) for words in said] == wanted


@pytest.mark.parametrize("opened", [0, 1, 3])
def test_so_many_levels_are_open(grown, opened):
    soup = BeautifulSoup(draw.outline(grown, opened=opened).html, "html.parser")
    for fold in soup.find_all("details"):
        assert fold.has_attr("open") == (len(fold.find_parents("details")) < opened)


def test_two_outlines_of_a_tree_are_the_same_and_of_two_trees_share_no_name(grown):
    loan = load_loan()
    other = ID3Classifier().fit(loan.X, loan.y)
    ids = [{tag["id"] for tag in elements(draw.outline(tree))[0]} for tree in (grown, other)]
    assert draw.outline(grown).html == draw.outline(grown).html
    assert ids[0].isdisjoint(ids[1])


def test_a_tree_of_one_leaf(tmp_path):
    stump = CARTRegressor(max_depth=0).fit([[1.0], [2.0]], [1.0, 3.0])
    outline = draw.outline(stump)
    assert elements(outline)[0] == []
    outline.save(tmp_path / "tree.html")
    assert "root" in (tmp_path / "tree.html").read_text(encoding="utf-8")


def test_bad_input_is_named(grown, tmp_path):
    with pytest.raises(ValueError, match="opened is -1; give the number of levels"):
        draw.outline(grown, opened=-1)
    with pytest.raises(TypeError, match="opened"):
        draw.outline(grown, opened="all")
    with pytest.raises(ValueError, match=r"saved as \.html"):
        draw.outline(grown).save(tmp_path / "tree.svg")
    with pytest.raises(TypeError, match="wanted the name of a file"):
        draw.outline(grown).save(3)
