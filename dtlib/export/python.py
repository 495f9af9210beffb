"""The tree as a function in Python."""

import builtins
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from keyword import iskeyword
from typing import Any
from unicodedata import normalize

import numpy as np

from dtlib.export.common import (
    EQUAL_SHARES,
    TwoWay,
    amounts,
    categories_by_branch,
    check_proba,
    class_literals,
    limit,
    missing_parts,
    plain_value,
    predictions,
    sides_of_cut,
    two_way_questions,
    weighted,
    written_shares,
)
from dtlib.table.columns import Feature
from dtlib.tree.splits import Hyperplane
from dtlib.tree.tree import Fitted, Tree, tree_of

Conditions = tuple[list[list[str]], list[str]]  # lines before each branch of a node, and after the last one

NESTED = 40  # levels in one function of Python, which allows 100 levels of indentation
WIDE = 100  # letters of a line


def to_python(tree: Tree | Fitted, name: str = "predict", proba: bool = False) -> str:
    r"""Write a tree as a function in Python, which needs no import.

    Parameters
    ----------
    tree : Tree or fitted estimator
    name : str
        Of the function. It takes one sample, a mapping of feature names to values, and returns the predicted
        class or value, a tuple if there are several outputs.
    proba : bool, default False
        Whether the function returns the class shares instead, as `predict_proba`: a dict with an entry for
        each class; a tuple of them if there are several outputs.

    Returns
    -------
    str
        Source text, as long as the tree is large. A tree of more than 40 levels becomes several functions;
        the names of all further functions begin with an underscore and the name.

    Raises
    ------
    ValueError
        If the name is no name for a function, or is one of Python's own; if class shares are wanted of a
        regression tree.
    TypeError
        If a value or a class is neither text nor a number, such as a date, or `proba` is neither True nor
        False.

    Notes
    -----
    A value is missing if it is None, NaN or ``pandas.NA``, or if the sample lacks the feature.
    The function then follows `Tree.missing` and `Tree.unseen`, as the estimator does: the sample stays at the
    node, takes the larger branch, is sent by a surrogate split, or is divided among all branches, and the
    class with the largest share wins (in regression, the weighted mean is predicted).

    A tree that refuses missing values (``missing="error"``) raises a ValueError where a numeric value that it
    tests is NaN, and other errors where the value is None or lacking. A missing category, as an unseen one,
    gets the prediction of the node there.

    A tree grown with ``precision="single"``, such as that of ``CARTClassifier.sklearn()``, rounds numeric
    values to float32. The function compares with the largest float64 that is rounded to no more than the
    threshold.

    For every float64 the function predicts as `predict` does, and as the query of `to_sql`; an infinity,
    which `predict` refuses, is beyond every threshold. Give it Python's own numbers: NumPy compares a float32
    with a number of Python in float32, and Python compares a Decimal, or a whole number beyond 2**53, digit
    by digit. The sums of oblique splits are of floats, whatever is given. Class shares are those of
    `predict_proba` to the last bit; for a divided sample they may differ in their last digits, as its
    fractions are added up in another order.

    PMML and ONNX are not offered: the libraries that write them (sklearn2pmml, skl2onnx) know scikit-learn's
    own trees, and want a converter to be written for any other.

    Examples
    --------
    >>> from dtlib import CARTClassifier, ID3Classifier
    >>> from dtlib.datasets import load_loan, load_watermelon
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

    With the class shares of each leaf, here by Laplace's correction:

    >>> tree = ID3Classifier(leaf_shares="laplace").fit(loan.X, loan.y).tree_
    >>> exec(to_python(tree, "shares", proba=True), functions)
    >>> functions["shares"]({"owns_house": "yes"})
    {'no': 0.125, 'yes': 0.875}

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
    tree = tree_of(tree)
    if not is_free_name(name):
        raise ValueError(f"name is {name!r}, wanted a name for a function that is not one of Python's own")
    check_proba(tree, proba)
    columns = _shares_said(tree) if proba else predictions(tree, python_literal)
    says = columns[0] if len(columns) == 1 else [f"({', '.join(row)})" for row in zip(*columns, strict=True)]
    heads = np.flatnonzero((tree.depth % NESTED == 0) & (tree.feature >= 0)).tolist()
    helpers = {node: f"_{name}_{node}" for node in heads} if tree.max_depth > NESTED else {}
    added = np.hstack(amounts(tree, proba)).tolist()
    source = FunctionSource(tree, name, says, helpers, missing_parts(tree), added, bool(proba))
    in_parts = tree.missing == "fractional" and tree.max_depth > 0
    lines = _in_parts(source) if in_parts else _in_whole(source)
    return "\n".join([*_without_missing(source), *lines]) + "\n"


def is_free_name(name: Any) -> bool:
    r"""Tell whether Python takes a text as the name of a function, as it stands, and has none of that name.

    Examples
    --------
    >>> [is_free_name(name) for name in ("grade", "class", "max", "\ufb01t")]  # the last one becomes "fit"
    [True, False, False, False]
    """
    is_name = isinstance(name, str) and name.isidentifier() and not iskeyword(name)
    return is_name and normalize("NFKC", name) == name and not hasattr(builtins, name)


@dataclass(frozen=True, eq=False)
class FunctionSource:
    """The data from which all lines are written.

    Parameters
    ----------
    tree : Tree
    name : str
        Of the function.
    says : list of str
        The prediction of each node.
    helpers : dict
        The names of the functions that begin at some nodes, if one function would be too deep.
    part : ndarray of shape (nodes,)
        The share of a row that takes the branch to each node where a value is missing.
    amounts : list of list of float
        The amounts that a share of a row adds at each node.
    proba : bool
        Whether the function returns class shares.
    """

    tree: Tree
    name: str
    says: list[str]
    helpers: dict[int, str]
    part: np.ndarray
    amounts: list[list[float]]
    proba: bool = False

    @property
    def looks(self) -> bool:
        """Whether the function looks for missing values."""
        return self.tree.missing != "error" and self.tree.max_depth > 0

    def feature(self, node: int) -> Feature:
        """Return the feature of a node's split; of an oblique one, one of its features."""
        return self.tree.features[self.tree.feature[node]]

    def tested(self, node: int) -> str:
        """Write the value that a node tests, or the sum of an oblique split."""
        split = self.tree[node].split
        if isinstance(split, Hyperplane):
            return weighted(split, lambda name: f"float({_value(name)})", repr)
        return _value(self.feature(node).name)

    def literals(self, node: int) -> list[list[str]]:
        """Write the categories that take each branch of a node."""
        groups = categories_by_branch(self.tree[node].split)
        return [_literals(self.feature(node), values) for values in groups]

    def parts_below(self, node: int) -> list[float]:
        """Return the share of a row that takes each branch of a node if its value is missing."""
        first = int(self.tree.first_child[node])
        return self.part[first : first + int(self.tree.children[node])].tolist()

    def shares(self, node: int) -> list[str]:
        """Write the share of a row that takes each branch of a node if its value is missing: ``5 / 14``."""
        first, part = int(self.tree.first_child[node]), self.parts_below(node)
        n = self.tree.n[first : first + len(part)].tolist()
        exact = all(x == int(x) < 1e15 and x / sum(n) == p for x, p in zip(n, part, strict=True))
        ratios = [f"{x:.15g} / {sum(n):.15g}" if exact else repr(p) for x, p in zip(n, part, strict=True)]
        return [ratio if p else "0" for ratio, p in zip(ratios, part, strict=True)]

    def helping(self, arguments: str, write: "Callable[[FunctionSource, int], list[str]]") -> list[str]:
        """Write the functions that begin at some nodes, given how the lines of each are written."""
        return [
            line
            for node, helper in self.helpers.items()
            for line in (f"def {helper}({arguments}):", *write(self, node), "", "")
        ]


