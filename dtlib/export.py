"""The tree in other languages: plain data, Python, SQL (chapters 4 and 9)."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Iterator
from keyword import iskeyword
from typing import Any

import numpy as np

from dtlib import tree as t  # which imports this module
from dtlib.columns import Feature

FORMAT = "dtlib.tree/2"
KINDS = ("nominal", "ordered", "numeric")
NESTED = 40  # levels in one function of Python, which allows 100 levels of indentation
JOINED = 100  # conditions in one pair of parentheses: SQLite takes expressions of depth 1000


def to_dict(tree: t.Tree) -> dict[str, Any]:
    """Return a tree as plain lists, numbers and strings, all of which JSON can hold.

    Parameters
    ----------
    tree : Tree

    Returns
    -------
    dict
        The parts of the tree by name; a threshold that is NaN is None, and `reason` is in words.

    Raises
    ------
    TypeError
        If a value or a class is neither text nor a number, such as a date.

    Examples
    --------
    >>> from dtlib import ID3Classifier, load_loan
    >>> loan = load_loan()
    >>> data = to_dict(ID3Classifier().fit(loan.X, loan.y).tree_)
    >>> data["outputs"], data["feature"], data["n"]
    ([{'name': 'class', 'kind': 'nominal', 'values': ['no', 'yes']}], [2, 1, -1, -1, -1], [15, 9, 6, 6, 3])
    """
    return {
        "format": FORMAT,
        "criterion": tree.criterion,
        "features": [_described(feature, "value of") for feature in tree.features],
        "outputs": [_described(output, "class of") for output in tree.outputs],
        "feature": tree.feature.tolist(),
        "threshold": [None if math.isnan(x) else x for x in tree.threshold.tolist()],
        "n_values": tree.n_values.tolist(),
        "code": tree.code.tolist(),
        "branch": tree.branch.tolist(),
        "summary": tree.summary.tolist(),
        "n": tree.n.tolist(),
        "impurity": tree.impurity.tolist(),
        "gain": tree.gain.tolist(),
        "reason": list(tree.reason),
    }


def _described(feature: Feature, what: str) -> dict[str, Any]:
    values = [plain(value, f"{what} {feature.name!r}", "JSON") for value in feature.values]
    return {"name": feature.name, "kind": feature.kind, "values": values}


def plain(value: Any, what: str, language: str) -> str | bool | int | float:
    """Return a value as Python's own text, truth or number, or say that a language cannot hold it."""
    value = value.item() if isinstance(value, np.generic) else value
    if not isinstance(value, str | bool | int | float):
        kind = type(value).__name__
        raise TypeError(f"{what} {value!r} is a {kind}, which {language} cannot hold: use text or numbers")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{what} is {value}, which {language} cannot hold: use text or a finite number")
    return value


def from_dict(cls: type[t.Tree], data: dict[str, Any]) -> t.Tree:
    """Build a tree from what `to_dict` returned.

    Parameters
    ----------
    cls : type
        `Tree`.
    data : dict

    Returns
    -------
    Tree

    Raises
    ------
    ValueError
        If the data are of another format, a part of them is missing, or they describe no tree.

    Examples
    --------
    >>> from dtlib import ID3Classifier, Tree, load_loan
    >>> loan = load_loan()
    >>> tree = ID3Classifier().fit(loan.X, loan.y).tree_
    >>> from_dict(Tree, to_dict(tree)) == tree
    True
    """
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        found = data.get("format") if isinstance(data, dict) else data
        raise ValueError(f"format is {found!r}, wanted {FORMAT!r}: this was not written by to_dict()")
    try:
        tree = _read(cls, data)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"data cannot be read ({error!r}): write them again with to_dict()") from error
    flaw = next((flaw for find in FLAWS if (flaw := find(tree))), "")
    if flaw:
        raise ValueError(f"data describe no tree: {flaw}; write them again with to_dict()")
    return tree


def _read(cls: type[t.Tree], data: dict[str, Any]) -> t.Tree:
    """Build a tree, sound or not, from lists."""
    return cls(
        tuple(_feature(feature) for feature in data["features"]),
        tuple(_feature(output) for output in data["outputs"]),
        data["criterion"],
        feature=_array(data["feature"]),
        threshold=_array([math.nan if x is None else x for x in data["threshold"]]),
        n_values=_array(data["n_values"]),
        code=_array(data["code"]),
        branch=_array(data["branch"]),
        summary=_array(data["summary"]),
        n=_array(data["n"]),
        impurity=_array(data["impurity"]),
        gain=_array(data["gain"]),
        stop=_array([t.REASONS.index(reason) for reason in data["reason"]]),
    )


