"""Pictures: the tree as SVG, drawn here, and curves, bars, circles and partitions."""

from dtlib.draw.svg import DARK, LIGHT, Picture
from dtlib.draw.tree import tree

__all__ = ["DARK", "LIGHT", "Picture", "tree"]
