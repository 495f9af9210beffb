"""What stands between the lines of a computation: what is counted, and what is chosen and why.

Examples
--------
>>> from dtlib.datasets import load_loan
>>> from dtlib.homework.methods import grown
>>> loan = load_loan()
>>> work = NodeWork.at(grown(loan.frame, "approved", "id3", None).tree.root, "id3")
>>> heading_of(work.bench), choice_of(work.bench)
('Node 0, the root. D: 15 rows, no 6, yes 9.', 'owns_house')
>>> conclusion_of(work, 3)
'owns_house gains most, 0.420: it is asked.'
"""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pandas as pd

from dtlib.homework.expressions import decimal_of, plain_number, to_digits
from dtlib.homework.methods import (
    BY_FEATURE,
    OF_NUMBERS,
    SAME,
    Bench,
    NodeWork,
    Topic,
    feature_of,
    said_answers,
)
from dtlib.homework.quantities import Quantity
from dtlib.messages import say
from dtlib.tree.splits import Multiway, Threshold

ROWS_LISTED = 30  # of a branch; more are only counted


def rows_said(n: str) -> str:
    """Say how many rows there are.

    Examples
    --------
    >>> rows_said("1"), rows_said("2.5")
    ('1 row', '2.5 rows')
    """
    return say("1 row") if n == "1" else say("{n} rows", n=n)


def heading_of(bench: Bench) -> str:
    """Say which node it is, and what comes there."""
    node = bench.node
    said = node.said
    if node.tree.is_classifier:
        said = say("{rows}, {classes}", rows=rows_said(f"{node.n:g}"), classes=said)
    if not node.id:
        return say("Node {id}, the root. {D}: {said}.", id=0, D=bench.D, said=said)
    path = say(" and ").join(node.path)
    return say("Node {id}, {path}. {D}: {said}.", id=node.id, path=path, D=bench.D, said=said)


def title_of(bench: Bench, topic: Topic) -> str:
    """Say what is counted of a feature: where it is cut, or the classes of each value."""
    first = topic.questions[0]
    if isinstance(first.split, Threshold):
        cuts = [asked.split.said[1] for asked in topic.questions if isinstance(asked.split, Threshold)]
        listed = say(", ").join(cuts)
        return say("{feature}, cut at {cuts}:", feature=topic.feature, cuts=listed)
    if bench.method in OF_NUMBERS:
        return say("{feature}:", feature=topic.feature)
    f = [x.name for x in bench.node.tree.features].index(topic.feature)
    values = enumerate(bench.node.tree.features[f].values)
    takes = [(value, bench.data.codes[f] == code) for code, value in values]
    said = [f"{value} {said_counts(bench, some)}" for value, some in takes if some.any()]
    return say("{feature}: {counts}.", feature=topic.feature, counts=say("; ").join(said))


def note_on_questions(work: NodeWork) -> str:
    """Say how what a question leaves is told from what a branch has, if a sign does; or else nothing."""
    for Q in (Q for topic in work.topics for Q in topic.quantities):
        if Q.kind == "branches of entropy" and Q.at.topic != Q.at.feature:
            return say(
                "{mean}, with a question mark, is the mean over all branches of the question; {branch} "
                "is one branch.",
                mean=Q.name, branch=Q.inputs[0],
            )  # fmt: skip
    return ""


def said_counts(bench: Bench, takes: np.ndarray) -> str:
    """Say how many rows a branch has, and of which classes."""
    counts = bench.counts(takes)
    pairs = zip(bench.labels, counts, strict=True)
    return (
        f"{plain_number(sum(counts, Fraction(0)))} ({', '.join(f'{k} {plain_number(n)}' for k, n in pairs)})"
    )


def choice_of(bench: Bench) -> str | None:
    """Return the feature or question that a node asks, as an answer has it; None for a leaf."""
    split = bench.node.split
    if split is None:
        return None
    return feature_of(split) if bench.method in BY_FEATURE else said_answers(split, bench.method)[0]