def _shares_said(tree: Tree) -> list[list[str]]:
    """Return for each output the class shares of each node, as a dict written in Python."""
    found = []
    for classes, shares in zip(
        class_literals(tree, python_literal), written_shares(tree, python_literal), strict=True
    ):
        rows = ([f"{c}: {p}" for c, p in zip(classes, row, strict=True)] for row in zip(*shares, strict=True))
        found.append([f"{{{', '.join(row)}}}" for row in rows])
    return found


def _value(feature: str) -> str:
    return f"sample[{python_literal(feature, 'name')}]"


def _without_missing(source: FunctionSource) -> list[str]:
    """Write the function that turns missing values into None."""
    if not source.looks:
        return []
    return [
        f"def _{source.name}_known(value):", "    # NaN and pandas.NA are not equal to themselves.",
        '    return value if str(value == value) == "True" else None', "", "",
    ]  # fmt: skip


def _signature(source: FunctionSource) -> list[str]:
    """Write the first line of the function, and the statement that reads the values of features."""
    tree, head = source.tree, f"def {source.name}(sample):"
    if not source.looks:
        return [head]
    tested = {*tree.feature[tree.feature >= 0].tolist()}
    if tree.missing == "surrogate" and tree.surrogates is not None:
        tested |= {*tree.surrogates.feature.tolist()}
    names = [python_literal(tree.features[f].name, "name") for f in sorted(tested)]
    start, end = f"    sample = {{name: _{source.name}_known(sample.get(name)) for name in [", "]}"
    line = start + ", ".join(names) + end
    return (
        [head, line]
        if len(line) <= WIDE
        else [head, start, *(f"        {name}," for name in names), f"    {end}"]
    )


