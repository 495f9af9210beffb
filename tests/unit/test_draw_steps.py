"""Staircases and terraces: pictures of regression trees."""

# ruff: noqa: RUF001  (Chinese has its own comma and colon)

import itertools

import numpy as np
import pandas as pd
import pytest
from pictures import SVG, overlap, read, texts

from dtlib import CARTClassifier, CARTRegressor, messages
from dtlib.book import pictures
from dtlib.datasets import load_regression_points

POINTS = load_regression_points()
X, Y = POINTS.X, POINTS.y


def grown(depth, **parameters):
    return CARTRegressor(max_depth=depth, **parameters).fit(X, Y).tree_


@pytest.fixture(scope="module")
def plane():
    a, b = np.meshgrid(np.arange(6.0), np.arange(5.0))
    frame = pd.DataFrame({"a": a.ravel(), "b": b.ravel()})
    return frame, CARTRegressor(max_depth=3).fit(frame, frame["a"] ** 2 + 10 * (frame["b"] > 2)).tree_


@pytest.fixture(autouse=True)
def _english_afterwards():
    yield
    messages.use_language("en")


def thick(shown):
    """Return the corners of the staircases: arrays of shape (corners, 2), in px."""
    paths = [p for p in read(shown).iter(f"{SVG}path") if "stroke-width: 2.5" in p.get("style", "")]
    return [
        np.array(p.get("d").replace("M", "").replace("L", "").split(), float).reshape(-1, 2) for p in paths
    ]


def test_steps_say_values_and_cuts():
    shown = pictures.steps({"one": grown(1), "two": grown(2)}, X["x"], Y)
    assert shown.title == "y against x"
    assert "Points: (1, 4.5), (2, 4.75)" in shown.description
    assert "one: 5.06 up to 5.5, 8.176 above." in shown.description
    assert "two: 4.72 up to 3.5, 5.57 up to 5.5, 7.475 up to 7.5, 8.643 above." in shown.description
    full = pictures.steps({"full": grown(None)}, X["x"], Y)
    assert full.description.endswith("full: 10 steps between 4.5 and 9.")
    assert pictures.steps({"leaf": grown(0)}, X["x"], Y).description.endswith("leaf: 6.618.")


def test_the_line_is_what_the_tree_predicts():
    tree = grown(3)
    (line,) = thick(pictures.steps({"tree": tree}, X["x"], Y, low=0, high=12))
    x = np.interp(line[:, 0], [line[0, 0], line[-1, 0]], [0, 12])
    flat = line.reshape(-1, 2, 2)
    assert (flat[:, 0, 1] == flat[:, 1, 1]).all()
    middles = pd.DataFrame({"x": x.reshape(-1, 2).mean(1)})
    predicted = tree.value[tree.apply(middles)][:, 0]
    assert len(flat) == tree.n_leaves
    slope, start = np.polyfit(flat[:, 0, 1], predicted, 1)
    assert slope < 0
    assert np.allclose(start + slope * flat[:, 0, 1], predicted, atol=0.01)


def test_a_staircase_goes_on_to_both_ends():
    near, far = (thick(pictures.steps({"t": grown(1)}, X["x"], Y, high=high))[0] for high in (None, 20))
    assert len(near) == len(far) == 4
    assert (far[1, 0] - far[0, 0]) < (near[1, 0] - near[0, 0])
    assert len(thick(pictures.steps({"t": grown(3)}, X["x"], Y, low=6, high=7))[0]) == 4


def test_what_lies_above_the_top_is_said_and_not_drawn():
    wild = Y.where(X["x"] != 9, 87.0)
    trees = {"mean": CARTRegressor(max_depth=1).fit(X, wild).tree_, "small": grown(1)}
    whole, cropped = (pictures.steps(trees, X["x"], wild, top=top) for top in (None, 12))
    assert cropped.description == whole.description
    dots, fewer = (sum(1 for _ in read(shown).iter(f"{SVG}use")) for shown in (whole, cropped))
    assert fewer == dots - 1
    rise, higher = (np.ptp(thick(shown)[1][:, 1]) for shown in (whole, cropped))
    assert higher > 3 * rise
    assert {"mean", "small"} <= {text[0] for text in texts(cropped)}
    assert not any(overlap(a, b) for a, b in itertools.combinations(texts(cropped), 2))


def test_each_tree_has_its_own_panel_or_its_own_label():
    trees = {f"depth {k}": grown(k) for k in (1, 2, 3)}
    curve = {"line": ([1, 10], [4, 9])}
    panels = pictures.steps(trees, X["x"], Y, curves=curve, panels=True)
    assert len(thick(panels)) == 3
    drops = [line[:, 1] for line in thick(panels)]
    assert all(a.max() < b.min() for a, b in itertools.pairwise(drops))
    said = [text[0] for text in texts(panels)]
    assert all(said.count(label) == 1 for label in trees)
    together = pictures.steps({"one": grown(1), "three": grown(3)}, X["x"], Y, curves=curve)
    said = [text[0] for text in texts(together)]
    assert all(said.count(label) == 1 for label in ("one", "three", "line"))
    for shown in (panels, together):
        assert shown.description.endswith("line: (1, 4), (10, 9).")
        assert not any(overlap(a, b) for a, b in itertools.combinations(texts(shown), 2))


