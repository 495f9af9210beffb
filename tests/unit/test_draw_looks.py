"""What all pictures share: margins, edges that line up, and few looks, each with its meaning."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pandas as pd
import pytest
from pictures import SVG, anchor, read

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, contingency, draw
from dtlib.book import pictures
from dtlib.datasets import load_golf, load_loan, load_regression_points, load_watermelon
from dtlib.draw.svg import text_width
from dtlib.prune import pruning_path

PAIR = {"x": "density", "y": "sugar"}


def loan_tree():
    return ID3Classifier().fit(load_loan().X, load_loan().y).tree_


def melon_trees():
    melons = load_watermelon("3.0")
    X = melons.X[["density", "sugar"]]
    return {f"depth {k}": CARTClassifier(max_depth=k).fit(X, melons.y) for k in (1, 2, 3)}


def stairs():
    points = load_regression_points()
    return {f"depth {k}": CARTRegressor(max_depth=k).fit(points.X, points.y).tree_ for k in (1, 3)}


def parts_of_melon():
    melons = load_watermelon("2.0a")
    c45 = C45Classifier(criterion="gain").fit(melons.X, melons.y)
    return pictures.parts(c45.tree_, c45.explain(melons.X.loc[[8]]))


def terraces():
    a, b = np.meshgrid(np.arange(6.0), np.arange(5.0))
    frame = pd.DataFrame({"a": a.ravel(), "b": b.ravel()})
    grown = CARTRegressor(max_depth=3).fit(frame, frame["a"] ** 2 + 10 * (frame["b"] > 2))
    return pictures.surface(grown.tree_, frame, x="a", y="b")


def partition():
    loan = load_loan()
    grown = ID3Classifier().fit(loan.X[["has_job", "owns_house"]], loan.y).tree_
    return draw.partition(grown, loan.frame, "approved", x="has_job", y="owns_house")


def plane(depth):
    return pictures.plane(melon_trees()[f"depth {depth}"].tree_, load_watermelon("3.0").frame, "good", **PAIR)


def slanted():
    frame = pd.DataFrame({"x": [1, 3, 2], "y": [1, 3, 4], "side": ["below", "above", "above"]})
    return pictures.slanted(frame, "side", {"start": (1, 0, 2.5), "then": (1, 1, 4)}, x="x", y="y")


def cv_table():
    columns = {"CP": [0.5, 0.1, 0.0], "nsplit": [0, 1, 3], "rel error": [1, 0.5, 0.4]}
    return pd.DataFrame(columns | {"xerror": [1.0, 0.62, 0.6], "xstd": [0.1, 0.08, 0.08]}, index=[1, 2, 3])


def points(**options):
    data = load_regression_points()
    return pictures.steps(stairs(), data.X["x"], data.y, **options)


GALLERY = {
    "bars": lambda: draw.bars(["age", "owns_house"], [0.083, 0.42], chosen=[1], axis="gain (bits)"),
    "tree": lambda: draw.tree(loan_tree()),
    "tree with all": lambda: draw.tree(loan_tree(), highlight=3, cut=[2], notes={1: "a note"}),
    "tree with numbers": lambda: draw.tree(loan_tree(), numbers=True),
    "regression tree": lambda: draw.tree(stairs()["depth 3"]),
    "lines": lambda: draw.lines({"a": ([0, 1, 2], [0, 1, 4]), "b": ([0, 2], [1, 2])}, marks=[(1, 1, "here")]),
    "partition": partition,
    "areas": lambda: pictures.areas(
        {name: cart.tree_ for name, cart in melon_trees().items()},
        load_watermelon("3.0").frame,
        "good",
        **PAIR,
    ),
    "votes": lambda: pictures.votes(melon_trees(), load_watermelon("3.0").frame, "good", **PAIR),
    "calibration": lambda: pictures.calibration([0.1, 0.8], [0.15, 0.75], [0.05, 0.06], [50, 60], name="yes"),
    "cross_validation": lambda: pictures.cross_validation(cv_table()),
    "cuts": lambda: pictures.cuts(load_golf().X["temperature"], load_golf().y, feature="temperature"),
    "entropy_curve": lambda: pictures.entropy_curve([0.5, (6, 9)]),
    "surprise_curve": lambda: pictures.surprise_curve([0.25]),
    "envelope": lambda: pictures.envelope([1, 2, 3], [14.564, 8.265, 0]),
    "gaps": lambda: pictures.gaps(pd.DataFrame({"A": [0, 0.5], "B": [1, 0.021]}, index=["age", "sugar"])),
    "holes": lambda: pictures.holes(load_watermelon("2.0a").X, load_watermelon("2.0a").y),
    "arches": lambda: pictures.arches(["no", "no", "yes", "no"], feature="size"),
    "ledger": lambda: pictures.ledger(loan_tree()),
    "luck": lambda: pictures.luck(
        [0.1, 0.2, 0.2, 0.4], {"color": 0.2}, x_label="gain (bits)", y_label="tables"
    ),
    "panels": lambda: pictures.panels(["texture", "touch"], {"gain": [0.381, 0.006], "ratio": [0.1, 0.263]}),
    "turning": lambda: pictures.turning({"A": (0, 0), "B": (1, 0.2), "C": (0.5, 1)}, [10, 60]),
    "bell": lambda: pictures.bell(16, 0.157, 1),
    "parts": parts_of_melon,
    "path": lambda: pictures.path(pruning_path(CARTClassifier().fit(load_loan().X, load_loan().y).tree_)),
    "plane": lambda: plane(3),
    "prices_of_folds": lambda: pictures.prices_of_folds([0, 1, 9], [[0, 1.1, 8]], [0, 3, np.inf]),
    "shares": lambda: pictures.shares(contingency(load_watermelon().frame, "color", "good"), ["pale"]),
    "slanted": slanted,
    "spread_of_means": lambda: pictures.spread_of_means({4: [3.0, 4.0, 3.5]}, 3.5, 1, x_label="mean"),
    "steps": points,
    "panels of steps": lambda: points(panels=True),
    "surface": terraces,
    "two_draws": lambda: pictures.two_draws([1, 3], names=["C0", "C1"]),
    "two_means": lambda: pictures.two_means([1, 2, 3, 4], [1, 2, 5, 7], 2.5),
    "venn": lambda: pictures.venn([[3, 2], [2, 3], [1, 4]], names=("A", "D")),
}


@cache
def things(name):
    """Return what is drawn in a picture: (element, its kind, its ends left, top, right, bottom)."""
    found = []

    def visit(node, x, y):
        kind = node.tag.removeprefix(SVG)
        if move := re.match(r"translate\(([\d.-]+)[ ,]+([\d.-]+)\)", node.get("transform", "")):
            x, y = x + float(move[1]), y + float(move[2])
        if kind in ENDS and node.get("width") != "100%" and node.get("d") != "":
            left, top, right, bottom = ENDS[kind](node)
            found.append((node, kind, (x + left, y + top, x + right, y + bottom)))
        if kind != "defs":
            for child in node:
                visit(child, x, y)

    root = read(GALLERY[name]())
    visit(root, 0, 0)
    return found, float(root.get("width")), float(root.get("height"))


def number(node, name):
    return float(node.get(name, 0))


def ends_of_text(node):
    css = node.get("style")
    size = float((re.search(r"font-size: ([\d.]+)", css) or [0, 14])[1])
    width = text_width("".join(node.itertext()), size)
    left = number(node, "x") - {"middle": width / 2, "end": width}.get(anchor(css), 0)
    return left, number(node, "y") - 0.75 * size, left + width, number(node, "y") + 0.2 * size


def ends_of_rect(node):
    x, y = number(node, "x"), number(node, "y")
    return x, y, x + number(node, "width"), y + number(node, "height")


def ends_of_path(node):
    x, y = 0.0, 0.0
    at = []
    for command, numbers in re.findall(r"([MLHVQCvhz])([^MLHVQCvhz]*)", node.get("d", "")):
        n = [float(k) for k in re.findall(r"-?[\d.]+", numbers)]
        if command == "H":
            x = n[-1]
        elif command == "V":
            y = n[-1]
        elif command == "h":
            x += n[-1]
        elif command == "v":
            y += n[-1]
        elif n:
            x, y = n[-2:]
        at.append((x, y))
    at = at or [(np.nan, np.nan)]
    (left, top), (right, bottom) = np.min(at, 0).tolist(), np.max(at, 0).tolist()
    return left, top, right, bottom


def ends_of_circle(node):
    x, y, r = (number(node, k) for k in ("cx", "cy", "r"))
    return x - r, y - r, x + r, y + r


def ends_of_use(node):
    return (number(node, "x"), number(node, "y")) * 2


ENDS = {
    "text": ends_of_text, "rect": ends_of_rect, "path": ends_of_path, "circle": ends_of_circle,
    "use": ends_of_use,
}  # fmt: skip


def is_paper(kind, ends, width):
    """Tell whether an element is the sheet of a figure, or has no end."""
    return kind == "path" and not ends[2] - ends[0] < width - 1


#: px from what is drawn to the left, upper, right and lower edge; axes have 8 px left of the label above
#: them, 18 right of the plane, and its foot below.
MARGINS = {
    "bars": (12, 8, 12, 7), "panels": (12, 12, 12, 12), "gaps": (12, 10, 16, 14), "holes": (12, 14, 12, 14),
    "tree": (10, 10, 10, 10), "tree with all": (10, 10, 10, 10), "regression tree": (10, 10, 10, 10),
    "tree with numbers": (10, 10, 10, 10), "ledger": (12, 12, 12, 12), "arches": (8, 6, 18, 10),
    "luck": (8, 7, None, 10),
    "parts": (10, 10, 10, 10), "path": (8, 8, 12, 8), "two_draws": (14, 16, 42, 15),
    "partition": (8, None, 18, 10), "plane": (8, 8, 18, 10), "surface": (8, 8, 18, 10),
    "slanted": (8, 8, 18, 10), "steps": (8, 8, None, 10), "cuts": (8, 6, 18, 10),
    "cross_validation": (8, 7, 18, 10), "entropy_curve": (8, 7, None, 10), "calibration": (8, 6, None, 10),
    "votes": (8, 6, 14, 6), "shares": (20, None, 18, 10),
}  # fmt: skip
#: Colors and widths of lines: hair lines 0.8 to 1.2, edges and rims 1.5, borders of leaves 1.8, curves 2.5,
#: what is accented 3.5 or 4, where a tree is cut 5. Streams are as thick as the part that flows.
LINES = {
    "arches": "accent 1.5, class-0 1, class-0 2.5, class-1 1, class-1 2.5, line 0.8, line 1, line 1.5",
    "bars": "line 1.5",
    "tree": "class-0 1.5, class-1 1.5, line 1.5",
    "tree with all": "accent 4, accent 5, class-1 1.5, line 1.5",
    "regression tree": "class-1 1.5, line 1.5",
    "tree with numbers": "class-0 1.5, class-1 1.5, line 1.5",
    "ledger": "accent 1.5, line 1.5",
    "lines": "accent 2.5, ink 1, ink 2.5, line 0.8, line 1",
    "luck": "accent 1.5, line 0.8, line 1",
    "partition": "class-0 1, class-1 1, ink 2.5, line 0.8, line 1.5",
    "areas": "class-0 1, class-1 1, line 0.8",
    "votes": "class-0 1, class-1 1, ink 1.8, line 0.8",
    "calibration": "accent 1, accent 1.5, line 0.8, line 1, line 1.5",
    "cross_validation": (
        "accent 1, accent 1.5, accent 2.5, ink 1, ink 2.5, line 0.8, line 1, muted 1, muted 1.5"
    ),
    "cuts": "accent 1.5, class-0 1, class-1 1, line 0.8, line 1, line 1.5",
    "entropy_curve": "accent 2.5, ink 1, line 0.8, line 1",
    "surprise_curve": "accent 2.5, ink 1, line 0.8, line 1",
    "envelope": "accent 4, ink 1, line 0.8, line 1, muted 1, muted 1.2",
    "gaps": "line 1",
    "holes": "line 1",
    "panels": "line 1.5",
    "path": "accent 1, accent 3.5, class-0 1.5, class-1 1.5, line 1, line 1.5",
    "plane": "class-0 1, class-1 1, ink 1.8, line 0.8",
    "shares": "accent 1, ink 1, ink 2.5, line 0.8, line 1, muted 1",
    "slanted": "accent 2.5, class-0 1, class-1 1, ink 2.5, line 0.8, line 1",
    "steps": "accent 2.5, ink 2.5, line 0.8, line 1, muted 1",
    "panels of steps": "accent 2.5, line 0.8, line 1, muted 1",
    "surface": "ink 1.5, line 0.8, muted 1",
    "two_draws": "paper 1.5",
    "two_means": "accent 2.5, ink 1.5, line 0.8, line 1, line 1.5, muted 1, muted 1.2",
    "venn": "accent 2, line 1.5, muted 2",
}
#: Colors of words and their sizes; bold is what is chosen, asked or predicted, or heads something.
LETTERS = {
    "arches": "ink 13",
    "ledger": "ink 13, muted 13",
    "luck": "ink 13",
    "bars": "ink 14, ink bold 14, muted 13",
    "tree": "ink 13, ink bold 14, paper bold 14",
    "tree with all": "ink 13, ink bold 14, paper bold 14",
    "regression tree": "ink 13, ink bold 14",
    "tree with numbers": "ink 13, ink bold 14, muted 13, paper 13, paper bold 14",
    "lines": "accent 13, ink 13",
    "partition": "class-0 bold 13, class-1 bold 13, ink 13, paper 12",
    "areas": "ink 13, ink bold 13",
    "votes": "ink 13, ink bold 13",
    "calibration": "ink 13",
    "cross_validation": "accent 13, ink 13, muted 13",
    "cuts": "accent 13, class-0 bold 13, class-1 bold 13, ink 13, ink bold 13",
    "entropy_curve": "ink 13",
    "surprise_curve": "ink 13",
    "envelope": "accent 13, ink 13",
    "gaps": "ink 13, ink 14",
    "holes": "class-0 13, class-1 13, ink 13, ink bold 13",
    "panels": "ink 14, ink bold 14, muted 13",
    "parts": "class-0 bold 14, class-1 bold 14, ink 13, ink bold 14, muted 13, paper 13, paper bold 14",
    "path": "ink 13, ink bold 14",
    "plane": "class-0 bold 13, class-1 bold 13, ink 13, paper 11",
    "shares": "ink 13",
    "slanted": "accent 13, ink 13, paper 11",
    "steps": "accent 13, ink 13",
    "panels of steps": "accent bold 13, ink 13",
    "surface": "ink 13, ink bold 13",
    "two_draws": "ink 14, muted 13",
    "two_means": "accent 13, ink 13",
    "venn": "ink 14",
}
SIZES = {
    "tree": (229.6, 314), "tree with all": (229.6, 354), "regression tree": (670.5, 394),
    "tree with numbers": (236.2, 314), "arches": (420, 340), "ledger": (488.1, 422), "luck": (420, 300),
    "parts": (827.3, 436),
    "bars": (420, 96), "lines": (420, 300), "partition": (420, 300), "areas": (618, 258), "votes": (420,
    408), "calibration": (420, 360), "cross_validation": (420, 330), "cuts": (420, 354), "entropy_curve":
    (420, 300), "surprise_curve": (420, 300), "envelope": (420, 400), "gaps": (420, 100), "holes": (420,
    418), "panels": (420, 100), "path": (420, 338), "plane": (420, 400), "shares": (420, 202), "slanted":
    (420, 400), "steps": (420, 310), "panels of steps": (420, 394), "surface": (420, 360), "two_draws":
    (420, 360), "two_means": (420, 300), "venn": (420, 318),
}  # fmt: skip
#: Dots: how wide they are, and whether the edge of the axes may cut them.
MARKS = {
    "arches": {(4.0, False), (7.0, True), (8.0, False)}, "luck": set(),
    "lines": {(7.0, False)}, "partition": {(22.0, True)}, "areas": {(4.0, False)}, "votes": {(6.0, True)},
    "calibration": {(7.0, True), (8.0, True)}, "cross_validation": {(7.0, False), (5.0, True), (8.0, True)},
    "cuts": {(7.0, True), (8.0, False)}, "entropy_curve": {(7.0, False)}, "surprise_curve": {(7.0, False)},
    "envelope": {(7.0, False)}, "plane": {(17.0, False)}, "slanted": {(17.0, False)}, "steps": {(5.0, False)},
    "shares": {(15.9, False), (17.0, False), (10.0, False)}, "panels of steps": {(5.0, False)},
    "surface": {(3.0, False)}, "two_means": {(6.0, False)},
}  # fmt: skip
#: How opaque: a grid, a region that a leaf predicts, a draw of two classes, of one; a bar of gaps, a hole.
#: Votes are stronger the more agree; regression leaves are tested with their values.
OPACITIES = {
    "bell": {0.35, 0.55},
    "arches": {0.25}, "ledger": {0.25}, "luck": {0.25, 0.6},
    "gaps": {0.45}, "holes": {0.6}, "path": {0.22, 1}, "partition": {0.14}, "plane": {0.14}, "areas": {0.3},
    "two_draws": {0.12, 0.45}, "venn": {0.18}, "votes": {0.1, 0.26, 0.42},
    **dict.fromkeys(  # noqa: RUF024  (the sets are only read)
        ["lines", "calibration", "cross_validation", "cuts", "entropy_curve", "surprise_curve", "envelope",
         "shares", "slanted", "steps", "panels of steps", "two_means"], {0.25},
    ),
}  # fmt: skip
DASHES = {
    "bell": {"1.2,1.98"},
    "prices_of_folds": {"3.6,3.6"},
    "spread_of_means": {"1,1.65"},
    "arches": {"5.55,2.4"},
    "lines": {"9.25,4"}, "partition": {"1.5,2.48"}, "calibration": {"5.55,2.4"}, "slanted": {"9.25,4"},
    "cross_validation": {"9.25,4", "9.6,2.4,1.5,2.4"}, "envelope": {"2,4"}, "steps": {"9.25,4"},
    "two_means": {"5.55,2.4"},
    "holes": {"4 3"}, "parts": {"5 4"}, "path": {"2 3", "3 4"},
}  # fmt: skip


def css_of(node):
    """Return the properties of an element, its colors by their palette names."""
    parts = (part.split(": ", 1) for part in (node.get("style") or "").split("; ") if part)
    return {key: re.sub(r"var\(--dt-([\w-]+).*", r"\1", value) for key, value in parts}


def looks(name, *properties):
    """Return the values that some properties have in a picture."""
    pairs = [(node, css_of(node)) for node, _, _ in things(name)[0]]
    return {value for node, css in pairs for key in properties if (value := css.get(key) or node.get(key))}


@pytest.mark.parametrize("name", LINES)
def test_colors_and_widths_of_lines(name):
    css = [css_of(node) for node, kind, _ in things(name)[0] if kind != "text"]
    drawn = {
        f"{c['stroke']} {float(c.get('stroke-width', 1)):g}" for c in css if c.get("stroke", "none") != "none"
    }
    assert ", ".join(sorted(drawn)) == LINES[name]


@pytest.mark.parametrize("name", LETTERS)
def test_colors_and_sizes_of_words(name):
    found = set()
    for node, kind, _ in things(name)[0]:
        c = css_of(node)
        if kind == "text":
            bold = "bold " * (c.get("font-weight") in ("bold", "700"))
            found.add(f"{c.get('fill', 'ink')} {bold}{c.get('font-size', '14px').removesuffix('px')}")
    assert ", ".join(sorted(found)) == LETTERS[name]


@pytest.mark.parametrize("name", SIZES)
def test_sizes(name):
    assert things(name)[1:] == pytest.approx(SIZES[name], abs=0.06)


@pytest.mark.parametrize("name", MARKS)
def test_dots_are_whole_and_of_one_size(name):
    assert {(wide, cut) for wide, cut, _ in marks(name)} == MARKS[name]


@pytest.mark.parametrize("name", GALLERY)
def test_everything_is_inside(name):
    found, width, height = things(name)
    ends = np.array([at for _, kind, at in found if not is_paper(kind, at, width)])
    assert (ends[:, :2] >= 0).all()
    assert (ends[:, 2:] <= (width, height)).all()


@pytest.mark.parametrize("name", MARGINS)
def test_margins(name):
    found, width, height = things(name)
    ends = np.array([at for _, kind, at in found if not is_paper(kind, at, width)])
    margins = [*ends[:, :2].min(0), *((width, height) - ends[:, 2:].max(0))]
    wanted = [x if wanted is None else wanted for x, wanted in zip(margins, MARGINS[name], strict=True)]
    assert margins == pytest.approx(wanted, abs=0.55)


@pytest.mark.parametrize("name", GALLERY)
def test_lines_letters_and_tints_have_few_looks(name):
    assert looks(name, "font-size") <= {"11px", "12px", "13px"}
    assert looks(name, "font-weight") <= {"bold", "700", "normal"}
    assert looks(name, "stroke-dasharray") == DASHES.get(name, set())
    if name not in ("regression tree", "surface"):
        opacities = looks(name, "opacity", "fill-opacity", "stroke-opacity")
        assert {float(opacity) for opacity in opacities} == OPACITIES.get(name, set())


@pytest.mark.parametrize("name", ["bars", "panels", "gaps", "holes"])
def test_rows_are_even_and_words_stand_in_the_middle_of_their_row(name):
    found, _, _ = things(name)
    rects = np.array([at for _, kind, at in found if kind == "rect"])
    rows = np.unique(rects[:, 1])
    assert np.diff(rows) == pytest.approx(np.diff(rows)[:1].repeat(len(rows) - 1))
    assert len({round(bottom - top, 2) for _, top, _, bottom in rects}) == 1
    middles = (rects[:, 1] + rects[:, 3]) / 2
    beside = [(at[1] + at[3]) / 2 for _, kind, at in found if kind == "text"]
    near = [min(abs(middle - middles)) for middle in beside]
    assert sorted(near)[: len(rows)] == pytest.approx(
        [near[0] if name == "bars" else min(near)] * len(rows), abs=1
    )
    assert min(near) <= 1.5


def tree_parts(name):
    """Return the cards of the picture of a tree, and its edges: where each begins and ends."""
    found, _, _ = things(name)
    cards = [at for node, kind, at in found if kind == "rect" and node.get("rx")]
    edges = []
    for node, kind, _ in found:
        if kind == "path" and (
            path := re.match(r"M([\d.]+) ([\d.]+)V.* ([\d.]+) ([\d.]+)V([\d.]+)$", node.get("d"))
        ):
            edges.append((float(path[1]), float(path[2]), float(path[3]), float(path[5])))
    return cards, edges


@pytest.mark.parametrize("name", ["tree", "tree with all", "tree with numbers", "regression tree"])
def test_each_edge_goes_from_the_middle_of_a_card_to_that_of_another(name):
    cards, edges = tree_parts(name)
    low = {(round((left + right) / 2, 1), round(bottom, 1)) for left, _, right, bottom in cards}
    high = {(round((left + right) / 2, 1), round(top, 1)) for left, top, right, _ in cards}
    assert len(edges) == len(set(cards)) - 1
    for x, y, to_x, to_y in edges:
        assert min(abs(x - a) + abs(y - b) for a, b in low) < 0.2
        assert min(abs(to_x - a) + abs(to_y - b) for a, b in high) < 0.2


def marks(name):
    """Return the dots of a figure: how wide each is, whether the axes cut it, and where."""
    root = read(GALLERY[name]())
    shape = {"#" + path.get("id"): ends_of_path(path) for path in root.iter(f"{SVG}path") if path.get("id")}
    clipped = {use for g in root.iter(f"{SVG}g") if g.get("clip-path") for use in g.iter(f"{SVG}use")}
    return [
        (round(ends[2] - ends[0], 1), use in clipped, (number(use, "x"), number(use, "y")))
        for use in root.iter(f"{SVG}use")
        if (ends := shape[use.get("href")])[2] > ends[0]
    ]


@pytest.mark.parametrize("name", ["tree", "tree with all"])
def test_the_bar_of_a_card_fills_it_from_pad_to_pad_above_the_counts(name):
    found, _, _ = things(name)
    bars = [at for node, kind, at in found if kind == "rect" and number(node, "height") == 7]
    cards = [at for node, kind, at in found if kind == "rect" and node.get("rx")]
    words = [at for _, kind, at in found if kind == "text"]
    several = 0
    for left, top, right, bottom in cards:
        own = [at for at in bars if left < at[0] and at[2] < right and top < at[1] < bottom]
        several += len(own) > 1
        if own:
            assert (own[0][0] - left, right - own[-1][2]) == pytest.approx((12, 12), abs=0.03)
            assert [a[2] for a in own[:-1]] == pytest.approx([b[0] for b in own[1:]], abs=0.03)
            head, *counts = [
                at for at in words if left < at[0] and top < at[1] and at[3] < bottom and at[2] < right
            ]
            assert head[3] <= own[0][1] + 1e-9
            assert all(own[0][3] <= at[1] for at in counts)
    assert several


def test_samples_of_a_cell_stand_in_even_rows_from_side_to_side():
    dots = np.array([at for _, _, at in marks("partition")])
    cells = [
        at for node, kind, at in things("partition")[0] if kind == "path" and css_of(node).get("opacity")
    ]
    inside = [
        dots[(dots > (left, top)).all(1) & (dots < (right, bottom)).all(1)]
        for left, top, right, bottom in cells
    ]
    assert sum(map(len, inside)) == len(dots) == len(load_loan().X)
    for (left, _, right, bottom), found in zip(cells, inside, strict=True):
        rows = [np.sort(found[found[:, 1] == y, 0]) for y in np.unique(found[:, 1])]
        first = rows[0]
        assert first[0] - left == pytest.approx(right - first[-1], abs=0.05)
        for row in rows:
            assert row == pytest.approx(first[: len(row)], abs=0.02)
            assert np.diff(row) == pytest.approx([(first[1] - first[0])] * (len(row) - 1), abs=0.03)
        assert len({len(row) for row in rows[:-1]}) <= 1
        assert bottom - found[:, 1].max() > 11


@pytest.mark.parametrize("name", ["plane", "surface"])
def test_the_border_of_a_leaf_goes_round_it_once(name):
    borders = [
        node for node, kind, _ in things(name)[0] if kind == "path" and css_of(node).get("stroke") == "ink"
    ]
    assert borders
    for node in borders:
        corners = re.findall(r"[ML] (\S+ \S+)", node.get("d"))
        assert corners[0] == corners[-1]
        assert len(set(corners)) == len(corners) - 1 == 4


@pytest.mark.parametrize("table", [[[3, 2], [2, 3], [1, 4]], [[6, 3], [0, 6]], [[1, 0], [1, 0], [0, 1]]])
def test_the_bracket_of_both_entropies_is_as_wide_as_the_circles(table):
    root = read(pictures.venn(table))
    circles = [ends_of_circle(node) for node in root.iter(f"{SVG}circle")][:2]
    (bracket,) = (ends_of_path(node) for node in root.iter(f"{SVG}path") if "H" in node.get("d"))
    left, right = min(at[0] for at in circles), max(at[2] for at in circles)
    assert (bracket[0], bracket[2]) == pytest.approx((left, right), abs=0.02)
    assert bracket[1] > max(at[3] for at in circles)


def test_a_highlighted_path_is_as_thick_on_its_edges_as_on_its_cards():
    accented = [
        (node, float(css["stroke-width"]))
        for node, _, _ in things("tree with all")[0]
        if (css := css_of(node)).get("stroke") == "accent"
    ]
    cards = {width for node, width in accented if node.get("rx")}
    edges = {width for node, width in accented if "Q" in node.get("d", "")}
    bars = {width for node, width in accented if "h40" in node.get("d", "")}
    assert (cards, edges, bars) == ({4}, {4}, {5})
