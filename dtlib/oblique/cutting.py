"""Cutting lines for oblique splits with compiled code where possible, with equal results (chapter 22).

Examples
--------
>>> from dtlib.counting.targets import ClassificationTarget
>>> from dtlib.table.columns import Column
>>> target = ClassificationTarget([Column("y", ("no", "yes"), np.array([0, 0, 1, 1]))], None, "gini")
>>> cutting = Cutting(np.array([[1, 0], [1, 0], [0, 1], [0, 1]]), target, 0.0, 1e-10)
>>> cutting(np.array([[-5.0, -3.0, -6.0, -9.0]]), np.ones((1, 4)), 0.0)
BestCuts(score=array([2.]), low=array([5.]), high=array([6.]))
"""

import numpy as np

from dtlib.compiled.state import BINARY, CHANNELS, ENTROPY
from dtlib.counting.targets import ClassificationTarget, Target
from dtlib.growing.depth_first import kind_of_score
from dtlib.jit import NOT_READY, is_ready
from dtlib.search.by_table import BestCuts


def hindrance(target: Target) -> str:
    """Return why lines are cut by sorting, with NumPy; "" if compiled code can cut them."""
    kernel = target.criterion.kernel
    if kernel is None:
        return f"criterion {target.criterion.name!r}, which is not compiled"
    if isinstance(target, ClassificationTarget) and kernel == "logarithms" and not target.has_table:
        return "logarithms of fractional weights"
    return "" if is_ready("oblique", 1000 * len(target.rows)) else NOT_READY


class Cutting:
    """Finds the best cuts of the lines of a node.

    Parameters
    ----------
    weight : ndarray of shape (m, K)
        The weight of each class at each point, as integers.
    target : ClassificationTarget
        Its criterion scores cuts.
    least, slack : float
        As in `dtlib.oblique.hyperplane.Points`.
    """

    def __init__(self, weight: np.ndarray, target: ClassificationTarget, least: float, slack: float):
        from dtlib.oblique.planes import Members, make_room

        point, label = np.nonzero(weight)
        whole, kind = weight.sum(0).astype(np.int64), kind_of_score(target)
        places, labels, count = point.astype(np.uint32), label.astype(np.uint32), weight[point, label]
        self.members = Members(
            places, labels, count.astype(np.int64), whole, whole / whole.sum(),
            CHANNELS if kind == BINARY else kind, np.array([1, len(whole)]), 2.0 if len(whole) == 2 else 1.0,
            target.table if kind == ENTROPY else np.empty(0), float(least), float(slack),
        )  # fmt: skip
        self.room = make_room(len(weight), len(point), len(whole))

    def __call__(self, value: np.ndarray, step: np.ndarray, apart: float) -> BestCuts:
        """Return the best cut of each line, as `dtlib.oblique.hyperplane.cut_by_sorting` does."""
        from dtlib.oblique.planes import cut_lines

        found = np.empty((3, len(value)))
        lines = np.ascontiguousarray(value), np.ascontiguousarray(step)
        cut_lines(*lines, self.members, self.room, apart, *found)
        return BestCuts(*found)
