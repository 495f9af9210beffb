"""Rules in which implementations of CART differ, and those of rpart and scikit-learn (chapter 8)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone

from dtlib.numbers import shown
from dtlib.prune.pruners import ComplexityParameter, pruning_of
from dtlib.search.rules import BySurrogates
from dtlib.table.parameters import Declared, Number, Settings, check_alone
from dtlib.table.weights import Prior


@dataclass(repr=False, eq=False)
class CARTDialect(Settings):
    """Rules of growing in which implementations of CART differ; by default those of the book.

    Parameters
    ----------
    samples : {"weight", "rows"}, default "weight"
        The unit of `min_samples_split` and `min_samples_leaf`: weight, or rows whatever their weight.
    min_impurity : float of at least 0, default 0.0
        A node is split only if its impurity is above this (in its own unit, bits for entropy).
    zero_gain : bool, default False
        Whether a node is split even if no split lowers its impurity.
    precision : {"double", "single"}, default "double"
        Read numeric features as float64; or round them to float32, without thresholds between values that
        are 1e-7 or less apart.
    unseen : {"stay", "missing"}, default "stay"
        How a category is treated that no training row of the node had: the row ends at the node, or its value
        counts as missing.
    ties : {"first", "rounding"}, default "first"
        Which of several equal splits, or equal surrogates, is taken: the first, or the one with the best
        score after rounding in rpart's sums of floats (not for several outputs, nor for a criterion that
        rpart does not have).
    class_order : {"sorted", "declared"}, default "sorted"
        Among classes with the same weight, the first is predicted: in sorted order, or in the order in which
        a categorical y declares them.
    zero_weight : {"drop", "count"}, default "drop"
        Whether rows of weight 0 are left out, or sent down the tree with the others. Then they count in
        `min_samples_split` (if samples are rows), and surrogates may be cut between their values; but they
        count neither in `min_samples_leaf` nor in predictions.
    shrinkage : float of at least 0, default 0.0
        For Poisson deviance: how far apart the rates of nodes are believed to be, as the coefficient of
        variation of a gamma distribution around the rate of all rows. With ``k = 1 / shrinkage**2``, a node
        predicts ``(events + k) / (exposure + k / rate)``: so much as if it had seen k more events at the rate
        of all rows. Splits are chosen, and explained, by the rates as they are. Default: no rate is shrunk.

    Examples
    --------
    >>> from dtlib import CARTClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> CARTClassifier(dialect=CARTDialect(zero_gain=True)).fit(X, y).get_n_leaves()
    4
    """

    samples: str = "weight"
    min_impurity: float = 0.0
    zero_gain: bool = False
    precision: str = "double"
    unseen: str = "stay"
    ties: str = "first"
    class_order: str = "sorted"
    zero_weight: str = "drop"
    shrinkage: float = 0.0

    #: Whether Poisson deviance may make branches without events, of which the rate is 0 if it is not shrunk;
    #: only rpart does this.
    zero_rates: ClassVar[bool] = False
    #: Whether a value equal to the threshold goes right; the tree then has the float next below. Only rpart
    #: does this, and its preset sets it.
    strict: ClassVar[bool] = False

    _declared: ClassVar[Declared] = {
        "samples": ("weight", "rows"),
        "min_impurity": (Number(0),),
        "zero_gain": (True, False),
        "precision": ("double", "single"),
        "unseen": ("stay", "missing"),
        "ties": ("first", "rounding"),
        "class_order": ("sorted", "declared"),
        "zero_weight": ("drop", "count"),
        "shrinkage": (Number(0),),
    }


class RpartDialect(CARTDialect):
    """The dialect of rpart, with a setting that only this program needs."""

    strict = True
    zero_rates = True


class RpartSurrogates(BySurrogates):
    """The surrogates of rpart, with a slip that only this program has."""

    categorical_rule = "disagree"


#: The dialects by name, each with the settings of its program.
CART_DIALECTS: dict[str, Callable[..., CARTDialect]] = {
    "sklearn": partial(
        CARTDialect, samples="rows", zero_gain=True, precision="single",
        min_impurity=float(np.finfo(float).eps),
    ),
    "rpart": partial(
        RpartDialect, samples="rows", unseen="missing", ties="rounding", class_order="declared",
        zero_weight="count", shrinkage=1.0,
    ),
}  # fmt: skip
SURROGATES = ("max_surrogates", "agreement", "fallback")  # settings that `rpart` takes as parameters
#: The parameter for each argument of R's rpart, with ``{}`` for its value; or one for each of its values.
ARGUMENTS_IN_R: dict[str, str | dict[Any, str]] = {
    "minsplit": "min_samples_split={}",
    "minbucket": "min_samples_leaf={}",
    "maxdepth": "max_depth={}",
    "maxcompete": "nothing, as tree_.explain(node) lists all features",
    "maxsurrogate": "max_surrogates={}",
    "usesurrogate": {0: "missing='stay'", 1: "fallback='stay'", 2: "fallback='majority'"},
    "surrogatestyle": {0: "agreement='all'", 1: "agreement='known'"},
    "xval": "prune=CrossValidated(folds=...), which also chooses the subtree, or nothing for 0",
    "control": "its settings, each as a parameter: min_samples_split, cp, ...",
    "parms": "its parts, each as a parameter: prior, loss, shrinkage for shrink, and criterion for split",
    "shrink": "shrinkage={}",
    "split": {"gini": "criterion='gini'", "information": "criterion='entropy'"},
    "method": {
        "class": "CARTClassifier.rpart()",
        "anova": "CARTRegressor.rpart()",
        "poisson": "CARTRegressor.rpart(criterion='poisson')",
    },
    "cost": "nothing, as no feature has a cost here",
    "weights": "fit(X, y, sample_weight)",
    "formula": "fit(X, y)",
    "data": "fit(X, y)",
    "subset": "fit(X, y) with some of the rows",
    "na_action": "missing, which says what becomes of rows with missing values",
}


def check_not_in_r(given: dict[str, Any]) -> None:
    """Raise an error for an argument of R's rpart, with the name of the parameter here.

    Examples
    --------
    >>> check_not_in_r({"minsplit": 5})
    Traceback (most recent call last):
    TypeError: rpart() has no parameter 'minsplit', as R's rpart has: wanted min_samples_split=5
    """
    for name in sorted(set(given) & set(ARGUMENTS_IN_R)):
        here, value = ARGUMENTS_IN_R[name], given[name]
        if not isinstance(here, str):
            found = [new for old, new in here.items() if type(value) is type(old) and value == old]
            here = found[0] if found else " or ".join(f"{new} for {old!r}" for old, new in here.items())
        raise TypeError(
            f"rpart() has no parameter {name!r}, as R's rpart has: wanted {here.format(shown(value))}"
        )


def rpart_options(given: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of an estimator that grows rpart's tree, given overrides."""
    check_not_in_r(given)
    options: dict[str, Any] = {"nominal": "ordered", "max_depth": 30, "missing": "surrogate", "prune": None}
    options |= given
    split, leaf = options.get("min_samples_split"), options.get("min_samples_leaf")
    if split is None:
        options["min_samples_split"] = times(leaf, 3, 20)
    if leaf is None:
        options["min_samples_leaf"] = times(split, 1 / 3, 7)
    cp, prune = options.pop("cp", 0.01), options["prune"]
    if prune is None:
        options["prune"] = ComplexityParameter(None if "prune" in given and "cp" not in given else cp)
    elif getattr(way := clone(pruning_of(prune)), "cp", 0.0) is None:
        options["prune"] = way.set_params(cp=cp)
    else:
        check_alone({"cp"} & set(given), "prune")
    if (prior := options.pop("prior", None)) is not None:
        check_alone({"prior"} & set(given), "class_weight" if "class_weight" in given else None)
        options["class_weight"] = Prior(prior)
    own = {name: options.pop(name) for name in set(SURROGATES) & set(options)}
    if options["missing"] in ("surrogate", "stay"):
        sends = options["missing"] == "surrogate"
        options["missing"] = RpartSurrogates(use_surrogates=sends, **{k: own.pop(k) for k in [*own]})
    check_alone(own, "missing")
    return in_dialect("rpart", options)


def times(given: Any, factor: float, default: int) -> Any:
    """Return an amount of samples times a factor; a share stays a share; the default if it is not a number.

    Examples
    --------
    >>> times(None, 3, 20), times(7, 3, 20), times(0.1, 0.5, 7), times(0.4, 3, 20)
    (20, 21, 0.05, 0.4)
    """
    if not isinstance(given, Real):
        return default
    amount, counts = float(given), isinstance(given, Integral) or float(given) >= 1
    return round(amount * factor) if counts else min(amount * factor, max(amount, 1 / 3))


def in_dialect(name: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return options in which the settings of a dialect are collected in the parameter `dialect`."""
    check_alone(set(CARTDialect().get_params()) & set(options), "dialect" if "dialect" in options else None)
    own = {key: options.pop(key) for key in set(CARTDialect().get_params()) & set(options)}
    return {"dialect": CART_DIALECTS[name](**own)} | options
