"""What all pictures share: margins, edges that line up, and few looks, each with its meaning."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pandas as pd
import pytest
from pictures import SVG, anchor, read

from dtlib import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    contingency,
    draw,
    load_golf,
    load_loan,
    load_regression_points,
    load_watermelon,
)
from dtlib.book import pictures
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
    "regression tree": lambda: draw.tree(stairs()["depth 3"]),
    "lines": lambda: draw.lines({"a": ([0, 1, 2], [0, 1, 4]), "b": ([0, 2], [1, 2])}, marks=[(1, 1, "here")]),
    "partition": partition,
    "areas": lambda: pictures.areas(
        {name: cart.tree_ for name, cart in melon_trees().items()}, load_watermelon("3.0").frame, "good", **PAIR
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
    "panels": lambda: pictures.panels(["texture", "touch"], {"gain": [0.381, 0.006], "ratio": [0.1, 0.263]}),
    "parts": parts_of_melon,
    "path": lambda: pictures.path(pruning_path(CARTClassifier().fit(load_loan().X, load_loan().y).tree_)),
    "plane": lambda: plane(3),
    "shares": lambda: pictures.shares(contingency(load_watermelon().frame, "color", "good"), ["pale"]),
    "slanted": slanted,
    "steps": points,
    "panels of steps": lambda: points(panels=True),
    "surface": terraces,
    "two_draws": lambda: pictures.two_draws([1, 3], names=["C0", "C1"]),
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
    "parts": (10, 10, 10, 10), "path": (8, 8, 12, 8), "two_draws": (14, 16, 42, 15),
    "partition": (8, None, 18, 10), "plane": (8, 8, 18, 10), "surface": (8, 8, 18, 10),
    "slanted": (8, 8, 18, 10), "steps": (8, 8, None, 10), "cuts": (8, 6, 18, 10),
    "cross_validation": (8, 7, 18, 10), "entropy_curve": (8, 7, None, 10), "calibration": (8, 6, None, 10),
    "votes": (8, 6, 14, 6), "shares": (20, None, 18, 10),
}  # fmt: skip
#: How thick lines are: hair lines 0.8 to 1.2, edges and rims 1.5, borders of leaves 1.8, curves 2.5, what is
#: accented 3.5 or 4, where a tree is cut 5. Streams are as thick as the part that flows.
WIDTHS = {
    "bars": {1.5}, "panels": {1.5}, "gaps": {1}, "holes": set(), "tree": {1.5}, "tree with all": {1.5, 4, 5},
    "regression tree": {1.5}, "path": {1.5, 3.5}, "two_draws": {1.5}, "venn": {1.5, 2},
    "lines": {0.8, 2.5}, "partition": {0.8, 1.5, 2.5}, "areas": {0.8}, "votes": {0.8, 1.8},
    "calibration": {0.8, 1.5}, "cross_validation": {0.8, 1.5, 2.5}, "cuts": {0.8, 1.5},
    "entropy_curve": {0.8, 2.5}, "surprise_curve": {0.8, 2.5}, "envelope": {0.8, 1.2, 4},
    "plane": {0.8, 1.8}, "shares": {0.8, 2.5}, "slanted": {0.8, 2.5}, "steps": {0.8, 2.5},
    "panels of steps": {0.8, 2.5}, "surface": {0.8, 1.5},
}  # fmt: skip
#: How opaque: a grid, a region that a leaf predicts, a draw of two classes, of one; a bar of gaps, a hole.
#: Votes are stronger the more agree; regression leaves are tested with their values.
OPACITIES = {
    "gaps": {0.45}, "holes": {0.6}, "path": {0.22, 1}, "partition": {0.14}, "plane": {0.14}, "areas": {0.3},
    "two_draws": {0.12, 0.45}, "venn": {0.18}, "votes": {0.1, 0.26, 0.42},
    **dict.fromkeys(
        ["lines", "calibration", "cross_validation", "cuts", "entropy_curve", "surprise_curve", "envelope",
         "shares", "slanted", "steps", "panels of steps"], {0.25},
    ),
}  # fmt: skip
DASHES = {
    "lines": {"9.25,4"}, "partition": {"1.5,2.48"}, "calibration": {"5.55,2.4"}, "slanted": {"9.25,4"},
    "cross_validation": {"9.25,4", "9.6,2.4,1.5,2.4"}, "envelope": {"2,4"}, "steps": {"9.25,4"},
    "holes": {"4 3"}, "parts": {"5 4"}, "path": {"2 3", "3 4"},
}  # fmt: skip


def looks(name, *properties):
    """Return the values that some properties have in a picture."""
    found = set()
    for node, _, _ in things(name)[0]:
        css = dict(part.split(": ") for part in (node.get("style") or "").split("; ") if part)
        found |= {value for key in properties if (value := css.get(key) or node.get(key))}
    return found


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
    if name in WIDTHS:
        assert {float(width) for width in looks(name, "stroke-width")} == WIDTHS[name]
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
    assert sorted(near)[: len(rows)] == pytest.approx([near[0] if name == "bars" else min(near)] * len(rows), abs=1)
    assert min(near) <= 1.5


def tree_parts(name):
    """Return the cards of the picture of a tree, and its edges: where each begins and ends."""
    found, _, _ = things(name)
    cards = [at for node, kind, at in found if kind == "rect" and node.get("rx")]
    edges = []
    for node, kind, _ in found:
        if kind == "path" and (path := re.match(r"M([\d.]+) ([\d.]+)V.* ([\d.]+) ([\d.]+)V([\d.]+)$", node.get("d"))):
            edges.append((float(path[1]), float(path[2]), float(path[3]), float(path[5])))
    return cards, edges


@pytest.mark.parametrize("name", ["tree", "tree with all", "regression tree"])
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
