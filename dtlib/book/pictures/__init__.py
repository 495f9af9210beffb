"""The pictures of single chapters: drawn with `dtlib.draw`, and of use to the book alone."""

from dtlib.book.pictures.audit import calibration, gaps
from dtlib.book.pictures.curves import entropy_curve, surprise_curve
from dtlib.book.pictures.envelope import envelope
from dtlib.book.pictures.forest import votes
from dtlib.book.pictures.numeric import cuts, plane
from dtlib.book.pictures.overfitting import areas
from dtlib.book.pictures.panels import panels
from dtlib.book.pictures.parts import parts
from dtlib.book.pictures.path import cross_validation, path
from dtlib.book.pictures.shares import shares
from dtlib.book.pictures.slanted import slanted
from dtlib.book.pictures.square import two_draws
from dtlib.book.pictures.steps import steps, surface
from dtlib.book.pictures.venn import venn

__all__ = [
    "areas", "calibration", "cross_validation", "cuts", "entropy_curve", "envelope", "gaps", "panels",
    "parts", "path", "plane", "shares", "slanted", "steps", "surface", "surprise_curve", "two_draws",
    "venn", "votes",
]  # fmt: skip
