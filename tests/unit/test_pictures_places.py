"""Where things stand in the book's own pictures: read from the figure, or from the elements of the SVG."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from pictures import SVG, figure_of, overlap, read, texts, words_of

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ObliqueTreeClassifier
from dtlib.book import pictures
from dtlib.book.pictures.planes import boxes, clipped, limits, rectangle, regions, roomiest_corner, roomy
from dtlib.book.pictures.pruning import AXIS_LEFT, lowest
from dtlib.book.pictures.steps import SPELLED
from dtlib.datasets import load_golf, load_loan, load_watermelon
from dtlib.draw.axes import SHAPES, in_px
from dtlib.draw.plots import some_points
from dtlib.draw.svg import LIGHT, SMALL_SIZE, text_width
from dtlib.measures import entropy
from dtlib.prune import pruning_path
from tests.drawn import seeds

GOLF, MELONS = load_golf(), load_watermelon("3.0")
PAIR = ["density", "sugar"]


def css_of(node):
    """Return the properties of an element, its colors by their palette names."""
    parts = (part.split(": ", 1) for part in (node.get("style") or "").split("; ") if part)
    return {key: re.sub(r"var\(--dt-([\w-]+).*", r"\1", value) for key, value in parts}


def polygon(rng):
    """Draw the corners of a convex polygon, in their order."""
    angle = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 8))))
    return np.column_stack([np.cos(angle), 0.7 * np.sin(angle)]) * rng.uniform(40, 90) + rng.uniform(-9, 9, 2)


def is_inside(corners, point, slack=1e-9):
    """Tell whether a point lies in a convex polygon: on one side of all edges."""
    sides = []
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        sides.append((b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]))
    return min(sides) >= -slack or max(sides) <= slack


def area(corners):
    """Return the area of a polygon: a triangle after the other."""
    return sum(
        abs(np.linalg.det([b - corners[0], c - corners[0]])) / 2 for b, c in itertools.pairwise(corners[1:])
    )


@pytest.mark.parametrize("seed", seeds(20))
def test_what_is_clipped_is_what_lies_on_one_side(seed):
    rng = np.random.default_rng(seed)
    corners, normal = polygon(rng), rng.normal(size=2)
    threshold = float(rng.choice([corners.mean(0) @ normal, corners[0] @ normal, rng.normal() * 60]))
    left = clipped(corners, normal, threshold)
    right = clipped(corners, -normal, -threshold)
    for point in rng.uniform(corners.min(0), corners.max(0), (100, 2)):
        if is_inside(corners, point, -1e-6) and abs(point @ normal - threshold) > 1e-6:
            below = bool(point @ normal < threshold)
            assert (area(left) > 1e-9 and is_inside(left, point)) == below
            assert (area(right) > 1e-9 and is_inside(right, point)) == (not below)
    assert area(left) + area(right) == pytest.approx(area(corners))
    for part in (left, right):
        assert len(part) == 0 or len(part) > 2
        assert all(is_inside(corners, corner, 1e-6) for corner in part)


@pytest.mark.parametrize("seed", seeds(20))
def test_a_label_stands_in_the_corner_farthest_from_its_nearest_dot(seed):
    rng = np.random.default_rng(seed)
    corners = rectangle(rng.uniform(0, 50, 2), rng.uniform(100, 200, 2))
    dots = rng.uniform(0, 200, (int(rng.integers(1, 12)), 2))
    if seed % 3 == 0:  # in the middle: all corners are as far
        dots = corners.mean(0)[None]
    width, height = rng.uniform(5, 20, 2)
    best, wanted = -1.0, None
    for y in (corners[2, 1] - height, corners[0, 1] + height):  # above, then below
        for x in (corners[0, 0] + width, corners[2, 0] - width):
            nearest = min(math.hypot(*(dot - (x, y))) for dot in dots)
            if nearest > best + 1e-6:
                best, wanted = nearest, (x, y)
    assert roomiest_corner(corners, dots, width, height).tolist() == pytest.approx(wanted)


def gap(spot, dot, width, height):
    """Return how far a dot is from the box of a label."""
    return math.hypot(*(max(abs(spot[k] - dot[k]) - half, 0) for k, half in enumerate((width, height))))


@pytest.mark.parametrize("seed", seeds(20))
def test_a_label_in_a_polygon_fits_where_no_place_has_more_room(seed):
    rng = np.random.default_rng(seed)
    corners, dots = polygon(rng), rng.uniform(-80, 80, (int(rng.integers(1, 8)), 2))
    width, height = 8.0, 5.0
    step = np.ptp(corners, axis=0).max() / 40  # places are tried so far apart

    def fits(spot):
        return all(
            is_inside(corners, spot + np.array([i * width, j * height]), 1e-6)
            for i, j in itertools.product((-1, 1), repeat=2)
        )

    found = roomy(corners, dots, width, height)
    others = [spot for spot in rng.uniform(corners.min(0), corners.max(0), (400, 2)) if fits(spot)]
    if found is None:
        assert len(others) < 20
        return
    assert fits(found)
    room = min(gap(found, dot, width, height) for dot in dots)
    for spot in others:
        assert min(gap(spot, dot, width, height) for dot in dots) < room + 1.5 * step
    assert roomy(corners, dots, 200.0, 5.0) is None


@pytest.mark.parametrize("seed", seeds(4))
def test_each_point_of_a_plane_lies_in_the_region_of_its_leaf(seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(40, 2)), columns=["a", "b"])
    y = np.where(X["a"] + X["b"] * rng.normal() > 0, "up", "down")
    low, high = limits(X.to_numpy())
    slanted = ObliqueTreeClassifier(restarts=2, jumps=1, max_depth=3, random_state=0).fit(X, y).tree_
    straight = CARTClassifier().fit(X, y).tree_
    points = pd.DataFrame(rng.uniform(low, high, (60, 2)), columns=["a", "b"])
    for tree in (slanted, straight):
        found = {leaf.id: corners for leaf, corners in regions(tree.root, ("a", "b"), rectangle(low, high))}
        for point, leaf in zip(points.to_numpy(), tree.apply(points), strict=True):
            inside = [k for k, corners in found.items() if len(corners) and is_inside(corners, point)]
            assert leaf in inside
            assert len(inside) == 1 or min(abs(point)) < 1e-6
    ends = {leaf.id: (a, b) for leaf, a, b in boxes(straight.root, ("a", "b"), low, high)}
    for leaf, corners in regions(straight.root, ("a", "b"), rectangle(low, high)):
        a, b = ends[leaf.id]
        assert corners.min(0).tolist() == pytest.approx(np.minimum(a, b).tolist())
        assert corners.max(0).tolist() == pytest.approx(b.tolist())


def test_the_ends_of_a_plane_leave_the_same_room_on_both_sides():
    at = np.array([[1.0, 5.0], [3.0, 5.0], [2.0, 5.0]])
    low, high = limits(at, 0.25)
    assert (low.tolist(), high.tolist()) == ([0.5, 4.0], [3.5, 6.0])


@pytest.fixture
def melons():
    """The figure of a plane, and its tree."""
    tree = C45Classifier().fit(MELONS.X[PAIR], MELONS.y).tree_
    (ax,) = figure_of(lambda: pictures.plane(tree, MELONS.frame, "good", x="density", y="sugar")).axes
    return ax, tree


def test_each_leaf_has_its_class_in_its_color_inside_its_region(melons):
    ax, tree = melons
    low, high = limits(MELONS.frame[PAIR].to_numpy())
    bold = [text for text in words_of(ax) if text.get_weight() == "bold"]
    leaves = list(boxes(tree.root, ("density", "sugar"), low, high))
    assert len(bold) == len(leaves)
    for text, (leaf, start, end) in zip(bold, leaves, strict=True):
        at, half = (
            in_px(ax, *np.array([text.get_position()]).T)[0],
            text_width(text.get_text(), SMALL_SIZE) / 2,
        )
        (left, bottom), (right, top) = in_px(ax, *np.array([start, end]).T)
        assert left <= at[0] - half <= at[0] + half <= right
        assert bottom <= at[1] - SMALL_SIZE / 2 <= at[1] + SMALL_SIZE / 2 <= top
        near = [min(at[k] - a, b - at[k]) for k, (a, b) in enumerate([(left, right), (bottom, top)])]
        assert near[0] - half < 8  # in a corner, but off its lines
        assert 4 < near[1] - SMALL_SIZE / 2 < 8
        assert text.get_text() == leaf.prediction
        assert to_hex(text.get_color()) == LIGHT[f"class-{tree.label[leaf.id]}"]


def test_each_sample_stands_at_its_numbers_with_the_shape_of_its_class(melons):
    ax, _ = melons
    names = {text.get_text(): text for text in words_of(ax) if text.get_weight() != "bold"}
    classes = list(MELONS.y.cat.categories) if hasattr(MELONS.y, "cat") else sorted(set(MELONS.y))
    for name, row in MELONS.frame.iterrows():
        at = [row["density"], row["sugar"]]
        assert [*names[str(name)].get_position()] == pytest.approx(at)
        (dot,) = (line for line in ax.lines if line.get_xydata().tolist() == [at])
        k = classes.index(row["good"])
        assert (dot.get_marker(), dot.get_color()) == (SHAPES[k], LIGHT[f"class-{k}"])


def cuts_of(values, classes):
    """Return both axes of the picture of cuts; and for each cut by hand its place, its bits, its boundary."""
    gains, lanes = figure_of(lambda: pictures.cuts(values, classes)).axes
    found = []
    for a, b in itertools.pairwise(sorted(set(values))):
        t, bits = (a + b) / 2, 0.0
        for side in ([v <= t for v in values], [v > t for v in values], [True] * len(values)):
            part = [c for c, yes in zip(classes, side, strict=True) if yes]
            h = entropy([part.count(c) for c in sorted(set(classes))])
            bits += h * len(part) / len(values) * (1 if all(side) else -1)
        beside = {c for v, c in zip(values, classes, strict=True) if v in (a, b)}
        found.append((t, bits, len(beside) > 1))
    return gains, lanes, found


TABLES = [
    (list(GOLF.X["temperature"]), list(GOLF.y)),
    ([1, 2, 2, 3, 4, 5, 6], list("aababbb")),
    ([1.0, 2.0, 3.0], list("aba")),
    ([0.0, 1.0, 100.0], list("abb")),
    ([0.0, 99.0, 100.0], list("aab")),
]


@pytest.mark.parametrize(("values", "classes"), TABLES)
def test_the_dot_of_a_cut_is_as_high_as_its_gain_and_full_at_a_boundary(values, classes):
    gains, _, wanted = cuts_of(values, classes)
    full, hollow = gains.lines
    assert to_hex(full.get_markerfacecolor()) == LIGHT["accent"]
    assert to_hex(hollow.get_markerfacecolor()) == LIGHT["paper"]
    for line, boundary in ((full, True), (hollow, False)):
        assert line.get_xydata() == pytest.approx(
            np.array([(t, bits) for t, bits, yes in wanted if yes == boundary]).reshape(-1, 2)
        )
        assert to_hex(line.get_markeredgecolor()) == LIGHT["accent"]
    (stems,) = gains.collections
    for segment, (t, bits, _) in zip(stems.get_segments(), wanted, strict=True):
        assert segment == pytest.approx(np.array([[t, 0], [t, bits]]))


@pytest.mark.parametrize(("values", "classes"), TABLES)
def test_the_best_cut_is_named_above_its_dot_within_the_axes_which_it_fills(values, classes):
    gains, _, wanted = cuts_of(values, classes)
    t, bits, _ = max(wanted, key=lambda cut: (round(cut[1], 9), -cut[0]))
    (words,) = words_of(gains)
    assert words.get_text() == f"{t:g}: {bits:.3f} bits"
    (left, right), (bottom, top) = gains.get_xlim(), gains.get_ylim()
    assert (bottom, left + right) == (0, pytest.approx(min(values) + max(values)))
    assert left < min(values) < max(values) < right
    assert 0.75 * top < bits < top
    x, y = in_px(gains, *np.array([words.get_position(), (t, bits)]).T).T
    half, (start, _), (end, height) = text_width(words.get_text(), SMALL_SIZE) / 2, *gains.bbox.get_points()
    assert y[0] - SMALL_SIZE / 2 > y[1]  # above the dot
    assert y[0] < height + SMALL_SIZE
    assert start <= x[0] - half
    assert x[0] + half <= end + 18
    share = (t - min(values)) / (max(values) - min(values))
    assert (x[0] == pytest.approx(x[1])) == (0.2 <= share <= 0.8)  # as near its dot as it may be


@pytest.mark.parametrize(("values", "classes"), TABLES)
def test_samples_stand_in_the_lane_of_their_class_equal_ones_above_each_other(values, classes):
    _, lanes, _ = cuts_of(values, classes)
    names = sorted(set(classes))
    for k, (name, line) in enumerate(zip(names, lanes.lines, strict=True)):
        own = sorted(v for v, c in zip(values, classes, strict=True) if c == name)
        x, y = line.get_data()
        assert x.tolist() == own
        assert (line.get_marker(), line.get_color()) == (SHAPES[k], LIGHT[f"class-{k}"])
        for value in own:
            heights = sorted(y[x == value] + k)
            assert heights[0] == 0
            assert np.diff(heights) == pytest.approx([0.32] * (len(heights) - 1))
    gains, *_ = cuts_of(values, classes)
    assert lanes.get_xlim() == gains.get_xlim()  # a cut stands above the samples that it parts
    low, high = lanes.get_ylim()
    assert all(low < y < high for line in lanes.lines for y in line.get_ydata())
    assert [label.get_text() for label in lanes.get_yticklabels()] == names
    assert lanes.get_yticks().tolist() == [-k for k in range(len(names))]
    assert [to_hex(label.get_color()) for label in lanes.get_yticklabels()] == [
        LIGHT[f"class-{k}"] for k in range(len(names))
    ]


@pytest.mark.parametrize("name", ["no", "a class of a long name", "W" * 12])
def test_the_name_of_a_class_stands_beside_its_lane_within_the_picture(name):
    shown = pictures.cuts([1, 2, 3], ["a", name, "a"])
    (box,) = (box for box in texts(shown) if box[0] == name)
    assert box[1] > 0
    axes = figure_of(lambda: pictures.cuts([1, 2, 3], ["a", name, "a"])).axes
    assert len({round(ax.get_position().x0, 6) for ax in axes}) == 1
    assert box[3] < axes[0].bbox.x0


def test_calibration_has_its_points_their_errors_and_the_diagonal():
    said, found, se, n = [0.1, 0.8, 0.5], [0.15, 0.75, 0.5], [0.05, 0.06, 0.0], [50, 60, 7]
    (ax,) = figure_of(lambda: pictures.calibration(said, found, se, n)).axes
    diagonal, *others = ax.lines
    assert diagonal.get_xydata().tolist() == [[0, 0], [1, 1]]
    assert (diagonal.get_linestyle(), diagonal.get_color()) == ("--", LIGHT["line"])
    (container,) = ax.containers
    marks, caps, (bars,) = container.lines
    assert [*others] == [marks, *caps]
    assert marks.get_xydata() == pytest.approx(np.column_stack([said, found]))
    for segment, x, y, error in zip(bars.get_segments(), said, found, se, strict=True):
        assert segment == pytest.approx(np.array([[x, y - error], [x, y + error]]))
    for text, x, y, error, count in zip(words_of(ax), said, found, se, n, strict=True):
        assert (text.get_text(), text.xy, text.get_ha()) == (str(count), (x, y), "right")
        assert x < text.get_position()[0] < x + 0.02  # it ends over the dot
        assert y + error < text.get_position()[1] < y + error + 0.03  # and stands upon the bar
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    assert left == low < 0
    assert right == high > 1


@pytest.mark.parametrize("cells", [[[0, 0.5], [1, 0.021]], [[0.25, 0.0, 1.0]]])
def test_a_gap_is_filled_from_the_left_as_far_as_its_share(cells):
    shares = pd.DataFrame(cells, index=[f"f{i}" for i in range(len(cells))])
    shown = pictures.gaps(shares.rename(columns="group {}".format))
    rects = [node for node in read(shown).iter(f"{SVG}rect") if node.get("width") != "100%"]
    frames = [node for node in rects if css_of(node)["fill"] == "none"]
    filled = {(node.get("x"), node.get("y")): node for node in rects if css_of(node)["fill"] == "accent"}
    assert len(frames) == shares.size
    assert len(filled) == np.count_nonzero(cells)
    words = {box[0]: box for box in texts(shown)}
    for frame, share in zip(frames, np.ravel(cells), strict=True):
        bar = filled.pop((frame.get("x"), frame.get("y")), None)
        assert (bar is None) == (share == 0)
        if bar is not None:
            assert float(bar.get("width")) == pytest.approx(share * float(frame.get("width")), abs=0.01)
            assert bar.get("height") == frame.get("height")
        x, y, w, h = (float(frame.get(name)) for name in ("x", "y", "width", "height"))
        percent = words[f"{100 * share:.0f} %"]
        assert x < percent[1] < percent[3] < x + w
        assert y < percent[2] < percent[4] < y + h
    assert not filled


def test_rows_without_a_hole_are_bold_and_a_hole_is_a_rim_alone():
    X = pd.DataFrame({"a": ["p", None, "p"], "b": ["q", "q", None], "c": ["r"] * 3}, index=[7, 8, 9])
    shown = pictures.holes(X, pd.Series(["no", "yes", "yes"]))
    root = read(shown)
    bold = {node.text: css_of(node).get("font-weight") for node in root.iter(f"{SVG}text")}
    assert {name: bold[name] for name in "789"} == {"7": "bold", "8": "normal", "9": "normal"}
    cells = [node for node in root.iter(f"{SVG}rect") if node.get("width") != "100%"]
    found = [
        (css_of(node)["fill"], css_of(node).get("stroke"), bool(node.get("stroke-dasharray")))
        for node in cells
    ]
    known, hole = [(f"class-{k}", None, False) for k in (0, 1)], ("paper", "line", True)
    assert found == [known[0]] * 3 + [hole, known[1], known[1]] + [known[1], hole, known[1]]
    by_row = [cells[i : i + 3] for i in (0, 3, 6)]
    for row, name in zip(by_row, "789", strict=True):
        box = next(box for box in texts(shown) if box[0] == name)
        assert box[3] < min(float(cell.get("x")) for cell in row)
        assert [float(cell.get("x")) for cell in row] == sorted(float(cell.get("x")) for cell in row)


def steps_of(flat):
    """Grow a staircase of so many steps, and return what is said of it."""
    x = np.arange(float(flat))
    tree = CARTRegressor().fit(x[:, None], x**2).tree_
    assert tree.n_leaves == flat
    return pictures.steps({"tree": tree}, x, x**2, low=-1).description.split("tree: ")[1]


@pytest.mark.parametrize("flat", [2, SPELLED - 1, SPELLED, SPELLED + 1, SPELLED + 2])
def test_few_steps_are_said_one_by_one_and_many_are_counted(flat):
    said = steps_of(flat)
    if flat <= SPELLED:
        cuts = [f"{k**2} up to {k + 0.5:g}" for k in range(flat - 1)]
        assert said == ", ".join([*cuts, f"{(flat - 1) ** 2} above"]) + "."
    else:
        assert said == f"{flat} steps between 0 and {(flat - 1) ** 2}."


@pytest.mark.parametrize("length", [1, 2, 10, 11, 12, 31])
def test_up_to_eleven_points_of_a_curve_are_said_with_both_ends(length):
    x = np.arange(length) * 2.0
    said = some_points(x, x + 1)
    places = [int(re.match(r"\((\d+),", point)[1]) // 2 for point in said]
    assert [f"({2 * k}, {2 * k + 1})" for k in places] == said
    assert len(said) == min(length, 11)
    assert (places[0], places[-1]) == (0, length - 1)
    assert len(set(places)) == len(places)
    assert np.ptp(np.diff(places)) <= 1 if length > 2 else True


@pytest.fixture
def staircase():
    """A path of several trees as it is drawn: its alphas, its leaves, and the elements."""
    nested = pruning_path(CARTClassifier().fit(load_loan().X, load_loan().y).tree_)
    wide = pruning_path(CARTClassifier(max_depth=4).fit(MELONS.X[PAIR], MELONS.y).tree_)
    return [(path, read(pictures.path(path)), pictures.path(path)) for path in (nested, wide)]


def numbers(node, name="d"):
    return [float(x) for x in re.findall(r"-?[\d.]+", node.get(name))]


def test_a_step_begins_at_a_full_dot_and_ends_at_an_empty_one(staircase):
    for path, root, _ in staircase:
        flat = [node for node in root.iter(f"{SVG}path") if css_of(node).get("stroke-width") == "3.5"]
        dots = [node for node in root.iter(f"{SVG}circle") if node.get("r") == "4.5"]
        where = {
            fill: [
                (float(dot.get("cx")), float(dot.get("cy"))) for dot in dots if css_of(dot)["fill"] == fill
            ]
            for fill in ("accent", "paper")
        }
        starts = [tuple(numbers(node)[:2]) for node in flat]
        ends = [(numbers(node)[2], numbers(node)[1]) for node in flat]
        assert len(flat) == len(path.alphas)
        assert where["accent"] == starts
        assert where["paper"] == ends[:-1]  # the last one goes on
        assert [a for a, _ in starts[1:]] == [b for b, _ in ends[:-1]]
        alphas, leaves = path.alphas, path.leaves
        x, y = np.array(starts).T
        assert x[0] == AXIS_LEFT
        assert (x - x[0]) / (x[-1] - x[0]) == pytest.approx(alphas / alphas[-1], abs=1e-3)
        slope, start = np.polyfit(leaves, y, 1)
        assert slope < 0
        assert y == pytest.approx(start + slope * leaves, abs=0.02)
        drops = [
            numbers(node) for node in root.iter(f"{SVG}path") if css_of(node).get("stroke-dasharray") == "3 4"
        ]
        base = {drop[2] for drop in drops}
        assert [drop[0] for drop in drops] == [a for a, _ in ends[:-1]]
        assert [drop[1] for drop in drops] == pytest.approx([b + 5 for _, b in ends[:-1]], abs=0.01)
        assert len(base) == 1
        assert start == pytest.approx(base.pop(), abs=0.1)  # no leaf at all would lie on the axis
        ticks = [numbers(node) for node in root.iter(f"{SVG}path") if node.get("d").endswith("v6")]
        assert [tick[0] for tick in ticks] == pytest.approx(x.tolist(), abs=0.01)


def test_words_at_the_axes_of_a_staircase_are_apart(staircase):
    for path, _, shown in staircase:
        found = texts(shown)
        for a, b in itertools.combinations(found, 2):
            assert not overlap(a, b), (a, b)
        written = [f"{alpha:.4g}" for alpha in path.alphas]
        under = sorted(
            (box for box in found if box[0] in written and box[3] > AXIS_LEFT - 4), key=lambda box: box[1]
        )
        assert [box[0] for box in under] == written  # left of the axis stand the leaves
        for a, b in itertools.pairwise(under):
            assert b[1] - a[3] > 4


@pytest.mark.parametrize("seed", seeds(20))
def test_the_lowest_line_is_the_lowest_everywhere(seed):
    rng = np.random.default_rng(seed)
    size, cost = rng.integers(1, 6, 6).astype(float), rng.integers(0, 9, 6).astype(float)
    best, start = lowest(size, cost)
    assert start[0] == 0
    assert (np.diff(start) > 0).all() or len(set(start)) < len(start)
    for alpha in np.linspace(0, 12, 97):
        here = best[int(np.searchsorted(start, alpha, side="right")) - 1]
        least = min(c + alpha * s for c, s in zip(cost, size, strict=True))
        assert cost[here] + alpha * size[here] == pytest.approx(least)
        equal = [s for c, s in zip(cost, size, strict=True) if c + alpha * s <= least + 1e-9]
        if alpha not in start or alpha == 0:
            assert size[here] == min(equal)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_which_line_is_the_lowest_does_not_depend_on_the_unit_nor_on_what_is_rounded(scale):
    size, cost = np.array([1.0, 2, 3, 5, 6]), np.array([7.0, 4, 2, 1, 1])
    rounded = cost * (1 + np.array([0, 2, -3, 1, -2]) * 1e-15)
    for given in (cost, rounded):
        best, start = lowest(size, given * scale)
        assert best == [3, 2, 1, 0]
        assert start / scale == pytest.approx([0, 0.5, 2, 3])


def test_leaves_of_a_flow_are_rounder_than_what_asks_and_streams_as_thick_as_their_parts():
    golf = GOLF.X.head(1).assign(outlook=None)
    model = C45Classifier().fit(GOLF.X, GOLF.y)
    root = read(pictures.parts(model.tree_, model.explain(golf)))
    cards = [group.find(f"{SVG}rect") for group in root.iter(f"{SVG}g")]
    asks = [group.find(f"{SVG}text").text.endswith("?") for group in root.iter(f"{SVG}g")]
    round_, less = (
        {float(card.get("rx")) for card, asks_ in zip(cards, asks, strict=True) if asks_ == yes}
        for yes in (False, True)
    )
    assert min(round_) > 2 * max(less) > 0
    followed = model.explain(golf).groupby("node")["weight"].sum()
    streams = [float(css_of(node)["stroke-width"]) for node in root.iter(f"{SVG}path")]
    shown = sorted(streams)
    parts = sorted(
        max(1.5, 22 * followed.get(node.id, 0.0))
        for node in model.tree_
        if node.id and node.parent.id in followed.index
    )
    assert shown == pytest.approx(parts, abs=0.01)
    colors = {css_of(node)["stroke"]: float(css_of(node)["stroke-width"]) for node in root.iter(f"{SVG}path")}
    assert colors["line"] == 1.5