def _array(entries: list[Any]) -> np.ndarray:
    """Return an array of the type that its entries have; without entries, of whole numbers."""
    if not isinstance(entries, list):
        raise TypeError(f"{entries!r} is no list")
    return np.array(entries) if entries else np.empty(0, int)


def _feature(data: dict[str, Any]) -> Feature:
    name, values = data["name"], tuple(plain(v, "value", "JSON") for v in data["values"])
    if not isinstance(name, str):
        raise TypeError(f"a name is {name!r}, wanted text")
    return Feature(name, values, data["kind"])


def _flaw_of_names(tree: t.Tree) -> str:
    """Say what is wrong with the features, the outputs and the criterion."""
    for feature in (*tree.features, *tree.outputs):
        if feature.kind not in KINDS:
            return f"the kind of {feature.name!r} is {feature.kind!r}, wanted one of {list(KINDS)}"
        if feature.kind == "numeric" and feature.values:
            return f"{feature.name!r} has numbers, but values are listed"
    names = [[f.name for f in tree.features], [f.name for f in tree.outputs]]
    names += [list(f.values) for f in (*tree.features, *tree.outputs)]
    twice = [some for some in names if len(set(some)) < len(some)]
    if twice:
        return f"{twice[0]} names something twice"
    if tree.criterion not in t.CRITERIA:
        return f"criterion is {tree.criterion!r}, wanted one of {list(t.CRITERIA)}"
    wanted = "numeric" if tree.criterion in ("squared_error", "absolute_error") else "nominal"
    if not tree.outputs or any(output.kind != wanted for output in tree.outputs):
        return f"criterion {tree.criterion!r} needs outputs that are {wanted}"
    empty = [output.name for output in tree.outputs if wanted == "nominal" and not output.values]
    return f"the output {empty[0]!r} has no class" if empty else ""


def _flaw_of_arrays(tree: t.Tree) -> str:
    """Say what is wrong with the shape of an array, or with what kind of numbers it holds."""
    n, d = len(tree.feature), len(tree.features)
    width = sum(max(1, len(output.values)) for output in tree.outputs)
    sizes = {"feature": (n,), "summary": (n, width), "stop": (n,)}
    sizes |= dict.fromkeys(("threshold", "n_values", "n", "impurity", "gain"), (n,))
    for name, wanted in sizes.items():
        if getattr(tree, name).shape != wanted:
            name, shape = name.replace("stop", "reason"), getattr(tree, name).shape
            return f"{name} has shape {shape}, wanted {wanted}"
    if tree.feature.dtype.kind != "i" or not ((tree.feature >= -1) & (tree.feature < d)).all():
        return f"feature holds other values than whole numbers from -1 to {d - 1}"
    low = {"summary": 0.0 if tree.is_classifier else -np.inf, "n": 0.0}
    for name in ("summary", "n", "impurity", "gain"):
        array = getattr(tree, name)
        if array.dtype.kind not in "if" or not (np.isfinite(array) & (array >= low.get(name, -np.inf))).all():
            return f"{name} holds other values than finite numbers{', 0 or more' * (low.get(name) == 0)}"
    return ""


def _flaw_of_questions(tree: t.Tree) -> str:
    """Say what is wrong with the thresholds, or where names are asked."""
    kind = np.array([*(feature.kind for feature in tree.features), "leaf"])[tree.feature]
    values = np.array([*(len(feature.values) for feature in tree.features), 0])[tree.feature]
    is_cut, x, n_values = np.isin(kind, ["ordered", "numeric"]), tree.threshold, tree.n_values
    if x.dtype.kind != "f" or (np.isfinite(x) != is_cut).any() or np.isinf(x).any():
        return "threshold is not finite where and only where numbers or names in an order are asked"
    if (~((x >= 0) & (x < values - 1)) & (kind == "ordered")).any():
        return "a threshold does not lie between two places of the values"
    is_whole = n_values.dtype.kind == "i" and (n_values >= 0).all()
    if not is_whole or ((n_values > 0) != (kind == "nominal")).any():
        return "n_values is not positive where and only where names are asked"
    return _flaw_of_branches(tree, values)


