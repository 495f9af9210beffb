"""What imitates one other program: rules that are its own, presets, and its way of breaking ties."""

from dtlib.dialects.release8_and_j48 import C45Dialect
from dtlib.dialects.rpart_and_sklearn import CARTDialect

__all__ = ["C45Dialect", "CARTDialect"]
