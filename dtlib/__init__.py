"""Decision trees from count tables: the library of the book *Decision Trees by Counting*.

This package has the estimators, the trees they grow, and the objects that their parameters take. The data of
the examples are in `dtlib.datasets`, the homework printout in `dtlib.homework`, and code that only the
chapters need in `dtlib.book`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from dtlib.cart import CARTClassifier, CARTRegressor
from dtlib.counting.tables import class_counts, contingency
from dtlib.kernels import compile  # as Python's own, of other code
from dtlib.search.rules import BySurrogates
from dtlib.table.frames import frame_like
from dtlib.table.weights import Prior
from dtlib.tree.leaf_shares import LeafShares
from dtlib.tree.tree import Tree

if TYPE_CHECKING:
    from dtlib.c45 import C45Classifier
    from dtlib.forest import ForestClassifier, ForestRegressor
    from dtlib.id3 import ID3Classifier, ID3Regressor
    from dtlib.oblique.estimator import ObliqueTreeClassifier
    from dtlib.optimal.estimator import OptimalTreeClassifier

__version__ = "0.1.0"

__all__ = [
    "BySurrogates",
    "C45Classifier",
    "CARTClassifier",
    "CARTRegressor",
    "ForestClassifier",
    "ForestRegressor",
    "ID3Classifier",
    "ID3Regressor",
    "LeafShares",
    "ObliqueTreeClassifier",
    "OptimalTreeClassifier",
    "Prior",
    "Tree",
    "class_counts",
    "compile",
    "contingency",
    "frame_like",
]

LAZY = {
    "C45Classifier": "dtlib.c45",
    "ForestClassifier": "dtlib.forest",
    "ForestRegressor": "dtlib.forest",
    "ID3Classifier": "dtlib.id3",
    "ID3Regressor": "dtlib.id3",
    "ObliqueTreeClassifier": "dtlib.oblique.estimator",
    "OptimalTreeClassifier": "dtlib.optimal.estimator",
}


def __getattr__(name: str) -> object:
    """Load an estimator when it is asked for: who grows one kind of tree does not wait for the others."""
    if name not in LAZY:
        raise AttributeError(f"module 'dtlib' has no attribute {name!r}")
    globals()[name] = found = getattr(import_module(LAZY[name]), name)
    return found


def __dir__() -> list[str]:
    """List the names of this package, with those that are not loaded yet."""
    return sorted({*globals(), *__all__})
