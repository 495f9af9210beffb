"""The tree as a picture: nothing overlaps, everything shown is also said."""

import itertools
import re
import sys
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictures import SVG, overlap, read, texts

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, Tree, draw
from dtlib.datasets import load_loan, load_regression_points, load_votes, load_watermelon
from dtlib.draw.layout import NODE_GAP, TREE_MARGIN, layout
from dtlib.draw.svg import DARK, LIGHT
from dtlib.draw.tree import CARD_HEIGHT, LEVEL_STEP, NUMBER_COLOR
from dtlib.messages import use_language
from dtlib.table.columns import Feature


def fake(children, counts=(4, 2), branch="value", feature="feature", classes=("no", "yes")) -> Tree:
    """Make a tree of this shape, the same words everywhere, and the counts given, of each node or of all."""
    sizes = np.array([len(kids) for kids in children])
    asks, n = sizes > 0, len(children)
    counts = np.broadcast_to(counts, (n, len(classes))).copy()
    code = np.concatenate([np.arange(size) for size in sizes])
    return Tree(
        tuple(Feature(feature, (branch,) * size) for size in range(sizes.max() + 1)),
        (Feature("class", classes),),
        "gini",
        feature=np.where(asks, sizes, -1),
        threshold=np.full(n, np.nan),
        n_values=sizes,
        code=code,
        branch=code.copy(),
        summary=counts,
        n=counts.sum(1),
        impurity=np.zeros(n),
        gain=np.zeros(n),
        stop=np.where(asks, 0, 1),
    )


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
            assert x[j] - width[j] / 2 - (x[i] + width[i] / 2) >= NODE_GAP - 1e-6
    for i, kids in enumerate(children):
        if kids:
            assert x[i] == pytest.approx((x[kids[0]] + x[kids[-1]]) / 2)
    assert min(at - w / 2 for at, w in zip(x, width, strict=True)) == pytest.approx(TREE_MARGIN)


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


@pytest.mark.long
def test_a_chain_longer_than_python_recurses():
    levels = max(5000, sys.getrecursionlimit() + 100)
    n = 2 * levels + 1
    children = [[i + 1, i + 2] if i % 2 == 0 and i < n - 1 else [] for i in range(n)]
    shown = draw.tree(fake(children, feature="f", branch="v"))
    height = 2 * TREE_MARGIN + levels * LEVEL_STEP + CARD_HEIGHT
    assert ElementTree.fromstring(shown.svg).get("height") == str(height)


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
    counts = [(5, 4.5), (0, 3), (5, 1), (0, 0), (5, 0), (0, 1)]
    return fake([[1, 2, 3], [], [4, 5], [], [], []], counts, feature="texture", branch="clear")


