"""Pictures of where bits go: the ledger of a tree, the arches over runs, and what luck makes."""

import re
from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictures import SVG, overlap, read, texts

from dtlib import CARTClassifier, CARTRegressor, ID3Classifier
from dtlib.book import pictures
from dtlib.book.chance import chance_tables
from dtlib.book.pictures.arches import bits_left
from dtlib.book.pictures.ledger import BITS_HEIGHT
from dtlib.datasets import load_regression_points, load_titanic, load_watermelon
from dtlib.measures import conditional_entropy, entropy, information_gain
from dtlib.messages import use_language


def melon_tree():
    melons = load_watermelon()
    return ID3Classifier().fit(melons.X, melons.y).tree_


def titanic_tree():
    data = load_titanic()
    return ID3Classifier().fit(data.X[["ticket", "sex"]], data.y).tree_


@pytest.fixture
def chinese():
    use_language("zh")
    yield
    use_language("en")


def blocks(shown):
    """Return the blocks of a ledger: left, top, height, palette name of the filling."""
    rects = [rect for rect in read(shown).iter(f"{SVG}rect") if "%" not in rect.get("width")]
    fills = [re.search(r"fill: var\(--dt-([\w-]+)", rect.get("style"))[1] for rect in rects]
    return [(*(float(r.get(k)) for k in ("x", "y", "height")), f) for r, f in zip(rects, fills, strict=True)]


@pytest.mark.parametrize("grow", [melon_tree, titanic_tree])
def test_ledger_is_to_scale_and_what_goes_in_comes_out(grow):
    tree = grow()
    found = blocks(pictures.ledger(tree))
    scale = BITS_HEIGHT / tree.root.impurity
    gone = sorted(node.n / tree.root.n * tree.gain[node.id] for node in tree if not node.is_leaf)
    kept = sorted(node.n / tree.root.n * node.impurity for node in tree if node.is_leaf and node.impurity)
    heights = {fill: sorted(h / scale for _, _, h, f in found if f == fill) for *_, fill in found}
    assert heights["accent"] == pytest.approx(gone, abs=0.01 / scale)
    assert heights.get("line", []) == pytest.approx(kept, abs=0.01 / scale)
    assert sum(gone) + sum(kept) == pytest.approx(tree.root.impurity)


def test_ledger_stands_beside_the_node_that_is_divided():
    found = sorted(blocks(pictures.ledger(melon_tree())))
    columns = {x: [(top, h) for left, top, h, _ in found if left == x] for x, *_ in found}
    first, *others = columns.values()
    assert len(first) == 1
    top, height = first[0]
    second = others[0]
    assert second[0][0] == top
    assert sum(h for _, h in second) == pytest.approx(height, abs=0.05)
    for column in columns.values():
        for (y, h), (below, _) in pairwise(column):
            assert y + h <= below + 0.05


def test_each_level_is_named_above_the_middle_of_its_column():
    shown = pictures.ledger(melon_tree())
    rects = [rect for rect in read(shown).iter(f"{SVG}rect") if "%" not in rect.get("width")]
    columns = sorted({(float(rect.get("x")), float(rect.get("width"))) for rect in rects})
    top = min(float(rect.get("y")) for rect in rects)
    named = sorted((box for box in texts(shown) if box[0].startswith("level")), key=lambda box: box[1])
    assert [box[0] for box in named] == [f"level {depth}" for depth in range(len(columns))]
    for (_, left, _, right, bottom), (x, width) in zip(named, columns, strict=True):
        assert (left + right) / 2 == pytest.approx(x + width / 2, abs=0.01)
        assert 0 < bottom < top


def test_ledger_says_what_it_shows():
    said = pictures.ledger(titanic_tree()).description
    assert said.startswith(
        "Node 0 holds 0.959 bits. Of these sex removes 0.206, and node 1 keeps 0.301, node"
    )
    assert said.endswith("Removed in all: 0.293 bits; left in the leaves: 0.667.")
    said = pictures.ledger(melon_tree()).description
    assert "Node 2 holds 0.212 bits. Of these touch removes 0.212, all there is." in said
    assert said.endswith("Removed in all: 0.998 bits; left in the leaves: 0.000.")


def test_ledger_writes_only_what_fits():
    shown = pictures.ledger(titanic_tree())
    words = [word for word, *_ in texts(shown)]
    assert {"level 0", "node 0: 0.959", "sex: 0.206", "leaf 5: 0.165", "ticket: 0.071"} <= set(words)
    assert "ticket: 0.016" not in words  # too low for a line
    assert not any(overlap(a, b) for a, b in combinations(texts(shown), 2))


