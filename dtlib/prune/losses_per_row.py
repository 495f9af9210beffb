"""The mean loss of a row at each subtree, in the unit of the loss, with its standard error (chapter 14)."""

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

from dtlib.numbers import shown
from dtlib.prune.loss import risk, unit_of_risk


def losses_per_row(model: Any) -> pd.DataFrame:
    """Return the mean loss of a row at each subtree of `cptable_`: of training rows, and of held-out rows.

    `cptable_` has the same numbers relative to the cost of the root alone, as in rpart. Here they are in the
    unit of the loss: the expected cost of a row. The 1-SE rule is the same in both units, whatever an error
    costs (see `dtlib.prune.one_se_rule`).

    Parameters
    ----------
    model : CARTClassifier or CARTRegressor fitted with ``prune="cv"`` or "validation"
        Without a `loss`, an error costs 1; for regression, the squared distance (for absolute error, the
        distance; for Poisson deviance, half of it for each unit of exposure).

    Returns
    -------
    DataFrame with a line for each subtree, the root first, as in `cptable_`
        ``leaves``; ``training`` and ``held_out`` (mean loss of a row, with the weights of rows and classes),
        ``standard_error`` (of the mean over held-out rows) and ``chosen``. If the root alone costs nothing,
        the values for held-out rows are NaN, as `cptable_` then has no unit.

    Raises
    ------
    ValueError
        If the model has no `cptable_`: it is not fitted, or not with such a `prune`.
    TypeError
        If it is no model.

    Examples
    --------
    Misclassifying somebody who survived costs four times as much as the other error:

    >>> from dtlib import CARTClassifier
    >>> from dtlib.datasets import load_titanic
    >>> people = load_titanic()
    >>> model = CARTClassifier(loss=[[0, 1], [4, 0]], max_depth=3, prune="cv")
    >>> losses_per_row(model.fit(people.X.drop(columns="age"), people.y)).round(3)
       leaves  training  held_out  standard_error  chosen
    1       1     0.618     0.618           0.013   False
    2       3     0.493     0.595           0.031   False
    3       4     0.458     0.455           0.026    True
    4       6     0.454     0.461           0.027   False
    5       7     0.452     0.455           0.027   False
    """
    if not isinstance(model, BaseEstimator):
        raise TypeError(
            f"model is {shown(model)}; wanted a CARTClassifier or CARTRegressor fitted with prune='cv' or "
            f"'validation'"
        )
    if not hasattr(model, "cptable_"):
        raise ValueError(
            f"{type(model).__name__} has no table of subtrees: wanted a model fitted with prune='cv' or "
            f"'validation'"
        )
    table, full = model.cptable_, model.pruning_path_.full
    root = float(risk(full)[0]) * unit_of_risk(full) / float(full.n[0])
    held_out = root if root else np.nan
    return pd.DataFrame(
        {
            "leaves": table["nsplit"] + 1,
            "training": table["rel error"] * root,
            "held_out": table["xerror"] * held_out,
            "standard_error": table["xstd"] * held_out,
            "chosen": table["nsplit"] + 1 == model.tree_.n_leaves,
        }
    )
