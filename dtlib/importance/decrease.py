"""Importance by decrease of impurity, of the features split on and of their surrogates (chapter 8).

These importances are of one tree. Where two splits have equal gains, another tree has other ones: see
`dtlib.importance.importance_intervals`.

References
----------
.. [1] L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone, "Classification and Regression Trees" (1984),
   section 5.3.4.
.. [2] T. M. Therneau, E. J. Atkinson, "An introduction to recursive partitioning using the RPART routines",
   Mayo Foundation, section 3.4.
"""

from typing import Any

import numpy as np

from dtlib.tree.tree import Fitted, Tree, tree_of


def decrease_importances(tree: Tree | Fitted, normalize: bool = True) -> np.ndarray:
    """Return the decrease of impurity by the splits on each feature, added up over the tree.

    A split counts by the weight of its node: the sum is that of ``n * gain`` over the nodes that split on the
    feature. `feature_importances_` of an estimator is this, as is that of scikit-learn. Elsewhere it is
    called mean decrease in impurity (MDI); for the Gini index, Gini importance.

    Parameters
    ----------
    tree : Tree or fitted estimator
        Of any estimator. The decrease by an oblique split is divided among its features by how far each can
        move the weighted sum: its coefficient, without sign, times the range of the feature.
    normalize : bool, default True
        Whether they are shares, from 0 to 1, that add up to 1 (all 0 if nothing lowers the impurity). Else
        they are sums over the rows: in bits times weight for entropy, squared units times weight for squared
        error. Divided by the weight of the root, `tree.n[0]`, they are those of scikit-learn without
        normalizing.

    Returns
    -------
    ndarray of shape (features,)
        In column order.

    Raises
    ------
    TypeError
        If `tree` is neither a tree nor an estimator, or `normalize` is neither True nor False.

    Notes
    -----
    The other usual importance, how much worse a model predicts once a column is shuffled, is
    `sklearn.inspection.permutation_importance`, which takes the estimators of this library as they are.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> tree = ID3Classifier().fit(loan.X, loan.y).tree_
    >>> [feature.name for feature in tree.features]
    ['age', 'has_job', 'owns_house', 'credit']
    >>> decrease_importances(tree).round(3)
    array([0.   , 0.567, 0.433, 0.   ])
    >>> decrease_importances(tree, normalize=False).round(3)  # 9 and 15 rows, 0.918 and 0.42 bits
    array([0.   , 8.265, 6.3  , 0.   ])
    """
    tree = tree_of(tree)
    check_normalize(normalize)
    inner, d = (tree.feature >= 0) & ~tree.is_linear, len(tree.features)
    decrease = np.zeros(d)
    np.add.at(decrease, tree.feature[inner], (tree.gain * tree.n)[inner])
    if tree.normals is not None:
        reach = np.abs(tree.normals) * (np.ones(d) if tree.feature_ranges is None else tree.feature_ranges)
        reach /= np.maximum(reach.max(1, keepdims=True), np.finfo(float).tiny)
        share = reach / np.maximum(reach.sum(1, keepdims=True), 1)
        decrease = decrease + (tree.gain * tree.n) @ share
    return shares_of(decrease) if normalize else decrease


def surrogate_importances(tree: Tree | Fitted, normalize: bool = True) -> np.ndarray:
    """Return the decrease of impurity by feature, where surrogates have a share of their node's decrease.

    The share is the adjusted agreement of the surrogate: how many more rows it sends like the split than the
    larger branch alone would, as a share of those possible. So a feature that another one masks, and that the
    tree never splits on, is seen too: the idea of [1]_, which counts the gain of the surrogate itself. With
    ``normalize=False`` this is what R's rpart calls ``variable.importance`` [2]_ (there in nats for entropy,
    here in bits).

    Parameters
    ----------
    tree : Tree or fitted estimator
        Grown with surrogates.
    normalize : bool, default True
        As for `decrease_importances`. The sum is more than the tree's decrease, as one decrease may count for
        several features.

    Returns
    -------
    ndarray of shape (features,)
        In column order.

    Raises
    ------
    ValueError
        If the tree was not grown with surrogates.
    TypeError
        As for `decrease_importances`.

    References
    ----------
    .. [1] L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone, "Classification and Regression Trees"
       (1984), section 5.3.4.
    .. [2] T. M. Therneau, E. J. Atkinson, "An introduction to recursive partitioning using the RPART
       routines", Mayo Foundation, section 3.4.

    Examples
    --------
    >>> from dtlib import CARTClassifier
    >>> from dtlib.datasets import load_watermelon
    >>> melons = load_watermelon("3.0")
    >>> tree = CARTClassifier(max_depth=1, missing="surrogate").fit(melons.X, melons.y).tree_
    >>> tree.surrogates_of(0)[["feature", "adjusted"]].head(2).round(3)
      feature  adjusted
    0   sugar     1.000
    1   color     0.375
    >>> said = dict(zip(melons.X, surrogate_importances(tree).round(3).tolist(), strict=True))
    >>> said["texture"], said["sugar"], said["color"]
    (0.333, 0.333, 0.125)
    """
    tree = tree_of(tree)
    check_normalize(normalize)
    active_surrogates, decrease = tree._active_surrogates, decrease_importances(tree, normalize=False)
    part = (tree.gain * tree.n)[active_surrogates.node] * active_surrogates.adjusted
    np.add.at(decrease, active_surrogates.feature, part)
    return shares_of(decrease) if normalize else decrease


def shares_of(amounts: np.ndarray) -> np.ndarray:
    """Return the shares of amounts in their sum, which may be 0.

    Examples
    --------
    >>> shares_of(np.array([3.0, 1.0])), shares_of(np.zeros(2))
    (array([0.75, 0.25]), array([0., 0.]))
    """
    return amounts / (amounts.sum() or 1.0)


def check_normalize(normalize: Any) -> None:
    """Raise an error if this is no truth value.

    Examples
    --------
    >>> check_normalize("yes")
    Traceback (most recent call last):
    TypeError: normalize is 'yes'; wanted True or False
    """
    if not isinstance(normalize, bool | np.bool_):
        raise TypeError(f"normalize is {normalize!r}; wanted True or False")
