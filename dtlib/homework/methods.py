"""How a tree is worked out by hand: what each method computes at a node, and what it then chooses.

Examples
--------
>>> from dtlib.datasets import load_loan
>>> loan = load_loan()
>>> tree = grown(loan.frame, "approved", "id3", None).tree
>>> [Q.name for Q in next(questions_at(Bench.at(tree.root, "id3"))).quantities]
['H(D|age=young)', 'H(D|age=middle-aged)', 'H(D|age=old)', 'H(D|age)', 'gain(age)']
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.base import clone

from dtlib.c45 import C45Classifier
from dtlib.cart import CARTClassifier, CARTRegressor
from dtlib.growing.training_rows import training_parts
from dtlib.homework.expressions import Exact, Reckoning, decimal_of
from dtlib.homework.quantities import (
    SPREADS,
    At,
    Computation,
    Counts,
    Quantity,
    average_of,
    best_threshold,
    called_elsewhere,
    charged,
    difference,
    distances_of,
    impurity_of,
    mean_of_branches,
    mean_of_target,
    median_of_target,
    ratio_of,
    spaceless,
    split_information_of,
    spread_of,
    squares_of,
    sum_of_branches,
)
from dtlib.id3 import ID3Classifier, ID3Regressor
from dtlib.search.rules import Rules
from dtlib.table.columns import check_once
from dtlib.table.feature_names import has_default_columns, with_feature_names
from dtlib.table.other_frames import in_pandas
from dtlib.table.reading import said_missing
from dtlib.table.training import Training
from dtlib.telling.explain import at_rows, candidates, take_branches
from dtlib.tree import reasons
from dtlib.tree.node import Node
from dtlib.tree.splits import Hyperplane, Multiway, Split, Threshold
from dtlib.tree.tree import Tree

WORKED_METHODS = {
    "id3": ID3Classifier,
    "c45": C45Classifier,
    "cart": CARTClassifier,
    "regression": CARTRegressor,
    "sdr": ID3Regressor,
}
BY_FEATURE = "id3", "c45", "sdr"  # a split is named by its feature, which a path asks once
OF_NUMBERS = "regression", "sdr"
#: What is computed of the numbers of a node, by the criterion of `ID3Regressor`.
SPREAD_OF = {"standard_deviation": "standard deviation", "squared_error": "variance"}
#: And by that of `CARTRegressor`.
ERROR_OF = {"squared_error": "squares", "absolute_error": "distances"}
IMPURITIES = "entropy", "gini", "misclassification"
OF_CART: dict[str, tuple[Any, ...] | None] = {
    "nominal": ("subset", "one_vs_rest"),
    "max_depth": None,
    "min_samples_split": None,
    "min_impurity_decrease": None,
}
#: What an estimator may be told, and still be worked out by hand; None for whatever it may be.
BY_HAND_TOO: dict[str, dict[str, tuple[Any, ...] | None]] = {
    "id3": {"min_gain": None, "criterion": IMPURITIES},
    "c45": {
        "criterion": ("gain_ratio", "gain"),
        "average_gain": None,
        "mdl_correction": None,
        "max_depth": None,
    },
    "cart": {"criterion": (*IMPURITIES, "log_loss"), **OF_CART},
    "regression": {"criterion": tuple(ERROR_OF), **OF_CART},
    "sdr": {
        "min_gain": None,
        "min_samples_split": None,
        "min_variation": None,
        "criterion": tuple(SPREAD_OF),
    },
}
WITHOUT_EFFECT = {"random_state", "keep_data", "leaf_shares"}
OF_A_FEATURE = {*(f"gain of {measure}" for measure in (*IMPURITIES, *SPREADS)), "best", "charged"}
NOTHING_ASKED = {reasons.PURE, reasons.EMPTY, reasons.DEPTH, reasons.SMALL, reasons.NO_FEATURE, reasons.FEW}
SAME = Fraction(1, 10**10)  # gains that differ by less are the same, as in growing


class Plant(NamedTuple):
    """A tree, and by which method it grew."""

    tree: Tree
    method: str


def grown(frame: pd.DataFrame, target: str, method: Any, weight: Any) -> Plant:
    """Grow the tree that is worked out, or say why it cannot be."""
    frame = in_pandas(frame, "frame")
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"frame is of type {type(frame).__name__}; give a DataFrame with the target in it")
    assert_named(frame, target)
    word, model = told(method)
    if word in OF_NUMBERS and weight is not None:
        raise ValueError("weight is not worked out for regression: repeat the rows instead")
    X, y = frame.drop(columns=target), frame[target]
    X = X if has_default_columns(X) else with_feature_names(X, "frame")
    if missing := said_missing(frame.items()):
        raise ValueError(
            f"frame has missing values in columns: {missing}; by hand there must be none: leave them out"
        )
    ordered = [str(name) for name in X if getattr(X[name].dtype, "ordered", False)]
    if ordered and word in ("cart", "regression"):
        raise ValueError(f"frame has names in an order in {ordered}; give their places, .cat.codes, instead")
    model.fit(X, y) if weight is None else model.fit(X, y, sample_weight=weight)
    return Plant(model.tree_, word)


def assert_named(frame: pd.DataFrame, target: Any) -> None:
    """Say if there is no such target, or if a column is there twice."""
    try:
        is_there = target in frame.columns
    except TypeError:  # it has no hash
        raise TypeError(f"target is of type {type(target).__name__}; wanted the name of a column") from None
    if not is_there:
        raise ValueError(f"target is {target!r}; the columns are {list(frame.columns)}")
    check_once("frame", frame.columns)


def told(method: Any) -> tuple[str, Any]:
    """Return the word for a method and a new estimator, or say what cannot be worked out."""
    if isinstance(method, str) and method in WORKED_METHODS:
        model = WORKED_METHODS[method]()
    else:
        model = clone(method) if isinstance(method, tuple(WORKED_METHODS.values())) else None
    if model is None:
        names = ", ".join(map(repr, WORKED_METHODS))
        kinds = ", ".join(kind.__name__ for kind in WORKED_METHODS.values())
        raise ValueError(f"method is {method!r}; wanted one of {names}, or an estimator: {kinds}")
    word = next(word for word, kind in WORKED_METHODS.items() if isinstance(model, kind))
    default, allowed = type(model)().get_params(), BY_HAND_TOO[word]
    for name, value in model.get_params(deep=False).items():
        may_be = allowed.get(name, (default[name],))
        if name not in WITHOUT_EFFECT and may_be is not None and value not in may_be:
            wanted = " or ".join(map(repr, may_be))
            raise ValueError(f"method has {name}={value!r}; what is worked out by hand has {name}={wanted}")
    if "keep_data" in default:
        model.set_params(keep_data=True)
    return word, model


@dataclass(frozen=True, eq=False)
class Bench:
    """What lies on the desk when a node is worked out."""

    node: Node
    method: str
    D: str
    data: Training
    rows: np.ndarray
    labels: tuple[str, ...]

    @classmethod
    def at(cls, node: Node, method: str) -> "Bench":
        """Return what is known at a node."""
        everything = node.tree.grown_from
        rows = training_parts(node.tree, node.id)[0]
        labels = tuple(map(str, node.tree.classes)) if node.tree.is_classifier else ()
        D = f"D{node.id}" if node.id else "D"
        return cls(node, method, D, at_rows(everything, rows), rows, labels)

    @property
    def measure(self) -> str:
        """The impurity: entropy, gini, misclassification, squares, distances, or a spread."""
        if self.method == "regression":
            return ERROR_OF[self.node.tree.criterion]
        if self.method == "sdr":
            return SPREAD_OF[self.node.tree.criterion]
        return "entropy" if self.method == "c45" else self.node.tree.criterion

    @property
    def rules(self) -> Any:
        """By which rules the tree grew."""
        return self.node.tree.grown_by

    def where(self, topic: str = "", feature: str = "") -> At:
        """Return where a quantity belongs."""
        return At(self.D, self.node.id, topic, feature)

    def counts(self, some: np.ndarray) -> Counts:
        """Return the exact class weights of some of the rows."""
        target = self.data.targets[0]
        found = [Fraction(0)] * len(target.values)
        weight = self.data.weight
        for i in np.flatnonzero(some):
            found[target.codes[i]] += Fraction(1) if weight is None else exactly(weight[i])
        return tuple(found)

    def numbers(self, some: np.ndarray) -> Counts:
        """Return the numbers to be predicted of some of the rows, in the order of the table."""
        target = self.data.targets[0]
        values = np.asarray(target.values)[target.codes]
        return tuple(exactly(values[i]) for i in np.flatnonzero(some))


def exactly(x: Any) -> Fraction:
    """Return a number as it is written: 0.1 is a tenth.

    Examples
    --------
    >>> exactly(0.1), exactly(np.float64(2.5))
    (Fraction(1, 10), Fraction(5, 2))
    """
    return Fraction(repr(float(x)))


class Asked(NamedTuple):
    """A question that may be asked, its branches that have rows, and the rows of each."""

    split: Split
    label: str
    conditions: tuple[str, ...]
    takes: tuple[np.ndarray, ...]


def said_answers(split: Split, method: str) -> tuple[str, ...]:
    """Return what a question is called: by its feature, or by either of its two answers.

    Examples
    --------
    >>> said_answers(Multiway("age", ("old", "young")), "id3"), said_answers(Threshold("x", 1.5), "cart")
    (('age',), ('x≤1.5', 'x>1.5'))
    """
    A = feature_of(split)
    if isinstance(split, Multiway) and method in BY_FEATURE:
        return (A,)
    return tuple(spaceless(condition, A) for condition in split.conditions)


def feature_of(split: Split) -> str:
    """Return the feature that a question is about."""
    assert not isinstance(split, Hyperplane)
    return split.feature


class Topic(NamedTuple):
    """What is computed of a feature at a node, and what its questions are."""

    feature: str
    questions: tuple[Asked, ...]
    quantities: tuple[Quantity, ...]

    @property
    def gain(self) -> Quantity:
        """What the feature gains."""
        return next(Q for Q in self.quantities if Q.kind in OF_A_FEATURE and Q.at.topic == self.feature)

    @property
    def parts(self) -> bool:
        """Whether the feature parts the rows at all."""
        return any(len(asked.takes) > 1 for asked in self.questions)


def candidates_at(bench: Bench, f: int) -> tuple[Asked, ...]:
    """List the questions about a feature, each way to part the rows once."""
    rules = Rules(nominal=getattr(bench.rules, "nominal", "multiway"))
    found, seen = [], set()
    for split in candidates(bench.data, f, rules):
        split = bench.node.split if split == bench.node.split else split  # as the tree says it
        branch, A = take_branches(bench.node, bench.data, f, split), feature_of(split)
        there = [i for i in range(len(split.branches)) if (branch == i).any()]
        if (side := tuple(branch == branch[0])) in seen and len(there) == 2:
            continue
        seen.add(side)
        conditions = tuple(spaceless(split.conditions[i], A) for i in there)
        label = said_answers(split, bench.method)[0]
        found.append(Asked(split, label, conditions, tuple(branch == i for i in there)))
    return tuple(found)


def questions_at(bench: Bench) -> Iterator[Topic]:
    """Yield what is computed of each feature that can be asked at a node."""
    whole = own_quantities(bench)
    for f, feature in enumerate(bench.node.tree.features):
        questions = candidates_at(bench, f)
        once = bench.method in BY_FEATURE
        if not questions or (once and feature.name in bench.node.names_above):
            continue
        found = [Q for asked_ in questions for Q in quantities_of(bench, feature.name, asked_, whole[-1])]
        if bench.method == "c45":
            found += ratio_quantities(bench, feature.name, questions, found)
        yield Topic(feature.name, questions, tuple(found))


def own_quantities(bench: Bench) -> list[Quantity]:
    """Return what is computed of the node itself: its impurity, the last one; nothing without rows."""
    if not len(bench.rows):
        return []
    return impurity_quantities(bench, bench.where(), "", np.ones(len(bench.rows), bool))


def impurity_quantities(bench: Bench, at: At, branch: str, takes: np.ndarray) -> list[Quantity]:
    """Return the impurity of some of the rows, the last one, and what it is computed from."""
    if bench.method not in OF_NUMBERS:
        return [impurity_of(bench.measure, at, branch, bench.counts(takes), bench.labels)]
    numbers = bench.numbers(takes)
    if bench.measure == "distances":
        median = median_of_target(at, branch, numbers)
        return [median, distances_of(at, branch, numbers, median)]
    mean = mean_of_target(at, branch, numbers)
    squares = squares_of(at, branch, numbers, mean)
    if bench.measure == "squares":
        return [mean, squares]
    return [mean, squares, spread_of(bench.measure, at, branch, squares)]


def quantities_of(bench: Bench, feature: str, asked: Asked, whole: Quantity) -> list[Quantity]:
    """Return what is computed of a question: its branches, what they leave together, what that gains."""
    at, branches, found = bench.where(asked.label, feature), [], list[Quantity]()
    for condition, takes in zip(asked.conditions, asked.takes, strict=True):
        found += impurity_quantities(bench, at, condition, takes)
        branches.append(found[-1])
    if bench.method == "regression":
        return [*found, sum_of_branches(bench.measure, at, branches)]
    sizes = tuple(Q.size for Q in branches)
    left = mean_of_branches(bench.measure, at, branches, sizes)
    return [*found, left, difference(bench.measure, at, whole, left)]


def ratio_quantities(
    bench: Bench, feature: str, questions: Sequence[Asked], found: Sequence[Quantity]
) -> list[Quantity]:
    """Return what C4.5 computes besides: of numbers the best threshold, of all the gain ratio."""
    gains = [Q for Q in found if Q.kind == "gain of entropy"]
    chosen, more, at = 0, list[Quantity](), bench.where(feature, feature)
    gain, rules = gains[0], bench.rules
    if isinstance(questions[0].split, Threshold):
        chosen = best_cut_of(bench, questions, gains, found)
        N = sum(bench.counts(np.ones(len(bench.rows), bool)), Fraction(0))
        best, tries = gains[chosen], len(gains)
        gain = charged(at, best, tries, N) if rules.mdl_correction else best_threshold(at, best)
        more.append(gain)
    sizes = tuple(sum(bench.counts(takes), Fraction(0)) for takes in questions[chosen].takes)
    if rules.choose_by == "gain" or len(sizes) < 2:
        return more
    bits = split_information_of(at, sizes, questions[chosen].conditions)
    return [*more, bits, ratio_of(at, gain, bits)]


def best_cut_of(
    bench: Bench, questions: Sequence[Asked], gains: Sequence[Quantity], found: Sequence[Quantity]
) -> int:
    """Return the place of the threshold that gains most: the tree's, where it asks this feature."""
    own = [i for i, asked in enumerate(questions) if asked.split == bench.node.split]
    if own:
        return own[0]
    values = dict[str, Exact]()
    for Q in (*own_quantities(bench), *found):
        values[Q.name] = Q.expression.value(Reckoning(values))
    of_gain = [decimal_of(values[Q.name]) for Q in gains]
    return next(i for i, g in enumerate(of_gain) if max(of_gain) - g <= decimal_of(SAME))


