"""Pictures of weighted sums: every line lies where it should, and what is drawn is said."""

# ruff: noqa: RUF001  (Chinese has its own question mark)

import re

import numpy as np
import pandas as pd
import pytest
from pictures import SVG, overlap, read, texts

from dtlib import CARTClassifier, ObliqueTreeClassifier, draw
from dtlib.book import pictures
from dtlib.book.pictures.planes import clipped, regions, roomy
from dtlib.datasets import load_watermelon
from dtlib.messages import use_language

MELONS = load_watermelon("3.0")
PAIR = ["density", "sugar"]
SQUARE = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])


@pytest.fixture(scope="module")
def tree():
    found = ObliqueTreeClassifier(random_state=0).fit(MELONS.X[PAIR], MELONS.y).tree_
    assert found.is_linear.any()
    return found


def area(corners):
    x, y = corners.T
    return abs(x @ np.roll(y, 1) - y @ np.roll(x, 1)) / 2


def test_a_polygon_is_cut_by_a_line():
    assert area(clipped(SQUARE, np.array([1.0, 1.0]), 1.5)) == pytest.approx(1 - 0.125)
    assert area(clipped(SQUARE, np.array([-1.0, -1.0]), -1.5)) == pytest.approx(0.125)
    assert clipped(SQUARE, np.array([1.0, 0.0]), 2.0).tolist() == SQUARE[[0, 1, 2, 3]].tolist()
    assert len(clipped(SQUARE, np.array([1.0, 0.0]), -1.0)) == 0
    assert len(clipped(SQUARE[:0], np.array([1.0, 0.0]), 1.0)) == 0


def test_regions_hold_the_points_of_their_leaf():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.random((200, 2)), columns=["b", "a"])
    y = np.where((X["a"] + X["b"] > 1) != (X["a"] > X["b"]), "no", "yes")
    grown = ObliqueTreeClassifier(random_state=0).fit(X, y).tree_
    assert grown.is_linear.sum() > 1
    assert (grown.normals[:, 0] == 0).sum() > (grown.feature < 0).sum()  # some questions ask one feature
    found = {leaf.id: corners for leaf, corners in regions(grown.root, ("a", "b"), SQUARE)}
    assert sum(area(corners) for corners in found.values()) == pytest.approx(1)
    for leaf, corners in found.items():
        inside = rng.dirichlet(np.ones(len(corners)), 20) @ corners
        assert (grown.apply(pd.DataFrame(inside, columns=["a", "b"])) == leaf).all()


def test_a_label_fits_into_its_region():
    triangle = np.array([[0.0, 0], [100, 0], [0, 100]])
    spot = roomy(triangle, np.array([[20.0, 20.0]]), 10, 5)
    assert 10 <= spot[0] <= 90
    assert spot[1] >= 5
    assert spot.sum() <= 85
    assert np.abs(spot - 20).max() > 20
    assert roomy(triangle / 20, np.array([[1.0, 1.0]]), 10, 5) is None


def test_plane_draws_the_line_where_it_is(tree):
    shown = pictures.plane(tree, MELONS.frame, "good", x="density", y="sugar")
    root = read(shown)
    assert all(leaf.path[0] in shown.description for leaf in tree if leaf.is_leaf)
    named = re.findall(r"\b(\d+) (?:no|yes)\b", shown.description)
    assert sorted(map(int, named)) == list(MELONS.frame.index)
    words = [text[0] for text in texts(shown)]
    assert words.count("yes") + words.count("no") == tree.n_leaves
    used = [use for use in root.iter(f"{SVG}use") if "--dt-class" in use.get("style", "")]
    assert len(used) == len(MELONS.y)
    labels = [text for text in texts(shown) if text[0] in ("yes", "no")]
    assert not any(overlap(a, b) for i, a in enumerate(labels) for b in labels[:i])


def test_plane_refuses_a_third_feature():
    X = MELONS.X[PAIR].assign(other=MELONS.X["density"] * 2 + MELONS.X["sugar"])
    grown = ObliqueTreeClassifier(random_state=0).fit(X, MELONS.y).tree_
    asked = {name for node in grown if node.is_linear for name in node.split.features}
    assert "other" in asked
    frame = MELONS.frame.assign(other=X["other"])
    with pytest.raises(ValueError, match="tree asks 'other'; a plane shows"):
        pictures.plane(grown, frame, "good", x="density", y="sugar")


def test_the_tree_asks_the_sum(tree):
    shown = draw.tree(tree)
    question = str(tree.root.split)
    assert question in [text[0] for text in texts(shown)]
    assert f"Node 0 asks {question[:-1]}: no 9, yes 8." in shown.description
    assert "text/plain" in shown._repr_mimebundle_()
    assert question in draw.to_graphviz(tree).source


def test_long_sums_are_shortened_in_the_picture_only():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.random((200, 8)), columns=[f"measure {i}" for i in range(8)])
    found = ObliqueTreeClassifier(random_state=0, max_depth=1)
    grown = found.fit(X, np.where(X.to_numpy().sum(1) > 4, "b", "a")).tree_
    assert len(grown.root.split.features) > 4
    shown = draw.tree(grown)
    head = max((text[0] for text in texts(shown)), key=len)
    assert "… ≤" in head
    assert len(head) < 60
    assert grown.root.split.conditions[0] in shown.description


def test_pictures_speak_chinese():
    melons = MELONS.in_chinese()
    X = melons.X.iloc[:, 6:]
    use_language("zh")
    try:
        grown = ObliqueTreeClassifier(random_state=0).fit(X, melons.y).tree_
        shown = pictures.plane(grown, melons.frame, melons.target, x=X.columns[0], y=X.columns[1])
        assert shown.title == "按 密度 与 含糖率 的划分"
        assert grown.root.split.conditions[0] in shown.description
        assert str(grown.root.split).endswith("？")
        assert "：问 " in draw.tree(grown).description
    finally:
        use_language("en")


def test_trees_without_sums_are_drawn_as_before():
    grown = CARTClassifier().fit(MELONS.X[PAIR], MELONS.y).tree_
    frame = MELONS.frame
    plain = pictures.plane(grown, frame, "good", x="density", y="sugar")
    none = ObliqueTreeClassifier(random_state=0, rows_per_feature=99).fit(MELONS.X[PAIR], MELONS.y).tree_
    assert pictures.plane(none, frame, "good", x="density", y="sugar").svg == plain.svg
