"""Weights of rows: sample weight, class weight, and misclassification cost (chapters 8 and 20).

Legend: n is the number of rows, K that of classes; `of_class` has one number for each class.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.utils.class_weight import compute_class_weight, compute_sample_weight

from dtlib.arrays import sums_in_order
from dtlib.numbers import fault_in, floats, how_many, shown
from dtlib.table.columns import Column
from dtlib.table.parameters import Settings, check_choice

LEAST = 1e-300  # smallest sum of weights whose shares can be computed


@dataclass(repr=False, eq=False)
class Prior(Settings):
    """Weigh the rows so that each class has a given share of all weight [1]_.

    Parameters
    ----------
    of_class : dict, Series or array-like of shape (n_classes,)
        The probability of each class, with the sum 1: by its name, in a dict or as the index of a Series; or
        in the order of `classes_`, which is refused where a categorical y declares another order.

    References
    ----------
    .. [1] L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone, "Classification and Regression Trees"
       (1984), section 4.4.

    Examples
    --------
    >>> from dtlib import CARTClassifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> even = CARTClassifier(max_depth=0, class_weight=Prior({"no": 0.5, "yes": 0.5}))
    >>> even.fit(loan.X, loan.y).predict_proba(loan.X.head(1))
    array([[0.5, 0.5]])
    """

    of_class: dict | pd.Series | ArrayLike


def check_weight(
    weight: ArrayLike | None, n: int, name: str = "sample_weight", labels: np.ndarray | None = None
) -> np.ndarray | None:
    """Return the weights of n rows as float64 (None stays None); raise if they are invalid.

    With labels, the error names the label of the row.

    Raises
    ------
    ValueError
        If there are not n of them, one is negative, masked, NaN or infinite, or the sum is zero or infinite.

    Examples
    --------
    >>> check_weight([1, 2], 2)
    array([1., 2.])
    """
    if weight is None:
        return None
    weight = floats(name, weight, "real numbers, one weight per row")
    if weight.shape != (n,):
        rows = how_many(n, "row")
        raise ValueError(f"{name} has shape {weight.shape}, but there are {rows}: give one weight per row")
    if not np.isfinite(weight).all() or (weight < 0).any():
        row = int(np.flatnonzero(~np.isfinite(weight) | (weight < 0))[0])
        if labels is None and np.isnan(weight[row]):
            raise ValueError(f"{name} is missing (NaN) in row {row} (counted from 0): give each row a weight")
        which = f"{name}[{row}]" if labels is None else f"{name} of {labels[row : row + 1].tolist()[0]!r}"
        raise ValueError(f"{which} is {weight[row]}: weights must be finite and not negative")
    if not weight.any():
        raise ValueError(f"{name} is zero for every row: at least one row must count")
    with np.errstate(over="ignore"):
        total = weight.sum()
    if np.isinf(total):
        raise ValueError(f"{name} has an infinite sum: divide all weights by a number")
    if total < LEAST:
        raise ValueError(f"{name} has the sum {total}, too small to be divided: multiply all weights")
    return weight


def checked_weight(weight: ArrayLike | None, n: int) -> np.ndarray | None:
    """Return the weights of n rows, of which a scalar gives the same to all."""
    if weight is None:
        return None
    given = floats("sample_weight", weight, "real numbers, one weight per row")
    return check_weight(np.full(n, given) if given.ndim == 0 else given, n)


def checked_exposure(exposure: ArrayLike, n: int) -> np.ndarray:
    """Return the exposures of n rows, all finite and above 0; a scalar is that of every row.

    Examples
    --------
    >>> checked_exposure(0.5, 2)
    array([0.5, 0.5])
    >>> checked_exposure([1, 0], 2)
    Traceback (most recent call last):
    ValueError: exposure holds 0.0 in row 1, but each row was exposed for some time: wanted numbers above 0
    """
    given = floats("exposure", exposure, "real numbers, one exposure per row")
    found = check_weight(np.full(n, given) if given.ndim == 0 else given, n, "exposure")
    assert found is not None
    if not found.all():
        row = int(np.flatnonzero(found == 0)[0])
        raise ValueError(
            f"exposure holds 0.0 in row {row}, but each row was exposed for some time: wanted numbers above 0"
        )
    return found


def weigh_classes(
    class_weight: dict | list | str | Prior | None, targets: list[Column], weight: np.ndarray | None
) -> np.ndarray | None:
    """Multiply the weights of the rows by those of their classes; raise if these are invalid."""
    if class_weight is None or isinstance(class_weight, Prior):
        return weight
    if not isinstance(class_weight, dict | list | tuple):
        check_choice("class_weight", class_weight, ("balanced", None, dict, list, Prior))
    labels = [np.asarray(target.values)[target.codes] for target in targets]
    y = labels[0] if len(labels) == 1 else np.stack(labels, axis=1, dtype=object, casting="unsafe")
    try:
        if len(labels) == 1 and isinstance(class_weight, list | tuple):
            raise TypeError("y has one output")
        of_class = compute_sample_weight(of_used_classes(class_weight, targets), y)
    except (TypeError, ValueError, OverflowError, IndexError) as error:
        wanted = "'balanced', a weight for each class by its name, or of several outputs a list of these"
        raise fault_in("class_weight", class_weight, wanted, error) from None
    check_weight(of_class, len(y), "class_weight", y)
    product = of_class if weight is None else of_class * weight
    if not product.any():
        raise ValueError("class_weight and sample_weight together are zero for every row: one must count")
    return product


def of_used_classes(class_weight: Any, targets: Sequence[Column]) -> Any:
    """Return class weights (or those of each output) without the classes that no row has.

    Examples
    --------
    >>> target = Column("y", np.array(["no", "yes"]), np.array([0, 0]), unused=(1,))
    >>> of_used_classes({"no": 2, "yes": 3}, [target]), of_used_classes("balanced", [target])
    ({'no': 2}, 'balanced')
    """
    if isinstance(class_weight, list | tuple) and len(class_weight) == len(targets):
        return [of_used_classes(each, [t]) for each, t in zip(class_weight, targets, strict=True)]
    if not isinstance(class_weight, dict):
        return class_weight
    unused = {np.asarray(target.values)[k] for target in targets for k in target.unused}
    return {label: weight for label, weight in class_weight.items() if label not in unused}


def with_costs(
    class_weight: object, loss: ArrayLike | None, targets: list[Column], weight: np.ndarray | None
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Weigh the rows so that the classes have their priors, times their misclassification costs.

    Returns
    -------
    weight : ndarray of shape (n,), or None
        Altered priors (Breiman et al., 1984, section 4.4): of class j, its prior times the sum of row j of
        the loss. The sum of all weights does not change.
    loss : ndarray of shape (classes, classes), or None
        As floats.
    """
    if loss is None and not isinstance(class_weight, Prior):
        return weight, None
    if len(targets) > 1:
        raise ValueError(f"Prior and loss are for one output, and y has {len(targets)}: grow a tree for each")
    target, weight = targets[0], np.ones(len(targets[0].codes)) if weight is None else weight
    of_class = np.bincount(target.codes, weight, len(target.values))
    if loss is not None:
        loss = check_loss(loss, target)
    return weight * altered_factors(class_weight, loss, target, of_class)[target.codes], loss


