"""What a row costs at each subtree, in the unit of the loss, and how sure that is (chapter 13)."""

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

from dtlib.numbers import shown
from dtlib.prune.loss import risk, unit_of_risk


def losses_per_row(model: Any) -> pd.DataFrame:
    """Return the mean loss of a row at each subtree among which was chosen: of training, and held out.

    `cptable_` has the same numbers as shares of what the root alone costs, as rpart has them. Here they are
    in the unit of the loss: what a row may be expected to cost. The 1-SE rule is the same in both, as it
    compares costs with costs, whatever one error costs (see `dtlib.prune.one_se_rule`).

    Parameters
    ----------
    model : CARTClassifier or CARTRegressor fitted with ``prune="cv"`` or "validation"
        With a `loss` or without: then an error costs 1, for numbers the square of the distance (the distance,
        for absolute error).

    Returns
    -------
    DataFrame with a line for each subtree, the root first, as in `cptable_`
        ``leaves``; ``training`` and ``held_out`` (mean loss of a row, as rows and classes are weighed),
        ``standard_error`` (of the mean of the rows held out) and ``chosen``. If the root alone costs nothing,
        what is held out is NaN: `cptable_` then has no unit.

    Raises
    ------
    ValueError
        If the model has no table: it is not fitted, or not so.
    TypeError
        If it is no model.

    Examples
    --------
    An error about somebody who survived costs four times what the other error costs:

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
