"""The tree as an expression, or a query, in SQL (chapter 20)."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from dtlib.export.common import (
    EQUAL_SHARES,
    amounts,
    check_proba,
    limit,
    missing_parts,
    names_by_branch,
    plain_value,
    predictions,
    sides_of_cut,
    two_way_questions,
    weighted,
    written_shares,
)
from dtlib.table.columns import Feature
from dtlib.table.parameters import check_text
from dtlib.tree.splits import Hyperplane
from dtlib.tree.tree import Tree, check_tree

TINIEST = 1e-280  # from here on SQLite reads 18 digits right (below 1e-290 it misread some)
BINARY_STEP = 62  # the largest power of two that SQLite reads exactly, as a whole number
NEAR_MIDDLE = 0.9  # of the way from a float to the middle between it and the next one
JOINED = 100  # conditions, or terms, in one pair of parentheses: SQLite takes expressions of depth 1000


def to_sql(tree: Tree, table: str | None = None, proba: bool = False) -> str:
    """Write a tree in SQL.

    Parameters
    ----------
    tree : Tree
    table : str, optional
        A table with the features as columns. Default: write the expression only.
    proba : bool, default False
        Whether to write the class shares instead of the prediction, as `predict_proba`: a column for each
        class, such as ``"share_approved_yes"`` of the class "yes" of the output "approved".

    Returns
    -------
    str
        Without a table, a ``CASE`` expression; of several outputs, one with a name for each, commas between
        them, and so of class shares. With a table, a ``SELECT`` of all its columns and the predictions.

    Raises
    ------
    ValueError
        If a name or a text cannot be written in SQL, or the table has no name; if class shares are wanted of
        a tree that predicts numbers, or two columns of them had the same name.
    TypeError
        If a value or a class is neither text nor a number, such as a date, or `proba` is neither True nor
        False.

    Notes
    -----
    NULL is missing. A row then goes where `Tree.missing` and `Tree.unseen` say, as in the estimator: it stays
    at the node that asks, takes the larger branch, is sent by a surrogate, or goes to all branches in part.
    Where a tree refuses missing values (``missing="error"``), a number that is asked and is NULL makes the
    prediction NULL; a name that is NULL gets there, as a name without a branch does, the prediction of the
    node that asks. A NaN that a database holds is not NULL: it is above every threshold.

    Each leaf is one ``WHEN`` with the bounds and names that its path leaves, so a long path need not be a
    long condition; with surrogates it has one condition for each level, so the text of a deep tree grows with
    leaves times levels. Where rows go in part, the share of each class is a sum with a term for each leaf,
    and a subquery over one without FROM (tried in SQLite and DuckDB) takes the class of the largest share, of
    equals (within 1e-12) the first: it compares each two classes, so for many classes the text grows with the
    square of their number. Long sums and conditions are put in parentheses by the hundred, as SQLite takes no
    expression deeper than 1000.

    Truth values are written TRUE and FALSE, as in standard SQL; SQLite (3.23 and later) stores and returns
    them as 1 and 0. SQLite answers as `predict` does for every float64: numbers have all their digits, and
    the few (of 15,000, about one) that it would read as the float next to them are written with 18, or as a
    quotient. An infinity is beyond every threshold. In DuckDB, columns of numbers should be DOUBLE: it
    compares a FLOAT with a decimal number in float32. SQLite takes a quoted name that is no column for text,
    so check the names of the columns. MySQL needs the modes ANSI_QUOTES and NO_BACKSLASH_ESCAPES.

    Class shares are those of `predict_proba` to the last bit in SQLite; where rows go in parts they may
    differ in their last digits, as the parts are added up in another order. Each class has an expression of
    its own, so the text grows with the number of classes.

    A tree grown with ``precision="single"``, such as that of ``CARTClassifier.sklearn()``, rounds numbers to
    float32. The query compares with the largest float64 that is rounded to no more than the threshold.

    Examples
    --------
    >>> from dtlib import CARTClassifier, CARTRegressor, ID3Classifier, load_loan, load_regression_points
    >>> loan = load_loan()
    >>> print(to_sql(ID3Classifier().fit(loan.X, loan.y).tree_))
    CASE
      WHEN "owns_house" = 'no' AND "has_job" = 'no' THEN 'no'
      WHEN "owns_house" = 'no' AND "has_job" = 'yes' THEN 'yes'
      WHEN "owns_house" = 'no' AND ("has_job" IS NULL OR "has_job" NOT IN ('no', 'yes')) THEN 'no'
      WHEN "owns_house" = 'yes' THEN 'yes'
      WHEN ("owns_house" IS NULL OR "owns_house" NOT IN ('no', 'yes')) THEN 'yes'
    END

    >>> tree = CARTClassifier(max_depth=1, leaf_shares="laplace").fit(loan.X, loan.y).tree_
    >>> print(to_sql(tree, "loans", proba=True))
    SELECT "loans".*,
    CASE
      WHEN "owns_house" = 'no' THEN 0.6363636363636364
      WHEN "owns_house" = 'yes' THEN 0.125
      WHEN ("owns_house" IS NULL OR "owns_house" NOT IN ('no', 'yes')) THEN 0.4117647058823529
    END AS "share_approved_no",
    CASE
      WHEN "owns_house" = 'no' THEN 0.36363636363636365
      WHEN "owns_house" = 'yes' THEN 0.875
      WHEN ("owns_house" IS NULL OR "owns_house" NOT IN ('no', 'yes')) THEN 0.5882352941176471
    END AS "share_approved_yes"
    FROM "loans"

    >>> points = load_regression_points()
    >>> tree = CARTRegressor(missing="fractional", max_depth=1).fit(points.X, points.y).tree_
    >>> print(to_sql(tree, "points"))
    SELECT "points".*,
    (5.0600000000000005E0 * CASE WHEN "x" IS NULL THEN 0.5E0 WHEN "x" <= 5.5 THEN 1 ELSE 0 END
        + 8.175999999999998E0 * CASE WHEN "x" IS NULL THEN 0.5E0 WHEN "x" > 5.5 THEN 1 ELSE 0 END)
        AS "predicted_y"
    FROM "points"
    """
    check_tree(tree)
    if table is not None:
        check_text(table=table)
    if table == "":
        raise ValueError("table is '', wanted the name of a table, or None for the expression only")
    check_proba(tree, proba)
    names = _names_of_shares(tree) if proba else [f"predicted_{output.name}" for output in tree.outputs]
    in_parts = tree.missing == "fractional" and tree.max_depth > 0
    expressions = _by_parts(tree, proba) if in_parts else _by_cases(tree, proba)
    if table is None and not proba and len(expressions) == 1:
        return expressions[0]
    columns = [f"{text} AS {sql_name(name)}" for text, name in zip(expressions, names, strict=True)]
    if table is None:
        return ",\n".join(columns)
    return ",\n".join([f"SELECT {sql_name(table)}.*", *columns]) + f"\nFROM {sql_name(table)}"


def _names_of_shares(tree: Tree) -> list[str]:
    """Name the column of each class of each output."""
    names = [
        f"share_{output.name}_{plain_value(value, f'class of {output.name!r}', 'SQL')}"
        for output in tree.outputs
        for value in output.values
    ]
    twice, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise ValueError(
            f"proba is True, but two columns of shares are both named {twice!r}: rename an output or a class"
        )
    return names


@dataclass(frozen=True)
class Reach:
    """Which part of a row comes to a place, by its value of one feature.

    Of a number all if it is above `low` and up to `high`; of the names in `values` what is said there, of
    others `other`; of NULL `null`.
    """

    low: float = -math.inf
    high: float = math.inf
    values: dict[Any, float] = field(default_factory=dict)
    other: float = 1.0
    null: float = 1.0

    @property
    def is_empty(self) -> bool:
        """Whether no row comes here."""
        return not (self.null or self.other or any(self.values.values()))


@dataclass(frozen=True)
class Case:
    """A way to end: what holds of each feature, what surrogates decided (node, branch), and the node.

    And what holds of weighted sums, written in SQL.
    """

    reach: dict[int, Reach]
    sent: tuple[tuple[int, int], ...]
    node: int
    is_end: bool = False
    sums: tuple[str, ...] = ()


def _cases(tree: Tree) -> Iterator[Case]:
    """Go through all ways to end, children first."""
    part, todo = missing_parts(tree), [Case({}, (), 0)]
    while todo:
        case = todo.pop()
        if case.is_end or tree.feature[case.node] < 0:
            yield case
        else:
            todo += reversed(_cases_below(tree, case, part))


def _cases_below(tree: Tree, case: Case, part: np.ndarray) -> list[Case]:
    """Return what becomes of a case at a node that asks: a case for each branch, and one for what stays."""
    node, f, first = case.node, int(tree.feature[case.node]), int(tree.first_child[case.node])
    shares, old = part[first : first + int(tree.children[node])].tolist(), case.reach.get(f, Reach())
    split, is_number = tree[node].split, tree.features[f].kind == "numeric"
    if isinstance(split, Hyperplane):
        tests = sides_of_cut(weighted(split, sql_name, sql_term), sql_float(limit(tree, node)))
        return [replace(case, node=first + i, sums=(*case.sums, test)) for i, test in enumerate(tests)]
    if two_way_questions(tree, node):
        sent = [(*case.sent, (node, i)) for i in range(3)]
        cases = [Case(case.reach, sent[i + 1], first + i) for i in (0, 1)]
        stays = (tree.unseen == "stay" and not is_number) or not any(shares)
        return cases + [Case(case.reach, sent[0], node, True)] * stays
    if is_number:
        reach = _of_number(limit(tree, node), old, shares, tree.missing != "error")
    else:
        reach = _of_names(names_by_branch(split), old, shares, tree.unseen == "missing" and any(shares))
    cases = [replace(case, reach=case.reach | {f: new}, node=first + i) for i, new in enumerate(reach)]
    cases[-1] = replace(cases[-1], node=node, is_end=True)
    return [case for case in cases if not case.reach[f].is_empty]


def _of_number(cut: float, old: Reach, shares: list[float], takes_null: bool) -> list[Reach]:
    """Say which numbers take each branch, and which stay: none but NULL."""
    left, right = (old.null * share for share in shares)
    stays = old.null if takes_null and not any(shares) else 0.0
    return [
        Reach(old.low, min(old.high, cut), null=left),
        Reach(max(old.low, cut), old.high, null=right),
        Reach(math.inf, -math.inf, other=0.0, null=stays),
    ]


def _of_names(found: list[tuple[Any, ...]], old: Reach, shares: list[float], lost: bool) -> list[Reach]:
    """Say which names take each branch, and which stay; `lost` says that other names count as missing."""
    names = dict.fromkeys([*(v for values in found for v in values), *old.values])  # a set in order
    branch = {v: i for i, values in enumerate(found) for v in values}
    reach = []
    for i, share in enumerate([*shares, 0.0 if any(shares) else 1.0]):
        other = (share if lost else 0.0) if i < len(shares) else float(not lost)
        weight = {v: old.values.get(v, old.other) * (i == branch[v] if v in branch else other) for v in names}
        other *= old.other
        kept = {v: w for v, w in weight.items() if w != other}
        reach.append(Reach(values=kept, other=other, null=old.null * share))
    return reach


def _by_cases(tree: Tree, proba: bool) -> list[str]:
    """Write a CASE for each output, or each class, where a row takes one branch at each node."""
    cases, expressions = list(_cases(tree)), []
    conditions = _where(tree, cases)
    shares = [says for output in written_shares(tree, sql_literal) for says in output] if proba else []
    for says in shares or predictions(tree, sql_literal):
        lines = [f"  WHEN {c} THEN {says[case.node]}" for c, case in zip(conditions, cases, strict=True)]
        expressions.append("\n".join(["CASE", *lines, "END"]) if tree.max_depth else says[0])
    return expressions


def node_sql(tree: Tree, nodes: Iterable[int]) -> str:
    """Write in SQL which of some leaves a row comes to: its number, NULL if it ends elsewhere.

    Parameters
    ----------
    tree : Tree
        Each row takes one branch: nothing goes in parts.
    nodes : iterable of int
        Leaves of it.

    Examples
    --------
    >>> from dtlib import ID3Classifier, load_loan
    >>> loan = load_loan()
    >>> print(node_sql(ID3Classifier().fit(loan.X, loan.y).tree_, [3, 4]))
    CASE
      WHEN "owns_house" = 'no' AND "has_job" = 'no' THEN 3
      WHEN "owns_house" = 'no' AND "has_job" = 'yes' THEN 4
    END
    """
    if not tree.max_depth:
        return "0"
    wanted = set(nodes)
    cases = [case for case in _cases(tree) if case.node in wanted]
    lines = [f"  WHEN {c} THEN {case.node}" for c, case in zip(_where(tree, cases), cases, strict=True)]
    return "\n".join(["CASE", *lines, "END"])


def _where(tree: Tree, cases: Sequence[Case]) -> list[str]:
    """Write what holds of the rows of each case."""
    steps = {node: _step(tree, node) for node in {node for case in cases for node, _ in case.sent}}
    conditions = []
    for case in cases:
        of_features = [c for f, reach in case.reach.items() for c in _conditions(tree.features[f], reach)]
        of_steps = [f"{steps[node]} = {branch}" for node, branch in case.sent]
        conditions.append(_joined([*of_features, *of_steps, *case.sums], " AND "))
    return conditions


def _conditions(feature: Feature, reach: Reach) -> list[str]:
    """Write what holds of a feature, where a row comes as a whole or not at all."""
    name = sql_name(feature.name)
    known = _if_known(feature, reach)
    if known == [NEVER]:
        return [f"{name} IS NULL"]
    if not reach.null:
        return known or [f"{name} IS NOT NULL"]
    return [f"({name} IS NULL OR {' AND '.join(known)})"] if known else []


NEVER = "1 = 0"


def _if_known(feature: Feature, reach: Reach) -> list[str]:
    """Write what holds of a value that is not NULL, of which all or nothing comes."""
    name = sql_name(feature.name)
    if feature.kind == "numeric":
        if reach.low == math.inf:
            return [NEVER]
        low = [f"{name} > {sql_number(reach.low)}"] if reach.low > -math.inf else []
        return low + ([f"{name} <= {sql_number(reach.high)}"] if reach.high < math.inf else [])
    if not reach.other:
        return [_is_one_of(feature, list(reach.values))]
    return [f"{name} NOT IN ({_listed(feature, reach.values)})"] if reach.values else []


def _is_one_of(feature: Feature, values: Sequence[Any]) -> str:
    listed, name = _listed(feature, values), sql_name(feature.name)
    return NEVER if not values else f"{name} = {listed}" if len(values) == 1 else f"{name} IN ({listed})"


def _listed(feature: Feature, values: Iterable[Any]) -> str:
    return ", ".join(sql_literal(value, f"value of {feature.name!r}") for value in values)


def _step(tree: Tree, node: int) -> str:
    """Write which branch the surrogates of a node choose, counted from 1; 0 if a row stays."""
    lines: list[str] = []
    for place, question in enumerate(two_way_questions(tree, node)):
        name = sql_name(question.feature.name)
        if question.feature.kind == "numeric":
            tests = sides_of_cut(name, sql_number(question.threshold))[:: -1 if question.upside_down else 1]
        else:
            tests = tuple(_is_one_of(question.feature, values) for values in question.groups)
        lines += [f"WHEN {test} THEN {branch}" for branch, test in enumerate(tests, start=1)]
        if not place and question.groups and tree.unseen == "stay":
            lines.append(f"WHEN {name} IS NOT NULL THEN 0")
    last = 0 if tree.surrogates is None else int(tree.surrogates.default[node]) + 1  # 0: it stays
    return f"CASE {' '.join(lines)} ELSE {last} END"


def _joined(parts: list[str], word: str) -> str:
    """Join conditions or terms, many of them in parentheses of parentheses."""
    while len(parts) > JOINED:
        parts = [f"({word.join(parts[a : a + JOINED])})" for a in range(0, len(parts), JOINED)]
    return word.join(parts)


def _by_parts(tree: Tree, proba: bool) -> list[str]:
    """Write an expression for each output, or each class, where a row may go to several branches in part."""
    cases = list(_cases(tree))
    factors = [[_factor(tree.features[f], reach) for f, reach in case.reach.items()] for case in cases]
    weights = [_joined([factor for factor in some if factor], " * ") for some in factors]
    expressions = []
    for output, amount in zip(tree.outputs, amounts(tree, proba), strict=True):
        sums = []
        for column in amount.T.tolist():
            terms = [
                weight if column[case.node] == 1 else f"{sql_float(column[case.node])} * {weight}"
                for weight, case in zip(weights, cases, strict=True)
                if column[case.node]
            ]
            sums.append(_joined(terms, "\n    + ") or "0")
        if proba:
            expressions += [f"(0E0 + {text})" for text in sums]  # a float also where all is 0 or 1
        else:
            expressions.append(_choice(tree, output, sums) if tree.is_classifier else f"({sums[0]})")
    return expressions


def _factor(feature: Feature, reach: Reach) -> str:
    """Write which part of a row comes here, by its value of one feature."""
    is_number = feature.kind == "numeric"
    asks_null = reach.null if is_number else reach.null != reach.other
    lines = [f"WHEN {sql_name(feature.name)} IS NULL THEN {sql_float(reach.null)}"] * bool(asks_null)
    if is_number:
        lines.append(f"WHEN {' AND '.join(_if_known(feature, reach))} THEN 1")
        return f"CASE {' '.join(lines)} ELSE 0 END"
    for weight in dict.fromkeys(reach.values.values()):
        values = [v for v, w in reach.values.items() if w == weight]
        lines.append(f"WHEN {_is_one_of(feature, values)} THEN {sql_float(weight)}")
    return f"CASE {' '.join(lines)} ELSE {sql_float(reach.other)} END"


def _choice(tree: Tree, output: Feature, sums: list[str]) -> str:
    """Write which class has the largest sum, with a loss the smallest; of equals the first."""
    literals = [sql_literal(value, f"class of {output.name!r}") for value in output.values]
    stem = "share_" if tree.loss is None else "cost_"
    while any(feature.name.startswith(stem) for feature in tree.features):
        stem = "_" + stem
    sign, slack = (">=", 1 - EQUAL_SHARES) if tree.loss is None else ("<=", 1 + EQUAL_SHARES)
    names = [sql_name(f"{stem}{k}") for k in range(len(sums))]
    lines = []
    for name, literal in list(zip(names, literals, strict=True))[:-1]:
        conditions = [f"{name} {sign} {slack!r} * {other}" for other in names if other != name]
        lines.append(f"    WHEN {_joined(conditions, ' AND ')} THEN {literal}")
    if not lines:
        return literals[0]
    columns = ",\n".join(f"    {text} AS {name}" for text, name in zip(sums, names, strict=True))
    lines.append(f"    ELSE {literals[-1]}")
    return "\n".join(["(SELECT CASE", *lines, "  END FROM (SELECT", columns, f'  ) AS "{stem}of_row")'])


def sql_float(x: float) -> str:
    """Write a number that is no exact decimal: with an exponent, unless it is 0 or 1.

    Examples
    --------
    >>> [sql_float(x) for x in (0.0, 1.0, 0.25, 1e-9)]
    ['0', '1', '0.25E0', '1e-09']
    """
    if x in (0, 1):
        return str(int(x))
    return sql_term(x)


def sql_term(x: float) -> str:
    """Write a number so that what it is multiplied by is a float, even if that is a whole number.

    Examples
    --------
    >>> [sql_term(x) for x in (1.0, 0.25, 1e-9)]
    ['1E0', '0.25E0', '1e-09']
    """
    text = sql_number(x)
    return text if "e" in text.lower() else f"{text.removesuffix('.0')}E0"


def sql_number(x: float) -> str:
    """Write a float so that SQLite reads this one, and not one beside it.

    SQLite multiplies the digits by a power of ten, and rounds twice. The shortest digits that say a float may
    lie so near the middle between two that the second rounding goes wrong: then 18 digits are written. Of a
    number next to nothing the power itself is not exact: it is written as a whole number divided by powers of
    two, which is.

    Examples
    --------
    >>> sql_number(0.3), sql_number(0.768238991202082)
    ('0.3', '7.68238991202082055e-01')
    >>> sql_number(3 * 2.0**-940).count("/"), sql_number(2.0**-940)[-30:]
    (16, '4611686018427387904E0 / 1024E0')
    """
    if 0 < abs(x) < TINIEST:
        whole, power = x.as_integer_ratio()
        times, rest = divmod(power.bit_length() - 1, BINARY_STEP)  # it is 2 to the power of that
        return " / ".join(f"{n}E0" for n in (whole, *[2**BINARY_STEP] * times, 2**rest))
    return f"{x:.17e}" if off_center(x) > NEAR_MIDDLE else repr(x)


def off_center(x: float) -> float:
    """Return how far the shortest digits of a float are from it: 0 if they are exact, below 1 in any case.

    Examples
    --------
    >>> off_center(0.5), round(off_center(0.768238991202082), 4)
    (0.0, 0.9996)
    """
    exact = Fraction(x)
    apart = abs(Fraction(repr(x)) - exact)
    return float(2 * apart / Fraction(math.ulp(x)))


def sql_literal(value: Any, what: str) -> str:
    """Write a value in SQL.

    Examples
    --------
    >>> [sql_literal(value, "value") for value in ("it's", True, 3, 1e-9)]
    ["'it''s'", 'TRUE', '3', '1e-09']
    """
    value = plain_value(value, what, "SQL")
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return sql_number(value)
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
