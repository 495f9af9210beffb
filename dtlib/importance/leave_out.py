"""Importance by leaving a feature out: the tree is grown again without it (chapter 12).

The importance of a feature to one tree says on which feature it split first, not which one could be spared:
of two copies of a column, either may be left out at no cost. Here each feature is left out of the training
set, and the cost is measured on held-out rows [1]_. Elsewhere this is called leave-one-covariate-out (LOCO),
or drop-column importance.

References
----------
.. [1] J. Lei, M. G'Sell, A. Rinaldo, R. J. Tibshirani, L. Wasserman, "Distribution-free predictive inference
   for regression", Journal of the American Statistical Association 113 (2018) 1094-1111, section 6.
"""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import clone, is_classifier

from dtlib.base import TreeEstimator
from dtlib.counting.criteria import criterion_of
from dtlib.prune.cross_validation import Curve
from dtlib.prune.pruners import rows_of_folds
from dtlib.table.coded import Coded
from dtlib.table.columns import Column
from dtlib.table.feature_names import default_names, has_default_columns, label_as_text
from dtlib.table.other_frames import in_pandas
from dtlib.table.reading import class_targets, number_targets, read_array
from dtlib.table.training import Training
from dtlib.table.weights import checked_weight


def leave_out_importances(
    estimator: TreeEstimator,
    X: ArrayLike | pd.DataFrame,
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
    folds: Any = 10,
) -> pd.DataFrame:
    """Return by how much the rows of a table cost more if a feature is left out, by cross-validation.

    The estimator is fitted without each fold, once with all features and once without each of them, and
    predicts the rows of the fold. The cost of a row is 1 for an error, or by the `loss` of the estimator the
    loss of its error; in regression the squared error, or the absolute error or half the Poisson
    deviance if that is the criterion. Each row costs something with the feature and without, so the standard
    error is that of a mean of differences:
    ``sqrt(sum of w d**2 - D**2 / W) / W``, where D is the sum of w d and W that of w.

    Elsewhere: leave-one-covariate-out (LOCO), drop-column importance.

    Parameters
    ----------
    estimator : estimator of this library, such as CARTClassifier()
        Need not be fitted, and stays as it is. If it draws features, give it an int as `random_state`: else
        the draws differ, too.
    X : DataFrame or array-like of shape (n, d)
        At least two columns.
    y : array-like of shape (n,) or (n, outputs)
    sample_weight : array-like of shape (n,), optional
        Weight of each row, in growing and in the means; default 1.
    folds : int of at least 2, splitter or iterable, default 10
        As in `dtlib.prune.CrossValidated`.

    Returns
    -------
    DataFrame indexed by feature
        ``with`` and ``without`` (mean cost of a row with all features, and without this one),
        ``importance`` (their difference: below 0, the tree predicts better without), ``standard_error``.

    Raises
    ------
    TypeError
        If the estimator is none of this library.
    ValueError
        If X has fewer than two columns, the folds cannot be used, or the estimator has class weights: those
        are for growing; the cost of a row depends on `loss` and `sample_weight` alone. Also whatever the
        estimator itself refuses.

    Notes
    -----
    The rows of several folds share most of what their trees were grown from, so the standard error is, as
    in all cross-validation, a little too small. With a `loss`, a class that a fold leaves without rows can
    still be predicted, if it costs least, as when such a tree is pruned by cross-validation.

    Examples
    --------
    Either of two columns with the same information may be left out, the third one may not:

    >>> from dtlib import CARTClassifier
    >>> X = pd.DataFrame({"cm": [1.0, 2] * 10, "inch": [0.4, 0.8] * 10, "age": [1, 1, 2, 2] * 5})
    >>> leave_out_importances(CARTClassifier(), X, ["a", "b", "b", "b"] * 5, folds=5).round(3)
             with  without  importance  standard_error
    feature
    cm        0.0     0.00        0.00           0.000
    inch      0.0     0.00        0.00           0.000
    age       0.0     0.25        0.25           0.097
    """
    X, names, targets, weight = read_task(estimator, X, y, sample_weight)
    rows = Training((), Coded(np.empty((0, len(X)), np.int32), {}, {}), tuple(targets))
    pairs = rows_of_folds(folds, rows)
    every = np.concatenate([np.empty(0, np.intp), *(test for _, test in pairs)])
    w = np.ones(len(every)) if weight is None else weight[every]
    if not w.any():
        raise ValueError("folds has no row to test with that has a weight: wanted some")

    def cost_of(table: pd.DataFrame | np.ndarray) -> np.ndarray:
        return np.concatenate([fold_costs(estimator, table, np.asarray(y), weight, *pair) for pair in pairs])

    kept, lines = cost_of(X), []
    for f in range(len(names)):
        others = np.delete(np.arange(len(names)), f)
        left = X.iloc[:, others] if isinstance(X, pd.DataFrame) else X[:, others]
        without = cost_of(left)
        rise, total = without - kept, w.sum()
        sums = Curve(w @ rise, w @ rise**2, total)
        lines.append((w @ kept / total, w @ without / total, sums.cost / total, sums.deviation / total))
    columns = ["with", "without", "importance", "standard_error"]
    return pd.DataFrame(lines, pd.Index(names, name="feature"), columns)