def _in_whole(source: FunctionSource) -> list[str]:
    """Write functions in which a sample takes one branch at each node."""
    if not source.helpers:
        return _signature(source) + _block(source, 0)
    return [
        *source.helping("sample", _block), *_signature(source), f"    step = {source.helpers[0]}",
        "    while callable(step):", "        step = step(sample)", "    return step",
    ]  # fmt: skip


def _block(source: FunctionSource, node: int, level: int = 1) -> list[str]:
    """Write the statements that answer for the samples at a node; they always return."""
    tree, pad = source.tree, "    " * level
    if tree.feature[node] < 0:
        return [f"{pad}return {source.says[node]}"]
    if node in source.helpers and level > 1:
        return [f"{pad}return {source.helpers[node]}"]
    conditions, rest = _questions(source, node)
    lines = []
    for child, condition in enumerate(conditions, start=int(tree.first_child[node])):
        lines += [pad + line for line in condition] + _block(source, child, level + 1)
    return lines + [pad + line for line in rest]


def _questions(source: FunctionSource, node: int) -> Conditions:
    """Write what comes before each branch of a node, and what comes after the last one."""
    tested = two_way_questions(source.tree, node)
    if tested:
        return [[*_first_branch(source, node, tested), "if first:"], ["else:"]], []
    is_number = source.feature(node).kind == "numeric"
    return _about_number(source, node) if is_number else _about_name(source, node)


def _about_number(source: FunctionSource, node: int) -> Conditions:
    """Write the conditions of both branches of a threshold, and the code for a missing value."""
    tree, x, part = source.tree, source.tested(node), source.parts_below(node)
    below, above = sides_of_cut(x, repr(limit(tree, node)))
    if tree.missing == "error":
        split = tree[node].split
        names = split.features if isinstance(split, Hyperplane) else [source.feature(node).name]
        words = python_literal(f"{' or '.join(names)} is missing", "name")
        return [[f"if {below}:"], [f"if {above}:"]], [f"raise ValueError({words})"]
    if not any(part):
        return [[f"if {x} is None:", f"    return {source.says[node]}", f"if {below}:"], ["else:"]], []
    test = f"{x} is None or {below}" if part[0] else f"{x} is not None and {below}"
    return [[f"if {test}:"], ["else:"]], []


def _about_name(source: FunctionSource, node: int) -> Conditions:
    """Write the condition of each group of categories, and the code for other and missing values."""
    x, part, found = source.tested(node), source.parts_below(node), source.literals(node)
    if source.tree.unseen == "missing" and any(part):
        others = [[a for j, some in enumerate(found) if j != i for a in some] for i in range(len(found))]
        tests = [_is_not_in(x, others[i]) if part[i] else _is_in(x, found[i]) for i in range(len(found))]
        return [[f"if {test}:"] for test in tests], []
    tests = [_is_in(x, [*some, *["None"] * bool(p)]) for some, p in zip(found, part, strict=True)]
    return [[f"if {test}:"] for test in tests], [f"return {source.says[node]}"]


def _first_branch(source: FunctionSource, node: int, tested: list[TwoWay]) -> list[str]:
    """Write the statements that find out whether a sample takes the first branch of a node."""
    stay, part = f"    return {source.says[node]}", source.parts_below(node)
    lines: list[str] = []
    for question in tested:
        known, first = _answer(question)
        lines += [f"{'elif' if lines else 'if'} {known}:", f"    first = {first}"]
        if question is tested[0] and source.tree.unseen == "stay" and question.groups:
            lines += [f"elif {source.tested(node)} is not None:", stay]
    return [*lines, "else:", f"    first = {part[0] > 0}" if any(part) else stay]


def _answer(question: TwoWay) -> tuple[str, str]:
    """Write the tests whether the value of a split is known, and whether it takes the first branch."""
    x = _value(question.feature.name)
    if question.feature.kind == "numeric":
        return f"{x} is not None", sides_of_cut(x, repr(question.threshold))[question.is_reversed]
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


def _in_parts(source: FunctionSource) -> list[str]:
    """Write functions that follow all fractions of a sample, and add up their predictions."""
    zeros = ", ".join(["0.0"] * source.tree.summary.shape[1])
    head = [*_largest(source), *_signature(source), f"    total = [{zeros}]"]
    if not source.helpers:
        return [*head, "    part = 1.0", *_parts_block(source, 0), *_result(source)]
    return [
        *source.helping("sample, part, total, todo", _parts_block), *head,
        f"    todo = [({source.helpers[0]}, 1.0)]", "    for step, part in todo:  # which grows",
        "        step(sample, part, total, todo)", *_result(source),
    ]  # fmt: skip


