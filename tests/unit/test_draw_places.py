"""Where things stand in the pictures of `dtlib.draw`, read from the figure before it is written."""

from __future__ import annotations

import importlib
import itertools
import math
import pkgutil
import re
import string
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from matplotlib.font_manager import findfont, get_font
from matplotlib.markers import MarkerStyle
from pictures import SVG, figure_of, read, words_of

import dtlib
from dtlib import CARTClassifier, CARTRegressor, ID3Classifier, draw
from dtlib.book import pictures
from dtlib.datasets import load_loan, load_regression_points, load_watermelon
from dtlib.draw import Picture
from dtlib.draw.axes import (
    INK,
    SHAPES,
    STYLES,
    VARIABLES,
    along,
    crowded,
    draw_dots,
    figure,
    in_px,
    write_clear,
)
from dtlib.draw.svg import CLASSES, DARK, LIGHT, SMALL_SIZE, text_width
from dtlib.draw.tree import CUT_OFF, FAINT, LONG_LABEL, NUMBER_COLOR, STRONG, brief, opacity, rounded
from tests.drawn import examples, seeds


def modules():
    """List the modules of the library."""
    return [importlib.import_module(found.name) for found in pkgutil.walk_packages(dtlib.__path__, "dtlib.")]


@pytest.mark.parametrize("module", [m for m in modules() if hasattr(m, "__all__")], ids=lambda m: m.__name__)
def test_what_a_module_offers_is_what_it_has(module):
    offered = module.__all__
    assert len(set(offered)) == len(offered)
    public = {name for name, x in vars(module).items() if not (name[0] == "_" or isinstance(x, ModuleType))}
    assert set(offered) <= public
    if module.__name__ in ("dtlib.draw", "dtlib.book.pictures"):
        assert public == set(offered)


@pytest.mark.parametrize("room", [draw, pictures], ids=["draw", "pictures"])
def test_every_function_that_makes_a_picture_is_offered_by_its_room(room):
    inside = [module for module in modules() if module.__name__.startswith(f"{room.__name__}.")]
    makers = {
        name
        for module in inside
        for name, thing in vars(module).items()
        if getattr(thing, "__module__", "") == module.__name__
        and getattr(thing, "__annotations__", {}).get("return") is Picture
    }
    makers -= {"picture", "said_picture"}  # what the others end with
    assert makers == {name for name in room.__all__ if name in makers}
    assert makers >= ({"bars", "tree"} if room is draw else {"venn", "path"})


def test_each_class_has_a_shape_and_a_color_of_its_own():
    _, ax = figure()
    k = np.arange(CLASSES + 1)
    draw_dots(ax, np.column_stack([k, k]), k, CLASSES + 1)
    shapes, colors = ([getattr(line, f"get_{what}")() for line in ax.lines] for what in ("marker", "color"))
    for found in (shapes, colors):
        assert len(set(found)) == CLASSES
        assert found[-1] == found[0]  # a seventh class starts again
    assert all(MarkerStyle(shape).is_filled() for shape in shapes)  # a name is written into it
    assert [line.get_xydata().tolist() for line in ax.lines] == [[[i, i]] for i in k]
    assert [name for name in LIGHT if name.startswith("class-")] == [f"class-{k}" for k in range(CLASSES)]
    assert [*LIGHT] == [*DARK]
    for palette in (LIGHT, DARK):
        assert len(set(palette.values())) == len(palette)
        assert all(re.fullmatch("#[0-9a-f]{6}", code) for code in palette.values())
    assert {code: name.split("--dt-")[1].split(",")[0] for code, name in VARIABLES.items()} == {
        code: name for name, code in LIGHT.items()
    } | {"#000000": "ink"}


def test_each_curve_has_dashes_and_a_color_of_its_own():
    colors, dashes = zip(*STYLES, strict=True)
    assert len(set(colors)) == len(set(dashes)) == len(STYLES)
    assert {*colors} <= {*LIGHT} - {"paper"}
    named = {f"curve {k}": ([0, 1], [k, k + 1]) for k in range(len(STYLES) + 1)}
    (ax,) = figure_of(lambda: draw.lines(named)).axes
    found = [(line.get_color(), line.get_linestyle()) for line in ax.lines]
    assert found[:-1] == [(LIGHT[color], dash) for color, dash in STYLES]
    assert found[-1] == found[0]  # a fifth is as the first