def _flaw_of_branches(tree: t.Tree, values: np.ndarray) -> str:
    """Say what is wrong with the names that have a branch, or with their branches."""
    for name in ("code", "branch"):
        array, wanted = getattr(tree, name), (int(tree.n_values.sum()),)
        if array.shape != wanted:
            return f"{name} has shape {array.shape}, wanted {wanted}"
        if array.dtype.kind != "i" or (array < 0).any():
            return f"{name} holds other values than whole numbers, 0 or more"
    node = np.repeat(np.arange(tree.node_count), tree.n_values)
    if (tree.code >= values[node]).any() or ((np.diff(tree.code) <= 0) & (np.diff(node) == 0)).any():
        return "code holds other values than places of the names, ascending at each node"
    largest = np.full(tree.node_count, -1)
    np.maximum.at(largest, node, tree.branch)
    pairs = np.unique(np.stack([node, tree.branch]), axis=1)
    different = np.bincount(pairs[0], minlength=tree.node_count)
    wrong = np.flatnonzero((tree.n_values > 0) & ((different < 2) | (different != largest + 1)))
    return f"the branches of node {wrong[0]} are not 0, 1, ..., at least two" if len(wrong) else ""


def _flaw_of_shape(tree: t.Tree) -> str:
    """Say what keeps the nodes from being a tree, or what does not add up from children to parents."""
    below, inner = int(tree.children.sum()), tree.feature >= 0
    if tree.node_count != 1 + below:
        return f"its questions have {below} branches, but {tree.node_count - 1} nodes are below the root"
    if (tree.parent >= np.arange(tree.node_count)).any():
        return "a node is above itself"
    if ((tree.stop > 0) == inner).any():
        return "a leaf has no reason, or an inner node has one"
    if tree.gain[~inner].any():
        return "a leaf has a gain"
    if (tree.n[inner] <= 0).any() or tree.n[0] <= 0:
        return "a question is asked where n is 0, or n is 0 at the root"
    if not _adds_up(tree, tree.n, inner):
        return "the n of some children do not add up to that of the node above"
    if not tree.is_classifier:
        return ""
    if not all(np.allclose(block.sum(1), tree.n) for block in tree.blocks(tree.summary)):
        return "the summary of a node does not add up to its n"
    if not _adds_up(tree, tree.summary, inner):
        return "the summary of some children do not add up to that of the node above"
    return ""


def _adds_up(tree: t.Tree, amounts: np.ndarray, inner: np.ndarray) -> bool:
    return not inner.any() or np.allclose(np.add.reduceat(amounts, tree.first_child[inner]), amounts[inner])


# Each looks where those before found nothing.
FLAWS = (_flaw_of_names, _flaw_of_arrays, _flaw_of_questions, _flaw_of_shape)


def groups(tree: t.Tree, node: int) -> list[tuple[Any, ...]]:
    """Return the names that take each branch of a node; none where numbers are asked.

    Examples
    --------
    >>> from dtlib import ID3Classifier, load_loan
    >>> loan = load_loan()
    >>> groups(ID3Classifier().fit(loan.X, loan.y).tree_, 0)
    [('no',), ('yes',)]
    """
    feature = tree.features[tree.feature[node]]
    if feature.kind == "numeric":
        return []
    if feature.kind == "ordered":
        first = int(tree.threshold[node]) + 1
        return [feature.values[:first], feature.values[first:]]
    found: list[list[Any]] = [[] for _ in range(tree.children[node])]
    first = tree.first_value[node]
    for place in range(first, first + tree.n_values[node]):
        found[tree.branch[place]].append(feature.values[tree.code[place]])
    return [tuple(values) for values in found]


def predictions(tree: t.Tree, write: Callable[[Any, str], str]) -> list[list[str]]:
    """Return what each node predicts, written as literals: for each output, one for each node."""
    if not tree.is_classifier:
        return [[write(x, "number") for x in column] for column in tree.value.T.tolist()]
    labels = tree.label.reshape(tree.node_count, -1).T
    found = []
    for output, label in zip(tree.outputs, labels, strict=True):
        literals = {k: write(output.values[k], f"class of {output.name!r}") for k in set(label.tolist())}
        found.append([literals[k] for k in label.tolist()])
    return found