def test_points_may_come_in_any_order():
    shuffled = np.random.default_rng(0).permutation(10)
    trees = {"tree": grown(2)}
    shown = pictures.steps(trees, X["x"], Y)
    assert pictures.steps(trees, X["x"][::-1], Y[::-1]) == shown
    assert pictures.steps(trees, X["x"].to_numpy()[shuffled], Y.to_numpy()[shuffled]) == shown


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"trees": {}}, "trees is empty"),
        ({"x": [1, 2]}, "equally long"),
        ({"x": [np.nan] * 10}, "NaN or infinite"),
        ({"low": 5, "high": 5}, "wanted low < high"),
        ({"curves": {"c": ([2, 1], [0, 0])}}, "descends"),
    ],
)
def test_steps_say_what_is_wrong(change, message):
    with pytest.raises(ValueError, match=message):
        pictures.steps(**({"trees": {"tree": grown(1)}, "x": X["x"], "y": Y} | change))


def test_trees_that_are_no_staircase_are_refused(plane):
    tree = plane[1]
    classes = CARTClassifier().fit(X, Y > 6).tree_
    two = CARTRegressor(max_depth=1).fit(X, np.column_stack([Y, Y])).tree_
    names = CARTRegressor().fit(pd.DataFrame({"x": list("abcdefghij")}), Y).tree_
    for wrong, message in (
        (classes, "classes or several numbers"),
        (two, "classes or several numbers"),
        (names, "asks for names in"),
        (tree, "a staircase shows one feature"),
    ):
        with pytest.raises(ValueError, match=message):
            pictures.steps({"tree": wrong}, X["x"], Y)


def test_terraces_say_each_leaf(plane):
    frame, tree = plane
    shown = pictures.surface(tree, frame, x="a", y="b")
    assert shown.title == "Terraces over a and b"
    leaves = [node for node in tree.preorder() if node.is_leaf]
    said = [f"{' and '.join(leaf.path)}: {leaf.predicted}." for leaf in leaves]
    assert shown.description == " ".join([*said, "Points: 30."])


def test_terraces_cover_the_plane_once(plane):
    frame, tree = plane
    root = read(pictures.surface(tree, frame, x="a", y="b"))
    tints = [p for p in root.iter(f"{SVG}path") if "opacity" in p.get("style", "")]
    areas = []
    for path in tints:
        corners = np.array(path.get("d").replace("M", "").replace("L", "").replace("z", "").split(), float)
        areas.append(np.ptp(corners.reshape(-1, 2), axis=0).prod())
    whole = np.array([420 - 62, 360 - 78])
    assert len(areas) == tree.n_leaves
    assert abs(sum(areas) / whole.prod() - 1) < 0.01


def test_the_larger_the_value_the_stronger_the_tint():
    frame = pd.DataFrame({"a": [0.0, 1.0, 2.0], "b": [0.0, 0.0, 0.0]})
    shown = pictures.surface(CARTRegressor().fit(frame, [1.0, 5.0, 2.0]).tree_, frame, x="a", y="b")
    found = [p.get("style") for p in read(shown).iter(f"{SVG}path") if "opacity" in p.get("style", "")]
    opacity = [float(css.split("opacity: ")[1].split(";")[0]) for css in found]
    assert np.argsort(opacity).tolist() == [0, 2, 1]


def test_terraces_say_what_is_wrong(plane):
    frame, tree = plane
    for columns, message in ((("a", "c"), "lacks the columns"), (("a", "a"), "wanted two features")):
        with pytest.raises(ValueError, match=message):
            pictures.surface(tree, frame, x=columns[0], y=columns[1])
    with pytest.raises(ValueError, match="the tree asks for"):
        pictures.surface(tree, frame.assign(c=1.0), x="a", y="c")
    with pytest.raises(ValueError, match="without NaN"):
        pictures.surface(tree, frame.assign(a=np.nan), x="a", y="b")
    with pytest.raises(ValueError, match="without NaN"):
        pictures.surface(tree, frame[:0], x="a", y="b")


def test_pictures_speak_chinese(plane):
    frame, tree = plane
    messages.use_language("zh")
    shown = [
        pictures.steps({"树": grown(1)}, X["x"], Y),
        pictures.steps({"树": grown(None)}, X["x"], Y),
        pictures.surface(tree, frame, x="a", y="b"),
    ]
    for picture in shown:
        assert repr(picture) == f"图：{picture.title}。{picture.description}"
        assert not any(signs in repr(picture) for signs in (". ", ": ", "。 "))
    assert "树：到 5.5 为止 5.06，其后 8.176。" in shown[0].description
