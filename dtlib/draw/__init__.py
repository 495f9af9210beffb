"""Pictures: the tree as SVG, drawn here, and bars, lines and partitions.

Examples
--------
>>> bars(["age", "credit"], [0.083, 0.363], axis="gain (bits)")
Picture: gain (bits). age 0.083, credit 0.363.
"""

from dtlib.draw.axes import figure, from_figure
from dtlib.draw.bars import bars, gains
from dtlib.draw.graphviz import to_graphviz
from dtlib.draw.plots import curve, lines, partition
from dtlib.draw.svg import DARK, LIGHT, Picture
from dtlib.draw.tree import tree

__all__ = [
    "DARK", "LIGHT", "Picture", "bars", "curve", "figure", "from_figure", "gains", "lines", "partition",
    "to_graphviz", "tree",
]  # fmt: skip
ONE_CHAPTER = frozenset({
    "areas", "calibration", "cross_validation", "cuts", "entropy_curve", "envelope", "gaps", "panels",
    "parts", "path", "plane", "shares", "slanted", "steps", "surface", "surprise_curve", "two_draws",
    "venn", "votes"
})  # fmt: skip


def __getattr__(name: str) -> object:
    """Say where a picture is that stood here, as the book's own pictures have a room of their own."""
    where = f": it is in dtlib.book.pictures now, write pictures.{name}" if name in ONE_CHAPTER else ""
    raise AttributeError(f"dtlib.draw has no {name!r}{where}")
