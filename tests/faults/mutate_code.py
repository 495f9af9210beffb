"""Mutants of Python code, made from its syntax tree: every place where an operator below applies.

A change is made in the text, not by writing the tree anew: all else keeps its line, its comments and its
docstring.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, singledispatch
from itertools import pairwise

from tests.faults.mutant import Change, Mutant, folded, named

Span = tuple[int, int]
Edit = tuple[str, Span, str]  # kind, place in the text, what is put there

COMPARISONS = {
    ast.Lt: [("boundary", "<", "<="), ("comparison", "<", ">=")],
    ast.LtE: [("boundary", "<=", "<"), ("comparison", "<=", ">")],
    ast.Gt: [("boundary", ">", ">="), ("comparison", ">", "<=")],
    ast.GtE: [("boundary", ">=", ">"), ("comparison", ">=", "<")],
    ast.Eq: [("comparison", "==", "!=")],
    ast.NotEq: [("comparison", "!=", "==")],
    ast.Is: [("comparison", "is", "is not")],
    ast.IsNot: [("comparison", "is not", "is")],
    ast.In: [("comparison", "in", "not in")],
    ast.NotIn: [("comparison", "not in", "in")],
}
ARITHMETIC = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"),
    ast.Mod: ("%", "//"),
    ast.Pow: ("**", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
}
TWINS = {
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
    "argmin": "argmax",
    "argmax": "argmin",
    "minimum": "maximum",
    "maximum": "minimum",
    "floor": "ceil",
    "ceil": "floor",
    "cumsum": "cumprod",
}
ORDERLESS = "max min maximum minimum fmax fmin hypot array_equal intersect1d union1d"
TINY = 1e-6  # a number up to this is a tolerance
MISSING = {"missing", "surrogates"}  # modules of missing values
SAID_ELSEWHERE = {"__all__", "__version__"}
ASSERTING = {"strict", "frozen", "eq"}  # arguments that only guard against slips of an author
TOLERANCE = re.compile(r"\b(slack|TIE|ROUNDING|SAME_\w+|EQUAL_\w+)\b")  # nothing lies exactly at its edge
STABLE = '"stable"'  # of which NumPy reads the first letter alone
KINDS = (
    "boundary",
    "comparison",
    "constant",
    "arithmetic",
    "boolean",
    "sign",
    "not",
    "argument",
    "twin",
    "branch",
    "guard",
    "return",
    "statement",
    "word",
)


class Source:
    """The text of a module, with the places of its nodes as characters."""

    def __init__(self, file: str, text: str) -> None:
        self.file, self.text = file, text
        self.tree = ast.parse(text)

    @cached_property
    def starts(self) -> list[int]:
        """The first character of each line."""
        starts = [0]
        for line in self.text.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        return starts

    def at(self, line: int, column: int) -> int:
        """Return the character at a line and a column in bytes, as the parser gives them."""
        start = self.starts[line - 1]
        within = self.text[start : self.starts[line]].encode()
        return start + len(within[:column].decode())

    def span(self, node: ast.expr | ast.stmt) -> Span:
        """Return first and last character of a node."""
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno, node.end_col_offset)

    def of(self, node: ast.expr | ast.stmt) -> str:
        """Return the text of a node."""
        start, end = self.span(node)
        return self.text[start:end]


@dataclass(frozen=True)
class Place:
    """What a node is in: the names of functions and classes, its statement, whether a function's body."""

    name: str = "module"
    statement: ast.stmt | None = None
    in_function: bool = False
    told: bool = False  # within a message of an error, or another text that only a person reads


def mutants(file: str, text: str) -> list[Mutant]:
    """Return all mutants of a module, named.

    Examples
    --------
    >>> for mutant in mutants("dtlib/x.py", "def f(a):\\n    return a < -1\\n"):
    ...     print(mutant.kind, mutant.after)
    return return None
    boundary return a <= -1
    comparison return a >= -1
    sign return a < 1
    constant return a < -2
    """
    source = Source(file, text)
    made = (
        mutant_of(source, place, edit) for node, place in walk(source) for edit in edits(node, source, place)
    )
    return list(named(made))


