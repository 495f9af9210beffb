"""ID3, C4.5, CART and regression trees as the book derives them: one recursion, four ways to choose.

`grow` is the whole algorithm (chapter 4): a leaf, or a split and a tree for each of its branches. A function
chooses the split by counts alone: `choose_id3` (chapter 4), `choose_c45` (chapter 6), `choose_cart`
(chapter 8), `choose_regression` (chapter 11). The estimators grow the same trees fast, with everything that a
library needs besides; tests compare them with this module. Missing values are not supported, and among splits
that are equal on paper, the one with the largest float is chosen, the first of equals.

Legend, as in the book: D are the rows of a node, A is a feature, N their weight; V values, K classes.

References
----------
J. R. Quinlan, "Induction of decision trees", Machine Learning 1 (1986) 81-106; "C4.5: Programs for Machine
Learning" (1993), chapter 2.
L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone, "Classification and Regression Trees" (1984), chapters
2 and 8.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pandas.api.types import is_float_dtype, is_numeric_dtype

from dtlib.counting.tables import class_counts, contingency
from dtlib.measures import ROUNDING, Measure, gain_ratio, gini, impurity_decrease, information_gain
from dtlib.numbers import say_apart
from dtlib.tree.conditions import say_conditions
from dtlib.tree.digits import FEW_DIGITS, SAME_BUT_FOR_ROUNDING
from dtlib.tree.splits import Multiway, Subset, Threshold, say_limit

__all__ = [
    "PlainTree",
    "Question",
    "choose_c45",
    "choose_cart",
    "choose_id3",
    "choose_regression",
    "grow",
    "rules",
]

PlainSplit = Multiway | Threshold | Subset
Path = tuple[tuple[PlainSplit, int], ...]  # to a leaf: each split, and the index of the branch


class Question(NamedTuple):
    """A candidate split, its gain, and its gain ratio (C4.5).

    Attributes
    ----------
    split : Multiway, Threshold or Subset
        The test.
    gain : float
        The decrease of the impurity: in bits for entropy, without unit for Gini, in squared units.
    ratio : float
        The gain ratio (C4.5), otherwise NaN.
    """

    split: PlainSplit
    gain: float
    ratio: float = np.nan


class PlainTree(NamedTuple):
    """A tree: its prediction, its split with the gain, and a subtree for each branch (none at a leaf).

    Attributes
    ----------
    answer : object
        The prediction: the majority class, or the mean.
    split : Multiway, Threshold, Subset or None
        The split; None at a leaf.
    gain : float
        The gain of the split.
    branches : tuple of PlainTree
        A subtree for each branch.
    """

    answer: Any
    split: PlainSplit | None = None
    gain: float = 0.0
    branches: "tuple[PlainTree, ...]" = ()


Choose = Callable[[pd.DataFrame, Sequence[str], str, str | None], Question | None]


def grow(
    D: pd.DataFrame,
    features: Sequence[str],
    target: str,
    choose: Choose,
    weight: str | None = None,
    least: float = 0.0,
    above: Any = None,
) -> PlainTree:
    """Grow a tree.

    Parameters
    ----------
    D : DataFrame
        The rows of the node, nothing missing.
    features : sequence of str
        The feature columns: categorical or numeric.
    target : str
        The column of the classes (categories or whole numbers), or of the regression targets (floats).
    choose : function of D, features, target and weight
        Returns the chosen split as a `Question`, None if there is none.
    weight : str, optional
        The column of sample weights, all above 0; default: 1.
    least : float, default 0.0
        A split that gains less is not made.
    above : optional
        The prediction of a node without rows: that of its parent.

    Returns
    -------
    PlainTree

    Examples
    --------
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> print(*rules(grow(loan.frame, list(loan.X), "approved", choose_id3)), sep="\\n")
    if owns_house = no and has_job = no then no
    if owns_house = no and has_job = yes then yes
    if owns_house = yes then yes
    """
    if D.empty:
        return PlainTree(above)
    here, best = answer_of(D, target, weight), choose(D, features, target, weight)
    if best is None or best.gain == 0 or best.gain < least:
        return PlainTree(here)
    parts = divide(D, best.split)
    branches = (grow(part, features, target, choose, weight, least, here) for part in parts)
    return PlainTree(here, best.split, best.gain, tuple(branches))


def answer_of(D: pd.DataFrame, target: str, weight: str | None = None) -> Any:
    """Return the prediction for some rows: the majority class, the first of equals; or the mean target."""
    w = None if weight is None else D[weight]
    if is_float_dtype(D[target]):
        return float(np.average(D[target], weights=w))
    return class_counts(D[target], w).idxmax()


def divide(D: pd.DataFrame, split: PlainSplit) -> list[pd.DataFrame]:
    """Return the rows that take each branch of a split.

    Examples
    --------
    >>> D = pd.DataFrame({"x": [1, 2, 3]})
    >>> [len(part) for part in divide(D, Threshold("x", 1.5))]
    [1, 2]
    """
    if isinstance(split, Threshold):
        return [D[D[split.feature] <= split.threshold], D[D[split.feature] > split.threshold]]
    branches = split.groups if isinstance(split, Subset) else [[value] for value in split.values]
    return [D[D[split.feature].isin(values)] for values in branches]


def tabulate(D: pd.DataFrame, A: str, target: str, weight: str | None = None) -> pd.DataFrame:
    """Return the count table of a feature, categorical or numeric: the values that occur, by class."""
    column = D[A].astype("category") if is_numeric_dtype(D[A]) else D[A]
    table = contingency(D.assign(**{A: column}), A, target, None if weight is None else D[weight])
    return table[table.sum(axis=1) > 0]


def choose_id3(
    D: pd.DataFrame, features: Sequence[str], target: str, weight: str | None = None
) -> Question | None:
    """Choose the feature that gains most information, with a branch for each of its values (4.1).

    Examples
    --------
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> round(choose_id3(loan.frame, list(loan.X), "approved").gain, 3)
    0.42
    """
    tables = {A: tabulate(D, A, target, weight) for A in features}
    found = [Question(by_value(D, A), float(information_gain(table))) for A, table in tables.items()]
    return max(found, key=lambda question: question.gain, default=None)


def choose_c45(
    D: pd.DataFrame, features: Sequence[str], target: str, weight: str | None = None
) -> Question | None:
    """Choose the largest gain ratio among the splits that gain at least the average (5.11, 6.2).

    A categorical feature has a branch for each category, a numeric one the threshold that gains most.
    Categorical features count in the average unless all rows have the same category, numeric ones if a
    threshold gains anything.

    Examples
    --------
    >>> from dtlib.datasets import load_golf
    >>> golf = load_golf()
    >>> print(choose_c45(golf.frame, list(golf.X), "play").split)
    outlook?
    """
    found = []
    for A in features:
        table = tabulate(D, A, target, weight)
        if is_numeric_dtype(D[A]):
            tables = both_sides(table, all_cuts(len(table)))
            gain = np.asarray(information_gain(tables))
            if gain.max(initial=0) > 0:
                best = int(gain.argmax())
                ratio = float(gain_ratio(tables[best]))
                found.append(Question(at_cut(table, best), float(gain[best]), ratio))
        elif len(table) > 1:
            measured = float(information_gain(table)), float(gain_ratio(table))
            found.append(Question(by_value(D, A), *measured))
    gains = [question.gain for question in found]
    limit = min(float(np.mean(gains)), max(gains)) if gains else 0.0  # rounded, a mean may exceed all
    fit = [question for question in found if question.gain >= limit]
    return max(fit, key=lambda question: question.ratio, default=None)


def choose_cart(
    D: pd.DataFrame,
    features: Sequence[str],
    target: str,
    weight: str | None = None,
    impurity: Callable[..., Measure] = gini,
) -> Question | None:
    """Choose the binary split that lowers the impurity most (8.2).

    All groups of categories are tried, and all cuts halfway between two values of a numeric feature.

    Examples
    --------
    >>> from dtlib.datasets import load_watermelon
    >>> melons = load_watermelon()
    >>> print(choose_cart(melons.frame, list(melons.X), "good").split)
    texture = clear?
    """

    def worth(table: pd.DataFrame, first: np.ndarray) -> np.ndarray:
        return np.asarray(impurity_decrease(both_sides(table, first), impurity))

    tables = {A: tabulate(D, A, target, weight) for A in features}
    return best_of_two(tables, {A: is_numeric_dtype(D[A]) for A in features}, worth)


def choose_regression(
    D: pd.DataFrame, features: Sequence[str], target: str, weight: str | None = None
) -> Question | None:
    """Choose the binary split that lowers the variance most (10.2, 10.5).

    The sum of the distances from the mean on one side is enough: that of the other has the opposite sign.

    Examples
    --------
    >>> from dtlib.datasets import load_regression_points
    >>> points = load_regression_points()
    >>> print(choose_regression(points.frame, ["x"], "y").split)
    x ≤ 5.5?
    """
    w = pd.Series(1.0, D.index) if weight is None else D[weight]
    distance = D[target] - np.average(D[target], weights=w)
    rows = pd.DataFrame({"n": w, "distance": w * distance})

    def worth(table: pd.DataFrame, first: np.ndarray) -> np.ndarray:
        n, t = (first @ table[name].to_numpy() for name in ("n", "distance"))
        t[np.abs(t) <= ROUNDING * rows["distance"].abs().sum()] = 0  # what is left of sums that are 0
        return t**2 / (n * (table["n"].sum() - n))

    tables = {A: rows.groupby(D[A], observed=True).sum() for A in features}
    return best_of_two(tables, {A: is_numeric_dtype(D[A]) for A in features}, worth)


def best_of_two(
    tables: Mapping[str, pd.DataFrame],
    numeric: Mapping[str, bool],
    worth: Callable[[pd.DataFrame, np.ndarray], np.ndarray],
) -> Question | None:
    """Return the first of the best binary splits, given a table of each feature's values."""
    found = []
    for A, table in tables.items():
        first = all_cuts(len(table)) if numeric[A] else all_groups(len(table))
        if len(first):
            gain = worth(table, first)
            best = int(gain.argmax())
            split = at_cut(table, best) if numeric[A] else into_two(table, first[best])
            found.append(Question(split, float(gain[best])))
    return max(found, key=lambda question: question.gain, default=None)


