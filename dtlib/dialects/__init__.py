"""Dialects: rules, presets and tie-breaking by which trees of other programs are reproduced.

Examples
--------
>>> C45Dialect(collapse="top_down"), CARTDialect(ties="rounding")
(C45Dialect(collapse='top_down'), CARTDialect(ties='rounding'))
"""

from dtlib.dialects.printcp import printcp
from dtlib.dialects.rpart_and_sklearn import CARTDialect
from dtlib.search.rules import C45Dialect

__all__ = ["C45Dialect", "CARTDialect", "printcp"]
