"""The tree as an expression, or a query, in SQL (chapter 25)."""

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
    categories_by_branch,
    check_proba,
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
from dtlib.table.parameters import check_text
from dtlib.tree.splits import Hyperplane
from dtlib.tree.tree import Fitted, Tree, tree_of

TINIEST = 1e-280  # from here on SQLite reads 18 digits right (below 1e-290 it misread some)
BINARY_STEP = 62  # the largest power of two that SQLite reads exactly, as a whole number
NEAR_MIDDLE = 0.9  # of the way from a float to the middle between it and the next one
JOINED = 100  # conditions, or terms, in one pair of parentheses: SQLite takes expressions of depth 1000
LARGEST_WHOLE = 2**63 - 1  # a larger whole number is a float to SQLite


def to_sql(tree: Tree | Fitted, table: str | None = None, proba: bool = False) -> str:
    """Write a tree in SQL.

    Parameters
    ----------
    tree : Tree or fitted estimator
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
        If a name, a text or a whole number cannot be written in SQL; if two features, or two columns of the
        answers, have names that differ by case alone, or the table has no name; if class shares are wanted of
        a regression tree, or two columns of them had the same name.
    TypeError
        If a value or a class is neither text nor a number, such as a date, or `proba` is neither True nor
        False.

    Notes
    -----
    NULL is a missing value. The row then goes where `Tree.missing` and `Tree.unseen` say, as in
    the estimator: it stays at the node, takes the larger branch, is sent by a surrogate split, or is divided
    among all branches. Where a tree refuses missing values (``missing="error"``), NULL in a numeric feature
    that is tested makes the prediction NULL; NULL in a categorical one, as an unseen category, gets the
    prediction of the node there.

    SQLite, DuckDB and PostgreSQL predict as `predict` and `predict_proba` do, for every float64 and to the
    last bit, and a float comes back as a float. Tests run all three. Where rows are divided, shares and means
    may differ in their last digits, as the fractions are added up in another order. Databases differ in this:

    - Without its table, a name may be read as something else: SQLite takes one that is no column for text,
      and DuckDB, where rows are divided, takes "user" or "current_date" for its function. So give `table`,
      or check the names.
    - A NaN that DuckDB or PostgreSQL holds is not NULL: it is above every threshold. ``NULLIF("x", 'NaN')``
      makes it NULL. An infinity is beyond every threshold on its side.
    - SQLite stores and returns truth values as 1 and 0; elsewhere such a column must be BOOLEAN. They are
      written ``(1 = 1)`` and ``(1 = 0)``, as TRUE may be a column to SQLite.
    - Spark wants the setting ``spark.sql.ansi.doubleQuotedIdentifiers``, DOUBLE for DOUBLE PRECISION, and
      text without a backslash. MySQL, which was not tried, wants the modes ANSI_QUOTES and
      NO_BACKSLASH_ESCAPES, and a collation that tells case.

    A number has an exponent if its digits are not exactly the number: without one it would be a decimal
    number, which DuckDB rounds to the type of the column. The few (of 15,000, about one) that SQLite would
    read as the float next to them are written with 18 digits, or as a quotient. A tree grown with
    ``precision="single"``, such as that of ``CARTClassifier.sklearn()``, rounds to float32: its query
    compares with the largest float64 that is rounded to no more than the threshold.

    Each leaf is one ``WHEN`` with the bounds and categories that its path leaves, so a long path need not be
    a long condition; with surrogates it has one condition for each level, so the text of a deep tree grows
    with leaves times levels. Each class share has an expression of its own. Where rows are divided, it is a
    sum with a term for each leaf, and a subquery over one without FROM takes the class of the largest share,
    of equals (within 1e-12) the first: it compares each two classes, so for many classes the text grows with
    the square of their number. Long sums and conditions are put in parentheses by the hundred, as SQLite
    takes no expression deeper than 1000.

    Examples
    --------
    >>> from dtlib import CARTClassifier, CARTRegressor, ID3Classifier
    >>> from dtlib.datasets import load_loan, load_regression_points
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
    >>> print(to_sql(tree, "loan", proba=True))
    SELECT "loan".*,
    CAST(CASE
      WHEN "loan"."owns_house" = 'no' THEN 0.6363636363636364E0
      WHEN "loan"."owns_house" = 'yes' THEN 0.125
      WHEN ("loan"."owns_house" IS NULL OR "loan"."owns_house" NOT IN ('no', 'yes')) THEN 0.4117647058823529E0
    END AS DOUBLE PRECISION) AS "share_approved_no",
    CAST(CASE
      WHEN "loan"."owns_house" = 'no' THEN 0.36363636363636365E0
      WHEN "loan"."owns_house" = 'yes' THEN 0.875
      WHEN ("loan"."owns_house" IS NULL OR "loan"."owns_house" NOT IN ('no', 'yes')) THEN 0.5882352941176471E0
    END AS DOUBLE PRECISION) AS "share_approved_yes"
    FROM "loan"

    >>> points = load_regression_points()
    >>> tree = CARTRegressor(missing="fractional", max_depth=1).fit(points.X, points.y).tree_
    >>> print(to_sql(tree, "p"))
    SELECT "p".*,
    CAST(5.0600000000000005E0 * CASE WHEN "p"."x" IS NULL THEN 0.5E0 WHEN "p"."x" <= 5.5 THEN 1 ELSE 0 END
        + 8.175999999999998E0 * CASE WHEN "p"."x" IS NULL THEN 0.5E0 WHEN "p"."x" > 5.5 THEN 1 ELSE 0 END
        AS DOUBLE PRECISION) AS "predicted_y"
    FROM "p"
    """
    tree = tree_of(tree)
    if table is not None:
        check_text(table=table)
    if table == "":
        raise ValueError("table is '', wanted the name of a table, or None for the expression only")
    check_proba(tree, proba)
    names = _names_of_shares(tree) if proba else [f"predicted_{output.name}" for output in tree.outputs]
    _check_case("features", [feature.name for feature in tree.features], "one of them")
    _check_case("columns of the answers", names, "an output or a class")
    in_parts = tree.missing == "fractional" and tree.max_depth > 0
    query = Query(tree, table)
    expressions = _by_parts(query, proba) if in_parts else _by_cases(query, proba)
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