def all_cuts(V: int) -> np.ndarray:
    """Return the ways to cut V values in their order: a line for each, True for those up to the cut.

    Examples
    --------
    >>> all_cuts(3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0]])
    """
    return np.tri(max(V - 1, 0), V, dtype=bool)


def all_groups(V: int) -> np.ndarray:
    """Return the ways to divide V categories into two groups: True for the group of the first one.

    Examples
    --------
    >>> all_groups(3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 0, 1]])
    """
    number = np.arange(2 ** (V - 1) - 1) * 2 + 1
    return (number[:, None] >> np.arange(V)) & 1 == 1


def both_sides(table: pd.DataFrame, first: np.ndarray) -> np.ndarray:
    """Return the class counts on both sides of each way to divide the values: shape (ways, 2, K)."""
    inside = first @ table.to_numpy()
    return np.stack([inside, table.to_numpy().sum(axis=0) - inside], axis=1)


def by_value(D: pd.DataFrame, A: str) -> Multiway:
    """Return the split with a branch for each category of a feature, also for those that no row has."""
    return Multiway(A, tuple(D[A].astype("category").cat.categories))


def at_cut(table: pd.DataFrame, place: int) -> Threshold:
    """Return the threshold halfway between two values of a numeric feature (6.1)."""
    low, high = float(table.index[place]), float(table.index[place + 1])
    threshold = float(table.index[place] + table.index[place + 1]) / 2
    return Threshold(str(table.index.name), threshold, limit=say_limit(threshold, low=low, high=high))