def test_all_that_is_shown_is_said(melon):
    shown = draw.tree(melon)
    assert shown.title == "Tree of depth 2: nodes 6, leaves 4"
    assert shown.description == (
        "Node 0 asks texture: no 5, yes 4.5. "
        "Node 1, texture = clear, leaf of class yes: no 0, yes 3. "
        "Node 2, texture = clear, asks texture: no 5, yes 1. "
        "Node 3, texture = clear, leaf of class no: no sample. "
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


def test_cards_can_count_the_rows_where_a_loss_weighed_them():
    loan = load_loan()
    model = CARTClassifier(max_depth=2, loss=[[0, 1], [3, 0]]).fit(loan.X, loan.y)
    way = model.decision_path(loan.X).toarray()
    rows = np.array([way[loan.y == name].sum(0) for name in model.classes_]).T
    plain, shown = draw.tree(model.tree_), draw.tree(model.tree_, counts=rows)
    assert "Node 0 asks credit: no 6, yes 9" in shown.description
    assert "no 6, yes 9" not in plain.description
    for node in filter(lambda node: node.is_leaf, model.tree_):  # what costs least stays
        assert f"leaf of class {node.predicted}" in shown.description
    none = draw.tree(model.tree_, counts=np.zeros_like(rows))
    assert none.description.count("no sample") == model.get_n_leaves()


@pytest.mark.parametrize("counts", [[[1, 2]], [[np.nan, 1]] * 6, [[-1, 1]] * 6, np.ones((6, 3))])
def test_counts_are_those_of_the_nodes_and_classes(melon, counts):
    with pytest.raises(ValueError, match=r"counts is of shape .* here \(6, 2\)"):
        draw.tree(melon, counts=counts)


def test_numbers_have_no_counts_of_classes(points_tree):
    with pytest.raises(ValueError, match="one output of classes"):
        draw.tree(points_tree, counts=np.ones((points_tree.node_count, 2)))


@pytest.mark.parametrize("option", ["highlight", "depth"])
def test_nodes_and_levels_are_integers(melon, option):
    assert draw.tree(melon, **{option: np.int64(1)}).svg == draw.tree(melon, **{option: 1}).svg
    with pytest.raises(TypeError, match=f"{option} is .*; wanted a whole number"):
        draw.tree(melon, **{option: 1.5})


def test_every_color_is_a_variable_and_nothing_has_an_id(melon):
    assert all(node.get("id") is None for node in read(draw.tree(melon, highlight=3)).iter())


def test_same_tree_same_picture(melon):
    assert draw.tree(melon).svg == draw.tree(melon).svg


@pytest.mark.parametrize("depth", [None, 1])
@pytest.mark.parametrize("feature", ["f", "a long question about a melon"])
def test_numbers_stand_in_the_corners_and_cover_nothing(feature, depth):
    tree = fake([[1, 2], [3, 4], [], [], []], [(5, 4.5), (0, 3), (5, 1), (0, 0), (5, 0)], feature=feature)
    plain, shown = (draw.tree(tree, depth=depth, numbers=numbers) for numbers in (False, True))
    assert shown.description == plain.description  # it says the numbers anyway
    nodes = 3 if depth else 5
    corners = [group.findall(f"{SVG}text")[1] for group in read(shown).iter(f"{SVG}g")]
    assert [corner.text for corner in corners] == [str(i) for i in range(nodes)]
    assert len(texts(shown)) == len(texts(plain)) + nodes
    assert not any(overlap(a, b) for a, b in itertools.combinations(texts(shown), 2))
    grown = [b[2] - b[0] - a[2] + a[0] for a, b in zip(boxes(plain), boxes(shown), strict=True)]
    assert [more > 1 for more in grown] == [i < 2 - bool(depth) and feature != "f" for i in range(nodes)]


def test_numbers_can_be_read_on_the_colors_of_leaves(melon, points_tree):
    fills = {"melon": melon, "points": points_tree}
    for name, tree in fills.items():
        groups = read(draw.tree(tree, numbers=True)).iter(f"{SVG}g")
        corners = [group.findall(f"{SVG}text")[1].get("style") for group in groups]
        fills[name] = [re.search(r"fill: var\(--dt-([\w-]+)", css)[1] for css in corners]
    assert fills["melon"] == ["muted", "paper", "muted", "muted", "paper", "paper"]
    assert set(fills["points"]) == {"ink"}


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


def rects(shown):
    """Return the rectangles of each card: how each is filled."""
    return [[rect.get("style") for rect in g.findall(f"{SVG}rect")] for g in read(shown).iter(f"{SVG}g")]


def words_of(shown):
    return [words for words, *_ in texts(shown)]


@pytest.fixture
def points_tree():
    points = load_regression_points()
    return CARTRegressor(max_depth=2).fit(points.X, points.y).tree_


def test_thresholds_are_questions_with_yes_and_no(points_tree):
    shown = draw.tree(points_tree)
    assert {"x ≤ 5.5?", "x ≤ 3.5?", "x ≤ 7.5?"} <= set(words_of(shown))
    assert (words_of(shown).count("yes"), words_of(shown).count("no")) == (3, 3)
    said = "Node 0 asks x ≤ 5.5: n 10, mean 6.618. Node 1, x ≤ 5.5, asks x ≤ 3.5: "
    assert shown.description.startswith(said)


def test_numbers_are_shown_with_their_weight(points_tree):
    shown = draw.tree(points_tree)
    assert {"n 10 · mean 6.618", "4.72", "n 3", "8.64333"} <= set(words_of(shown))
    assert "Node 3, x ≤ 3.5, leaf of value 4.72: n 3, mean 4.72." in shown.description
    median = CARTRegressor(criterion="absolute_error", max_depth=1)
    points = load_regression_points()
    assert "n 10 · median 6.425" in words_of(draw.tree(median.fit(points.X, points.y).tree_))


def opacities(shown):
    """Return how strongly each card is colored, None where it is paper."""
    found = [re.search(r"fill-opacity: ([\d.]+)", " ".join(styles)) for styles in rects(shown)]
    return [float(m[1]) if m else None for m in found]


def test_the_larger_the_value_of_a_leaf_the_stronger_its_color(points_tree):
    strong = opacities(draw.tree(points_tree))
    assert strong[:3] == [None] * 3
    assert strong[3:] == sorted(strong[3:])
    low, high = points_tree.summary[3:].min(), points_tree.summary[3:].max()
    share = (points_tree.summary[3:, 0] - low) / (high - low)
    assert strong[3:] == pytest.approx(0.06 + 0.49 * share, abs=0.006)
    said = "The larger the value of a leaf, the stronger its color: from 4.72 to 8.64333."
    assert draw.tree(points_tree).description.endswith(said)
    assert opacities(draw.tree(points_tree, depth=1)) == [None] * 3  # not drawn further: paper


def parts(color):
    return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)])