def mutant_of(source: Source, place: Place, edit: Edit) -> Mutant:
    """Return the mutant that an edit makes."""
    kind, (start, end), new = edit
    first, last = header(place.statement)
    begin, finish = source.starts[first - 1], source.starts[last]
    before = source.text[begin:finish]
    after = source.text[begin:start] + new + source.text[end : max(finish, end)]
    lost = source.text[start:end].count("\n") - new.count("\n")  # every other line keeps its number
    change = Change(source.file, start, end, new + "\n" * max(0, lost))
    return Mutant(
        kind,
        group(source.file),
        place.name,
        folded(before),
        folded(after),
        (change,),
        (first, last),
        fresh=not place.in_function,
    )


def header(statement: ast.stmt | None) -> tuple[int, int]:
    """Return first and last line of a statement, of one with a body only those before the body."""
    first = min(part.lineno for part in (statement, *getattr(statement, "decorator_list", ())))
    body = getattr(statement, "body", None)
    if body and isinstance(body, list):
        return first, max(statement.lineno, body[0].lineno - 1)
    return first, statement.end_lineno


def group(file: str) -> str:
    """Return the package that a module is counted with.

    Examples
    --------
    >>> [group(f"dtlib/{name}.py") for name in ("measures", "prune/loss", "growing/missing", "c45")]
    ['measures', 'pruning', 'missing', 'dtlib']
    """
    *folders, name = file.removesuffix(".py").split("/")[1:]
    if not folders:
        return "measures" if name == "measures" else "dtlib"
    if name in MISSING and folders[0] != "book":
        return "missing"
    return {"prune": "pruning"}.get(folders[0], folders[0])


def walk(source: Source) -> Iterator[tuple[ast.AST, Place]]:
    """Yield every node that may be changed, outer ones first, in the order of the text."""
    for node in source.tree.body:
        yield from inside(node, Place())


def inside(node: ast.AST, place: Place) -> Iterator[tuple[ast.AST, Place]]:
    """Yield a node and those in it; annotations and docstrings are no code."""
    if isinstance(node, ast.keyword) and node.arg in ASSERTING:
        return
    if isinstance(node, ast.stmt):
        if is_text(node) or is_said_elsewhere(node):
            return
        told = isinstance(node, ast.Raise)
        place = Place(place.name, node, place.in_function, told)
    yield node, place
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "type_comment"):
            continue
        within = place
        if field == "body" and isinstance(node, ast.FunctionDef | ast.ClassDef):
            function = isinstance(node, ast.FunctionDef)
            name = node.name if place.name == "module" else f"{place.name}.{node.name}"
            within = Place(name, node, place.in_function or function)
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from inside(child, within)


def is_text(node: ast.stmt) -> bool:
    """Tell whether a statement is only a text: a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def is_said_elsewhere(node: ast.stmt) -> bool:
    """Tell whether a statement is for readers of types, or lists names."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name):
        return node.test.id == "TYPE_CHECKING"
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(isinstance(target, ast.Name) and target.id in SAID_ELSEWHERE for target in targets)


def edits(node: ast.AST, source: Source, place: Place) -> Iterator[Edit]:
    """Yield the ways to change one node."""
    if place.told and isinstance(node, ast.Constant | ast.JoinedStr):
        return  # a message of an error: that it is raised, and why, is held by the rest
    yield from operator(node, source, place)


@singledispatch
def operator(node: ast.AST, source: Source, place: Place) -> Iterator[Edit]:
    """Yield the ways to change a node of one type; by default there is none."""
    return iter(())


def between(source: Source, left: ast.expr, right: ast.expr, old: str) -> Span:
    """Return where an operator stands between two operands; brackets and comments may stand there too."""
    start, end = source.span(left)[1], source.span(right)[0]
    pattern = r"\s+".join(map(re.escape, old.split()))
    found = re.search(pattern, re.sub(r"#.*", lambda m: " " * len(m[0]), source.text[start:end]))
    if found is None:
        raise LookupError(f"no {old!r} between the operands in {source.file}, line {left.lineno}")
    return start + found.start(), start + found.end()