def _parts_block(source: FunctionSource, node: int, level: int = 1) -> list[str]:
    """Write the statements that add the amounts of a fraction of a sample, and of its own fractions."""
    tree, pad, part = source.tree, "    " * level, _part(level)
    if tree.feature[node] < 0:
        return [pad + line for line in _added(source, node, part)]
    if node in source.helpers and level > 1:
        return [f"{pad}todo.append(({source.helpers[node]}, {part}))"]
    lines, below = [], _part(level + 1)
    factors, stays = _factors(source, node)
    for child, factor in enumerate(factors, start=int(tree.first_child[node])):
        lines.append(f"{pad}{below} = {part} * {factor}")
        if tree.feature[child] < 0:
            lines += [pad + line for line in _added(source, child, below)]
        else:
            lines += [f"{pad}if {below}:", *_parts_block(source, child, level + 1)]
    if stays:
        lines += [f"{pad}if {stays}:", *(f"{pad}    {line}" for line in _added(source, node, part))]
    return lines


def _part(level: int) -> str:
    return "part" if level == 1 else f"part{level}"


def _added(source: FunctionSource, node: int, part: str) -> list[str]:
    """Write the amounts that a fraction adds at a node."""
    return [
        f"total[{k}] += {part}" if amount == 1 else f"total[{k}] += {part} * {amount!r}"
        for k, amount in enumerate(source.amounts[node])
        if amount
    ]


def _factors(source: FunctionSource, node: int) -> tuple[list[str], str]:
    """Write how much of a sample takes each branch of a node, and the condition under which it stays."""
    tree, x, shares = source.tree, source.tested(node), source.shares(node)
    if source.feature(node).kind == "numeric":
        tests = sides_of_cut(x, repr(limit(tree, node)))
        return [f"({p} if {x} is None else {test})" for p, test in zip(shares, tests, strict=True)], ""
    found = source.literals(node)
    known = [name for names in found for name in names]
    if tree.unseen == "missing":
        weights = [[f"{name}: {int(name in names)}" for name in known] for names in found]
        return [f"{{{', '.join(w)}}}.get({x}, {p})" for w, p in zip(weights, shares, strict=True)], ""
    weights = [[f"{name}: 1" for name in names] for names in found]
    weights = [w + [f"None: {p}"] * (p != "0") for w, p in zip(weights, shares, strict=True)]
    return [f"{{{', '.join(w)}}}.get({x}, 0)" for w in weights], _is_not_in(x, [*known, "None"])


def _largest(source: FunctionSource) -> list[str]:
    """Write the function that chooses among the classes."""
    if not source.tree.is_classifier or source.proba:
        return []
    best, sign, slack = ("max", ">=", "-") if source.tree.loss is None else ("min", "<=", "+")
    return [
        f"def _{source.name}_{best}(classes, total):", f"    best = {best}(total)",
        "    # The first of those that are equal, whatever the rounding.",
        f"    return next(c for c, x in zip(classes, total) if x {sign} best {slack} {EQUAL_SHARES} * best)",
        "", "",
    ]  # fmt: skip


def _result(source: FunctionSource) -> list[str]:
    """Write what the function returns."""
    tree, single = source.tree, len(source.tree.outputs) == 1
    if not tree.is_classifier:
        return ["    return total[0]" if single else "    return tuple(total)"]
    choose, found, start = f"_{source.name}_{'max' if tree.loss is None else 'min'}", [], 0
    for classes in class_literals(tree, python_literal):
        some, listed = "total" if single else f"total[{start}:{start + len(classes)}]", ", ".join(classes)
        found.append(f"dict(zip([{listed}], {some}))" if source.proba else f"{choose}([{listed}], {some})")
        start += len(classes)
    return (
        [f"    return {found[0]}"] if single else ["    return (", *(f"        {a}," for a in found), "    )"]
    )


def python_literal(value: Any, what: str) -> str:
    r"""Write a value in Python.

    Examples
    --------
    >>> [python_literal(value, "value") for value in ("a", 'say "b"', "c\n", True, 0.1)]
    ['"a"', '\'say "b"\'', '"c\\n"', 'True', '0.1']
    """
    value = plain_value(value, what, "Python's source text")
    text = repr(value)
    if isinstance(value, str) and text[0] == "'" and '"' not in text:
        text = f'"{text[1:-1]}"'
    return text