def luminance(color):
    x = np.asarray(parts(color) if isinstance(color, str) else color) / 255
    return np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_words_on_colored_numbers_can_be_read(points_tree, palette):
    """The contrast of 4.5 to 1 that WCAG 2 wants for text."""
    for strong in filter(None, opacities(draw.tree(points_tree))):
        blend = parts(palette[NUMBER_COLOR]) * strong + parts(palette["paper"]) * (1 - strong)
        dark, bright = sorted([luminance(blend), luminance(palette["ink"])])
        assert (bright + 0.05) / (dark + 0.05) >= 4.5


def test_a_single_leaf_of_numbers_has_no_scale():
    points = load_regression_points()
    shown = draw.tree(CARTRegressor(max_depth=0).fit(points.X, points.y).tree_)
    assert shown.description == "Node 0 leaf of value 6.618: n 10, mean 6.618."


STATES = ["Alabama", "Alaska", "Arizona", "Arkansas", "California", "Colorado", "Ohio", "Utah"]


def test_long_branches_are_shortened_and_said_in_full():
    X = pd.DataFrame({"state": STATES})
    shown = draw.tree(CARTClassifier().fit(X, ["no"] * 6 + ["yes"] * 2).tree_)
    assert "state?" in words_of(shown)
    assert {"Alabama, Alaska, Arizona, Arkansas…", "Ohio, Utah"} <= set(words_of(shown))
    assert "state in {Alabama, Alaska, Arizona, Arkansas, California, Colorado}, leaf" in shown.description
    source = draw.to_graphviz(CARTClassifier().fit(X, ["no"] * 6 + ["yes"] * 2).tree_).source
    assert 'label="Alabama, Alaska, Arizona, Arkansas…"' in source


def frame(seed=0, n=60):
    rng = np.random.default_rng(seed)
    sizes = pd.Categorical(rng.choice(["S", "M", "L"], n), ["S", "M", "L"], ordered=True)
    return pd.DataFrame({"state": rng.choice(STATES, n), "size": sizes, "x": rng.random(n).round(3)})


def trees_of_all_kinds():
    X, rng = frame(), np.random.default_rng(1)
    y, score = rng.choice(["a", "b", "c"], len(X)), rng.normal(size=len(X)) * 1000
    numbers = pd.DataFrame({"price": score, "weight": -score})
    both = pd.DataFrame({"one": y, "two": np.where(score > 0, "up", "down")})
    return {
        "classes": CARTClassifier(max_depth=4).fit(X, y).tree_,
        "one_vs_rest": CARTClassifier(max_depth=4, nominal="one_vs_rest").fit(X, y).tree_,
        "outputs": CARTClassifier(max_depth=3).fit(X, both).tree_,
        "numbers": CARTRegressor(max_depth=4).fit(X, score).tree_,
        "several numbers": CARTRegressor(max_depth=3).fit(X, numbers).tree_,
    }


KINDS = trees_of_all_kinds()


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_overlaps_and_all_is_said_in_every_kind_of_tree(kind):
    tree = KINDS[kind]
    shown = draw.tree(tree, highlight=tree.node_count - 1)
    root, cards = read(shown), boxes(shown)
    assert len(cards) == tree.node_count
    for a, b in itertools.combinations(cards, 2):
        assert a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]
    assert max(card[2] for card in cards) <= float(root.get("width"))
    assert max(card[3] for card in cards) <= float(root.get("height"))
    for a, b in itertools.combinations(texts(shown), 2):
        assert not overlap(a, b), (a, b)
    for node in tree:
        assert f"{node.said}." in shown.description
        assert node.condition in shown.description
    assert draw.tree(tree, depth=1).description.count("Node ") == 1 + len(tree.root.children)
    assert draw.to_graphviz(tree).source.count("label=") == 2 * tree.node_count - 1


@pytest.mark.parametrize("kind", KINDS)
def test_edges_start_at_a_card_and_end_at_one(kind):
    shown = draw.tree(KINDS[kind])
    ends = {y for *_, y in boxes(shown)} | {y for _, y, *_ in boxes(shown)}
    for path in read(shown).iter(f"{SVG}path"):
        start, end = re.match(r"M[\d.]+ ([\d.]+)V", path.get("d"))[1], path.get("d").rsplit("V", 1)[1]
        assert {float(start), float(end)} <= ends


