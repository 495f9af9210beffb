"""Pictures: the tree as SVG, drawn here, and bars, circles, curves and partitions."""

from dtlib.draw.audit import calibration, gaps
from dtlib.draw.bars import bars, gains
from dtlib.draw.envelope import envelope
from dtlib.draw.forest import votes
from dtlib.draw.graphviz import to_graphviz
from dtlib.draw.numeric import cuts, plane
from dtlib.draw.overfitting import areas
from dtlib.draw.panels import panels
from dtlib.draw.parts import parts
from dtlib.draw.path import cross_validation, path
from dtlib.draw.plots import curve, entropy_curve, figure, from_figure, lines, partition, surprise_curve
from dtlib.draw.shares import shares
from dtlib.draw.slanted import slanted
from dtlib.draw.square import two_draws
from dtlib.draw.steps import steps, surface
from dtlib.draw.svg import DARK, LIGHT, Picture
from dtlib.draw.tree import tree
from dtlib.draw.venn import venn

__all__ = [
    "DARK",
    "LIGHT",
    "Picture",
    "areas",
    "bars",
    "calibration",
    "cross_validation",
    "curve",
    "cuts",
    "entropy_curve",
    "envelope",
    "figure",
    "from_figure",
    "gains",
    "gaps",
    "lines",
    "panels",
    "partition",
    "parts",
    "path",
    "plane",
    "shares",
    "slanted",
    "steps",
    "surface",
    "surprise_curve",
    "to_graphviz",
    "tree",
    "two_draws",
    "venn",
    "votes",
]