def test_ledger_refuses_what_has_none():
    points = load_regression_points()
    with pytest.raises(ValueError, match="predicts numbers"):
        pictures.ledger(CARTRegressor().fit(points.X, points.y).tree_)
    with pytest.raises(ValueError, match="several outputs"):
        pictures.ledger(CARTClassifier().fit(points.X, [[k % 2, k % 3] for k in range(len(points.y))]).tree_)
    with pytest.raises(ValueError, match="one class only"):
        pictures.ledger(ID3Classifier().fit(pd.DataFrame({"a": list("xyx")}), ["no"] * 3).tree_)


@given(st.lists(st.integers(0, 2), min_size=2, max_size=12), st.data())
def test_bits_left_is_what_a_cut_leaves(codes, data):
    codes = np.array(codes)
    at = data.draw(st.integers(1, len(codes) - 1))
    sides = [np.bincount(side, minlength=3) for side in (codes[:at], codes[at:])]
    assert bits_left(codes, np.array([at])) == pytest.approx(len(codes) * conditional_entropy(sides))


@given(st.lists(st.integers(0, 2), min_size=2, max_size=12))
def test_an_arch_is_never_below_its_chord(codes):
    codes = np.array(codes)
    ends = [0, *(np.flatnonzero(np.diff(codes)) + 1), len(codes)]
    for start, end in pairwise(ends):
        x = np.linspace(start, end, 21)
        arch = bits_left(codes, x)
        assert (arch >= np.interp(x, [start, end], arch[[0, -1]]) - 1e-9).all()


def test_arches_show_each_cut_full_at_the_ends_of_runs():
    shown = pictures.arches(["no", "no", "yes", "no"], feature="size")
    assert shown.title == "Bits left by each cut of size"
    assert shown.description.endswith("Ends of the runs: 0, 2, 3, 4.")
    uses = list(read(shown).iter(f"{SVG}use"))
    dots = [re.search(r"fill: var\(--dt-([\w-]+)", use.get("style") or "") for use in uses]
    names = [dot[1] for dot in dots if dot]
    assert names.count("paper") == 1
    assert names.count("accent") == 2  # at both ends of the table nothing is cut
    assert (names.count("class-0"), names.count("class-1")) == (3, 1)


@pytest.mark.parametrize("classes", [["no", "no"], [], ["no", None, "yes"]])
def test_arches_need_two_classes(classes):
    with pytest.raises(ValueError, match="wanted two classes"):
        pictures.arches(classes)


def test_luck_says_how_many_are_as_large():
    shown = pictures.luck([0.1, 0.2, 0.2, 0.4], {"b": 0.2, "a": 0.5}, x_label="gain (bits)", y_label="tables")
    assert shown.title == "tables against gain (bits)"
    assert shown.description == (
        "Drawn: 4, from 0.1 to 0.4, mean 0.225. 3 of them reach b 0.200. 0 of them reach a 0.500."
    )
    series = pd.Series({"b": 0.2, "a": 0.5})
    assert pictures.luck([0.1, 0.2, 0.2, 0.4], series).description == shown.description
    assert {"b 0.200", "a 0.500", "gain (bits)", "tables"} <= {words for words, *_ in texts(shown)}


def test_labels_of_luck_keep_apart():
    drawn = np.random.default_rng(0).random(500)
    shown = pictures.luck(drawn, {"one": 0.3, "other": 0.31, "third": 0.32, "last": 0.99}, x_label="x")
    labels = [box for box in texts(shown) if box[0].split()[0] in ("one", "other", "third", "last")]
    assert len(labels) == 4
    assert not any(overlap(a, b) for a, b in combinations(labels, 2))


@pytest.mark.parametrize(
    ("drawn", "found", "name"),
    [([], {"a": 1}, "drawn"), ([-1], {"a": 1}, "drawn"), ([1], {}, "found"), ([1], {"a": np.nan}, "found")],
)
def test_luck_refuses_what_is_no_number(drawn, found, name):
    with pytest.raises(ValueError, match=f"^{name} is"):
        pictures.luck(drawn, found)


def test_chance_fills_all_cells_alike():
    tables = chance_tables(np.random.default_rng(1), N=60, V=3, K=4, times=3000)
    assert tables.shape == (3000, 3, 4)
    assert (tables.sum(axis=(1, 2)) == 60).all()
    assert tables.mean(axis=0) == pytest.approx(np.full((3, 4), 5.0), rel=0.05)
    assert tables.var(axis=0) == pytest.approx(np.full((3, 4), 60 * 11 / 144), rel=0.15)
    gains = np.asarray(information_gain(tables))
    assert (gains <= np.asarray(entropy(tables.sum(axis=1))) + 1e-9).all()


def test_in_chinese(chinese):
    assert "level" not in repr(pictures.ledger(melon_tree()))
    assert "划分" in pictures.arches(["no", "yes"], feature="x").title
    assert pictures.luck([1.0], {"a": 1.0}).description.startswith("抽取 1 个")