def test_several_outputs_have_a_bar_and_a_line_each():
    tree = KINDS["outputs"]
    shown = draw.tree(tree, depth=0)
    a, b, c, down, up = tree.root.summary
    assert {f"one · a {a} · b {b} · c {c}", f"two · down {down} · up {up}"} <= set(words_of(shown))
    bars = next(read(shown).iter(f"{SVG}g")).findall(f"{SVG}rect")[1:]
    assert [bar.get("y") for bar in bars] == ["31"] * 3 + ["63"] * 2
    lines = [(top, bottom) for words, _, top, _, bottom in texts(shown) if words.startswith(("one", "two"))]
    assert 10 + 31 + 7 < lines[0][0] < lines[0][1] < 10 + 63 < 10 + 63 + 7 < lines[1][0]
    leaf = next(node for node in tree if node.is_leaf)
    assert ", ".join(map(str, leaf.prediction)) in words_of(draw.tree(tree))


def test_several_numbers_say_which_one_is_colored():
    tree = KINDS["several numbers"]
    values = tree.value[tree.feature < 0, 0]
    said = f"The larger the value of a leaf (price), the stronger its color: from {values.min():.6g} to "
    assert said in draw.tree(tree).description


def test_graphviz_colors_numbers_on_white_paper(points_tree):
    fills = re.findall(r'fillcolor="(#[0-9a-f]{6})"', draw.to_graphviz(points_tree).source)
    assert len(fills) == 4
    assert [luminance(fill) for fill in fills] == sorted(map(luminance, fills), reverse=True)


def test_numbers_in_chinese(points_tree):
    try:
        use_language("zh")
        shown = draw.tree(points_tree)
        assert {"是", "否", "x ≤ 5.5？", "n 10 · 均值 6.618"} <= set(words_of_svg(shown))  # noqa: RUF001
    finally:
        use_language("en")
    assert "叶结点的值越大" in shown.description


def words_of_svg(shown):
    return ["".join(text.itertext()) for text in ElementTree.fromstring(shown.svg).iter(f"{SVG}text")]


def test_a_cut_fades_what_is_below_and_says_so():
    melons = load_watermelon()
    tree = ID3Classifier().fit(melons.X, melons.y).tree_
    shown = draw.tree(tree, cut=[1])
    root = read(shown)
    assert shown.description.endswith("Cut below: 1.")
    faded = [g for g in root.iter(f"{SVG}g") if g.get("opacity")]
    below = [node for node in tree if 1 in node.ancestors]
    assert len(faded) == len(below) == 8
    edges = [p for p in root.iter(f"{SVG}path") if p.get("opacity")]
    assert len(edges) == len(below)
    whole = draw.tree(tree)
    assert texts(whole) == texts(shown)
    assert "opacity" not in whole.svg


def test_notes_are_written_in_their_cards_and_nothing_overlaps():
    melons = load_watermelon()
    tree = ID3Classifier().fit(melons.X, melons.y).tree_
    notes = {node.id: f"g = {node.id / 7:.3f}" for node in tree} | {2: "a note wider than its card"}
    shown = draw.tree(tree, notes=notes, cut=[4])
    assert not any(overlap(a, b) for a, b in itertools.combinations(texts(shown), 2))
    found = [words for words, *_ in texts(shown)]
    assert all(note in found for note in notes.values())
    assert shown.description.count("g = ") == tree.node_count - 1
    some = draw.tree(tree, notes={3: "only here"})
    assert not any(overlap(a, b) for a, b in itertools.combinations(texts(some), 2))
    assert "only here." in some.description


@pytest.mark.parametrize("wrong", [{"cut": [99]}, {"notes": {-1: "no"}}, {"cut": [3], "depth": 0}])
def test_cuts_and_notes_are_of_nodes_that_are_drawn(wrong):
    loan = load_loan()
    tree = ID3Classifier().fit(loan.X, loan.y).tree_
    with pytest.raises(ValueError, match=r"(cut|notes) has (99|-1|3); the nodes drawn are 0 to [04]"):
        draw.tree(tree, **wrong)


def test_a_class_may_have_another_color_than_that_of_its_place():
    votes = load_votes()
    tree = C45Classifier(max_depth=1).fit(votes.X, votes.y).tree_
    placed, painted = draw.tree(tree), draw.tree(tree, colors=votes.colors)
    names = {"class-0": "class-1", "class-1": "class-0"}
    both = {f"--dt-{a}, {LIGHT[a]}": f"--dt-{b}, {LIGHT[b]}" for a, b in names.items()}
    assert painted.svg == re.sub("|".join(both), lambda match: both[match[0]], placed.svg) != placed.svg
    for strange in ({"democrats": "class-1"}, {"democrat": "blue"}):
        with pytest.raises(ValueError, match=r"colors has '(democrats|blue)'"):
            draw.tree(tree, colors=strange)
