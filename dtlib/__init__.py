"""Decision trees from count tables: the library of the book *Decision Trees by Counting*."""

from dtlib.book.checks import check
from dtlib.book.datasets import (
    list_datasets,
    load_customers,
    load_golf,
    load_heart,
    load_loan,
    load_regression_points,
    load_titanic,
    load_votes,
    load_watermelon,
)
from dtlib.book.homework.answers import check_answer
from dtlib.book.homework.worked import worked
from dtlib.c45 import C45Classifier
from dtlib.cart import CARTClassifier, CARTRegressor
from dtlib.counting.tables import class_counts, contingency
from dtlib.id3 import ID3Classifier, ID3Regressor
from dtlib.oblique import ObliqueTreeClassifier
from dtlib.optimal import OptimalTreeClassifier
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
    "check",
    "check_answer",
    "class_counts",
    "contingency",
    "frame_like",
    "list_datasets",
    "load_customers",
    "load_golf",
    "load_heart",
    "load_loan",
    "load_regression_points",
    "load_titanic",
    "load_votes",
    "load_watermelon",
    "worked",
]