def to_python(tree: t.Tree, name: str = "predict") -> str:
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
        Source text. A tree of more than 40 levels becomes several functions, whose names begin with an
        underscore and the name.

    Raises
    ------
    ValueError
        If the name is no name for a function, or is one of Python's own.
    TypeError
        If a value or a class is neither text nor a number, such as a date.

    Notes
    -----
    A name without a branch, or a missing one (None, NaN), gets the prediction of the node that asks.
    Numbers must not be missing: a NaN is above every threshold.

    A tree grown with ``precision="single"``, such as that of ``CARTClassifier.sklearn()``, learned from
    numbers rounded to float32: give it such numbers, ``float(numpy.float32(x))``.

    Examples
    --------
    >>> from dtlib import ID3Classifier, load_loan
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
    """
    if not (isinstance(name, str) and name.isidentifier()) or iskeyword(name) or hasattr(builtins, name):
        raise ValueError(f"name is {name!r}, wanted a name for a function that is not one of Python's own")
    columns = predictions(tree, python_literal)
    says = columns[0] if len(columns) == 1 else [f"({', '.join(row)})" for row in zip(*columns, strict=True)]
    heads = np.flatnonzero((tree.depth % NESTED == 0) & (tree.feature >= 0)).tolist()
    if tree.max_depth <= NESTED:
        return "\n".join([f"def {name}(sample):", *_block(tree, 0, says, {})]) + "\n"
    helpers = {node: f"_{name}_{node}" for node in heads}
    lines = []
    for node, helper in helpers.items():
        lines += [f"def {helper}(sample):", *_block(tree, node, says, helpers), "", ""]
    lines += [
        f"def {name}(sample):", f"    step = {helpers[0]}", "    while callable(step):",
        "        step = step(sample)", "    return step",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _block(tree: t.Tree, node: int, says: list[str], helpers: dict[int, str], level: int = 1) -> list[str]:
    """Write the statements that answer for the samples at a node; they always return."""
    pad = "    " * level
    if tree.feature[node] < 0:
        return [f"{pad}return {says[node]}"]
    if node in helpers and level > 1:
        return [f"{pad}return {helpers[node]}"]
    feature, first = tree.features[tree.feature[node]], int(tree.first_child[node])
    asked = f"sample[{python_literal(feature.name, 'name')}]"
    if feature.kind == "numeric":
        lines = [f"{pad}if {asked} <= {tree.threshold[node].item()!r}:"]
        lines += [*_block(tree, first, says, helpers, level + 1), f"{pad}else:"]
        return lines + _block(tree, first + 1, says, helpers, level + 1)
    lines = []
    for i, values in enumerate(groups(tree, node)):
        literals = [python_literal(value, f"value of {feature.name!r}") for value in values]
        holds = f"== {literals[0]}" if len(values) == 1 else f"in {{{', '.join(literals)}}}"
        lines += [f"{pad}if {asked} {holds}:", *_block(tree, first + i, says, helpers, level + 1)]
    return [*lines, f"{pad}return {says[node]}"]


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


def to_sql(tree: t.Tree, table: str | None = None) -> str:
    """Write a tree in SQL.

    Parameters
    ----------
    tree : Tree
    table : str, optional
        A table with the features as columns. Default: write the expression only.

    Returns
    -------
    str
        Without a table, a ``CASE`` expression; of several outputs, one with a name for each, commas between
        them. With a table, a ``SELECT`` of all its columns and the predictions.

    Raises
    ------
    ValueError
        If a name or a text cannot be written in SQL, or the table has no name.
    TypeError
        If a value or a class is neither text nor a number, such as a date.

    Notes
    -----
    Each leaf is one ``WHEN`` with the bounds and names that its path leaves, so a long path need not be a
    long condition. A name without a branch, or NULL, gets the prediction of the node that asks; where a
    number that is asked is NULL, so is the prediction.

    Truth values are written TRUE and FALSE, as in standard SQL; SQLite (3.23 and later) stores and returns
    them as 1 and 0. Numbers have all their digits; SQLite reads a few of them (of 30,000, about one) as the
    float next to it. SQLite takes a quoted name that is no column for text, so check the names of the
    columns. MySQL needs the modes ANSI_QUOTES and NO_BACKSLASH_ESCAPES.

    A tree grown with ``precision="single"``, such as that of ``CARTClassifier.sklearn()``, learned from
    numbers rounded to float32: give it a table of such numbers.

    Examples
    --------
    >>> from dtlib import ID3Classifier, load_loan
    >>> loan = load_loan()
    >>> print(to_sql(ID3Classifier().fit(loan.X, loan.y).tree_))
    CASE
      WHEN "owns_house" = 'no' AND "has_job" = 'no' THEN 'no'
      WHEN "owns_house" = 'no' AND "has_job" = 'yes' THEN 'yes'
      WHEN "owns_house" = 'no' AND ("has_job" IS NULL OR "has_job" NOT IN ('no', 'yes')) THEN 'no'
      WHEN "owns_house" = 'yes' THEN 'yes'
      WHEN ("owns_house" IS NULL OR "owns_house" NOT IN ('no', 'yes')) THEN 'yes'
    END
    """
    if table == "":
        raise ValueError("table is '', wanted the name of a table, or None for the expression only")
    cases = [(_conjunction(tree, limits), node) for limits, node in _cases(tree)]
    expressions = []
    for says in predictions(tree, sql_literal):
        lines = [f"  WHEN {conditions} THEN {says[node]}" for conditions, node in cases]
        expressions.append("\n".join(["CASE", *lines, "END"]) if cases[0][0] else says[0])
    if table is None and len(expressions) == 1:
        return expressions[0]
    columns = [
        f"{expression} AS {sql_name(f'predicted_{output.name}')}"
        for expression, output in zip(expressions, tree.outputs, strict=True)
    ]
    if table is None:
        return ",\n".join(columns)
    return ",\n".join([f"SELECT {sql_name(table)}.*", *columns]) + f"\nFROM {sql_name(table)}"


Limits = dict[int, tuple[Any, Any]]  # by feature: above this and up to that; or whether its name is in a list


def _cases(tree: t.Tree) -> Iterator[tuple[Limits, int]]:
    """Go through all ways to end: what holds of each feature, and the node; children first."""
    todo: list[tuple[Limits, int, bool]] = [({}, 0, False)]
    while todo:
        limits, node, is_end = todo.pop()
        if is_end or tree.feature[node] < 0:
            yield limits, node
            continue
        f, first = int(tree.feature[node]), int(tree.first_child[node])
        if tree.features[f].kind == "numeric":
            cut = tree.threshold[node].item()
            low, high = limits.get(f, (-math.inf, math.inf))
            todo.append((limits | {f: (max(low, cut), high)}, first + 1, False))
            todo.append((limits | {f: (low, min(high, cut))}, first, False))
            continue
        found = groups(tree, node)
        known = dict.fromkeys(value for values in found for value in values)
        above = dict.fromkeys(limits[f][1]) if f in limits else None  # a set in order
        unknown = (False, known) if above is None else (True, tuple(v for v in above if v not in known))
        if unknown[1]:
            todo.append((limits | {f: unknown}, node, True))
        for i in reversed(range(len(found))):
            values = tuple(v for v in found[i] if above is None or v in above)
            if values:
                todo.append((limits | {f: (True, values)}, first + i, False))


def _conjunction(tree: t.Tree, limits: Limits) -> str:
    """Write all limits; many of them in several parentheses."""
    conditions = []
    for f, limit in limits.items():
        name = sql_name(tree.features[f].name)
        if tree.features[f].kind == "numeric":
            low, high = limit
            conditions += [f"{name} > {low!r}"] if low > -math.inf else []
            conditions += [f"{name} <= {high!r}"] if high < math.inf else []
            continue
        inside, values = limit
        literals = [sql_literal(value, f"value of {tree.features[f].name!r}") for value in values]
        if inside and len(values) == 1:
            conditions.append(f"{name} = {literals[0]}")
        elif inside:
            conditions.append(f"{name} IN ({', '.join(literals)})")
        else:
            conditions.append(f"({name} IS NULL OR {name} NOT IN ({', '.join(literals)}))")
    if len(conditions) <= JOINED:
        return " AND ".join(conditions)
    parts = [conditions[a : a + JOINED] for a in range(0, len(conditions), JOINED)]
    return " AND ".join(f"({' AND '.join(part)})" for part in parts)


def sql_literal(value: Any, what: str) -> str:
    """Write a value in SQL.

    Examples
    --------
    >>> [sql_literal(value, "value") for value in ("it's", True, 3, 1e-9)]
    ["'it''s'", 'TRUE', '3', '1e-09']
    """
    value = plain(value, what, "SQL")
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return "'" + _sql_text(value).replace("'", "''") + "'" if isinstance(value, str) else repr(value)


def sql_name(name: str) -> str:
    """Write the name of a column or a table in SQL.

    Examples
    --------
    >>> print(sql_name('say "x"'))
    "say ""x""\"
    """
    return '"' + _sql_text(name).replace('"', '""') + '"'


def _sql_text(text: str) -> str:
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError(f"{text!r} has a letter that SQL cannot hold: rename it")
    return text