class Task(NamedTuple):
    """A table that was checked: its columns, their names, the targets, the sample weights."""

    X: pd.DataFrame | np.ndarray
    names: list[str]
    targets: list[Column]
    weight: np.ndarray | None


def read_task(estimator: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None) -> Task:
    """Return the table; raise an error if it, or the estimator, cannot be used."""
    if not isinstance(estimator, TreeEstimator):
        raise TypeError(
            f"estimator is {estimator!r}; wanted an estimator of this library, such as CARTClassifier()"
        )
    if getattr(estimator, "class_weight", None) is not None:
        raise ValueError(
            f"estimator has class_weight={estimator.class_weight!r}, which says how to grow, not what a row "
            f"costs: wanted None, and a `loss` or a sample_weight"
        )
    X = in_pandas(X)
    X = X if isinstance(X, pd.DataFrame) else read_array("X", X, "rows of equally many columns")
    if X.ndim != 2 or X.shape[1] < 2:
        raise ValueError(f"X has shape {X.shape}; wanted at least two columns, one of which is left out")
    is_frame = isinstance(X, pd.DataFrame)
    names = list(map(label_as_text, X.columns) if is_frame else default_names(X.shape[1]))
    X = X.to_numpy() if is_frame and has_default_columns(X) else X  # which it stays without some columns
    read = class_targets if is_classifier(estimator) else number_targets
    return Task(X, names, read(y, len(X)), checked_weight(sample_weight, len(X)))


def fold_costs(
    estimator: TreeEstimator,
    X: pd.DataFrame | np.ndarray,
    y: np.ndarray,
    weight: np.ndarray | None,
    train: np.ndarray,
    test: np.ndarray,
) -> np.ndarray:
    """Return the costs of the rows of a fold, predicted by a tree grown without them."""
    lacking = rows_of_lacking(y, train) if getattr(estimator, "loss", None) is not None else train[:0]
    place = np.append(train, np.full(len(lacking), train[0]))  # in X: they bring no value of their own
    some, others = (X.iloc[i] if isinstance(X, pd.DataFrame) else X[i] for i in (place, test))
    if len(lacking):
        weight = np.append(np.ones(len(train), int) if weight is None else weight[train], 0 * lacking)
    elif weight is not None:
        weight = weight[train]
    model: Any = clone(estimator).fit(some, y[np.append(train, lacking)], weight)
    truth = y[test]
    said = model.predict(others).reshape(truth.shape)
    if not is_classifier(model):
        cost = criterion_of(model.criterion).loss(truth.astype(float), said)
    elif getattr(model, "loss", None) is not None:
        true, predicted = (np.searchsorted(model.classes_, labels.ravel()) for labels in (truth, said))
        return np.asarray(model.loss, float)[true, predicted]
    else:
        cost = (truth != said).astype(float)
    return cost.reshape(len(test), -1).mean(1)


def rows_of_lacking(y: np.ndarray, train: np.ndarray) -> np.ndarray:
    """Return the first row of each class that none of the training rows has.

    A loss has a row for each class of the table. A row of weight 0 keeps the row of a class that a fold
    leaves without samples, and does not change the tree.

    Examples
    --------
    >>> rows_of_lacking(np.array(["a", "b", "a", "c"]), np.array([0, 2]))
    array([1, 3])
    """
    _, first, codes = np.unique(y.ravel(), return_index=True, return_inverse=True)
    return np.delete(first, np.unique(codes[train]))