def into_two(table: pd.DataFrame, first: np.ndarray) -> Subset:
    """Return the split that divides categories into two groups."""
    return Subset(str(table.index.name), (tuple(table.index[first]), tuple(table.index[~first])))


def rules(tree: PlainTree) -> list[str]:
    """Return a tree as if-then rules, one for each leaf, in the words of `Tree.rules`.

    Parameters
    ----------
    tree : PlainTree
        What `grow` returned.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from dtlib.datasets import load_loan
    >>> rules(grow(load_loan().frame, ["credit"], "approved", choose_id3))[-1]
    'if credit = excellent then yes'
    """
    found, said = list(leaves_below(tree)), dict[float, str]()
    numbers = [answer for answer, _ in found if isinstance(answer, float)]
    said.update(zip(numbers, say_apart(numbers, digits=FEW_DIGITS, same=SAME_BUT_FOR_ROUNDING), strict=True))
    told = told_apart({split for _, path in found for split, _ in path if isinstance(split, Threshold)})
    paths = [
        " and ".join(say_conditions((told.get(split, split), i) for split, i in path)) for _, path in found
    ]
    lines = zip(paths, (said.get(answer, answer) for answer, _ in found), strict=True)
    return [f"if {conditions or 'anything'} then {label}" for conditions, label in lines]


def leaves_below(tree: PlainTree, path: Path = ()) -> Iterator[tuple[Any, Path]]:
    """Yield for each leaf its prediction, and the splits on its path with the index of the branch taken."""
    if tree.split is None:
        yield tree.answer, path
        return
    for i, branch in enumerate(tree.branches):
        yield from leaves_below(branch, (*path, (tree.split, i)))


def told_apart(splits: Iterable[Threshold]) -> dict[PlainSplit, PlainSplit]:
    """Return with more digits the thresholds that would look like another one.

    Examples
    --------
    >>> found = told_apart([Threshold("x", 0.3), Threshold("x", 0.3 + 1e-12), Threshold("x", 0.4)])
    >>> [str(split) for split in found.values()]
    ['x ≤ 0.3?', 'x ≤ 0.300000000001?']
    """
    alike, found = defaultdict[str, list[Threshold]](list), dict[PlainSplit, PlainSplit]()
    for split in splits:
        alike[str(split)].append(split)
    for some in (some for some in alike.values() if len(some) > 1):
        said = say_apart([split.threshold for split in some], same=SAME_BUT_FOR_ROUNDING)
        for split, number in zip(some, said, strict=True):
            found[split] = replace(split, limit=say_limit(split.threshold, number=number))
    return found