def conclusion_of(work: NodeWork, digits: int) -> str:
    """Say what is asked and why, or why it is a leaf."""
    node = work.bench.node
    if node.is_leaf:
        return say("A leaf, which predicts {label}: {reason}.", label=node.predicted, reason=say(node.reason))
    assert node.split is not None
    asked, best = say_choice(work), worth_of_choice(work)
    assert best is not None  # a node that asks
    value = f"{to_digits(work.computation.values[best.name], digits):f}"
    if best.kind == "sum of squares":
        said = say(
            "After {split} the squared error is smallest, {value}: it is asked.", split=asked, value=value
        )
    elif best.kind == "sum of distances":
        said = say(
            "After {split} the sum of the distances is smallest, {value}: it is asked.",
            split=asked,
            value=value,
        )
    elif best.kind == "gain ratio":
        said = say(
            "{split} has the largest gain ratio of them, {value}: it is asked.", split=asked, value=value
        )
        fit = say(", ").join(Q.at.topic for Q in worths(work))
        if work.average:
            said = say("Gain at least the average: {names}. {choice}", names=fit, choice=said)
    else:
        said = say("{split} gains most, {value}: it is asked.", split=asked, value=value)
    same = equal_choices(work)
    if not same:
        return said
    return say("{choice} Equal to it: {names}.", choice=said, names=say(", ").join(same))


def equal_choices(work: NodeWork) -> list[str]:
    """List what might have been asked as well as what a node asks; nothing for a leaf."""
    best = worth_of_choice(work)
    if best is None:
        return []
    return [Q.at.topic for Q in worths(work) if Q.name != best.name and is_same(work, Q, best)]


def say_choice(work: NodeWork) -> str:
    """Say the question by the feature, or by its first answer."""
    split, method = work.bench.node.split, work.bench.method
    assert split is not None
    many = isinstance(split, Multiway) and method in BY_FEATURE
    return feature_of(split) if many else split.conditions[0]


def is_same(work: NodeWork, Q: Quantity, best: Quantity) -> bool:
    """Tell whether two quantities are equal, as far as growing tells them apart."""
    a, b = (decimal_of(work.computation.values[x.name]) for x in (Q, best))
    return abs(a - b) <= decimal_of(SAME)


def worth_of_choice(work: NodeWork) -> Quantity | None:
    """Return the quantity by which a node's question is the best one; None for a leaf."""
    chosen = choice_of(work.bench)
    return next((Q for Q in worths(work) if Q.at.topic == chosen), None)


def worths(work: NodeWork) -> list[Quantity]:
    """Return the quantities by which is chosen, of all that may be chosen."""
    found = [Q for topic in work.topics for Q in topic.quantities]
    bench = work.bench
    if bench.method == "regression":
        return [Q for Q in found if Q.kind.startswith("sum of")]
    if bench.method == "c45":
        if bench.rules.choose_by == "gain":
            return [topic.gain for topic in work.topics]
        ratios = [Q for Q in found if Q.kind == "gain ratio"]
        return [Q for Q in ratios if gains_enough(work, Q)]
    return [Q for Q in found if Q.kind.startswith("gain of")]


def gains_enough(work: NodeWork, ratio: Quantity) -> bool:
    """Tell whether a feature gains at least the average, and anything at all."""
    gain = decimal_of(work.computation.values[ratio.inputs[0]])
    if not work.average:
        return gain > 0
    average = decimal_of(work.computation.values[work.average[0].name])
    return gain >= average - decimal_of(SAME)


def branch_lines(bench: Bench, index: pd.Index) -> Iterator[str]:
    """Yield a line for each branch: the node to which it leads, and its rows."""
    node = bench.node
    if node.split is None:
        return
    for child, condition in zip(node.children, node.split.conditions, strict=True):
        rows = index[np.sort(Bench.at(child, bench.method).rows)]
        listed = say(", ").join(map(str, rows))
        if len(rows) > ROWS_LISTED or not len(rows):
            said = rows_said(str(len(rows)))
        else:
            said = say("rows {list}", list=listed) if len(rows) > 1 else say("row {row}", row=listed)
        yield say("Node {id}, {path}: {said}.", id=child.id, path=condition, said=said)
