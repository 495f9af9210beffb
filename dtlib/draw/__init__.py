"""Pictures: the tree as SVG, drawn here, and bars, lines and partitions.

Examples
--------
>>> bars(["age", "credit"], [0.083, 0.363], axis="gain (bits)")
Picture: gain (bits). age 0.083, credit 0.363.
"""

from dtlib.draw.axes import figure, from_figure
from dtlib.draw.bars import bars, gains
from dtlib.draw.graphviz import to_graphviz
from dtlib.draw.outline import Outline, outline
from dtlib.draw.plots import curve, lines, partition
from dtlib.draw.svg import Picture
from dtlib.draw.tree import tree

__all__ = [
    "Outline", "Picture", "bars", "curve", "figure", "from_figure", "gains", "lines", "outline", "partition",
    "to_graphviz", "tree",
]  # fmt: skip