@operator.register
def _(node: ast.Compare, source: Source, place: Place) -> Iterator[Edit]:
    left = node.left
    for op, right in zip(node.ops, node.comparators, strict=True):
        for kind, old, new in COMPARISONS[type(op)]:
            if kind != "boundary" or not TOLERANCE.search(source.of(left) + source.of(right)):
                yield kind, between(source, left, right, old), new
        left = right


@operator.register
def _(node: ast.BinOp, source: Source, place: Place) -> Iterator[Edit]:
    text = isinstance(node.left, ast.Constant | ast.JoinedStr) and isinstance(node.op, ast.Mod)
    if type(node.op) in ARITHMETIC and not text:
        old, new = ARITHMETIC[type(node.op)]
        yield "arithmetic", between(source, node.left, node.right, old), new


@operator.register
def _(node: ast.AugAssign, source: Source, place: Place) -> Iterator[Edit]:
    if type(node.op) in ARITHMETIC:
        old, new = ARITHMETIC[type(node.op)]
        yield "arithmetic", between(source, node.target, node.value, old + "="), new + "="
    yield "statement", source.span(node), "pass"


@operator.register
def _(node: ast.BoolOp, source: Source, place: Place) -> Iterator[Edit]:
    old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
    for left, right in pairwise(node.values):
        yield "boolean", between(source, left, right, old), new


@operator.register
def _(node: ast.UnaryOp, source: Source, place: Place) -> Iterator[Edit]:
    kinds = {ast.USub: "sign", ast.Not: "not", ast.Invert: "not"}
    if type(node.op) in kinds:
        start = source.span(node)[0]
        sign = re.match(r"not\s*|.", source.text[start:])[0]  # what follows may stand in brackets
        yield kinds[type(node.op)], (start, start + len(sign)), ""


@operator.register
def _(node: ast.Constant, source: Source, place: Place) -> Iterator[Edit]:
    value, span, text = node.value, source.span(node), source.of(node)
    if isinstance(value, bool):
        yield "constant", span, str(not value)
    elif isinstance(value, int | float) and value not in (0, 1) and is_drawing(source.file):
        yield "constant", span, repr(2 * value)
    elif isinstance(value, int) and text.isdigit():
        yield "constant", span, str(value + 1)
        if value > 1:
            yield "constant", span, str(value - 1)
    elif isinstance(value, float) and re.search(r"[0-9]", text):
        yield "constant", span, other_digit(text)
    elif isinstance(value, str) and re.search(r"\w", value) and not is_said(text):
        yield "word", span, other_word(text)


def is_drawing(file: str) -> bool:
    """Tell whether a module draws: one pixel more is no fault that a reader could see, twice as many are."""
    return file.startswith(("dtlib/draw/", "dtlib/book/pictures/"))


def is_said(text: str) -> bool:
    """Tell whether nothing follows from a literal's words: a comment of exported code, NumPy's "stable"."""
    return text == STABLE or text[0] not in "\"'" or text[1:].lstrip().startswith("# ")


def other_digit(text: str) -> str:
    """Return a number with its last digit before the exponent changed by one; a tolerance far larger.

    Examples
    --------
    >>> other_digit("2.58"), other_digit("1e-14"), other_digit("0.0")
    ('2.57', '1e-09', '0.1')
    """
    if 0 < abs(float(text)) <= TINY:
        return repr(float(text) * 1e5)
    digits, mark, exponent = text.partition("e")
    at = max(k for k, sign in enumerate(digits) if sign.isdigit())
    new = {"0": "1", "1": "2"}.get(digits[at], str(int(digits[at]) - 1))
    return digits[:at] + new + digits[at + 1 :] + mark + exponent


def other_word(text: str) -> str:
    """Return a literal with one letter of its first word changed, or one more.

    Examples
    --------
    >>> other_word("'gain'"), other_word("'x'")
    ("'gainx'", "'xx'")
    """
    end = re.search(r"\w+", text).end()
    return text[:end] + "x" + text[end:]