def altered_factors(
    class_weight: object, loss: np.ndarray | None, target: Column, of_class: np.ndarray
) -> np.ndarray:
    """Return the factor of the weight of each class, given the weight of all its rows.

    Examples
    --------
    >>> target = Column("y", np.array(["no", "yes"]), np.array([0, 1]))
    >>> altered_factors(Prior([0.5, 0.5]), None, target, np.array([1.0, 4.0]))
    array([2.5  , 0.625])
    """
    wanted = priors(class_weight, target, of_class)
    if loss is not None:
        wanted = wanted * loss.sum(1)
    return wanted / wanted.sum() * of_class.sum() / np.where(of_class > 0, of_class, 1)  # type: ignore[no-any-return]


def weights_of_classes(
    class_weight: Any, loss: ArrayLike | None, target: Column, rows: np.ndarray
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return the weight of a row of each class (None: 1), given the number of its rows; the loss as floats.

    The weights equal those of rows in memory, to the last bit.

    Examples
    --------
    >>> target = Column("y", np.array(["no", "yes"]), np.array([0, 1]))
    >>> weights_of_classes("balanced", None, target, np.array([1, 4]))[0]
    array([2.5  , 0.625])
    """
    weight = None
    if class_weight is not None and not isinstance(class_weight, Prior):
        used = np.delete(np.arange(len(rows)), target.unused)
        values, weight = np.asarray(target.values)[used], np.ones(len(rows))
        own = of_used_classes(class_weight, [target])
        with np.errstate(divide="ignore"):  # all rows of a class may be held out
            weight[used] = compute_class_weight(own, classes=values, y=values, sample_weight=rows[used])
        weight = np.where(rows > 0, weight, 1.0)
    if loss is None and not isinstance(class_weight, Prior):
        return weight, None
    if loss is not None:
        loss = check_loss(loss, target)
    of_class = rows.astype(float)
    if weight is not None:
        K = np.arange(len(rows))
        of_class = sums_in_order(weight, K, rows, len(rows))
    factor = altered_factors(class_weight, loss, target, of_class)
    return factor if weight is None else weight * factor, loss


def class_factors(
    targets: Sequence[Column], case_weight: np.ndarray | None, weight: np.ndarray | None
) -> np.ndarray:
    """Return the factor by which the weights of each class were multiplied; raise if it cannot be undone.

    Parameters
    ----------
    targets : sequence of Column
        A single output: with several, the weight of a row belongs to no single class.
    case_weight, weight : ndarray of shape (n,), optional
        The weight of each row, before and after; default 1. A class without weight before has the factor 1.

    Examples
    --------
    >>> target = Column("y", np.array(["no", "yes"]), np.array([0, 0, 1]))
    >>> class_factors([target], None, np.array([0.75, 0.75, 1.5]))
    array([0.75, 1.5 ])
    """
    if len(targets) > 1:
        raise ValueError(
            f"leaf_shares has undo_weights=True, but y has {len(targets)} outputs, whose classes weigh a row "
            f"together: grow a tree for each"
        )
    codes, values = targets[0].codes, np.asarray(targets[0].values)
    before, after = (np.ones(len(codes)) if w is None else w for w in (case_weight, weight))
    factors, some = np.ones(len(values)), np.flatnonzero(before > 0)
    factors[codes[some]] = after[some] / before[some]
    if not factors.all():
        lost = values[factors == 0].tolist()
        raise ValueError(
            f"leaf_shares has undo_weights=True, but the classes {lost} have weight 0, which cannot be undone"
        )
    return factors


def priors(class_weight: object, target: Column, of_class: np.ndarray) -> np.ndarray:
    """Return the share of each class in all weight: its given prior, or its own share."""
    if isinstance(class_weight, Prior):
        return check_prior(class_weight.of_class, target, of_class)
    return of_class / of_class.sum()


def check_prior(prior: dict | pd.Series | ArrayLike, target: Column, of_class: np.ndarray) -> np.ndarray:
    """Return the prior of each class; raise if it is invalid."""
    values, categorical_surrogate = labels_of_classes(target), isinstance(prior, dict | pd.Series)
    if categorical_surrogate:
        given = prior if isinstance(prior, dict) else unique_entries("prior", prior)
        given = dict.fromkeys((values[k] for k in target.unused), 0.0) | given
        if set(given) != set(values):
            raise ValueError(
                f"prior is for {shown(list(given))}, but the classes are {shown(values)}: name each of them"
            )
        prior = [given[value] for value in values]
    p = floats("prior", prior)
    if p.shape != (len(values),):
        raise ValueError(
            f"prior has shape {p.shape}; wanted ({len(values)},), one for each of {shown(values)}"
        )
    if not categorical_surrogate:
        names = target.declared or ()
        check_order("prior", target, f"{dict(zip(names, p.tolist(), strict=False))}")
    if not (p >= 0).all() or not np.isclose(p.sum(), 1):
        raise ValueError(f"prior is {p.tolist()}; wanted numbers of at least 0 with the sum 1")
    if (without := (p > 0) & (of_class == 0)).any() or not (p * of_class).any():
        lost = shown([value for value, is_lost in zip(values, without, strict=True) if is_lost])
        way = f"give {lost} a prior of 0" if without.any() else "give a class with rows more than 0"
        weights = dict(zip(values, of_class.tolist(), strict=True))
        raise ValueError(
            f"prior is {dict(zip(values, p.tolist(), strict=True))}, but the classes weigh {weights}: {way}"
        )
    return p


def check_loss(loss: ArrayLike | pd.DataFrame, target: Column) -> np.ndarray:
    """Return the loss as floats, a row and a column for each class; raise if it is invalid."""
    values, categorical_surrogate = labels_of_classes(target), isinstance(loss, pd.DataFrame)
    if isinstance(loss, dict):
        raise TypeError(
            f"loss is {shown(loss)}; wanted an array, or a DataFrame that names the classes: "
            f'pandas.DataFrame.from_dict(loss, orient="index"), if it has a dict for each true class'
        )
    table, K = floats("loss", in_order_of(values, loss) if categorical_surrogate else loss), len(values)
    if table.shape != (K, K):
        raise ValueError(f"loss has shape {table.shape}; wanted ({K}, {K}): a row for each true class")
    if not categorical_surrogate:
        names = list(target.declared or ())
        check_order("loss", target, f"pandas.DataFrame({table.tolist()}, index={names}, columns={names})")
    if not (np.isfinite(table) & (table >= 0)).all() or np.diag(table).any():
        raise ValueError(f"loss is {table.tolist()}; wanted numbers of at least 0, and 0 on the diagonal")
    if not table.sum(1).all():
        raise ValueError(f"loss is {table.tolist()}; wanted a cost above 0 in each row")
    return table


def labels_of_classes(target: Column) -> list[Any]:
    """Return the classes as Python's own strings, numbers or booleans."""
    values: list[Any] = np.asarray(target.values).tolist()
    return values


def unique_entries(name: str, given: pd.Series) -> dict[Any, Any]:
    """Return a Series as a dict; raise ValueError if labels repeat.

    Examples
    --------
    >>> unique_entries("prior", pd.Series([0.2, 0.8], ["no", "yes"]))
    {'no': 0.2, 'yes': 0.8}
    """
    if not given.index.is_unique:
        twice = list(dict.fromkeys(given.index[given.index.duplicated()].tolist()))
        raise ValueError(f"{name} has several entries for {shown(twice)}; wanted one for each class")
    return dict(given.items())


def in_order_of(values: list[Any], loss: pd.DataFrame) -> pd.DataFrame:
    """Return a loss with its rows and columns in the order of the classes; raise if it has others.

    Examples
    --------
    >>> loss = pd.DataFrame([[0, 5], [1, 0]], index=["yes", "no"], columns=["yes", "no"])
    >>> in_order_of(["no", "yes"], loss).to_numpy().tolist()
    [[0, 1], [5, 0]]
    """
    places = []
    for what, found in (("index", loss.index), ("columns", loss.columns)):
        names = found.tolist()
        if len(names) != len(values) or set(names) != set(values):
            raise ValueError(
                f"loss is a DataFrame with the {what} {shown(names)}, but the classes are {shown(values)}: "
                f"give it a row for each true class and a column for each that may be predicted, by name"
            )
        places.append([names.index(value) for value in values])
    return loss.iloc[places[0], places[1]]


def check_order(name: str, target: Column, example: str) -> None:
    """Raise ValueError if values are given by position, but y declares its classes in another order.

    Examples
    --------
    >>> target = Column("y", np.array(["no", "yes"]), np.array([0, 1]), declared=("yes", "no"))
    >>> check_order("prior", target, "{'yes': 0.2, 'no': 0.8}")
    Traceback (most recent call last):
    ValueError: prior is given by position, but y declares its classes in the order ['yes', 'no'], and \
    classes_ has them sorted: name each class, as in {'yes': 0.2, 'no': 0.8} if that is the order you mean
    """
    # the classes themselves may stand in the declared order, as in the dialect of rpart: classes_ does not
    if target.declared is not None and list(target.declared) != np.sort(labels_of_classes(target)).tolist():
        raise ValueError(
            f"{name} is given by position, but y declares its classes in the order "
            f"{shown(list(target.declared))}, and classes_ has them sorted: name each class, as in {example} "
            f"if that is the order you mean"
        )


def check_scale(targets: list[Column], weight: np.ndarray | None) -> None:
    """Raise ValueError if sums of weighted squares are too large or too small for a float64.

    Examples
    --------
    >>> check_scale([Column("y", np.array([1e140]), np.array([0]), "numeric")], np.array([1e30]))
    Traceback (most recent call last):
    ValueError: y is up to 1e+140 and all weight is 1e+30: their scales do not go together, divide one of them
    """
    if weight is None:
        return
    total = float(weight.sum())
    for target in targets:
        largest = float(np.abs(target.values).max())
        if not largest:
            continue
        size = 2 * np.log10(largest) + np.log10(total)
        if not (-200 < size < 305 and largest * total > 1e-100):
            what = "divide" if size >= 305 else "multiply"
            raise ValueError(
                f"{target.name} is up to {largest:g} and all weight is {total:g}: their scales do not go "
                f"together, {what} one of them"
            )
