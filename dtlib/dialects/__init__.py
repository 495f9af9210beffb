"""What imitates one other program: rules that are its own, presets, and its way of breaking ties.

Examples
--------
>>> C45Dialect(collapse="top_down"), CARTDialect(ties="rounding")
(C45Dialect(collapse='top_down'), CARTDialect(ties='rounding'))
"""

from dtlib.dialects.rpart_and_sklearn import CARTDialect
from dtlib.search.rules import C45Dialect

__all__ = ["C45Dialect", "CARTDialect"]
