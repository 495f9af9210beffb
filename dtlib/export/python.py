"""The tree as a function in Python."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from dataclasses import dataclass
from keyword import iskeyword
from typing import Any

import numpy as np

from dtlib.export.common import (
    TIE,
    TwoWay,
    amounts,
    groups,
    limit,
    parts,
    plain,
    predictions,
    questions,
    weighted,
)
from dtlib.table.columns import Feature
from dtlib.tree.splits import Hyperplane
from dtlib.tree.tree import Tree

NESTED = 40  # levels in one function of Python, which allows 100 levels of indentation
WIDE = 100  # letters of a line


def to_python(tree: Tree, name: str = "predict") -> str:
    r"""Write a tree as a function in Python, which needs no import.

    Parameters
    ----------
    tree : Tree
    name : str
        Of the function. It takes one sample, a mapping of feature names to values, and returns the predicted
        class or number, a tuple if there are several outputs.

    Returns
    -------
    str
        Source text, as long as the tree is large. A tree of more than 40 levels becomes several functions;
        the names of all further functions begin with an underscore and the name.

    Raises
    ------
    ValueError
        If the name is no name for a function, or is one of Python's own.
    TypeError
        If a value or a class is neither text nor a number, such as a date.

    Notes
    -----
    A value is missing if it is None, NaN or ``pandas.NA``, or if the sample lacks the feature. The function
    then does what `Tree.missing` and `Tree.unseen` say, as the estimator does: the sample stays at the node
    that asks, takes the larger branch, is sent by a surrogate, or goes to all branches in part, and the
    largest share of all parts wins (of numbers, it is their mean).

    A tree that refuses missing values (``missing="error"``) raises a ValueError where a number that it asks
    is NaN, and other errors where it is None or lacking. A missing name gets there, as a name without a
    branch does, the prediction of the node that asks.

    A tree grown with ``precision="single"``, such as that of ``CARTClassifier.sklearn()``, rounds numbers to
    float32. The function compares with the largest float64 that is rounded to no more than the threshold.

    PMML and ONNX are not offered: the libraries that write them (sklearn2pmml, skl2onnx) know scikit-learn's
    own trees, and want a converter to be written for any other.

    Examples
    --------
    >>> from dtlib import CARTClassifier, ID3Classifier, load_loan, load_watermelon
    >>> loan = load_loan()
    >>> source = to_python(ID3Classifier().fit(loan.X, loan.y).tree_)
    >>> print(source)
    def predict(sample):
        if sample["owns_house"] == "no":
            if sample["has_job"] == "no":
                return "no"
            if sample["has_job"] == "yes":
                return "yes"
            return "no"
        if sample["owns_house"] == "yes":
            return "yes"
        return "yes"
    <BLANKLINE>
    >>> functions = {}
    >>> exec(source, functions)
    >>> functions["predict"]({"owns_house": "no", "has_job": "yes"})
    'yes'

    >>> melons = load_watermelon("3.0")
    >>> cart = CARTClassifier.rpart(ties="first", min_samples_leaf=1, max_surrogates=1, max_depth=1)
    >>> print(to_python(cart.fit(melons.X, melons.y).tree_))
    def _predict_known(value):
        # NaN and pandas.NA are not equal to themselves.
        return value if str(value == value) == "True" else None
    <BLANKLINE>
    <BLANKLINE>
    def predict(sample):
        sample = {name: _predict_known(sample.get(name)) for name in ["texture", "sugar"]}
        if sample["texture"] in {"clear", "slightly blurry", "blurry"}:
            first = sample["texture"] == "clear"
        elif sample["sugar"] is not None:
            first = sample["sugar"] > 0.2045
        else:
            first = True
        if first:
            return "yes"
        else:
            return "no"
    <BLANKLINE>
    """
    if not (isinstance(name, str) and name.isidentifier()) or iskeyword(name) or hasattr(builtins, name):
        raise ValueError(f"name is {name!r}, wanted a name for a function that is not one of Python's own")
    columns = predictions(tree, python_literal)
    says = columns[0] if len(columns) == 1 else [f"({', '.join(row)})" for row in zip(*columns, strict=True)]
    heads = np.flatnonzero((tree.depth % NESTED == 0) & (tree.feature >= 0)).tolist()
    helpers = {node: f"_{name}_{node}" for node in heads} if tree.max_depth > NESTED else {}
    source = Source(tree, name, says, helpers, parts(tree), np.hstack(amounts(tree)).tolist())
    in_parts = tree.missing == "fractional" and tree.max_depth > 0
    lines = _in_parts(source) if in_parts else _in_whole(source)
    return "\n".join([*_known(source), *lines]) + "\n"


@dataclass(frozen=True, eq=False)
class Source:
    """What all lines are written from.

    Parameters
    ----------
    tree : Tree
    name : str
        Of the function.
    says : list of str
        What each node predicts.
    helpers : dict
        The names of the functions that begin at some nodes, if one function would be too deep.
    part : ndarray of shape (nodes,)
        The part of a row that takes the branch to each node where a value is missing.
    amounts : list of list of float
        What a part adds that ends at each node.
    """

    tree: Tree
    name: str
    says: list[str]
    helpers: dict[int, str]
    part: np.ndarray
    amounts: list[list[float]]

    @property
    def looks(self) -> bool:
        """Whether the function looks for missing values."""
        return self.tree.missing != "error" and self.tree.max_depth > 0

    def asked(self, node: int) -> str:
        """Write the value that a node asks, or the weighted sum of several."""
        if self.tree.is_linear[node]:
            return weighted(self.tree, node, _value, repr)
        return _value(self.tree.features[self.tree.feature[node]].name)

    def literals(self, node: int) -> list[list[str]]:
        """Write the names that take each branch of a node."""
        feature = self.tree.features[self.tree.feature[node]]
        return [_literals(feature, values) for values in groups(self.tree, node)]

    def shares(self, node: int) -> list[str]:
        """Write the part of a row that takes each branch of a node if its value is missing: ``5 / 14``."""
        first, part = int(self.tree.first_child[node]), self.parts_below(node)
        n = self.tree.n[first : first + len(part)].tolist()
        ratios = [f"{x:.15g} / {sum(n):.15g}" for x in n]
        exact = all(x == int(x) < 1e15 and x / sum(n) == p for x, p in zip(n, part, strict=True))
        return [("0" if not p else r if exact else repr(p)) for p, r in zip(part, ratios, strict=True)]

    def parts_below(self, node: int) -> list[float]:
        """Return the part of a row that takes each branch of a node if its value is missing."""
        first = int(self.tree.first_child[node])
        return self.part[first : first + int(self.tree.children[node])].tolist()


def _value(feature: str) -> str:
    return f"sample[{python_literal(feature, 'name')}]"


def _known(source: Source) -> list[str]:
    """Write the function that makes None of all that is missing."""
    if not source.looks:
        return []
    return [
        f"def _{source.name}_known(value):", "    # NaN and pandas.NA are not equal to themselves.",
        '    return value if str(value == value) == "True" else None', "", "",
    ]  # fmt: skip


def _sample(source: Source) -> list[str]:
    """Write the statement that reads what may be asked."""
    tree = source.tree
    if not source.looks:
        return []
    asked = {*tree.feature[tree.feature >= 0].tolist()}
    asked |= {*tree.surrogates.feature.tolist()} if tree.missing == "surrogate" else set()
    names = [python_literal(tree.features[f].name, "name") for f in sorted(asked)]
    start, end = f"    sample = {{name: _{source.name}_known(sample.get(name)) for name in [", "]}"
    line = start + ", ".join(names) + end
    return [line] if len(line) <= WIDE else [start, *(f"        {name}," for name in names), f"    {end}"]


def _in_whole(source: Source) -> list[str]:
    """Write functions in which a sample takes one branch at each node."""
    head = [f"def {source.name}(sample):", *_sample(source)]
    if not source.helpers:
        return head + _block(source, 0)
    lines = []
    for node, helper in source.helpers.items():
        lines += [f"def {helper}(sample):", *_block(source, node), "", ""]
    return [
        *lines, *head, f"    step = {source.helpers[0]}", "    while callable(step):",
        "        step = step(sample)", "    return step",
    ]  # fmt: skip


def _block(source: Source, node: int, level: int = 1) -> list[str]:
    """Write the statements that answer for the samples at a node; they always return."""
    tree, pad = source.tree, "    " * level
    if tree.feature[node] < 0:
        return [f"{pad}return {source.says[node]}"]
    if node in source.helpers and level > 1:
        return [f"{pad}return {source.helpers[node]}"]
    conditions, rest = _questions(source, node)
    lines = []
    for i, condition in enumerate(conditions):
        below = _block(source, int(tree.first_child[node]) + i, level + 1)
        lines += [*(pad + line for line in condition), *below]
    return lines + [pad + line for line in rest]


def _questions(source: Source, node: int) -> tuple[list[list[str]], list[str]]:
    """Write what comes before each branch of a node, and what comes after the last one."""
    asked = questions(source.tree, node)
    if asked:
        return [[*_first_branch(source, node, asked), "if first:"], ["else:"]], []
    if source.tree.features[source.tree.feature[node]].kind == "numeric":
        return _about_number(source, node)
    return _about_name(source, node)


def _about_number(source: Source, node: int) -> tuple[list[list[str]], list[str]]:
    tree, x, part = source.tree, source.asked(node), source.parts_below(node)
    below, above = (f"{x} {sign} {limit(tree, node)!r}" for sign in ("<=", ">"))
    if tree.missing == "error":
        split = tree[node].split
        name = " or ".join(split.features) if isinstance(split, Hyperplane) else split.feature
        words = python_literal(f"{name} is missing", "name")
        return [[f"if {below}:"], [f"if {above}:"]], [f"raise ValueError({words})"]
    if not any(part):
        return [[f"if {x} is None:", f"    return {source.says[node]}", f"if {below}:"], ["else:"]], []
    test = f"{x} is None or {below}" if part[0] else f"{x} is not None and {below}"
    return [[f"if {test}:"], ["else:"]], []


def _about_name(source: Source, node: int) -> tuple[list[list[str]], list[str]]:
    x, part, found = source.asked(node), source.parts_below(node), source.literals(node)
    if source.tree.unseen == "missing" and any(part):
        others = [[a for j, some in enumerate(found) if j != i for a in some] for i in range(len(found))]
        tests = [_is_not_in(x, others[i]) if part[i] else _is_in(x, found[i]) for i in range(len(found))]
        return [[f"if {test}:"] for test in tests], []
    tests = [_is_in(x, [*some, *["None"] * bool(p)]) for some, p in zip(found, part, strict=True)]
    return [[f"if {test}:"] for test in tests], [f"return {source.says[node]}"]


def _first_branch(source: Source, node: int, asked: list[TwoWay]) -> list[str]:
    """Write the statements that find out whether a sample takes the first branch of a node."""
    stay, part, word, lines = f"    return {source.says[node]}", source.parts_below(node), "if", []
    for question in asked:
        known, first = _answer(question)
        lines += [f"{word} {known}:", f"    first = {first}"]
        if word == "if" and source.tree.unseen == "stay" and question.groups:
            lines += [f"elif {source.asked(node)} is not None:", stay]
        word = "elif"
    return [*lines, "else:", f"    first = {part[0] > 0}" if any(part) else stay]


def _answer(question: TwoWay) -> tuple[str, str]:
    """Write whether a question has an answer, and whether that is the first branch."""
    x = _value(question.feature.name)
    if question.feature.kind == "numeric":
        sign = ">" if question.upside_down else "<="
        return f"{x} is not None", f"{x} {sign} {question.threshold!r}"
    first, second = (_literals(question.feature, values) for values in question.groups)
    return _is_in(x, [*first, *second]), _is_in(x, first) if first and second else str(bool(first))


def _literals(feature: Feature, values: Sequence[Any]) -> list[str]:
    return [python_literal(value, f"value of {feature.name!r}") for value in values]


def _is_in(x: str, literals: list[str]) -> str:
    if len(literals) > 1:
        return f"{x} in {{{', '.join(literals)}}}"
    return f"{x} is None" if literals[0] == "None" else f"{x} == {literals[0]}"


def _is_not_in(x: str, literals: list[str]) -> str:
    return f"{x} not in {{{', '.join(literals)}}}" if len(literals) > 1 else f"{x} != {literals[0]}"


def _in_parts(source: Source) -> list[str]:
    """Write functions that follow all parts of a sample, and add up what these come to."""
    widths = [max(1, len(output.values)) for output in source.tree.outputs]
    head = [
        f"def {source.name}(sample):",
        *_sample(source),
        f"    total = [{', '.join(['0.0'] * sum(widths))}]",
    ]
    if not source.helpers:
        return [
            *_largest(source),
            *head,
            "    part = 1.0",
            *_parts_block(source, 0),
            *_result(source, widths),
        ]
    lines = []
    for node, helper in source.helpers.items():
        lines += [f"def {helper}(sample, part, total, todo):", *_parts_block(source, node), "", ""]
    return [
        *lines, *_largest(source), *head, f"    todo = [({source.helpers[0]}, 1.0)]",
        "    for step, part in todo:  # which grows", "        step(sample, part, total, todo)",
        *_result(source, widths),
    ]  # fmt: skip


def _parts_block(source: Source, node: int, level: int = 1) -> list[str]:
    """Write the statements that add what a part of a sample comes to, and what its own parts do."""
    tree, pad, part = source.tree, "    " * level, _part(level)
    if tree.feature[node] < 0:
        return [pad + line for line in _added(source, node, part)]
    if node in source.helpers and level > 1:
        return [f"{pad}todo.append(({source.helpers[node]}, {part}))"]
    lines, first = [], int(tree.first_child[node])
    factors, stays = _factors(source, node)
    for i, factor in enumerate(factors):
        lines.append(f"{pad}{_part(level + 1)} = {part} * {factor}")
        if tree.feature[first + i] < 0:
            lines += [pad + line for line in _added(source, first + i, _part(level + 1))]
        else:
            lines += [f"{pad}if {_part(level + 1)}:", *_parts_block(source, first + i, level + 1)]
    return lines + (
        [f"{pad}if {stays}:", *(f"{pad}    {a}" for a in _added(source, node, part))] if stays else []
    )


def _part(level: int) -> str:
    return "part" if level == 1 else f"part{level}"


def _added(source: Source, node: int, part: str) -> list[str]:
    """Write what a part adds that ends at a node."""
    return [
        f"total[{k}] += {part}" if amount == 1 else f"total[{k}] += {part} * {amount!r}"
        for k, amount in enumerate(source.amounts[node])
        if amount
    ]


def _factors(source: Source, node: int) -> tuple[list[str], str]:
    """Write how much of a sample takes each branch of a node, and the condition under which it stays."""
    tree, x = source.tree, source.asked(node)
    shares = source.shares(node)
    if tree.features[tree.feature[node]].kind == "numeric":
        tests = [f"{x} {sign} {limit(tree, node)!r}" for sign in ("<=", ">")]
        return [f"({p} if {x} is None else {test})" for p, test in zip(shares, tests, strict=True)], ""
    found = source.literals(node)
    factors = []
    for i, share in enumerate(shares):
        if tree.unseen == "missing":
            entries = [f"{name}: {int(i == j)}" for j, names in enumerate(found) for name in names]
            factors.append(f"{{{', '.join(entries)}}}.get({x}, {share})")
        else:
            entries = [*(f"{name}: 1" for name in found[i]), *[f"None: {share}"] * (share != "0")]
            factors.append(f"{{{', '.join(entries)}}}.get({x}, 0)")
    known = [*(name for names in found for name in names), "None"]
    return factors, _is_not_in(x, known) if tree.unseen == "stay" else ""


def _largest(source: Source) -> list[str]:
    """Write the function that chooses among the classes."""
    if not source.tree.is_classifier:
        return []
    best, sign, slack = ("max", ">=", "-") if source.tree.loss is None else ("min", "<=", "+")
    return [
        f"def _{source.name}_{best}(classes, total):", f"    best = {best}(total)",
        "    # The first of those that are equal, whatever the rounding.",
        f"    return next(c for c, x in zip(classes, total) if x {sign} best {slack} {TIE} * best)", "", "",
    ]  # fmt: skip


def _result(source: Source, widths: list[int]) -> list[str]:
    """Write what the function returns, given how many amounts each output has."""
    tree, ends = source.tree, np.cumsum(widths).tolist()
    if not tree.is_classifier:
        return ["    return total[0]" if len(widths) == 1 else "    return tuple(total)"]
    choose = f"_{source.name}_{'max' if tree.loss is None else 'min'}"
    found = []
    for output, width, end in zip(tree.outputs, widths, ends, strict=True):
        classes = ", ".join(python_literal(value, f"class of {output.name!r}") for value in output.values)
        some = "total" if len(widths) == 1 else f"total[{end - width}:{end}]"
        found.append(f"{choose}([{classes}], {some})")
    if len(found) == 1:
        return [f"    return {found[0]}"]
    return ["    return (", *(f"        {choice}," for choice in found), "    )"]


def python_literal(value: Any, what: str) -> str:
    r"""Write a value in Python.

    Examples
    --------
    >>> [python_literal(value, "value") for value in ("a", 'say "b"', "c\n", True, 0.1)]
    ['"a"', '\'say "b"\'', '"c\\n"', 'True', '0.1']
    """
    value = plain(value, what, "Python's source text")
    text = repr(value)
    if isinstance(value, str) and text[0] == "'" and '"' not in text:
        text = f'"{text[1:-1]}"'
    return text
