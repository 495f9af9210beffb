"""The scoreboard: each chapter's method on the same passengers of the Titanic (all chapters).

Each method is grown from the same training rows and judged by the same fresh ones, so two lines of the board
differ by the method alone. The fresh rows grow nothing and choose nothing: what a method chooses, such as a
depth, it chooses within the training rows.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binomtest
from sklearn.base import clone, is_regressor
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingClassifier, GradientBoostingClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold, StratifiedShuffleSplit

from dtlib.c45 import C45Classifier
from dtlib.cart import CARTClassifier, CARTRegressor
from dtlib.datasets import Dataset, load_titanic
from dtlib.id3 import ID3Classifier
from dtlib.oblique.estimator import ObliqueTreeClassifier
from dtlib.optimal.estimator import OptimalTreeClassifier
from dtlib.prune import CrossValidated
from dtlib.tree.descend import walk
from dtlib.tree.tree import Tree

__all__ = ["Line", "Method", "against", "board", "line", "titanic_parts"]

FRESH = 3  # every third passenger of a class is fresh
SURE = "yes"


@cache
def titanic_parts() -> tuple[Dataset, Dataset]:
    """Return the training and the fresh passengers of the Titanic: the same rows in every chapter.

    In the order of the file, every third of those who survived is fresh, and every third of those who did
    not. So no random generator is needed to have the same rows, and both parts have the same share of
    survivors. As the file is sorted by ticket, both parts also have nearly the same shares of the tickets.

    With 435 fresh rows the 95 % interval of a share of 0.78 reaches 0.039 to either side. Half of the rows
    would make that 0.032, and leave a quarter fewer to grow from; a tenth of them would make it 0.071.

    Returns
    -------
    training, fresh : Dataset
        Their frames keep the row numbers of the file, counted from 0.

    Examples
    --------
    >>> training, fresh = titanic_parts()
    >>> len(training.y), len(fresh.y), [round(float((part.y == "yes").mean()), 3) for part in titanic_parts()]
    (874, 435, [0.382, 0.382])
    >>> fresh.X.index[:5].tolist(), int(training.X["age"].isna().sum()), int(fresh.X["age"].isna().sum())
    ([4, 5, 10, 11, 14], 177, 86)
    """
    whole = load_titanic()
    is_fresh = whole.y.groupby(whole.y, observed=True).cumcount() % FRESH == FRESH - 1
    return replace(whole, frame=whole.frame[~is_fresh]), replace(whole, frame=whole.frame[is_fresh])


def as_it_is(X: pd.DataFrame) -> pd.DataFrame:
    """Return the passengers as the file has them."""
    return X


def sex_alone(X: pd.DataFrame) -> pd.DataFrame:
    """Return the sex of the passengers."""
    return X[["sex"]]


def sex_and_ticket(X: pd.DataFrame) -> pd.DataFrame:
    """Return the two features of the passengers that are categories."""
    return X[["sex", "ticket"]]


def as_categories(X: pd.DataFrame) -> pd.DataFrame:
    """Return the passengers with each number as a category, and a missing one as the category unknown.

    Examples
    --------
    >>> as_categories(pd.DataFrame({"age": [29.0, None]}))["age"].tolist()
    ['29.0', 'unknown']
    """
    return X.astype(object).where(X.notna(), "unknown").astype(str).astype("category")


def as_numbers(X: pd.DataFrame) -> pd.DataFrame:
    """Return the passengers with each category as its place, and a missing age as -1.

    Examples
    --------
    >>> as_numbers(load_titanic().X.iloc[[0, 15]]).to_numpy().tolist()
    [[0.0, 0.0, 29.0, 0.0, 0.0], [0.0, 1.0, -1.0, 0.0, 0.0]]
    """
    codes = {name: X[name].cat.codes for name in X.select_dtypes("category")}
    return X.assign(**codes).fillna(-1).astype(float)


@dataclass(frozen=True, eq=False)
class Method:
    """A line of the board before it is grown.

    Attributes
    ----------
    name : str
        What the board calls it.
    model : estimator
        Its settings; a copy of it is fitted.
    read : callable
        Returns, for the features of passengers, what the model can read of them.
    complete : bool
        Whether it is grown from the passengers of known age alone.
    """

    name: str
    model: Any
    read: Callable[[pd.DataFrame], pd.DataFrame] = as_it_is
    complete: bool = False

    def grown(self, data: Dataset) -> Any:
        """Return the fitted estimator."""
        rows = data.frame.dropna() if self.complete else data.frame
        X, y = self.read(rows.drop(columns=data.target)), rows[data.target]
        model = clone(self.model)
        return model.fit(X, (y == SURE).astype(float) if is_regressor(model) else y)


def _cart(**settings: Any) -> CARTClassifier:
    """Return CART with surrogates, from which chapters on pruning begin."""
    return CARTClassifier(missing="surrogate", **settings)


HELD_OUT = StratifiedShuffleSplit(1, test_size=1 / 3, random_state=0)
TEN = StratifiedKFold(10, shuffle=True, random_state=0)  # shuffled, as the file is sorted by ticket
BITS = 10 / 874  # 10 bits a leaf as a share of the rows: to tell one of 875 counts takes log2(875) = 9.8

#: The methods of each chapter, by the stem of its file. The chapters on what a feature is worth and on rare
#: classes have none: a weight or a threshold moves errors, and here all errors cost the same. Those after
#: oblique trees have none either: they compare, apply and correct what came before.
METHODS: dict[str, list[Method]] = {
    "01_what_a_tree_is": [Method("by hand: women live", ID3Classifier(), sex_alone)],
    "02_entropy": [Method("no question", CARTClassifier(max_depth=0), sex_alone)],
    "03_information_gain": [
        Method("the question of largest gain", C45Classifier(criterion="gain", max_depth=1), as_categories),
    ],
    "04_id3": [
        Method("ID3 on sex and ticket", ID3Classifier(), sex_and_ticket),
        Method("ID3, each number a category", ID3Classifier(), as_categories),
    ],
    "05_gain_ratio": [Method("gain ratio, each number a category", C45Classifier(), as_categories)],
    "06_c45": [Method("C4.5 from known ages", C45Classifier(missing="majority"), complete=True)],
    "07_impurity": [
        Method("Gini index, each number a category", ID3Classifier(criterion="gini"), as_categories)
    ],
    "08_cart": [Method("CART from known ages", CARTClassifier(missing="majority"), complete=True)],
    "10_missing_values": [
        Method("C4.5, missing ages divided", C45Classifier()),
        Method("CART with surrogates", _cart()),
    ],
    "11_regression_trees": [
        Method("regression tree of 0 and 1", CARTRegressor(missing="majority"), complete=True),
    ],
    "12_overfitting": [
        Method("CART, depth held out", GridSearchCV(_cart(), {"max_depth": [*range(1, 9)]}, cv=HELD_OUT)),
        Method("CART, reduced-error pruning", _cart(prune="reduced_error", random_state=0)),
    ],
    "13_price_per_leaf": [Method("CART, 10 bits a leaf", _cart(criterion="entropy", ccp_alpha=BITS))],
    "14_cost_complexity": [
        Method("CART, cross-validated, 1-SE", _cart(prune=CrossValidated(TEN))),
        Method("CART, cross-validated, 0-SE", _cart(prune=CrossValidated(TEN, se=0))),
    ],
    "15_pessimistic_pruning": [Method("C4.5, pruned", C45Classifier(prune="pessimistic"))],
    "16_forests": [
        Method(
            "random forest of 25 trees",
            BaggingClassifier(CARTClassifier(max_features="sqrt", keep_data=False), 25, random_state=0),
            as_numbers,
        ),
    ],
    "17_boosting": [
        Method("boosting, 100 trees", GradientBoostingClassifier(random_state=0), as_numbers),
    ],
    "19_shares_that_come_true": [
        Method("CART, Laplace's leaves", _cart(leaf_shares="laplace")),
        Method("CART, sigmoid", CalibratedClassifierCV(_cart(), cv=5, ensemble=False)),
    ],
    "21_the_best_tree": [Method("best tree of depth 3", OptimalTreeClassifier(max_depth=3), as_numbers)],
    "22_oblique_trees": [
        Method("oblique tree of depth 3", ObliqueTreeClassifier(max_depth=3, random_state=0), as_numbers),
    ],
}

LINES = sum(map(len, METHODS.values()))


def trees(model: Any) -> Iterator[Any]:
    """Yield the fitted trees of a model, of this library or of scikit-learn.

    Examples
    --------
    >>> len([*trees(METHODS["16_forests"][0].grown(titanic_parts()[0]))])
    25
    """
    if hasattr(model, "tree_"):
        yield model
    elif hasattr(model, "best_estimator_"):
        yield from trees(model.best_estimator_)
    elif hasattr(model, "calibrated_classifiers_"):
        yield from (tree for part in model.calibrated_classifiers_ for tree in trees(part.estimator))
    else:
        yield from np.ravel(model.estimators_)


def questions(model: Any, X: pd.DataFrame) -> np.ndarray:
    """Return how many questions one tree asks of each row.

    A row that goes to several branches, as its value is missing, is asked the questions of each of them. A
    question that has no answer counts; one that stands in for it, a surrogate, does not count again.

    Parameters
    ----------
    model : fitted tree estimator
        Of this library or of scikit-learn.
    X : DataFrame of shape (n, d)

    Returns
    -------
    int ndarray of shape (n,)

    Examples
    --------
    >>> training, fresh = titanic_parts()
    >>> hand = METHODS["01_what_a_tree_is"][0]
    >>> questions(hand.grown(training), hand.read(fresh.X.head(3))).tolist()
    [1, 1, 1]
    """
    tree = model.tree_
    if not isinstance(tree, Tree):
        return np.asarray(model.decision_path(X.to_numpy()).sum(axis=1)).ravel() - 1
    counts = np.zeros(len(X), np.int64)
    named = X.set_axis([feature.name for feature in tree.features], axis=1)
    for at in walk(tree, tree._matrix(named), tree.missing):
        np.add.at(counts, at.row[tree.children[at.node] > 0], 1)
    return counts


@dataclass(frozen=True, eq=False)
class Line:
    """What a method does on the fresh passengers.

    Attributes
    ----------
    name : str
        The name of the method.
    leaves, depth : int
        Leaves of all its trees, and depth of the deepest.
    right : bool ndarray of shape (n,)
        Whether it predicts the class of each fresh passenger.
    share : float ndarray of shape (n,)
        The share that it gives to what became of each.
    asked : int ndarray of shape (n,)
        How many questions it asks of each, in all its trees.
    """

    name: str
    leaves: int
    depth: int
    right: np.ndarray
    share: np.ndarray
    asked: np.ndarray

    @property
    def log_loss(self) -> float:
        """Mean surprise at what became of the fresh passengers, in bits; infinite if one had a share of 0."""
        with np.errstate(divide="ignore"):
            return float(-np.log2(self.share).mean())


def judged(method: Method, training: Dataset, fresh: Dataset) -> Line:
    """Grow a method from the training rows, and judge it by the fresh ones.

    Examples
    --------
    >>> found = judged(METHODS["02_entropy"][0], *titanic_parts())
    >>> found.leaves, found.depth, float(found.right.mean().round(3)), round(found.log_loss, 3)
    (1, 0, 0.618, 0.959)
    """
    model, X = method.grown(training), method.read(fresh.X)
    survived = (fresh.y == SURE).to_numpy()
    share = model.predict(X) if is_regressor(model) else model.predict_proba(X)[:, 1]
    said = share > 0.5 if is_regressor(model) else model.predict(X) == SURE
    grown = [*trees(model)]
    return Line(
        method.name,
        sum(int(tree.get_n_leaves()) for tree in grown),
        max(int(tree.get_depth()) for tree in grown),
        said == survived,
        np.where(survived, share, 1 - share),
        np.sum([questions(tree, X) for tree in grown], axis=0),
    )


@cache
def line(name: str) -> Line:
    """Return the line of a method, given the name that the board shows; it is grown once.

    Raises
    ------
    ValueError
        If no method has this name.

    Examples
    --------
    >>> int(line("by hand: women live").right.sum())
    332
    """
    known = {method.name: method for methods in METHODS.values() for method in methods}
    if name not in known:
        raise ValueError(f"name is {name!r}; wanted one of {[*known]}")
    return judged(known[name], *titanic_parts())


def board(chapter: str | None = None, last: int | None = None) -> pd.DataFrame:
    """Return the scoreboard up to and with a chapter, in the order of the chapters.

    Only the lines that are shown are grown, each once in a process. All of them take about four seconds with
    NumPy alone: two for the folds of cross-validation, one for the forest.

    Parameters
    ----------
    chapter : str, optional
        The stem of the chapter's file, such as "04_id3"; default: all chapters.
    last : int, optional
        How many of the newest lines are shown; default: all.

    Returns
    -------
    DataFrame
        A row for each method: the number of the chapter, the method, its leaves and depth, the share of the
        fresh passengers that it predicts right with the 95 % interval of Wilson, the log loss in bits, and
        the mean number of questions that it asks. Leaves and questions of several trees are added up.

    Raises
    ------
    ValueError
        If the chapter has no method.

    Examples
    --------
    >>> print(board("03_information_gain").to_string(index=False))
     chapter                       method  leaves  depth  right  from    to  log loss (bits)  questions
           1          by hand: women live       2      1  0.763 0.721 0.801            0.787        1.0
           2                  no question       1      0  0.618 0.572 0.663            0.959        0.0
           3 the question of largest gain       2      1  0.763 0.721 0.801            0.787        1.0
    """
    stems = sorted(METHODS)
    chapter = chapter or stems[-1]
    if chapter not in stems:
        raise ValueError(f"chapter is {chapter!r}; wanted one that has a method: {stems}")
    names = [(stem, method.name) for stem in stems if stem <= chapter for method in METHODS[stem]]
    return pd.DataFrame([_row(stem, line(name)) for stem, name in names[-(last or 0) :]]).round(3)


def _row(stem: str, found: Line) -> dict[str, Any]:
    """Return a row of the board."""
    interval = binomtest(int(found.right.sum()), len(found.right)).proportion_ci(method="wilson")
    return {
        "chapter": int(stem[:2]), "method": found.name, "leaves": found.leaves, "depth": found.depth,
        "right": found.right.mean(), "from": interval.low, "to": interval.high,
        "log loss (bits)": found.log_loss, "questions": found.asked.mean(),
    }  # fmt: skip


def against(first: str, second: str) -> pd.Series:
    """Compare two lines passenger by passenger, by the exact test of McNemar [1]_.

    Passengers on whom both are right, or both wrong, do not tell which is better. If both are equally good,
    it is a fair coin on which of the others the first is right. The interval is the exact one of Clopper and
    Pearson for the chance of heads, turned into a lead over all passengers. It takes as given how many
    passengers the two tell apart, so it leaves out 0 exactly where p is below 5 %.

    All comparisons are made on the same passengers, and of many comparisons some have a small p by luck. A
    comparison is decided if its p is below 5 % divided by the number of lines (Bonferroni). Each chapter
    compares its own line with an earlier one, so that the chance of a wrong decision in any of as many
    comparisons as there are lines is at most 5 %.

    Parameters
    ----------
    first, second : str
        Names of methods, as the board shows them.

    Returns
    -------
    Series
        On how many fresh passengers the first alone is right, and the second alone; how far the first is
        ahead in the share of right predictions, with the 95 % interval; p, the chance that a fair coin is at
        least as uneven; and whether that decides which is better, with one comparison for each line.

    References
    ----------
    .. [1] T. G. Dietterich, "Approximate statistical tests for comparing supervised classification learning
       algorithms", Neural Computation 10 (1998) 1895-1923.

    Examples
    --------
    >>> lead = against("ID3 on sex and ticket", "ID3, each number a category")
    >>> print(lead.to_string(float_format="{:.3f}".format))
    first alone        41
    second alone       23
    ahead           0.041
    from            0.003
    to              0.076
    p               0.033
    decided         False
    """
    one, other = line(first).right, line(second).right
    ahead, behind = int((one & ~other).sum()), int((other & ~one).sum())
    toss = binomtest(ahead, ahead + behind) if ahead + behind else None
    heads = toss.proportion_ci(0.95) if toss else (0.5, 0.5)
    low, high = ((2 * np.array(heads) - 1) * (ahead + behind) / len(one)).tolist()
    p = float(toss.pvalue) if toss else 1.0
    return pd.Series(
        {
            "first alone": ahead, "second alone": behind, "ahead": (ahead - behind) / len(one),
            "from": low, "to": high, "p": p, "decided": p < 0.05 / LINES,
        },
        dtype=object,
    )  # fmt: skip
