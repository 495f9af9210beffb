"""Decision trees from count tables: the library of the book *Decision Trees by Counting*.

This package has the estimators, the trees they grow, and the objects that their parameters take. The data of
the examples are in `dtlib.datasets`, the homework printout in `dtlib.homework`, and code that only the
chapters need in `dtlib.book`.
"""

from dtlib.c45 import C45Classifier
from dtlib.cart import CARTClassifier, CARTRegressor
from dtlib.counting.tables import class_counts, contingency
from dtlib.id3 import ID3Classifier, ID3Regressor
from dtlib.kernels import compile  # as Python's own, of other code
from dtlib.oblique.estimator import ObliqueTreeClassifier
from dtlib.optimal.estimator import OptimalTreeClassifier
from dtlib.search.rules import BySurrogates
from dtlib.table.frames import frame_like
from dtlib.table.weights import Prior
from dtlib.tree.leaf_shares import LeafShares
from dtlib.tree.tree import Tree

__version__ = "0.1.0"

__all__ = [
    "BySurrogates",
    "C45Classifier",
    "CARTClassifier",
    "CARTRegressor",
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
