"""Two circles to scale: the entropies of two variables and what they share (chapter 2)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dtlib.draw.svg import PICTURE_WIDTH, Picture, apart, commas, picture, style, tag, text, text_width
from dtlib.measures import conditional_entropy, entropy, information_gain, joint_entropy
from dtlib.messages import say

RADIUS, CIRCLES_TOP, BETWEEN_LABELS = 86, 46, 16  # px: of the larger circle; above both; between labels
MIDDLE, BOTTOM = CIRCLES_TOP + RADIUS, CIRCLES_TOP + 2 * RADIUS


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
    x, y = names
    hx, hy, *parts, joint = _quantities(np.asarray(table), x, y)
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
        body += [_leader(at, CIRCLES_TOP - 16, middle, MIDDLE - size)]
        body += [label.in_one_line(at, CIRCLES_TOP - 22)]
    ends = [(-r, min(r, d - s)), (max(-r, d - s), min(r, d + s)), (max(r, d - s), d + s)]
    named, below = _name_parts(parts, ends)
    left, right, base = min(-r, d - s), max(r, d + s), BOTTOM + (68 if below else 16)
    bracket = f"M{left:.2f} {base - 6}V{base}H{right:.2f}V{base - 6}"
    body += [*named, tag("path", d=bracket, style=style(fill="none", stroke="line", stroke_width=1.5))]
    body.append(joint.in_one_line((left + right) / 2, base + 20))
    written = [(above[0], hx.line), (above[1], hy.line), *below, ((left + right) / 2, joint.line)]
    left = min(left, *(at - width / 2 for at, width in written))
    right = max(right, *(at + width / 2 for at, width in written))
    width = max(PICTURE_WIDTH, right - left + BETWEEN_LABELS)
    group = tag("g", *body, transform=f"translate({(width - left - right) / 2:.2f} 0)")
    words = say("{list}.", list=commas(f"{label.name} = {label.value}" for label in (hx, hy, *parts, joint)))
    return picture(say("Entropies of {x} and {y}, areas to scale", x=x, y=y), words, width, base + 32, group)


def _quantities(table: np.ndarray, x: str, y: str) -> list[Label]:
    """Return both entropies, the three parts of the picture from left to right, and the joint entropy."""
    if table.ndim != 2:
        raise ValueError(f"table has {table.ndim} axes; wanted one table (V, K): a row of counts per value")
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
    parts: list[Label], ends: list[tuple[float, float]]
) -> tuple[list[str], list[tuple[float, float]]]:
    """Write the parts into their areas, or below; return also the middles and widths of those below."""
    middles = [(start + end) / 2 for start, end in ends]
    outside = [i for i, (start, end) in enumerate(ends) if end - start <= parts[i].width + BETWEEN_LABELS]
    widths = [parts[i].width for i in outside]
    below, body = apart([middles[i] for i in outside], widths, BETWEEN_LABELS), []
    for i, at in zip(outside, below, strict=True):
        if parts[i].bits:
            body += [_leader(middles[i], MIDDLE, at, BOTTOM + 14)]
            body += [tag("circle", cx=middles[i], cy=MIDDLE, r=3, style=style(fill="ink"))]
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