def average_quantity(bench: Bench, topics: Sequence[Topic], values: Mapping[str, Exact]) -> list[Quantity]:
    """Return C4.5's average gain of those features that can be asked, if it counts."""
    rules = bench.rules
    if bench.method != "c45" or rules.choose_by == "gain" or not rules.average_gain:
        return []
    gains = []
    for topic in topics:
        gain = topic.gain
        number = isinstance(topic.questions[0].split, Threshold)
        fit = decimal_of(values[gain.name]) > decimal_of(SAME) if number else topic.parts
        gains += [gain] * fit
    return [average_of(bench.where(), gains)] if gains else []


@dataclass(frozen=True, eq=False)
class NodeWork:
    """All that is computed of a node: of itself, of each feature, and C4.5's average."""

    bench: Bench
    own: tuple[Quantity, ...]
    topics: tuple[Topic, ...]
    average: tuple[Quantity, ...]
    computation: Computation

    @classmethod
    def at(cls, node: Node, method: str) -> "NodeWork":
        """Work out a node; where nothing can be asked, only what it is itself."""
        bench = Bench.at(node, method)
        own = own_quantities(bench)
        topics = () if node.reason in NOTHING_ASKED else tuple(questions_at(bench))
        found = [*own, *(Q for topic in topics for Q in topic.quantities)]
        average = average_quantity(bench, topics, Computation.of(found).values)
        return cls(bench, tuple(own), topics, tuple(average), Computation.of([*found, *average]))

    @property
    def other_topics(self) -> list[tuple[str, str]]:
        """The questions by their second answers, "x>5.5" for "x≤5.5"; by the feature, if it has only one."""
        if self.bench.method in BY_FEATURE:
            return []
        asked = [labels for topic in self.topics for _, labels in self.labels_of(topic)]
        return [(label, labels[0]) for labels in asked for label in labels[1:]]

    def labels_of(self, topic: Topic) -> Iterator[tuple[Asked, tuple[str, ...]]]:
        """Yield the questions about a feature, and what each may be called, first what it is called here."""
        for asked in topic.questions:
            labels = said_answers(asked.split, self.bench.method)
            yield asked, (*labels, topic.feature) if len(topic.questions) == 1 else labels

    @property
    def other_names(self) -> list[tuple[str, str]]:
        """What quantities are called besides: by a question's second answer, by its feature, elsewhere."""
        found = [(name, Q.name) for Q in self.computation.quantities for name in called_elsewhere(Q)]
        for topic in self.topics:
            for asked, labels in self.labels_of(topic):
                own = quantities_of(self.bench, topic.feature, asked, self.own[-1])
                for label in set(labels[1:]) - {labels[0]}:
                    other = asked._replace(label=label)
                    twins = quantities_of(self.bench, topic.feature, other, self.own[-1])
                    for a, b in zip(own, twins, strict=True):
                        found += [(name, a.name) for name in (b.name, *called_elsewhere(b)) if name != a.name]
        return found
