"""Contests: who is ahead, by how much, and how sure that is, on many tables at once (chapter 23)."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from dtlib.draw.svg import SMALL_SIZE, Picture, picture, sentences, small, statement, style, tag, widest
from dtlib.messages import say
from dtlib.numbers import how_many, shown

TABLE_ROW, NAMES_ROOM, AXIS_ROOM = 19, 34, 44  # px: a row; above all, for names; below, for the axis
CONTEST_WIDTH, CONTEST_GAP, CONTEST_RIM = 100, 14, 8  # px: of a contest, at least; between two; around all
LEAD_RADIUS, MOST_TICKS = 4, 4  # px of a dot; of numbers on an axis, at most


def contests(
    leads: Mapping[str, pd.DataFrame], *, x_label: str = "", title: str = "", panel: float = CONTEST_WIDTH
) -> Picture:
    """Draw a column for each contest and a row for each table: a dot for the lead, with a bar around it.

    All contests have one scale. A dot is full where its bar does not reach 0, and hollow where it does.

    Parameters
    ----------
    leads : mapping of str to DataFrame
        Under the name of each contest, "A - B", a row for each table; all have the same rows. Their columns
        are the lead, and where its bar begins and ends.
    x_label : str
        What the axis shows, with units.
    title : str
        What the picture is; by default its axis.
    panel : float
        Width of a contest, in px.

    Returns
    -------
    Picture

    Raises
    ------
    TypeError
        If `leads` is no mapping of names to frames.
    ValueError
        If there is no contest or no row, the rows differ, a frame has not three columns, or a number is
        missing or infinite or a dot beyond its bar.

    Examples
    --------
    >>> iris = pd.DataFrame([[1.5, -1, 4]], ["iris"], ["lead", "from", "to"])
    >>> contests({"A - B": iris}, x_label="points")
    Picture: points. iris: A - B 1.5, from -1 to 4.
    """
    found = _need_leads(leads)
    rows = [str(name) for name in next(iter(leads.values())).index]
    left = CONTEST_RIM + widest(rows, SMALL_SIZE) + 10
    panel = max(panel, widest(leads, SMALL_SIZE) + 4)
    right, bottom = left + _extent(len(found), panel), NAMES_ROOM + TABLE_ROW * len(rows)
    numbers = np.concatenate([*found.values(), np.zeros((3, 1))], axis=1)
    low, high = float(numbers.min()), float(numbers.max())
    scale = (panel - 2 * LEAD_RADIUS) / ((high - low) or 1.0)
    places = [NAMES_ROOM + TABLE_ROW * (i + 0.5) for i in range(len(rows))]
    body = [_stroke(left - 6, y + TABLE_ROW / 2, right, y + TABLE_ROW / 2, "line", 0.5) for y in places[:-1]]
    body += [small(left - 10, y + 4.5, name, text_anchor="end") for y, name in zip(places, rows, strict=True)]
    for j, (name, bars) in enumerate(found.items()):
        start = left + _extent(j, panel) + (CONTEST_GAP if j else 0) + LEAD_RADIUS
        zero = start - low * scale
        body.append(small(start + panel / 2 - LEAD_RADIUS, 20, name, font_weight="bold"))
        body.append(_stroke(zero, NAMES_ROOM, zero, bottom, "ink", 1))
        for tick in _round_numbers(low, high):
            x, words = zero + tick * scale, f"{tick:g}".replace("-", "−")
            body += [_stroke(x, bottom, x, bottom + 4, "line", 1), small(x, bottom + 18, words)]
        for y, (at, begin, end) in zip(places, zero + bars.T * scale, strict=True):
            look = "accent" if begin > zero or end < zero else "muted"
            css = style(fill="paper" if look == "muted" else look, stroke=look, stroke_width=2)
            body.append(_stroke(begin, y, end, y, look, 2))
            body.append(tag("circle", cx=at, cy=y, r=LEAD_RADIUS, style=css))
    body.append(small((left + right) / 2, bottom + 36, x_label))
    title, width = title or x_label or say("Contests"), right + CONTEST_RIM
    return picture(title, _leads_in_words(rows, found), width, bottom + AXIS_ROOM, *body)


def _leads_in_words(rows: list[str], found: Mapping[str, np.ndarray]) -> str:
    """Say each lead, table by table."""
    words = [
        [
            say("{contest} {lead:.3g}, from {low:.3g} to {high:.3g}", contest=name, lead=x, low=a, high=b)
            for name, bars in found.items()
            for x, a, b in bars.T[[i]]
        ]
        for i in range(len(rows))
    ]
    return sentences(map(statement, rows, words))


def _extent(count: int, panel: float) -> float:
    """Return how far the last of some panels reaches, from the left of the first."""
    return max(count * (panel + CONTEST_GAP) - CONTEST_GAP, 0)


def _stroke(x1: float, y1: float, x2: float, y2: float, ink: str, wide: float) -> str:
    """Write a straight line."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, style=style(stroke=ink, stroke_width=wide))


def _round_numbers(low: float, high: float) -> list[float]:
    """Return a few round numbers between two, 0 among them."""
    raw = (high - low or 1.0) / MOST_TICKS
    size = 10 ** np.floor(np.log10(raw))
    step = next(size * k for k in (1, 2, 5, 10) if size * k >= raw * (1 - 1e-9))
    return [float(k * step) for k in range(int(np.ceil(low / step - 1e-9)), int(high / step + 1e-9) + 1)]


def _need_leads(leads: Mapping[str, pd.DataFrame]) -> dict[str, np.ndarray]:
    """Return the dots of each contest and the ends of their bars, shape (3, rows); or say what is wrong."""
    if not isinstance(leads, Mapping) or not all(isinstance(x, pd.DataFrame) for x in leads.values()):
        raise TypeError(f"leads is {shown(leads)}; wanted a mapping of names to frames")
    index = next((table.index for table in leads.values()), pd.Index([]))
    if not len(index) or any(not table.index.equals(index) for table in leads.values()):
        raise ValueError(
            "leads has no frame, frames of no rows or of other ones: wanted the same rows in each"
        )
    found = {}
    for name, table in leads.items():
        if table.shape[1] != 3:
            columns = how_many(table.shape[1], "column")
            raise ValueError(f"contest {name!r} has {columns}; wanted three: lead, from, to")
        at, low, high = table.to_numpy(float).T
        if not np.isfinite([at, low, high]).all() or not ((low <= at) & (at <= high)).all():
            raise ValueError(f"contest {name!r} has a lead that is missing, infinite or beyond its bar")
        found[name] = np.array([at, low, high])
    return found
