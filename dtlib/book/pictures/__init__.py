"""The pictures of single chapters: drawn with `dtlib.draw`, and of use to the book alone.

Examples
--------
>>> two_draws([1, 3]).description
'0 and 0 0.0625, 1 and 1 0.5625; of different classes 0.3750.'
"""

from dtlib.book.pictures.arches import arches
from dtlib.book.pictures.bells import bell
from dtlib.book.pictures.bootstrap import bootstrap
from dtlib.book.pictures.contests import contests
from dtlib.book.pictures.dependence import dependence
from dtlib.book.pictures.dots import dots
from dtlib.book.pictures.entropies import entropy_curve, surprise_curve, two_draws, venn
from dtlib.book.pictures.filling import filling
from dtlib.book.pictures.holes import holes
from dtlib.book.pictures.ledger import ledger
from dtlib.book.pictures.luck import luck
from dtlib.book.pictures.means import two_means
from dtlib.book.pictures.nested import nested
from dtlib.book.pictures.numeric import cuts, plane, slanted
from dtlib.book.pictures.panels import panels
from dtlib.book.pictures.parts import parts
from dtlib.book.pictures.pieces import pieces
from dtlib.book.pictures.pruning import cross_validation, envelope, path
from dtlib.book.pictures.rivals import rivals
from dtlib.book.pictures.shares import calibration, gaps, shares
from dtlib.book.pictures.side_by_side import areas, votes
from dtlib.book.pictures.slopes import tangents
from dtlib.book.pictures.spreads import prices_of_folds, spread_of_means
from dtlib.book.pictures.stacks import branches, chain
from dtlib.book.pictures.steps import steps, surface
from dtlib.book.pictures.triangle import triangle
from dtlib.book.pictures.turns import turning

__all__ = [
    "arches", "areas", "bell", "bootstrap", "branches", "calibration", "chain", "contests",
    "cross_validation", "cuts", "dependence", "dots", "entropy_curve", "envelope", "filling", "gaps",
    "holes", "ledger", "luck", "nested", "panels", "parts", "path", "pieces", "plane", "prices_of_folds",
    "rivals", "shares", "slanted", "spread_of_means", "steps", "surface", "surprise_curve", "tangents",
    "triangle", "turning", "two_draws", "two_means", "venn", "votes",
]  # fmt: skip
