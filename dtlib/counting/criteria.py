"""The criteria by which trees grow: everything that depends on the criterion is defined here, once.

A criterion is an impurity of nodes, which a tree reports and by which it is pruned, and a score of splits.
Without a `goodness`, the score is the decrease of the impurity (7.10). A splitting rule that is no impurity,
such as twoing [1]_, has its formula as `goodness`, beside the impurity to be reported.

Wherever the library depends on the criterion, it consults these objects. `docs/maintainers/adding.md` says
how to add a criterion.

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
from dtlib.arrays import TINY, log_excess, xlogx
from dtlib.counting.score import Entropy, Misclassification, OfTables, Quadratic, Rates, Scorer
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
    "measured": ("sums", "medians", "deviations", "rates", None),
    "kernel": ("squares", "logarithms", "largest", "medians", "rates", None),
    "rpart": ("gini", "information", "anova", "poisson", None),
    "center": tuple(CENTERS),
}


def squared_distance(y: Array, predicted: Array) -> Array:
    """Return the square of the distance of each target from its prediction."""
    return np.asarray(np.square(np.abs(y - predicted)))


def distance(y: Array, predicted: Array) -> Array:
    """Return the distance of each target from its prediction."""
    return np.asarray(np.abs(y - predicted))


def half_deviance(y: Array, predicted: Array) -> Array:
    """Return half the Poisson deviance of each target from its prediction: y ln(y/p) - y + p.

    It is infinite if nothing was to happen, and something did.

    Examples
    --------
    >>> half_deviance(np.array([0.0, 2.0, 0.0, 1.0]), np.array([2.0, 2.0, 0.0, 0.0]))
    array([ 2.,  0.,  0., inf])
    """
    some = np.maximum(predicted, TINY)
    deviance = some * log_excess(np.where(predicted > 0, y, 0) / some)
    return np.where(predicted > 0, deviance, np.where(y > 0, np.inf, 0.0))


@dataclass(frozen=True, eq=False)
class Criterion:
    """A criterion.

    Parameters
    ----------
    name : str
        The value of the parameter `criterion`.
    target : {"classes", "numbers"}
        Whether it is for classes or for regression targets.
    unit : str
        Unit of the impurity; empty if it has none.
    impurity : callable, optional
        For classes: a function of counts (..., K), as in `dtlib.measures`. For regression: of one node, given
        targets of shape (outputs, n) and the weights of the n rows or None. Without it, no tree grows by the
        criterion.
    goodness : callable, optional
        Score of a split, a function of tables (..., 2, K): by default, the decrease of the impurity. It has
        to be on a scale like that of the impurity, as scores are equal if they differ by less than a tiny
        part of it; a side without rows may have any value.
    total : callable, optional
        For classes: the impurity times the weight, a function of the weight of each class, their sum, and a
        function x log2 x; by default, `impurity` times the sum.
    is_exact : bool, default False
        Whether `total` and the scores are sums and quotients, so that no logarithm or root is rounded.
    scorer : callable, optional
        Makes the `Scorer` of a target; None if splits are not scored by sums.
    measured : {"sums", "medians", "deviations", "rates", None}
        What the score is computed from, and in regression the impurity of nodes: sums over branches (of
        squared distances from the mean); medians of rows; standard deviations of rows; rates, which are sums
        of counts divided by weights. None if no tree grows by the criterion, which is only read from other
        libraries.
    kernel : {"squares", "logarithms", "largest", "medians", "rates", None}
        The kernel that scores splits in `dtlib.compiled`; None hands the tree over to NumPy.
    sklearn : str, optional
        The criterion of the scikit-learn estimator to which a tree is exported.
    read_from : tuple of str
        The criteria of scikit-learn with the same impurity.
    rpart : {"gini", "information", "anova", "poisson", None}
        Its name in rpart.
    center : {"mean", "median"}
        In regression: the prediction of a node.
    loss : callable
        In regression: the loss of predictions, a function of the targets and the predictions.

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
    loss: Callable[[Array, Array], Array] = squared_distance

    def __post_init__(self) -> None:
        for field, known in KNOWN.items():
            if (value := getattr(self, field)) not in known:
                raise ValueError(f"{field} of criterion {self.name!r} is {value!r}; wanted one of {known}")

    @property
    def of_classes(self) -> bool:
        """Whether classes are predicted, and not regression targets."""
        return self.target == "classes"

    @property
    def is_decrease(self) -> bool:
        """Whether the score of a split is the decrease of impurity, so that it can be bounded and ordered."""
        return self.goodness is None

    @property
    def needs_rows(self) -> bool:
        """Whether the search for splits needs the rows: counts are not enough, or bound no score here."""
        return self.scorer is None or not self.is_decrease or self.measured == "rates"

    def unchecked(self, counts: Array) -> Array:
        """Return the impurity of class weights (..., K) of a growing tree, without checking them."""
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
        """Return the scores of splits, given tables (..., V, K): goodness, or decrease of impurity (7.10)."""
        if self.goodness is not None:
            return np.asarray(self.goodness(table))
        n = table.sum(-1)
        share = n / np.maximum(n.sum(-1, keepdims=True), np.finfo(float).tiny)
        return np.asarray(self.unchecked(table.sum(-2)) - (share * self.unchecked(table)).sum(-1))

    def centers(self, y: Array, weight: Array | None) -> Array:
        """Return the prediction for each output, given targets of shape (outputs, n)."""
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
    """Return the weight that is not of the most frequent class."""
    return np.asarray(n - reduce(np.maximum, of_class))


def mean_variance(y: Array, weight: Array | None) -> float:
    """Return the variance, averaged over the outputs."""
    return float(np.mean(measures.variance(y, weight)))


def mean_deviation(y: Array, weight: Array | None) -> float:
    """Return the standard deviation, averaged over the outputs."""
    return float(np.mean(np.sqrt(measures.variance(y, weight))))


def mean_distance(y: Array, weight: Array | None) -> float:
    """Return the mean distance from the median, averaged over the outputs."""
    n = y.shape[1] if weight is None else weight.sum()
    return float(np.mean(measures.absolute_error(y, weight)) / n)


def mean_half_deviance(y: Array, weight: Array | None) -> float:
    """Return half the Poisson deviance of the targets from their mean, averaged over rows and outputs."""
    mean = np.average(y, axis=1, weights=weight, keepdims=True)
    return float(np.mean(np.average(half_deviance(y, mean), axis=1, weights=weight)))


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
            loss=distance,
        ),
        Criterion(
            "standard_deviation", "numbers", "units", impurity=mean_deviation, scorer=None,
            measured="deviations", sklearn="squared_error",
        ),
        Criterion(
            "poisson", "numbers", impurity=mean_half_deviance, scorer=Rates, measured="rates",
            kernel="rates", sklearn="poisson", read_from=("poisson",), rpart="poisson", loss=half_deviance,
        ),
    )
}  # fmt: skip


def criterion_of(name: str) -> Criterion:
    """Return a criterion by its name; raise ValueError if there is none.

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
    """Return the names of the criteria of classification trees, or of regression trees.

    Examples
    --------
    >>> names_of("numbers")
    ('squared_error', 'absolute_error', 'standard_deviation', 'poisson')
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
