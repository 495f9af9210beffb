"""The criteria by which trees grow: all that the library knows of each is said here, once.

A criterion is an impurity of nodes, which a tree reports and is pruned by, and a score of splits. Where the
formula of a criterion has no `goodness`, the score is the decrease of the impurity (8.9). A splitting rule
that is no impurity, such as twoing [1]_, has its formula as `goodness`, beside the impurity to be reported.

Wherever the library does one thing or another by criterion, it asks these objects. How to add one is said in
`docs/maintainers/adding.md`.

References
----------
.. [1] L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone, "Classification and Regression Trees" (1984),
   section 4.5.

Examples
--------
>>> [name for name, criterion in CRITERIA.items() if criterion.kernel == "squares"]
['gini', 'squared_error']
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from dtlib import measures
from dtlib.arrays import xlogx
from dtlib.counting.score import Entropy, Misclassification, OfTables, Quadratic, Scorer
from dtlib.measures import UNCHECKED, Measure

if TYPE_CHECKING:
    from dtlib.counting.targets import Outputs

Array = np.ndarray
#: What a number is predicted by, given numbers of shape (outputs, n) and the weights of the n rows, or None.
CENTERS: dict[str, Callable[[Array, Array | None], Any]] = {
    "mean": lambda y, weight: np.average(y, axis=1, weights=weight),
    "median": measures.median,
}
#: What a field of a criterion may be, where the library knows some values and no others.
KNOWN: dict[str, tuple[Any, ...]] = {
    "target": ("classes", "numbers"),
    "measured": ("sums", "medians", "deviations", None),
    "kernel": ("squares", "logarithms", "largest", "medians", None),
    "rpart": ("gini", "information", "anova", None),
    "center": tuple(CENTERS),
}


@dataclass(frozen=True, eq=False)
class Criterion:
    """A criterion.

    Parameters
    ----------
    name : str
        What users call it.
    target : {"classes", "numbers"}
        What is predicted.
    unit : str
        Of the impurity; empty if it has none.
    impurity : callable, optional
        Of classes: of counts (..., K), as in `dtlib.measures`. Of numbers: of one node, given numbers of
        shape (outputs, n) and the weights of the n rows or None. Without it, no tree grows by the criterion.
    goodness : callable, optional
        What a split is worth, of tables (..., 2, K): by default, the decrease of the impurity. It has to be
        on a scale like that of the impurity, as scores are equal if they differ by less than a tiny part of
        it; a side without rows may have any value.
    total : callable, optional
        Of classes: the impurity times the weight, of the weight of each class, their sum, and what x log2 x
        is; by default, what `impurity` says, times the sum.
    is_exact : bool, default False
        Whether `total` and the scores are sums and quotients, so that no logarithm or root is rounded.
    scorer : callable, optional
        Makes of a target what scores splits by sums; None if they are measured row by row.
    measured : {"sums", "medians", "deviations", None}
        Of what the score is made, and so for numbers the impurity of nodes: sums over branches (numbers:
        squared distances from their mean); medians of rows; standard deviations of rows. None: no tree grows
        by it, it was only read.
    kernel : {"squares", "logarithms", "largest", "medians", None}
        What scores splits in `dtlib.compiled`; None hands the tree over to NumPy.
    sklearn : str, optional
        scikit-learn's criterion of the estimator that a tree becomes.
    read_from : tuple of str
        scikit-learn's criteria whose impurities are these.
    rpart : {"gini", "information", "anova", None}
        What rpart calls it.
    center : {"mean", "median"}
        Of numbers: what is predicted.
    loss : callable
        Of numbers: what a distance from the prediction costs.
    loss_name : str, optional
        What the mean of that is called; by default, as the criterion.

    Raises
    ------
    ValueError
        If a field has a value that the library does not know.
    """

    name: str
    target: str
    unit: str = ""
    impurity: Callable[..., Any] | None = None
    goodness: Callable[[ArrayLike], Measure] | None = None
    total: Callable[[Sequence[Array], Array, Callable[[Array], Array]], Array] | None = None
    is_exact: bool = False
    scorer: "Callable[[Outputs], Scorer] | None" = OfTables
    measured: str | None = "sums"
    kernel: str | None = None
    sklearn: str | None = None
    read_from: tuple[str, ...] = ()
    rpart: str | None = None
    center: str = "mean"
    loss: Callable[[Array], Array] = np.square
    loss_name: str = ""

    def __post_init__(self) -> None:
        for field, known in KNOWN.items():
            if (value := getattr(self, field)) not in known:
                raise ValueError(f"{field} of criterion {self.name!r} is {value!r}; wanted one of {known}")

    @property
    def of_classes(self) -> bool:
        """Whether classes are predicted, and not numbers."""
        return self.target == "classes"

    @property
    def is_decrease(self) -> bool:
        """Whether a split is worth the decrease of the impurity, so that it can be bounded and ordered."""
        return self.goodness is None

    @property
    def needs_rows(self) -> bool:
        """Whether counts of what occurs are not enough to search splits."""
        return self.scorer is None or not self.is_decrease

    def unchecked(self, counts: Array) -> Array:
        """Return the impurity of class weights (..., K) that need no check: those of a growing tree."""
        assert self.impurity is not None
        return np.asarray(UNCHECKED.get(self.impurity, self.impurity)(counts))

    def impure_weight(
        self, of_class: Sequence[Array], n: Array, x_log_x: Callable[[Array], Array] = xlogx
    ) -> Array:
        """Return the impurity times the weight n, given the weight of each class."""
        if self.total is not None:
            return self.total(of_class, n, x_log_x)
        return n * self.unchecked(np.stack(np.broadcast_arrays(*of_class), axis=-1).astype(float))

    def worth(self, table: Array) -> Array:
        """Return what splits are worth, given tables (..., V, K): their goodness, or the decrease (8.9)."""
        if self.goodness is not None:
            return np.asarray(self.goodness(table))
        n = table.sum(-1)
        share = n / np.maximum(n.sum(-1, keepdims=True), np.finfo(float).tiny)
        return np.asarray(self.unchecked(table.sum(-2)) - (share * self.unchecked(table)).sum(-1))

    def centers(self, y: Array, weight: Array | None) -> Array:
        """Return what is predicted for numbers of shape (outputs, n)."""
        return np.asarray(CENTERS[self.center](y, weight))


def total_gini(of_class: Sequence[Array], n: Array, x_log_x: Callable[[Array], Array]) -> Array:
    """Return n times the Gini index.

    Examples
    --------
    >>> total_gini([np.array([2, 4]), np.array([2, 0])], np.array([4, 4]), xlogx)
    array([2., 0.])
    """
    return np.asarray(reduce(np.add, (c * 1.0 * (n - c) for c in of_class)) / np.where(n > 0, n, 1))


def total_entropy(of_class: Sequence[Array], n: Array, x_log_x: Callable[[Array], Array]) -> Array:
    """Return n times the entropy in bits."""
    return x_log_x(n) - reduce(np.add, map(x_log_x, of_class))


def total_error(of_class: Sequence[Array], n: Array, x_log_x: Callable[[Array], Array]) -> Array:
    """Return what is not of the most frequent class."""
    return np.asarray(n - reduce(np.maximum, of_class))


def mean_variance(y: Array, weight: Array | None) -> float:
    """Return the variance, the mean over the outputs."""
    return float(np.mean(measures.variance(y, weight)))


def mean_deviation(y: Array, weight: Array | None) -> float:
    """Return the standard deviation, the mean over the outputs."""
    return float(np.mean(np.sqrt(measures.variance(y, weight))))


def mean_distance(y: Array, weight: Array | None) -> float:
    """Return the mean distance from the median, the mean over the outputs."""
    n = y.shape[1] if weight is None else weight.sum()
    return float(np.mean(measures.absolute_error(y, weight)) / n)


#: All criteria, by name.
CRITERIA: dict[str, Criterion] = {
    criterion.name: criterion
    for criterion in (
        Criterion(
            "gini", "classes", impurity=measures.gini, total=total_gini, is_exact=True, scorer=Quadratic,
            kernel="squares", sklearn="gini", read_from=("gini",), rpart="gini",
        ),
        Criterion(
            "entropy", "classes", "bits", impurity=measures.entropy, total=total_entropy, scorer=Entropy,
            kernel="logarithms", sklearn="entropy", read_from=("entropy", "log_loss"), rpart="information",
        ),
        Criterion(
            "misclassification", "classes", impurity=measures.classification_error, total=total_error,
            is_exact=True, scorer=Misclassification, kernel="largest", sklearn="gini",
        ),
        Criterion(
            "squared_error", "numbers", "squared units", impurity=mean_variance, scorer=Quadratic,
            kernel="squares", sklearn="squared_error", read_from=("squared_error", "friedman_mse"),
            rpart="anova",
        ),
        Criterion(
            "absolute_error", "numbers", "units", impurity=mean_distance, scorer=None, measured="medians",
            kernel="medians", sklearn="absolute_error", read_from=("absolute_error",), center="median",
            loss=np.abs,
        ),
        Criterion(
            "standard_deviation", "numbers", "units", impurity=mean_deviation, scorer=None,
            measured="deviations", sklearn="squared_error",
        ),
        Criterion(
            "poisson", "numbers", scorer=None, measured=None, sklearn="poisson", read_from=("poisson",),
            loss_name="squared_error",
        ),
    )
}  # fmt: skip


def criterion_of(name: str) -> Criterion:
    """Return a criterion by its name, or say that there is none.

    Examples
    --------
    >>> criterion_of("entropy").unit
    'bits'
    >>> criterion_of("chaos")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: criterion is 'chaos', wanted one of ['gini', 'entropy', ...]
    """
    if name not in list(CRITERIA):
        raise ValueError(f"criterion is {name!r}, wanted one of {list(CRITERIA)}")
    return CRITERIA[name]


def names_of(target: str) -> tuple[str, ...]:
    """Return the names of the criteria by which trees of classes, or of numbers, grow.

    Examples
    --------
    >>> names_of("numbers")
    ('squared_error', 'absolute_error', 'standard_deviation')
    """
    return tuple(c.name for c in CRITERIA.values() if c.target == target and c.measured is not None)


def names_read() -> dict[str, str]:
    """Return the names of the criteria, by scikit-learn's name of each.

    Examples
    --------
    >>> names_read()["friedman_mse"]
    'squared_error'
    """
    return {name: criterion.name for criterion in CRITERIA.values() for name in criterion.read_from}
