"""The tree as a picture: nothing overlaps, everything shown is also said."""

import itertools
import re
from dataclasses import dataclass, field
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictures import SVG, overlap, read, texts

from dtlib import ID3Classifier, draw, load_loan, load_watermelon
from dtlib.draw.tree import GAP, LEVEL, MARGIN, ROW, layout
from dtlib.splits import Multiway
from dtlib.tree import Tree as RealTree
from dtlib.words import use_language


@dataclass(eq=False)
class Node:
    """As much of a node as is drawn."""

    id: int
    counts: np.ndarray
    prediction: str
    feature: str | None = None
    branch: str = ""
    condition: str = ""
    children: tuple = field(default=(), repr=False)

    @property
    def n(self):
        return self.counts.sum()

    @property
    def is_leaf(self):
        return not self.children

    @property
    def split(self):
        return Multiway(self.feature, ())


@dataclass
class Tree:
    """As much of a tree as is drawn."""

    nodes: list
    classes: tuple = ("no", "yes")
    max_depth: int = 0
    say_counts = RealTree.say_counts

    @property
    def root(self):
        return self.nodes[0]

    @property
    def node_count(self):
        return len(self.nodes)

    @property
    def n_leaves(self):
        return sum(node.is_leaf for node in self.nodes)


def fake(children, counts=(4, 2), branch="value", feature="feature", classes=("no", "yes")) -> Tree:
    """Make a tree of this shape, the same counts and words everywhere."""
    nodes = [Node(i, np.array(counts), classes[0], feature) for i in range(len(children))]
    depth = [0] * len(nodes)
    for i, kids in enumerate(children):
        nodes[i].children = tuple(nodes[kid] for kid in kids)
        for kid in kids:
            nodes[kid].branch, nodes[kid].condition = branch, f"{feature} = {branch}"
            depth[kid] = depth[i] + 1
    return Tree(nodes, classes, max(depth))


@st.composite
def shapes(draw_, most=40):
    """Draw a tree, numbered level by level: how many children each node has."""
    children, found = [], 1
    while len(children) < found:
        room = most - found
        count = draw_(st.sampled_from([0, 0, 2, 2, 3, 5])) if room >= 5 else 0
        children.append(list(range(found, found + count)))
        found += count
    return children


def levels(children):
    level = [0] * len(children)
    for i, kids in enumerate(children):
        for kid in kids:
            level[kid] = level[i] + 1
    return level


@given(shapes(), st.data())
def test_layout_keeps_nodes_apart_and_parents_in_the_middle(children, data):
    n = len(children)
    width = data.draw(st.lists(st.floats(10, 200), min_size=n, max_size=n))
    x, level = layout(children, width), levels(children)
    for i, j in itertools.pairwise(range(n)):
        if level[i] == level[j]:
            assert x[j] - width[j] / 2 - (x[i] + width[i] / 2) >= GAP - 1e-6
    for i, kids in enumerate(children):
        if kids:
            assert x[i] == pytest.approx((x[kids[0]] + x[kids[-1]]) / 2)
    assert min(at - w / 2 for at, w in zip(x, width, strict=True)) == pytest.approx(MARGIN)


@given(shapes())
def test_layout_mirrors(children):
    """A tree with its branches in reverse order is drawn as in a mirror."""
    mirror, old = [], [0]
    for i in old:
        kids = children[i][::-1]
        mirror.append(list(range(len(old), len(old) + len(kids))))
        old += kids
    x, y = layout(children, [30] * len(old)), layout(mirror, [30] * len(old))
    flipped = max(x) + min(x) - np.array(x)
    assert [flipped[i] for i in old] == pytest.approx(y)


def test_small_subtrees_stand_evenly_between_large_ones():
    # Two bushes of three leaves, two leaves between their roots.
    x = layout([[1, 2, 3, 4], [5, 6, 7], [], [], [8, 9, 10], *[[]] * 6], [40] * 11)
    assert np.diff(x[1:5]) == pytest.approx([np.diff(x[1:5])[0]] * 3)


def test_a_chain_of_ten_thousand_levels():
    children = [[i + 1, i + 2] if i % 2 == 0 and i < 20000 else [] for i in range(20001)]
    shown = draw.tree(fake(children, feature="f", branch="v"))
    assert ElementTree.fromstring(shown.svg).get("height") == f"{2 * MARGIN + 10000 * LEVEL + ROW}"


def boxes(shown):
    """Return (left, top, right, bottom) of every card."""
    found = []
    for group in ElementTree.fromstring(shown.svg).iter(f"{SVG}g"):
        x, y = map(float, re.findall(r"[\d.-]+", group.get("transform")))
        card = group.find(f"{SVG}rect")
        found.append((x, y, x + float(card.get("width")), y + float(card.get("height"))))
    return found


@given(shapes(most=25), st.text(min_size=1, max_size=12), st.tuples(*[st.integers(0, 10**6)] * 3))
def test_cards_do_not_overlap_and_are_inside(children, word, counts):
    shown = draw.tree(fake(children, counts, word, word, classes=("a", "b", "c")))
    root = ElementTree.fromstring(shown.svg)
    cards = boxes(shown)
    assert len(cards) == len(children)
    for a, b in itertools.combinations(cards, 2):
        assert a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]
    assert min(card[0] for card in cards) >= 0
    assert max(card[2] for card in cards) <= float(root.get("width"))
    assert max(card[3] for card in cards) <= float(root.get("height"))


