"""Computes a formula where its letters have a meaning.

The meanings are a dictionary, whose keys are written like the formulas, with a point for each index and
argument: "N", "N_.", "N_..", "p_.|.", "H(.)", "H(.|.)", "N_L". A value is a number, or a function of indices
and arguments. "each k" are the values of the letter k, wherever the formula says no more than k.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from itertools import pairwise, product
from typing import Any

import numpy as np

from tests.book.formulas.grammar import Call, Chain, Do, Dots, Node, Number, Over, Symbol, read
from tests.book.formulas.tokens import Unreadable

Meanings = dict[str, Any]
CLOSE = 1e-9


class Unknown(LookupError):
    """A letter without a meaning."""


@dataclass(frozen=True)
class PlusMinus:
    """Either of two numbers."""

    size: float


@dataclass(frozen=True)
class Compared:
    """Two neighboring sides of a statement: whether their relation holds, and whether they are equal."""

    place: tuple[int, int]
    relation: str
    left: Any
    right: Any
    holds: bool
    equal: bool


def functions(meanings: Meanings) -> set[str]:
    """Return the names that take arguments.

    Examples
    --------
    >>> sorted(functions({"H(.|.)": 1, "H_A(.)": 2, "g'(.,.)": 3, "p^(.)": 4, "N": 5}))
    ['H', "g'"]
    """
    names = (key.partition("(")[0] for key in meanings if "(" in key)
    return {name.partition("_")[0] for name in names if not name.endswith("^")}


@lru_cache(maxsize=512)
def statements_of(tex: str, names: frozenset[str]) -> tuple[Chain, ...]:
    """Return the statements of a formula, read once."""
    return tuple(read(tex, names))


def compare(tex: str, meanings: Meanings) -> list[Compared]:
    """Compute all sides of all statements of a formula, and compare the neighbors.

    What has no other side is compared with the meaning of "value".

    Examples
    --------
    >>> [found.holds for found in compare(r"n^2 = n \\cdot n, \\quad n \\le 2", {"n": 3})]
    [True, False]
    """
    found = []
    chains = list(statements_of(tex, frozenset(functions(meanings))))
    for chain in chains:
        every = chain.sides[0]
        if isinstance(every, Over) and every.what == "every":
            letter, said = every.letters[0], list(domain(every, meanings))
            known = each(letter, meanings)
            found.append(Compared((-1, 0), "=", said, known, said == known, True))
            meanings = {**meanings, f"each {letter}": said}
    for i, chain in enumerate(chains):
        if isinstance(chain.sides[0], Over) and chain.sides[0].what == "every":
            continue
        sides, relations = list(chain.sides), list(chain.relations)
        if i == 0 and "value" in meanings:
            sides, relations = [Symbol("value"), *sides], [meanings.get("by", "="), *relations]
        for values, inner in wherever(sides, meanings):
            for j, (a, b) in enumerate(pairwise(values)):
                slack = max(map(half_unit, sides[j : j + 2]))
                found.append(compared((i, j), relations[j], a, b, slack, inner))
    return found


def wherever(sides: list[Node], meanings: Meanings) -> Iterator[tuple[list[Any], Meanings]]:
    """Yield the values of the sides for each value of the letters that the statement leaves open."""
    try:
        yield [value(side, meanings) for side in sides], meanings
    except Unknown as unknown:
        letter = str(unknown)
        if f"each {letter}" not in meanings:
            raise
        for one in each(letter, meanings):
            yield from wherever(sides, {**meanings, letter: one})


def each(letter: str, meanings: Meanings) -> list[Any]:
    """Return the values of a letter; they may depend on other letters, as the branches of a node do."""
    if f"each {letter}" not in meanings:
        raise Unknown(f"each {letter}")
    found = meanings[f"each {letter}"]
    return list(found(meanings) if callable(found) else found)


def half_unit(node: Node) -> float:
    """Return half a unit of the last place of a decimal, 0 of all else."""
    return (
        0.5 * 10.0 ** -len(node.text.partition(".")[2])
        if isinstance(node, Number) and "." in node.text
        else 0
    )


def compared(
    place: tuple[int, int], relation: str, a: Any, b: Any, slack: float, meanings: Meanings
) -> Compared:
    """Compare two values."""
    close = meanings.get("close", CLOSE)
    if relation in ("≈", "→"):
        close = meanings.get("nearly", close)
    if relation in "∈∉":
        return Compared(place, relation, a, b, (a in b) == (relation == "∈"), False)
    same = alike(a, b, close, slack)
    if relation in "=≈→":
        return Compared(place, relation, a, b, same, same)
    holds = {"<": not same and a < b, ">": not same and a > b, "≠": not same}
    holds |= {"≤": same or a < b, "≥": same or a > b}
    return Compared(place, relation, a, b, bool(holds[relation]), same)


def alike(a: Any, b: Any, close: float, slack: float = 0.0) -> bool:
    """Tell whether two values are equal up to rounding."""
    if isinstance(b, PlusMinus):
        return alike(abs(a), b.size, close)
    if not all(np.issubdtype(np.asarray(x).dtype, np.number) for x in (a, b)):
        return bool(a == b)
    if np.shape(a) != np.shape(b) or np.isnan(a).any() or np.isnan(b).any():
        return False
    with np.errstate(invalid="ignore"):
        gap = np.where(np.equal(a, b), 0.0, np.abs(np.subtract(a, b)))
        return bool(
            (np.isfinite(gap) & (gap <= close * np.maximum(np.abs(a), np.abs(b)) + 1e-13 + slack)).all()
        )


def value(node: Node, meanings: Meanings) -> Any:
    """Compute a part of a formula."""
    if isinstance(node, Number):
        return float(node.text) if "." in node.text else int(node.text)
    if isinstance(node, Symbol):
        return meaning(node, meanings)
    if isinstance(node, Call):
        return called(node, meanings)
    if isinstance(node, Do):
        return done(node, meanings)
    if isinstance(node, Over):
        return taken(node, meanings)
    if isinstance(node, Chain):
        return int(true(node, meanings))
    raise Unreadable("dots that stand between nothing")


def true(chain: Chain, meanings: Meanings) -> bool:
    """Tell whether a condition holds."""
    values = [value(side, meanings) for side in chain.sides]
    pairs = zip(chain.relations, pairwise(values), strict=True)
    return all(compared((0, 0), relation, a, b, 0, meanings).holds for relation, (a, b) in pairs)


def meaning(symbol: Symbol, meanings: Meanings) -> Any:
    """Look a symbol up: as it is written, or as a function of its indices."""
    written = f"{symbol.name}_{symbol.label}" if symbol.label else symbol.name
    if written in meanings:
        return meanings[written]
    pattern = (
        f"{symbol.name}({symbol.signs})" if symbol.name.endswith("^") else f"{symbol.name}_{symbol.signs}"
    )
    if symbol.indices and pattern in meanings:
        return meanings[pattern](*(value(index, meanings) for index in symbol.indices))
    if written == "euler":
        return math.e
    raise Unknown(written)


def called(call: Call, meanings: Meanings) -> Any:
    """Look a function up by its name, its indices and the signs between its arguments, and call it."""
    name, label, indices = call.symbol.name, call.symbol.label, call.symbol.indices
    below = f"_{label}" if label else ""
    if any(isinstance(argument, Dots) for argument in call.arguments):
        return meanings[f"{name}(...)"](*listed(call.arguments, meanings))
    arguments = [value(argument, meanings) for argument in call.arguments]
    if f"{name}{below}({call.signs})" in meanings:
        return meanings[f"{name}{below}({call.signs})"](*arguments)
    pattern = f"{name}_{call.symbol.signs}({call.signs})"
    if not indices or pattern not in meanings:
        raise Unknown(pattern)
    return meanings[pattern](*(value(index, meanings) for index in indices), *arguments)


def done(do: Do, meanings: Meanings) -> Any:
    """Compute an operation."""
    if do.what.endswith(" of"):
        return sum(share * value(do.operands[0], {**meanings, **other}) for share, other in meanings["draws"])
    if do.what == "+":
        return sum(terms(do.operands, meanings))
    if do.what == "called":
        return named(do, meanings)
    x = [value(operand, meanings) for operand in do.operands]
    if do.what == "*":
        zero = np.ndim(x[0]) == np.ndim(x[1]) == 0 and 0 in (x[0], x[1])
        return 0 if zero else x[0] * x[1]  # 0 log 0 = 0
    if do.what == "||":
        return meanings["|.|"](x[0]) if "|.|" in meanings else abs(x[0])
    if do.what == "log":
        own = meanings.get(f"log_{getattr(do.operands[0], 'name', '')}")
        return own(x[1]) if own else logarithm(x[1], x[0])
    return {
        "-": lambda: -x[0],
        "±": lambda: PlusMinus(abs(x[0])),
        "/": lambda: x[0] / x[1],
        "^": lambda: (float(x[0]) if np.ndim(x[0]) == 0 and x[1] > 64 else x[0]) ** x[1],
        "!": lambda: math.factorial(x[0]),
        "sqrt": lambda: math.sqrt(x[0]),
        "binom": lambda: math.comb(x[0], x[1]),
        "min": lambda: min(x),
        "max": lambda: max(x),
    }[do.what]()


def named(do: Do, meanings: Meanings) -> Any:
    """Compute what has a name written below it; if that has a meaning, it must be this."""
    found, name = value(do.operands[0], meanings), getattr(do.operands[1], "name", "")
    if name not in meanings or not alike(found, meanings[name], meanings.get("close", CLOSE)):
        raise Unknown(f"{name}, which is not what it is called")
    return found


def logarithm(x: float, base: float) -> float:
    """Return the logarithm to a base, of 0 minus infinity."""
    if x == 0:
        return -math.inf
    return math.log2(x) if base == 2 else math.log(x) / math.log(base)


def taken(over: Over, meanings: Meanings) -> Any:
    """Compute a sum, a product, a largest or a least one."""
    choices = [dict(zip(over.letters, one, strict=True)) for one in product(*domains(over, meanings))]
    if over.condition:
        choices = [one for one in choices if true(over.condition, {**meanings, **one})]
    values = [value(over.body, {**meanings, **one}) for one in choices]
    if over.what in ("sum", "prod"):
        return sum(values) if over.what == "sum" else math.prod(values)
    best = (max if over.what.endswith("max") else min)(range(len(values)), key=values.__getitem__)
    return choices[best][over.letters[0]] if over.what.startswith("arg") else values[best]


def domains(over: Over, meanings: Meanings) -> list[list[Any]]:
    """Return the values of each letter that an operation goes over."""
    if over.bounds:
        return [domain(over, meanings)]
    head = over.condition.sides if over.condition else ()
    if over.condition and over.condition.relations == ("∈",) and isinstance(head[0], Symbol):
        return [list(value(head[1], meanings))]
    return [each(letter, meanings) for letter in over.letters]


def domain(over: Over, meanings: Meanings) -> list[int]:
    """Return the whole numbers between two bounds."""
    first, last = (value(bound, meanings) for bound in over.bounds)
    if not isinstance(first, int | np.integer) or not isinstance(last, int | np.integer):
        raise Unreadable("bounds that are no whole numbers")
    return list(range(first, last + 1))


def terms(operands: tuple[Node, ...], meanings: Meanings) -> Iterator[Any]:
    """Yield the values of terms; dots between two of them stand for what lies between."""
    for i, operand in enumerate(operands):
        if isinstance(operand, Dots):
            if not 0 < i < len(operands) - 1:
                raise Unreadable("dots that stand between nothing")
            yield from between(operands[i - 1], operands[i + 1], meanings)
        else:
            yield value(operand, meanings)


def listed(arguments: tuple[Node, ...], meanings: Meanings) -> list[Any]:
    """Return a list of arguments with dots; one between dots takes its place among those of its letter."""
    if isinstance(arguments[0], Dots):
        changed = arguments[1]
        (symbol,) = [part for part in parts(changed) if isinstance(part, Symbol) and part.indices]
        (index,) = (value(part, meanings) for part in symbol.indices)
        own = [meanings[f"{symbol.name}_."](j) for j in meanings["each j"]]
        own[index - 1] = value(changed, meanings)
        return own
    return list(terms(arguments, meanings))


def between(first: Node, last: Node, meanings: Meanings) -> Iterator[Any]:
    """Yield the values strictly between two terms that differ in one number."""
    places = {(a, b) for a, b in differing(first, last)}
    if len(places) != 1:
        raise Unreadable("dots between terms that differ in more than a number")
    ((a, b),) = places
    for n in range(value(a, meanings) + 1, value(b, meanings)):
        yield value(with_number(first, last, n), meanings)


def differing(a: Any, b: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the places in which two terms differ."""
    if type(a) is type(b) and is_dataclass(a) and not isinstance(a, Number):
        for field in fields(a):
            if field.name != "label":
                yield from differing(getattr(a, field.name), getattr(b, field.name))
    elif isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        for x, y in zip(a, b, strict=True):
            yield from differing(x, y)
    elif a != b:
        yield a, b


def with_number(a: Any, b: Any, n: int) -> Any:
    """Return a term with a number where two terms differ."""
    if a == b:
        return a
    if isinstance(a, tuple):
        return tuple(with_number(x, y, n) for x, y in zip(a, b, strict=True))
    if type(a) is type(b) and is_dataclass(a) and not isinstance(a, Number):
        inner = {
            f.name: with_number(getattr(a, f.name), getattr(b, f.name), n)
            for f in fields(a)
            if f.name != "label"
        }
        return type(a)(**inner, **({"label": f"#{n}"} if isinstance(a, Symbol) else {}))
    return Number(str(n))


def parts(node: Any) -> Iterator[Any]:
    """Yield a part of a formula and all parts of it."""
    if isinstance(node, tuple):
        for inner in node:
            yield from parts(inner)
    elif is_dataclass(node):
        yield node
        for field in fields(node):
            yield from parts(getattr(node, field.name))