@operator.register
def _(node: ast.Call, source: Source, place: Place) -> Iterator[Edit]:
    arguments = node.args
    plain = not any(isinstance(argument, ast.Starred) for argument in arguments)
    if plain and len(arguments) > 1:
        for one, other in () if called(node) in ORDERLESS.split() else pairwise(arguments):
            yield from swapped(source, one, other)
        (_, end), (_, before) = source.span(arguments[-1]), source.span(arguments[-2])
        yield "argument", (before, end), ""
    for number, keyword in enumerate(node.keywords):
        if keyword.arg not in (None, *ASSERTING) and not place.told:
            rest = [*arguments, *(given.value for given in node.keywords[:number])]
            start = source.span(rest[-1])[1] if rest else source.at(keyword.lineno, keyword.col_offset)
            yield "argument", (start, source.span(keyword.value)[1]), "" if rest else "**{}"


def called(node: ast.Call) -> str:
    """Return the last part of the name that is called.

    Examples
    --------
    >>> called(ast.parse("np.maximum(a, 0)", mode="eval").body)
    'maximum'
    """
    return ast.unparse(node.func).rpartition(".")[2]


def swapped(source: Source, one: ast.expr, other: ast.expr) -> Iterator[Edit]:
    """Yield two arguments exchanged, unless they are the same."""
    (start, middle), (after, end) = source.span(one), source.span(other)
    first, second = source.text[start:middle], source.text[after:end]
    if first != second and "\n" not in source.text[start:end]:
        yield "argument", (start, end), second + source.text[middle:after] + first


@operator.register
def _(node: ast.Attribute, source: Source, place: Place) -> Iterator[Edit]:
    if node.attr in TWINS:
        end = source.span(node)[1]
        yield "twin", (end - len(node.attr), end), TWINS[node.attr]


@operator.register
def _(node: ast.Name, source: Source, place: Place) -> Iterator[Edit]:
    if node.id in TWINS and isinstance(node.ctx, ast.Load):
        yield "twin", source.span(node), TWINS[node.id]


@operator.register
def _(node: ast.If, source: Source, place: Place) -> Iterator[Edit]:
    guard = not node.orelse and isinstance(node.body[0], ast.Raise)
    yield from conditions(source, node.test, "guard" if guard else "branch")


@operator.register(ast.IfExp)
@operator.register(ast.While)
def _(node: ast.IfExp | ast.While, source: Source, place: Place) -> Iterator[Edit]:
    if not isinstance(node.test, ast.Constant):
        yield from conditions(source, node.test, "branch")


def conditions(source: Source, test: ast.expr, kind: str) -> Iterator[Edit]:
    """Yield a condition that is never true; one that always is unless it guards; and the contrary."""
    text, span = source.of(test), source.span(test)
    yield kind, span, f"False and ({text})"
    if kind == "branch":
        yield kind, span, f"True or ({text})"
        if not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp):  # these have operators of their own
            yield kind, span, f"not ({text})"


@operator.register
def _(node: ast.comprehension, source: Source, place: Place) -> Iterator[Edit]:
    for test in node.ifs:
        yield "branch", source.span(test), f"(True or ({source.of(test)}))"


@operator.register
def _(node: ast.Return, source: Source, place: Place) -> Iterator[Edit]:
    constant = isinstance(node.value, ast.Constant)
    if node.value is not None and not constant:
        yield "return", source.span(node.value), "None"


@operator.register(ast.Expr)
@operator.register(ast.Continue)
@operator.register(ast.Break)
@operator.register(ast.Delete)
def _(node: ast.stmt, source: Source, place: Place) -> Iterator[Edit]:
    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield | ast.YieldFrom)):
        yield "statement", source.span(node), "pass"


@operator.register
def _(node: ast.Assign, source: Source, place: Place) -> Iterator[Edit]:
    if place.in_function and all(
        isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets
    ):
        yield "statement", source.span(node), "pass"