@pytest.fixture
def melon():
    """Two questions, one branch without a sample."""
    tree = fake([[1, 2, 3], [], [4, 5], [], [], []], feature="texture", branch="clear")
    for node, counts, says in zip(
        tree.nodes,
        [(5, 4.5), (0, 3), (5, 1), (0, 0), (5, 0), (0, 1)],
        ["no", "yes", "no", "yes", "no", "yes"],
        strict=True,
    ):
        node.counts, node.prediction = np.array(counts), says
    return tree


def test_all_that_is_shown_is_said(melon):
    shown = draw.tree(melon)
    assert shown.title == "Tree of depth 2: nodes 6, leaves 4"
    assert shown.description == (
        "Node 0 asks texture: no 5, yes 4.5. "
        "Node 1, texture = clear, leaf of class yes: no 0, yes 3. "
        "Node 2, texture = clear, asks texture: no 5, yes 1. "
        "Node 3, texture = clear, leaf of class yes: no sample. "
        "Node 4, texture = clear, leaf of class no: no 5, yes 0. "
        "Node 5, texture = clear, leaf of class yes: no 0, yes 1."
    )
    texts = ["".join(t.itertext()) for t in ElementTree.fromstring(shown.svg).iter(f"{SVG}text")]
    assert texts.count("texture?") == 2
    assert {"no 5 · yes 4.5", "yes 3", "no sample", "clear"} <= set(texts)


def test_leaves_have_the_color_of_their_class_and_empty_ones_are_dashed(melon):
    groups = list(ElementTree.fromstring(draw.tree(melon).svg).iter(f"{SVG}g"))
    cards = [group.find(f"{SVG}rect") for group in groups]
    fills = [re.search(r"fill: var\(--dt-([\w-]+)", card.get("style"))[1] for card in cards]
    assert fills == ["paper", "class-1", "paper", "paper", "class-0", "class-1"]
    assert [card.get("stroke-dasharray") is not None for card in cards] == [False] * 3 + [True] + [False] * 2


def test_the_bar_is_to_scale(melon):
    group = next(ElementTree.fromstring(draw.tree(melon).svg).iter(f"{SVG}g"))
    no, yes = (float(bar.get("width")) for bar in group.findall(f"{SVG}rect")[1:])
    assert no / yes == pytest.approx(5 / 4.5, rel=1e-3)


def test_highlight_accents_the_path_and_says_so(melon):
    shown = draw.tree(melon, highlight=5)
    accents = [g.find(f"{SVG}rect").get("style") for g in ElementTree.fromstring(shown.svg).iter(f"{SVG}g")]
    assert ["--dt-accent" in css for css in accents] == [True, False, True, False, False, True]
    assert shown.description.endswith("Highlighted: the path to node 5.")
    edges = [path.get("style") for path in ElementTree.fromstring(shown.svg).iter(f"{SVG}path")]
    assert ["--dt-accent" in css for css in edges] == [False] * 3 + [True] * 2  # on top of the others


def test_depth_leaves_the_rest_open(melon):
    assert len(boxes(draw.tree(melon, depth=0))) == 1
    shown = draw.tree(melon, depth=1)
    assert len(boxes(shown)) == 4
    assert "Node 2, texture = clear, not drawn further: no 5, yes 1." in shown.description
    assert draw.tree(melon, depth=2).svg == draw.tree(melon).svg


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"highlight": 6}, "drawn are 0 to 5"),
        ({"highlight": 4, "depth": 1}, "0 to 3"),
        ({"depth": -1}, "depth is -1"),
    ],
)
def test_what_cannot_be_drawn(melon, options, message):
    with pytest.raises(ValueError, match=message):
        draw.tree(melon, **options)


@pytest.mark.parametrize("option", ["highlight", "depth"])
def test_nodes_and_levels_are_integers(melon, option):
    assert draw.tree(melon, **{option: np.int64(1)}).svg == draw.tree(melon, **{option: 1}).svg
    with pytest.raises(TypeError, match="integer"):
        draw.tree(melon, **{option: 1.5})


def test_every_color_is_a_variable_and_nothing_has_an_id(melon):
    assert all(node.get("id") is None for node in read(draw.tree(melon, highlight=3)).iter())


def test_same_tree_same_picture(melon):
    assert draw.tree(melon).svg == draw.tree(melon).svg


@pytest.mark.parametrize("data", [load_loan(), load_watermelon()], ids=lambda data: data.name)
def test_trees_of_the_book(data):
    tree = ID3Classifier().fit(data.X, data.y).tree_
    shown = draw.tree(tree)
    root = read(shown)
    assert float(root.get("width")) <= 720
    for node in tree:
        counts = ", ".join(f"{label} {n}" for label, n in zip(tree.classes, node.counts, strict=True))
        said = next(s for s in shown.description.split(". ") if re.match(rf"Node {node.id}\b", s))
        assert (counts if node.n else "no sample") in said
        assert node.condition in said
        assert (f"asks {node.feature}:" if node.feature else f"leaf of class {node.prediction}:") in said
    for a, b in itertools.combinations(texts(shown), 2):
        assert not overlap(a, b), (a, b)
    assert draw.tree(tree, depth=tree.max_depth).svg == tree._repr_mimebundle_()["image/svg+xml"]


def test_chinese(melon):
    try:
        use_language("zh")
        shown = draw.tree(melon)
    finally:
        use_language("en")
    assert all(word in shown.description for word in ("结点 3", "叶结点", "无样本"))
    assert "asks" not in repr(shown)