def _check_case(what: str, names: Sequence[str], which: str) -> None:
    """Raise an error if two names are one column to a database that ignores case."""
    known: dict[str, str] = {}
    for name in names:
        other = known.setdefault(name.lower(), name)
        if other != name:
            raise ValueError(
                f"the {what} {other!r} and {name!r} differ by case alone, so that SQLite, DuckDB and MySQL "
                f"take both for one column: rename {which}, and fit again"
            )


@dataclass(frozen=True, eq=False)
class Query:
    """A tree, and the table with its features; None if the name of the table is not known."""

    tree: Tree
    table: str | None = None

    def column(self, feature: Feature) -> str:
        """Write the name of a column; with its table, no database can take it for anything else."""
        name = sql_name(feature.name)
        return name if self.table is None else f"{sql_name(self.table)}.{name}"


@dataclass(frozen=True)
class Reach:
    """The share of a row that comes to a node, by its value of one feature.

    Of a numeric value the whole row if it is above `low` and up to `high`; of a category the share in
    `values`, of other categories `other`; of NULL `null`.
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
    """A path: the condition of each feature, the decisions of surrogates (node, branch), and its node.

    And the conditions of oblique splits, written in SQL.
    """

    reach: dict[int, Reach]
    sent: tuple[tuple[int, int], ...]
    node: int
    is_end: bool = False
    sums: tuple[str, ...] = ()


def _cases(query: Query) -> Iterator[Case]:
    """Go through all paths, children first."""
    tree = query.tree
    part, todo = missing_parts(tree), [Case({}, (), 0)]
    while todo:
        case = todo.pop()
        if case.is_end or tree.feature[case.node] < 0:
            yield case
        else:
            todo += reversed(_cases_below(query, case, part))


def _cases_below(query: Query, case: Case, part: np.ndarray) -> list[Case]:
    """Divide a case at a split: a case for each branch, and one for the rows that stay."""
    tree, node = query.tree, case.node
    f, first = int(tree.feature[node]), int(tree.first_child[node])
    shares, old = part[first : first + int(tree.children[node])].tolist(), case.reach.get(f, Reach())
    split, is_number = tree[node].split, tree.features[f].kind == "numeric"
    if isinstance(split, Hyperplane):
        columns = {feature.name: _as_double(query.column(feature)) for feature in tree.features}
        tested = weighted(split, columns.__getitem__, sql_number)
        tests = sides_of_cut(tested, sql_number(limit(tree, node)))
        return [replace(case, node=first + i, sums=(*case.sums, test)) for i, test in enumerate(tests)]
    if two_way_questions(tree, node):
        sent = [(*case.sent, (node, i)) for i in range(3)]
        cases = [Case(case.reach, sent[i + 1], first + i) for i in (0, 1)]
        stays = (tree.unseen == "stay" and not is_number) or not any(shares)
        return cases + [Case(case.reach, sent[0], node, True)] * stays
    if is_number:
        reach = _of_number(limit(tree, node), old, shares, tree.missing != "error")
    else:
        reach = _of_names(categories_by_branch(split), old, shares, tree.unseen == "missing" and any(shares))
    cases = [replace(case, reach=case.reach | {f: new}, node=first + i) for i, new in enumerate(reach)]
    cases[-1] = replace(cases[-1], node=node, is_end=True)
    return [case for case in cases if not case.reach[f].is_empty]


def _of_number(cut: float, old: Reach, shares: list[float], takes_null: bool) -> list[Reach]:
    """Return the numeric values that take each branch, and those that stay: none but NULL."""
    left, right = (old.null * share for share in shares)
    stays = old.null if takes_null and not any(shares) else 0.0
    return [
        Reach(old.low, min(old.high, cut), null=left),
        Reach(max(old.low, cut), old.high, null=right),
        Reach(math.inf, -math.inf, other=0.0, null=stays),
    ]


def _of_names(found: list[tuple[Any, ...]], old: Reach, shares: list[float], lost: bool) -> list[Reach]:
    """Return the categories of each branch, and those that stay; if `lost`, unseen ones count as missing."""
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


def _by_cases(query: Query, proba: bool) -> list[str]:
    """Write a CASE for each output, or each class, where a row takes one branch at each node."""
    tree, cases, expressions = query.tree, list(_cases(query)), []
    conditions = _where(query, cases)
    shares = [says for output in written_shares(tree, sql_literal) for says in output] if proba else []
    for says in shares or predictions(tree, sql_literal):
        lines = [f"  WHEN {c} THEN {says[case.node]}" for c, case in zip(conditions, cases, strict=True)]
        expressions.append("\n".join(["CASE", *lines, "END"]) if tree.max_depth else says[0])
    if proba:
        return [_as_double(text) for text in expressions]
    return [_as_said(output, text) for output, text in zip(tree.outputs, expressions, strict=True)]


def _as_said(output: Feature, text: str) -> str:
    """Write an expression with the type of the prediction."""
    is_float = output.kind == "numeric" or any(isinstance(value, float) for value in output.values)
    return _as_double(text) if is_float else text


def _as_double(text: str) -> str:
    """Write an expression as a float, which a number in digits is not in every database."""
    return f"CAST({text} AS DOUBLE PRECISION)"


def node_sql(tree: Tree, nodes: Iterable[int]) -> str:
    """Write in SQL the index of the leaf that a row comes to, of some leaves; NULL if it ends elsewhere.

    Parameters
    ----------
    tree : Tree
        Rows that it would divide stay at the node, as in `Tree.apply`.
    nodes : iterable of int
        Leaves of it.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> print(node_sql(ID3Classifier().fit(loan.X, loan.y).tree_, [3, 4]))
    CASE
      WHEN "owns_house" = 'no' AND "has_job" = 'no' THEN 3
      WHEN "owns_house" = 'no' AND "has_job" = 'yes' THEN 4
    END
    """
    if not tree.max_depth:
        return "0"
    wanted, query = set(nodes), Query(replace(tree, missing="stay") if tree.missing == "fractional" else tree)
    cases = [case for case in _cases(query) if case.node in wanted]
    lines = [f"  WHEN {c} THEN {case.node}" for c, case in zip(_where(query, cases), cases, strict=True)]
    return "\n".join(["CASE", *lines, "END"])


def _where(query: Query, cases: Sequence[Case]) -> list[str]:
    """Write the condition of the rows of each case."""
    features, conditions = query.tree.features, []
    steps = {node: _step(query, node) for node in {node for case in cases for node, _ in case.sent}}
    for case in cases:
        of_features = [c for f, reach in case.reach.items() for c in _conditions(query, features[f], reach)]
        of_steps = [f"{steps[node]} = {branch}" for node, branch in case.sent]
        conditions.append(_joined([*of_features, *of_steps, *case.sums], " AND "))
    return conditions


def _conditions(query: Query, feature: Feature, reach: Reach) -> list[str]:
    """Write the condition of a feature, where no row is divided."""
    name, known = query.column(feature), _if_known(query, feature, reach)
    if known == [NEVER]:
        return [f"{name} IS NULL"]
    if not reach.null:
        return known or [f"{name} IS NOT NULL"]
    return [f"({name} IS NULL OR {' AND '.join(known)})"] if known else []


NEVER = "1 = 0"


def _if_known(query: Query, feature: Feature, reach: Reach) -> list[str]:
    """Write the condition of a value that is not NULL, where no row is divided."""
    name = query.column(feature)
    if feature.kind == "numeric":
        if reach.low == math.inf:
            return [NEVER]
        low = [f"{name} > {sql_number(reach.low)}"] if reach.low > -math.inf else []
        return low + ([f"{name} <= {sql_number(reach.high)}"] if reach.high < math.inf else [])
    if not reach.other:
        return [_is_one_of(query, feature, list(reach.values))]
    return [f"{name} NOT IN ({_listed(feature, reach.values)})"] if reach.values else []


def _is_one_of(query: Query, feature: Feature, values: Sequence[Any]) -> str:
    listed, name = _listed(feature, values), query.column(feature)
    return NEVER if not values else f"{name} = {listed}" if len(values) == 1 else f"{name} IN ({listed})"


def _listed(feature: Feature, values: Iterable[Any]) -> str:
    return ", ".join(sql_literal(value, f"value of {feature.name!r}") for value in values)


def _step(query: Query, node: int) -> str:
    """Write which branch the surrogates of a node choose, counted from 1; 0 if a row stays."""
    tree, lines = query.tree, []
    for place, question in enumerate(two_way_questions(tree, node)):
        name = query.column(question.feature)
        if question.feature.kind == "numeric":
            tests = sides_of_cut(name, sql_number(question.threshold))[:: -1 if question.is_reversed else 1]
        else:
            tests = tuple(_is_one_of(query, question.feature, values) for values in question.groups)
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


def _by_parts(query: Query, proba: bool) -> list[str]:
    """Write an expression for each output, or each class, where rows may be divided among branches."""
    tree, cases = query.tree, list(_cases(query))
    factors = [[_factor(query, tree.features[f], reach) for f, reach in case.reach.items()] for case in cases]
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
            expressions += [_as_double(text) for text in sums]
        else:
            said = _choice(tree, output, sums) if tree.is_classifier else sums[0]
            expressions.append(_as_said(output, said))
    return expressions


def _factor(query: Query, feature: Feature, reach: Reach) -> str:
    """Write the share of a row that comes here, by its value of one feature."""
    is_number = feature.kind == "numeric"
    asks_null = reach.null if is_number else reach.null != reach.other
    lines = [f"WHEN {query.column(feature)} IS NULL THEN {sql_float(reach.null)}"] * bool(asks_null)
    if is_number:
        lines.append(f"WHEN {' AND '.join(_if_known(query, feature, reach))} THEN 1")
        return f"CASE {' '.join(lines)} ELSE 0 END"
    for weight in dict.fromkeys(reach.values.values()):
        values = [v for v, w in reach.values.items() if w == weight]
        lines.append(f"WHEN {_is_one_of(query, feature, values)} THEN {sql_float(weight)}")
    return f"CASE {' '.join(lines)} ELSE {sql_float(reach.other)} END"


def _choice(tree: Tree, output: Feature, sums: list[str]) -> str:
    """Write which class has the largest sum, with a loss the smallest; of equals the first."""
    literals = [sql_literal(value, f"class of {output.name!r}") for value in output.values]
    stem = "share_" if tree.loss is None else "cost_"
    while any(feature.name.lower().startswith(stem) for feature in tree.features):
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
    """Write a number that is added or multiplied: as a float, unless it is 0 or 1.

    Examples
    --------
    >>> [sql_float(x) for x in (0.0, 1.0, 0.25, 1e-9)]
    ['0', '1', '0.25E0', '1e-09']
    """
    return str(int(x)) if x in (0, 1) else _with_exponent(sql_number(x))


def sql_number(x: float) -> str:
    """Write a float so that a database reads this one, and not one beside it.

    A number without an exponent is a decimal number, which DuckDB rounds to float32 beside a column of type
    FLOAT. So it has an exponent, unless its digits are exactly the number, and float32 has it, too.

    SQLite multiplies the digits by a power of ten, and rounds twice. The shortest digits that say a float may
    lie so near the middle between two that the second rounding goes wrong: then 18 digits are written. Of a
    number next to nothing the power itself is not exact: it is written as a whole number divided by powers of
    two, which is.

    Examples
    --------
    >>> sql_number(5.5), sql_number(0.3), sql_number(0.768238991202082)
    ('5.5', '0.3E0', '7.68238991202082055e-01')
    >>> sql_number(3 * 2.0**-940).count("/"), sql_number(2.0**-940)[-30:]
    (16, '4611686018427387904E0 / 1024E0')
    """
    if 0 < abs(x) < TINIEST:
        whole, power = x.as_integer_ratio()
        times, rest = divmod(power.bit_length() - 1, BINARY_STEP)  # it is 2 to the power of that
        return " / ".join([_as_double(str(whole)), *(f"{n}E0" for n in (*[2**BINARY_STEP] * times, 2**rest))])
    off = off_center(x)
    if off > NEAR_MIDDLE:
        return f"{x:.17e}"
    with np.errstate(over="ignore"):
        is_plain = not off and float(np.float32(x)) == x
    return repr(x) if is_plain else _with_exponent(repr(x))


def _with_exponent(digits: str) -> str:
    return digits if "e" in digits.lower() else f"{digits.removesuffix('.0')}E0"


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
    ["'it''s'", '(1 = 1)', '3', '1e-09']
    """
    match plain_value(value, what, "SQL"):
        case bool(truth):
            return "(1 = 1)" if truth else "(1 = 0)"  # TRUE may be a column of that name
        case float(x):
            return sql_number(x)
        case str(text):
            return "'" + _sql_text(text).replace("'", "''") + "'"
        case whole if abs(whole) <= LARGEST_WHOLE:
            return repr(whole)
        case whole:
            raise ValueError(
                f"{what} is {whole}, which SQL cannot hold as a whole number: use text, or numbers from "
                f"-{LARGEST_WHOLE} to {LARGEST_WHOLE}"
            )


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