PAIR = {"x": [1.0, 2.0, 3.0, 4.0], "y": [1.0, 1.0, 5.0, 2.0]}
FIGURES = {
    "lines": lambda: draw.lines({"a": ([0, 1, 2], [0, 1, 4]), "b": ([0, 2], [1, 2])}, marks=[(1, 1, "here")]),
    "calibration": lambda: pictures.calibration([0.1, 0.8], [0.15, 0.75], [0.05, 0.06], [50, 60], name="yes"),
    "cuts": lambda: pictures.cuts([1, 2, 3, 4], list("abba")),
    "envelope": lambda: pictures.envelope([1, 2, 3], [14.564, 8.265, 0]),
    "steps": lambda: pictures.steps(
        {"tree": CARTRegressor(max_depth=1).fit(np.array([PAIR["x"]]).T, PAIR["y"]).tree_}, **PAIR
    ),
}


@pytest.mark.parametrize("name", FIGURES)
def test_the_grid_lies_behind_all_marks(name):
    for ax in figure_of(FIGURES[name]).axes:
        shown = [line for axis in (ax.xaxis, ax.yaxis) for line in axis.get_gridlines() if line.get_visible()]
        marks = [*ax.lines, *ax.collections, *ax.patches, *ax.texts]
        assert max(axis.get_zorder() for axis in (ax.xaxis, ax.yaxis)) < min(x.get_zorder() for x in marks)
        for line in shown:
            assert to_hex(line.get_color()) == LIGHT["line"]
            assert line.get_alpha() < 0.5
        assert shown or name == "cuts"


@pytest.mark.parametrize("name", FIGURES)
def test_edges_are_drawn_at_the_left_and_below_alone(name):
    for ax in figure_of(FIGURES[name]).axes:
        assert not ax.spines["top"].get_visible()
        assert not ax.spines["right"].get_visible()
        assert ax.spines["bottom"].get_visible()
        assert to_hex(ax.spines["bottom"].get_edgecolor()) == LIGHT["line"]


points = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=5)


@given(points, st.sampled_from([1, 2, 3, 5, math.sqrt(2), math.sqrt(5), 4.5]))
def test_points_are_crowded_if_two_are_less_than_so_far_apart(found, least):
    close = [math.hypot(a - c, b - d) < least for (a, b), (c, d) in itertools.combinations(found, 2)]
    assert crowded(np.array(found, float).reshape(-1, 2), least) == any(close)


@pytest.mark.parametrize("bad", [-1, -1e-9, math.inf, -math.inf])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_length_that_cannot_be_is_refused_among_good_ones(bad, place):
    values = [1.0, 0.0, math.nan]
    values[place] = bad
    with pytest.raises(ValueError, match="a bar has a length of 0 or more"):
        draw.bars("abc", values)
    colors, chosen = ["ink", "accent", "class-5"], [0, 1, 2]
    colors[place], chosen[place] = "blue", 3
    with pytest.raises(ValueError, match="colors has 'blue'"):
        draw.bars("abc", [1, 2, 3], colors=colors)
    with pytest.raises(ValueError, match="the bars are 0 to 2"):
        draw.bars("abc", [1, 2, 3], chosen=chosen)


names = st.lists(st.text("abx ", min_size=1, max_size=16), min_size=1, max_size=9)


@examples(300)
@given(names)
def test_a_long_label_loses_whole_parts_alone(parts):
    label = ", ".join(parts)
    shown = brief(label)
    if len(label) <= LONG_LABEL:
        assert shown == label
        return
    room = LONG_LABEL - len(", …")  # the comma is still there when it is cut
    fit = [k for k in range(1, len(parts)) if len(", ".join(parts[:k])) <= room]
    assert shown == (", ".join(parts[: fit[-1]]) if fit else label[: LONG_LABEL - 1]) + "…"
    assert len(shown) <= LONG_LABEL


@pytest.mark.parametrize("length", [LONG_LABEL - 1, LONG_LABEL, LONG_LABEL + 1, 2 * LONG_LABEL])
def test_a_label_of_one_long_name_ends_where_it_must(length):
    fits = length <= LONG_LABEL
    assert brief("n" * length) == "n" * (length if fits else LONG_LABEL - 1) + "…" * (not fits)


