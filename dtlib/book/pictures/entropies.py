"""Entropy and the Gini index: curves, circles to scale, and a square of two draws (chapters 2 and 7)."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dtlib.draw.plots import curve
from dtlib.draw.svg import (
    PICTURE_WIDTH,
    SMALL_SIZE,
    Picture,
    apart,
    class_color,
    commas,
    picture,
    small,
    style,
    tag,
    text,
    text_width,
)
from dtlib.measures import conditional_entropy, entropy, gini, information_gain, joint_entropy
from dtlib.messages import say
from dtlib.numbers import floats, how_many, shown
from dtlib.table.parameters import checked_sequence

RADIUS, CIRCLES_TOP, BETWEEN_LABELS = 86, 46, 16  # px: of the larger circle; above both; between labels
MIDDLE, BOTTOM = CIRCLES_TOP + RADIUS, CIRCLES_TOP + 2 * RADIUS
SIDE, SQUARE_TOP, LABEL_HEIGHT = 240, 76, 20  # px


def entropy_curve(marks: Sequence[float | Sequence[float]] = ()) -> Picture:
    """Draw the entropy of two classes against the share p of the first.

    Parameters
    ----------
    marks : sequence of float or (float, float)
        Shares p, or counts of the two classes, to be marked.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If a mark is neither a share between 0 and 1 nor two counts with a positive sum.

    Examples
    --------
    >>> entropy_curve([0.5, (6, 9)]).description.split(". ")[-1]
    'Marked: H(0.5) = 1.000, H(6, 9) = 0.971.'
    """
    found = []
    for mark in checked_sequence("marks", marks):
        given = floats("marks", mark, "shares, or pairs of counts")
        counts = given if given.ndim else np.stack([given, 1 - given])
        if counts.shape != (2,) or not ((counts >= 0) & (counts <= 1e300)).all() or not counts.any():
            raise ValueError(
                f"marks has {mark}; wanted a share between 0 and 1, or two counts with a positive sum"
            )
        shown, bits = ", ".join(f"{n:g}" for n in given.ravel()), entropy(counts)
        found.append((counts[0] / counts.sum(), bits, f"H({shown}) = {bits:.3f}"))
    p = np.linspace(0, 1, 201)
    labels = {"x_label": say("share p of one class"), "y_label": say("entropy (bits)")}
    return curve(p, entropy(np.stack([p, 1 - p], axis=1)), label="H(p)", marks=found, **labels)


def surprise_curve(marks: Sequence[float] = ()) -> Picture:
    """Draw the surprise -log2 p of an outcome of probability p.

    Parameters
    ----------
    marks : sequence of float
        Probabilities to be marked, 0 < p <= 1.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If a probability is not between 0 and 1.

    Examples
    --------
    >>> surprise_curve([0.25]).description.split(". ")[-1]
    'Marked: p = 0.25: 2.000 bits.'
    """
    given = floats("marks", checked_sequence("marks", marks), "probabilities")
    if given.ndim != 1 or not ((given > 0) & (given <= 1)).all():
        raise ValueError(f"marks is {list(marks)}; a probability is above 0 and at most 1")
    p = np.linspace(0.01, 1, 199)
    found = [
        (q, -np.log2(q) + 0, say("p = {p:.4g}: {bits:.3f} bits", p=q, bits=-np.log2(q) + 0))
        for q in given.tolist()
    ]
    labels = {"x_label": say("probability p"), "y_label": say("surprise (bits)")}
    return curve(p, -np.log2(p) + 0, label="-log2 p", marks=found, **labels)


def venn(table: ArrayLike, names: tuple[str, str] = ("X", "Y")) -> Picture:
    """Draw two entropies as circles; the areas of the circles and of their overlap are to scale.

    Parameters
    ----------
    table : array-like of shape (V, K)
        Counts: a row for each value of the first variable, a column for each value of the second.
    names : tuple of two str
        Names of the variables, rows first.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If the table is not one table, or both entropies are 0: there is nothing to draw.

    Examples
    --------
    >>> venn([[2, 0], [0, 2]], names=("A", "D"))
    Picture: Entropies of A and D, areas to scale. H(A) = 1.000 bits, H(D) = 1.000 bits, H(A|D) = 0.000 bits,
    I(A; D) = 1.000 bits, H(D|A) = 0.000 bits, H(A, D) = 1.000 bits.
    """
    x, y = two_names(names)
    hx, hy, *parts, joint = _quantities(floats("table", table, "one table (V, K)"), x, y)
    if not joint.bits:
        raise ValueError(
            f"table has counts in one cell only: H({x}) and H({y}) are 0, there is nothing to draw"
        )
    scale = math.pi * RADIUS**2 / max(hx.bits, hy.bits)  # square px per bit
    r, s = (math.sqrt(h.bits * scale / math.pi) for h in (hx, hy))
    d = distance(r, s, parts[1].bits * scale)  # the middles of the circles are at 0 and d
    body = [_circle(0, r, "accent"), _circle(d, s, "muted")]
    above = apart([0, d], [hx.line, hy.line], BETWEEN_LABELS)
    for label, at, middle, size in zip((hx, hy), above, (0, d), (r, s), strict=True):
        body += [
            _leader(at, CIRCLES_TOP - 16, middle, MIDDLE - size),
            label.in_one_line(at, CIRCLES_TOP - 22),
        ]
    ends = [(-r, min(r, d - s)), (max(-r, d - s), min(r, d + s)), (max(r, d - s), d + s)]
    named, below = _name_parts(parts, ends)
    left, right, base = min(-r, d - s), max(r, d + s), BOTTOM + (68 if below else 16)
    bracket = f"M{left:.2f} {base - 6}V{base}H{right:.2f}V{base - 6}"
    body += [
        *named,
        tag("path", d=bracket, style=style(fill="none", stroke="line", stroke_width=1.5)),
        joint.in_one_line((left + right) / 2, base + 20),
    ]
    written = [(above[0], hx.line), (above[1], hy.line), *below, ((left + right) / 2, joint.line)]
    left = min(left, *(at - width / 2 for at, width in written))
    right = max(right, *(at + width / 2 for at, width in written))
    width = max(PICTURE_WIDTH, right - left + BETWEEN_LABELS)
    group = tag("g", *body, transform=f"translate({(width - left - right) / 2:.2f} 0)")
    words = say("{list}.", list=commas(f"{label.name} = {label.value}" for label in (hx, hy, *parts, joint)))
    return picture(say("Entropies of {x} and {y}, areas to scale", x=x, y=y), words, width, base + 32, group)


def two_names(names: Any) -> tuple[str, str]:
    """Return the names of two variables, or say that they are not two texts that differ.

    Examples
    --------
    >>> two_names(["A", "D"])
    ('A', 'D')
    """
    if not isinstance(names, tuple | list) or [*map(type, names)] != [str, str] or names[0] == names[1]:
        raise ValueError(f"names is {shown(names)}; wanted two names that differ, such as ('X', 'Y')")
    return names[0], names[1]


def _quantities(table: np.ndarray, x: str, y: str) -> "list[Label]":
    """Return both entropies, the three parts of the picture from left to right, and the joint entropy."""
    if table.ndim != 2:
        axes = how_many(table.ndim, "axis", "axes")
        raise ValueError(f"table has {axes}; wanted one table (V, K): a row of counts per value")
    if not (np.abs(table) <= 1e300).all():
        raise ValueError(
            f"table is {shown(table)}; wanted one table (V, K) of finite counts: a row for each value"
        )
    bits = {
        f"H({x})": entropy(table.sum(1)),
        f"H({y})": entropy(table.sum(0)),
        f"H({x}|{y})": conditional_entropy(table.T),
        f"I({x}; {y})": information_gain(table),
        f"H({y}|{x})": conditional_entropy(table),
        f"H({x}, {y})": joint_entropy(table),
    }
    return [Label(name, float(found)) for name, found in bits.items()]


def _name_parts(
    parts: "list[Label]", ends: list[tuple[float, float]]
) -> tuple[list[str], list[tuple[float, float]]]:
    """Write the parts into their areas, or below; return also the middles and widths of those below."""
    middles = [(start + end) / 2 for start, end in ends]
    outside = [i for i, (start, end) in enumerate(ends) if end - start <= parts[i].width + BETWEEN_LABELS]
    widths = [parts[i].width for i in outside]
    below, body = apart([middles[i] for i in outside], widths, BETWEEN_LABELS), []
    for i, at in zip(outside, below, strict=True):
        if parts[i].bits:
            body += [
                _leader(middles[i], MIDDLE, at, BOTTOM + 14),
                tag("circle", cx=middles[i], cy=MIDDLE, r=3, style=style(fill="ink")),
            ]
        body += parts[i].in_two_lines(at, BOTTOM + 30)
    for i in sorted({0, 1, 2}.difference(outside)):
        body += parts[i].in_two_lines(middles[i], MIDDLE - 4)
    return body, list(zip(below, widths, strict=True))


@dataclass(frozen=True)
class Label:
    """A quantity, to be written in one line or in two."""

    name: str
    bits: float

    @property
    def value(self) -> str:
        """The number with its unit."""
        return say("{bits:.3f} bits", bits=self.bits)

    @property
    def width(self) -> float:
        """Width in two lines."""
        return max(text_width(self.name), text_width(self.value))

    @property
    def line(self) -> float:
        """Width in one line."""
        return text_width(f"{self.name} = {self.value}")

    def in_one_line(self, x: float, y: float) -> str:
        """Write name and value side by side."""
        return text(x, y, f"{self.name} = {self.value}")

    def in_two_lines(self, x: float, y: float) -> list[str]:
        """Write the value below the name."""
        return [text(x, y, self.name), text(x, y + 18, self.value)]


def distance(r: float, s: float, area: float) -> float:
    """Return how far apart the middles of two circles must be for their overlap to have an area.

    Examples
    --------
    >>> distance(2.0, 1.0, 0.0), distance(2.0, 1.0, math.pi)
    (3.0, 1.0)
    """
    near, far = abs(r - s), r + s
    if area >= lens(r, s, near):
        return near
    for _ in range(60):  # the overlap shrinks as the distance grows
        middle = (near + far) / 2
        near, far = (near, middle) if lens(r, s, middle) < area else (middle, far)
    return far


def lens(r: float, s: float, d: float) -> float:
    """Return the area that two circles of radius r and s share, their middles d apart.

    Examples
    --------
    >>> round(lens(1.0, 1.0, 1.0), 6), lens(1.0, 1.0, 2.0)
    (1.22837, 0.0)
    """
    if d >= r + s:
        return 0.0
    if d <= abs(r - s):
        return math.pi * min(r, s) ** 2
    area = 0.0
    for one, other in ((r, s), (s, r)):
        along = (d * d + one * one - other * other) / (2 * d)  # from the middle to the common chord
        half = math.acos(max(-1.0, min(1.0, along / one)))
        area += one * one * (half - math.sin(half) * math.cos(half))
    return area


def _circle(x: float, size: float, fill: str) -> str:
    css = style(fill=fill, stroke=fill, fill_opacity=0.18, stroke_width=2)
    return tag("circle", cx=x, cy=MIDDLE, r=max(size, 2), style=css)


def _leader(x: float, y: float, to_x: float, to_y: float) -> str:
    css = style(stroke="line", stroke_width=1.5)
    return tag("path", d=f"M{x:.2f} {y:.2f}L{to_x:.2f} {to_y:.2f}", style=css)


def two_draws(counts: ArrayLike, names: Sequence[object] | None = None) -> Picture:
    """Draw the chances of two draws from a node as areas: first draw across, second draw down.

    The tinted squares on the diagonal are draws of one class; the rest of the square is the Gini index.

    Parameters
    ----------
    counts : array-like of shape (K,)
        Class counts or weights; a class without any is left out.
    names : sequence of K names, optional
        By default the index of a Series, else 0, 1, and so on.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If the counts are not those of one node, or all 0, or there is not one name for each.

    Examples
    --------
    >>> two_draws([1, 3], names=["C0", "C1"])
    Picture: Two draws. C0 and C0 0.0625, C1 and C1 0.5625; of different classes 0.3750.
    """
    if names is None:
        names = getattr(counts, "index", None)
    n = floats("counts", counts, "the class counts (K,) of a node")
    if names is not None and not callable(names):
        checked_sequence("names", names)
    names = [str(name) for name in (range(n.size) if names is None or callable(names) else names)]
    if n.ndim != 1 or not (n >= 0).all() or not 0 < float(np.max(n, initial=0)) <= 1e300:
        raise ValueError(f"counts is {n.tolist()}; wanted the class counts (K,) of a node that is not empty")
    if len(names) != len(n):
        entries = how_many(len(names), "entry", "entries")
        raise ValueError(f"names has {entries}, counts {len(n)}: give one for each class")
    differ, p = gini(n), n / n.sum()
    kept = np.flatnonzero(p)
    labels = [f"{names[k]} {p[k]:.3g}" for k in kept]
    widths = [text_width(label) for label in labels]
    middles = (SIDE * (np.cumsum(p) - p) + SIDE * p / 2)[kept].tolist()
    across, down = apart(middles, widths, 10), apart(middles, [LABEL_HEIGHT] * len(kept), 0)
    left = max(
        text_width(say("second draw"), SMALL_SIZE) + 24, max(widths) + 24, widths[0] / 2 - across[0] + 8
    )
    body = _chances(p, left)
    for label, x, y in zip(labels, across, down, strict=True):
        body += [
            text(left + x, SQUARE_TOP - 22, label),
            text(left - 10, SQUARE_TOP + y + 5, label, text_anchor="end"),
        ]
    legend = say("off the diagonal: {differ:.4f}, the Gini index", differ=differ)
    bottom = SQUARE_TOP + max(SIDE, down[-1] + LABEL_HEIGHT / 2) + 26
    body += [
        small(left + SIDE / 2, SQUARE_TOP - 50, say("first draw"), fill="muted"),
        small(left - 10, SQUARE_TOP - 50, say("second draw"), fill="muted", text_anchor="end"),
        text(left + SIDE / 2, bottom, legend),
    ]
    far = max(SIDE, across[-1] + widths[-1] / 2, SIDE / 2 + text_width(legend) / 2)
    twice = [say("{a} and {b}", a=names[k], b=names[k]) + f" {p[k] ** 2:.4f}" for k in kept]
    words = say("{list}; of different classes {differ:.4f}.", list=commas(twice), differ=differ)
    return picture(say("Two draws"), words, max(PICTURE_WIDTH, left + far + 16), bottom + 18, *body)


def _chances(p: np.ndarray, left: float) -> list[str]:
    """Draw a rectangle for each pair of classes, with its area in it if that fits."""
    starts, body = SIDE * (np.cumsum(p) - p), []
    for row, column in itertools.product(np.flatnonzero(p), repeat=2):
        x, y, width, height = left + starts[column], SQUARE_TOP + starts[row], SIDE * p[column], SIDE * p[row]
        fill, opacity = (class_color(int(row)), 0.45) if row == column else ("line", 0.12)
        css = style(fill=fill, fill_opacity=opacity, stroke="paper", stroke_width=1.5)
        body.append(tag("rect", x=x, y=y, width=width, height=height, style=css))
        chance = f"{p[row] * p[column]:.4g}"
        if width > text_width(chance) + 8 and height > LABEL_HEIGHT:
            body.append(text(x + width / 2, y + height / 2 + 5, chance))
    return body