def contrast(opaque: float, ink: str, paper: str) -> float:
    """Return the contrast of a color, so opaque, with the paper under it (WCAG)."""

    def light(code: str, share: float) -> float:
        levels = []
        for i in (1, 3, 5):
            level = (share * int(code[i : i + 2], 16) + (1 - share) * int(paper[i : i + 2], 16)) / 255
            levels.append(level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4)
        return 0.2126 * levels[0] + 0.7152 * levels[1] + 0.0722 * levels[2]

    low, high = sorted([light(ink, opaque), light(paper, 1)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_what_is_cut_off_is_faint_but_to_be_seen(palette):
    faded, whole = (contrast(share, palette["ink"], palette["paper"]) for share in (CUT_OFF, 1))
    assert 1.5 < faded < 4.5 < whole


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_ink_can_be_read_on_every_tint_of_a_number(palette):
    for tint in np.linspace(0, 1, 11):
        share, mixed = opacity(tint), "#"
        for i in (1, 3, 5):
            color, paper = (int(palette[name][i : i + 2], 16) for name in (NUMBER_COLOR, "paper"))
            mixed += f"{round(share * color + (1 - share) * paper):02x}"
        assert contrast(1, palette["ink"], mixed) > 4.5
    assert 0 < FAINT == opacity(0) < opacity(0.5) < opacity(1) == STRONG < 1


def test_what_is_below_a_cut_is_faded_and_nothing_else():
    loan = load_loan()
    tree = ID3Classifier().fit(loan.X, loan.y).tree_
    root = read(draw.tree(tree, cut=[1]))
    faded = [node for node in root.iter() if node.get("opacity")]
    assert {float(node.get("opacity")) for node in faded} == {CUT_OFF}
    assert [node.tag.removeprefix(SVG) for node in faded] == ["path", "path", "g", "g"]
    bars = [node for node in root.iter(f"{SVG}path") if "h40" in node.get("d")]
    assert len(bars) == 1
    assert "Cut below: 1." in draw.tree(tree, cut=[1]).description


def written_clear(seed):
    """Write words on a curve beside some points; return axes, the annotation, its anchors and the points."""
    rng = np.random.default_rng(seed)
    _, ax = figure()
    ax.set(xlim=(0, 10), ylim=(0, 10))
    curve = in_px(ax, np.linspace(1, 9, 60), 5 + rng.uniform(-0.5, 0.5) * np.linspace(-4, 4, 60))
    points = in_px(ax, *rng.uniform(0, 10, (int(rng.integers(1, 6)), 2)).T)
    anchors = curve[5:-5:3]
    taken = [points, curve]
    write_clear(ax, "label", anchors, "accent", taken, own=curve)
    (words,) = ax.texts
    return ax, words, anchors, points, taken


@pytest.mark.parametrize("seed", seeds(30))
def test_words_stand_on_their_line_where_most_room_is(seed):
    ax, words, anchors, points, taken = written_clear(seed)
    half = np.array([text_width("label", SMALL_SIZE) / 2 + 5, SMALL_SIZE / 2 + 4])
    low, high = ax.bbox.get_points()
    free, room = [], []
    for anchor in anchors:
        covers = any((abs(point - anchor) < half).all() for point in points)
        inside = (anchor - half >= low).all() and (anchor + half <= high + 8).all()
        if inside and not covers:
            free.append(anchor)
            room.append(round(min(math.hypot(*(point - anchor)) for point in points), 6))
    assert free
    assert words.get_position() == pytest.approx(free[room.index(max(room))])
    assert words.arrow_patch is None  # no line leads to words on their line
    assert to_hex(words.get_color()) == LIGHT["accent"]
    box = np.array(taken[2])  # what is taken afterwards: the box of the words
    assert box.min(0) == pytest.approx(words.get_position() - half)
    assert box.max(0) == pytest.approx(words.get_position() + half)


@pytest.mark.parametrize("seed", seeds(30))
def test_words_beside_a_point_cover_nothing_if_there_is_room(seed):
    rng = np.random.default_rng(seed)
    _, ax = figure()
    ax.set(xlim=(0, 10), ylim=(0, 10))
    points = in_px(ax, *rng.uniform(0, 10, (6, 2)).T)
    write_clear(ax, "words", points[:1], "ink", taken := [points])
    (words,) = ax.texts
    middle, half = np.array(words.get_position()), np.array([text_width("words", SMALL_SIZE), SMALL_SIZE]) / 2
    assert not any((abs(point - middle) < half).all() for point in points)
    low, high = ax.bbox.get_points()
    assert (middle - half >= low).all()
    assert (middle + half <= high + 8).all()
    assert words.xy == pytest.approx(points[0])  # the line that leads to them begins at the point
    assert words.arrow_patch is not None
    assert taken[-1][0] == pytest.approx(points[0])
    assert taken[-1][-1] == pytest.approx(middle)


def test_words_that_have_all_the_room_stand_close_to_their_point():
    _, ax = figure()
    ax.set(xlim=(0, 10), ylim=(0, 10))
    (point,) = points = in_px(ax, np.array([5.0]), np.array([5.0]))
    write_clear(ax, "words", points, "ink", [in_px(ax, np.array([1.0]), np.array([1.0]))])
    middle, half = (
        np.array(ax.texts[0].get_position()),
        np.array([text_width("words", SMALL_SIZE), SMALL_SIZE]) / 2,
    )
    assert 6 < np.hypot(*np.maximum(abs(middle - point) - half, 0)) < 15


def test_a_curve_is_followed_within_the_axes_only():
    _, ax = figure()
    ax.set(xlim=(2, 6), ylim=(0, 10))
    found = ax.transData.inverted().transform(
        along(ax, np.array([0.0, 4.0, 10.0]), np.array([0.0, 8.0, 2.0]))
    )
    assert (found[0, 0], found[-1, 0]) == pytest.approx((2, 6))
    assert found[:, 1] == pytest.approx(np.interp(found[:, 0], [0, 4, 10], [0, 8, 2]))
    assert np.diff(found[:, 0]).max() < 4 / 200
    outside = ax.transData.inverted().transform(along(ax, np.array([8.0, 9.0]), np.array([1.0, 2.0])))
    assert outside == pytest.approx(np.array([[8.0, 1.0]]))


FIELDS = pd.DataFrame(
    {
        "a": ["p", "p", "q", "q", "r", "r", "r", "p"],
        "b": ["s", "t", "s", "t", "s", "t", "s", "s"],
        "c": ["no", "no", "yes", "no", "no", "so so", "no", "no"],
    }
)


@pytest.fixture
def fields():
    """The figure of a partition of three names by two, its tree and the leaf of each field."""
    tree = ID3Classifier().fit(FIELDS[["a", "b"]], FIELDS["c"]).tree_
    (ax,) = figure_of(lambda: draw.partition(tree, FIELDS, "c", x="a", y="b")).axes
    cells = pd.DataFrame(itertools.product("pqr", "st"), columns=["a", "b"])
    leaf = dict(zip(itertools.product(range(3), range(2)), tree.apply(cells).tolist(), strict=True))
    return ax, tree, leaf


def test_the_class_of_a_leaf_stands_once_in_its_field(fields):
    ax, tree, leaf = fields
    bold = [text for text in words_of(ax) if text.get_weight() == "bold"]
    assert len(bold) == len(set(leaf.values())) == 5
    for text in bold:
        x, y = text.get_position()
        here = leaf[int(x), int(y)]
        assert text.get_text() == tree[here].prediction
        assert to_hex(text.get_color()) == LIGHT[f"class-{tree.label[here]}"]
        assert (int(x), int(y)) == min(cell for cell, one in leaf.items() if one == here)
        assert 0 < x - int(x) < 0.2  # at its upper left
        assert 0 < y - int(y) < 0.2
        assert text.get_horizontalalignment() == "left"


def test_each_field_has_the_color_of_its_leaf(fields):
    ax, tree, leaf = fields
    found = {}
    for patch in ax.patches:
        (left, top), (right, bottom) = patch.get_xy().min(0), patch.get_xy().max(0)
        assert (right - left, bottom - top) == (1, 1)
        found[int(left), int(top)] = to_hex(patch.get_facecolor())
    assert found == {cell: LIGHT[f"class-{tree.label[one]}"] for cell, one in leaf.items()}


def test_heavy_lines_part_leaves_and_light_ones_fields_of_a_leaf(fields):
    ax, _, leaf = fields
    borders = [line for line in ax.lines if len(line.get_xdata()) == 2]
    wanted = {}
    for i, j in leaf:
        if i:
            wanted[(i, j), (i, j + 1)] = leaf[i, j] != leaf[i - 1, j]
        if j:
            wanted[(i, j), (i + 1, j)] = leaf[i, j] != leaf[i, j - 1]
    found = {}
    for line in borders:
        ends = tuple(zip(*(map(int, data) for data in line.get_data()), strict=True))
        found[ends] = line.get_linestyle() == "-"
        assert (line.get_linewidth() > 2) == found[ends]
    assert found == wanted


def test_each_sample_lies_in_its_field_below_the_class(fields):
    ax, _, _ = fields
    tall = [text for text in words_of(ax) if text.get_weight() != "bold"]
    assert len(tall) == len(FIELDS)
    for text in tall:
        x, y = text.get_position()
        row = FIELDS.loc[int(text.get_text())]
        assert (int(x), int(y)) == ("pqr".index(row["a"]), "st".index(row["b"]))
        assert y - int(y) > 0.25
    classes = sorted(set(FIELDS["c"]))
    for text in tall:
        k = classes.index(FIELDS.loc[int(text.get_text()), "c"])
        line = next(d for d in ax.lines if d.get_xydata().tolist() == [list(text.get_position())])
        assert (line.get_marker(), line.get_color()) == (SHAPES[k], LIGHT[f"class-{k}"])


def test_ticks_name_the_values_in_the_middle_of_their_fields(fields):
    ax, _, _ = fields
    for axis, values in ((ax.xaxis, "pqr"), (ax.yaxis, "st")):
        assert [label.get_text() for label in axis.get_ticklabels()] == list(values)
        assert axis.get_ticklocs().tolist() == [k + 0.5 for k in range(len(values))]
    assert (ax.get_xlim(), ax.get_ylim()) == ((0, 3), (2, 0))


def test_a_curve_is_drawn_through_its_points_and_a_mark_at_its_own():
    points = {"a": ([0, 1, 2], [0, 1, 4]), "b": ([1], [3])}
    (ax,) = figure_of(lambda: draw.lines(points, marks=[(1, 2, "here")])).axes
    a, b, mark = ax.lines
    assert a.get_xydata().tolist() == [[0, 0], [1, 1], [2, 4]]
    assert a.get_marker() == "None"
    assert (b.get_xydata().tolist(), b.get_marker()) == ([[1, 3]], "o")
    assert (mark.get_xydata().tolist(), mark.get_marker()) == ([[1, 2]], "o")
    assert {text.get_text() for text in words_of(ax)} == {"a", "b", "here"}
    assert all(text.get_size() == INK["size"] for text in words_of(ax))


def test_regression_leaves_are_the_stronger_the_larger_their_value():
    data = load_regression_points()
    tree = CARTRegressor(max_depth=3).fit(data.X, data.y).tree_
    root = read(draw.tree(tree))
    tints = [
        float(m[1])
        for r in root.iter(f"{SVG}rect")
        if (m := re.search(r"fill-opacity: ([\d.]+)", r.get("style")))
    ]
    leaves = [node.prediction for node in tree if node.is_leaf]
    low, high = min(leaves), max(leaves)
    wanted = [FAINT + (STRONG - FAINT) * (value - low) / (high - low) for value in leaves]
    assert tints == pytest.approx(wanted, abs=0.006)


@pytest.mark.parametrize(
    ("n", "written"),
    [
        (0.005, "0.01"),
        (0.00499, "0.005"),
        (0.0049, "0.005"),
        (0.004, "0.004"),
        (2.675, "2.67"),
        (12345678, "12345678"),
    ],
)
def test_weights_have_two_decimals_or_one_digit(n, written):
    assert rounded(n) == written


def test_samples_in_each_others_way_are_small_dots_and_others_large_ones_with_names():
    frame = pd.DataFrame({"x": [0.0, 1.0, 2.0], "y": [0.0, 1.0, 0.0], "c": list("aba")})
    tree = CARTClassifier().fit(frame[["x", "y"]], frame["c"]).tree_
    close = pd.concat([frame, frame.assign(x=frame["x"] + 0.001)], ignore_index=True)
    sizes = []
    for rows in (frame, close):
        (ax,) = figure_of(lambda rows=rows: pictures.plane(tree, rows, "c", x="x", y="y")).axes
        dots = [line for line in ax.lines if line.get_marker() in SHAPES]
        found = sorted((*at, line.get_marker()) for line in dots for at in line.get_xydata().tolist())
        assert found == sorted((x, y, SHAPES["ab".index(c)]) for x, y, c in rows.to_numpy().tolist())
        assert not any(line.get_clip_on() for line in dots)
        sizes.append({line.get_markersize() for line in dots})
    (large,), (small,) = sizes
    assert large > SMALL_SIZE  # a name fits
    assert 6 < small < 0.6 * large


def test_the_width_of_a_text_is_estimated_letter_by_letter_as_a_font_has_it():
    """Fonts differ; that which matplotlib brings is among the wider ones."""
    font = get_font(findfont("DejaVu Sans"))
    font.set_size(1000, 72)
    for letter in set(string.ascii_letters + string.digits) - {"J"}:
        advance = font.load_char(ord(letter)).linearHoriAdvance / 65536 / 1000
        assert 0.9 * advance <= text_width(letter, 1) <= 1.6 * advance, letter
    assert text_width("熵" * 3, 10) == 30
    words = "Gain of each cut"
    assert text_width(words, 26) == pytest.approx(sum(text_width(letter, 26) for letter in words))


@pytest.fixture
def drawn_tree():
    """The elements of a tree with several levels, and the tree."""
    tree = CARTClassifier().fit(load_watermelon("3.0").X, load_watermelon("3.0").y).tree_
    return read(draw.tree(tree)), tree


def test_an_edge_goes_down_aside_and_down_and_never_back(drawn_tree):
    root, tree = drawn_tree
    paths = [node.get("d") for node in root.iter(f"{SVG}path")]
    assert len(paths) == tree.node_count - 1
    for path in paths:
        assert re.sub(r"[-\d. ]+", "", path) == "MVQHQV"
        numbers = [float(x) for x in re.findall(r"-?[\d.]+", path)]
        x, y, down, cx, cy, turned, flat, side, dx, dy, to_x, lower, end = numbers
        way = 1 if to_x > x else -1
        across = [x, cx, turned, side, dx, to_x]
        assert [way * at for at in across] == sorted(way * at for at in across)
        assert y < down < cy == flat == dy < lower < end
        assert (cx, dx) == (x, to_x)  # the corners that are rounded
        assert abs(turned - x) == pytest.approx(cy - down, abs=0.011)
        assert abs(to_x - side) == pytest.approx(lower - dy, abs=0.011)


def test_the_label_of_a_branch_stands_on_paper_above_its_card(drawn_tree):
    root, tree = drawn_tree
    for place, group in enumerate(root.iter(f"{SVG}g")):
        card, *others = group.findall(f"{SVG}rect")
        papers = [rect for rect in others if float(rect.get("y")) < 0]
        labels = [text for text in group.findall(f"{SVG}text") if float(text.get("y")) < 0]
        assert len(papers) == len(labels) == (place > 0)
        for paper, label in zip(papers, labels, strict=True):
            x, y, width, height = (float(paper.get(name)) for name in ("x", "y", "width", "height"))
            assert label.text == brief(str(tree[place].branch))
            assert "--dt-paper" in paper.get("style")
            assert x + width / 2 == pytest.approx(float(label.get("x")), abs=0.02)
            assert float(label.get("x")) == pytest.approx(float(card.get("width")) / 2, abs=0.02)
            assert width >= text_width(label.text, SMALL_SIZE) - 0.01
            assert y <= float(label.get("y")) - 0.75 * SMALL_SIZE
            assert float(label.get("y")) + 0.2 * SMALL_SIZE <= y + height <= 0  # it covers no card
            assert list(group).index(paper) < list(group).index(label)


def test_graphviz_has_one_font_and_the_colors_of_the_palette(drawn_tree):
    _, tree = drawn_tree
    source = draw.to_graphviz(tree).source
    nodes, edges = (re.search(rf"\t{kind} \[(.*)\]", source)[1] for kind in ("node", "edge"))
    found = [dict(re.findall(r'(\w+)="?([^" ]+)"?', some)) for some in (nodes, edges)]
    font = {"fontname": "sans-serif", "fontcolor": LIGHT["ink"]}
    assert found == [font | {"shape": "box"}, font | {"color": LIGHT["line"]}]
    assert set(re.findall("#[0-9a-f]{6}", source)) <= set(LIGHT.values())
    leaves = re.findall(r"\t(\d+) \[.*style=\"?rounded,filled", source)
    assert [int(leaf) for leaf in leaves] == [node.id for node in tree if node.is_leaf]


def test_the_name_of_a_sample_stands_in_the_middle_of_its_dot(fields):
    ax, _, _ = fields
    names = [text for text in words_of(ax) if text.get_weight() != "bold"]
    assert {text.get_horizontalalignment() for text in names} == {"center"}
    assert {text.get_verticalalignment() for text in names} == {"center_baseline"}
    assert {to_hex(text.get_color()) for text in names} == {LIGHT["paper"]}
