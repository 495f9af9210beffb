"""The named quantities of a computation by hand: what each is, and the expression that makes it.

A quantity is made of counts, or of quantities before it. Those with one meaning are of one kind, and those
of one feature or question of one topic; by both, wrong answers are explained.

Examples
--------
>>> from dtlib.homework.expressions import TEXT
>>> Q = impurity_of("entropy", At("D", 0), "", (Fraction(6), Fraction(9)), ("no", "yes"))
>>> Q.name, Q.expression.said(TEXT)
('H(D)', '-(6/15) log2(6/15) - (9/15) log2(9/15)')
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from dtlib.homework.expressions import (
    UNITY,
    Before,
    Distance,
    Exact,
    Expression,
    Given,
    Log2,
    Quotient,
    Reckoning,
    Root,
    Share,
    Squared,
    Times,
    Total,
    names_in,
)

Counts = tuple[Fraction, ...]
LETTERS = {
    "entropy": "H", "gini": "Gini", "misclassification": "Err", "squares": "S", "mean": "mean",
    "standard deviation": "SD", "variance": "Var", "median": "median", "distances": "AE",
}  # fmt: skip
SPREADS = "standard deviation", "variance"
#: Kinds of quantities in the units of the target or their squares, which are no shares of rows.
IN_UNITS = {"mean", "median", "squares", "sum of squares", "distances", "sum of distances", *SPREADS}
IN_UNITS |= {f"{what} of {spread}" for what in ("branches", "gain") for spread in SPREADS}
IN_BITS = {"entropy", "branches of entropy", "gain of entropy", "split information", "average", "charged"}


@dataclass(frozen=True)
class At:
    """Where a quantity belongs: the letter of the samples, their node, and the feature or question."""

    D: str
    node: int
    topic: str = ""
    feature: str = ""


@dataclass(frozen=True)
class Quantity:
    """A number with a name: what it is made of, and what is told apart when an answer is wrong.

    `parts` are the class counts, the sizes of the branches or the numbers, in the order of `labels`.
    """

    name: str
    tex: str
    kind: str
    expression: Expression
    at: At
    parts: Counts = ()
    labels: tuple[str, ...] = ()
    inputs: tuple[str, ...] = field(default=(), compare=False)

    @property
    def size(self) -> Fraction:
        """The weight of the rows that it is computed of: the sum of the counts, or how many numbers."""
        is_of_numbers = self.kind in ("mean", "median", "squares", "distances", *SPREADS)
        return Fraction(len(self.parts)) if is_of_numbers else sum(self.parts, Fraction(0))


@dataclass(frozen=True)
class Computation:
    """Quantities in the order of their computation, and what each is exactly."""

    quantities: tuple[Quantity, ...]
    values: Mapping[str, Exact]

    @classmethod
    def of(cls, quantities: Iterable[Quantity]) -> "Computation":
        """Compute quantities one after the other."""
        values: dict[str, Exact] = {}
        found = tuple(quantities)
        for Q in found:
            check_new(Q.name, values)
            values[Q.name] = Q.expression.value(Reckoning(values))
        return cls(found, values)

    @classmethod
    def joined(cls, parts: "Sequence[Computation]") -> "Computation":
        """Return the computations of several nodes as one."""
        values = dict[str, Exact]()
        for part in parts:
            for name in part.values:
                check_new(name, values)
            values |= part.values
        return cls(tuple(Q for part in parts for Q in part.quantities), values)

    def above(self, name: str) -> dict[str, Quantity]:
        """Return a quantity and all from which it is made, in the order of the computation."""
        wanted = {name}
        for Q in reversed(self.quantities):
            if Q.name in wanted:
                wanted.update(Q.inputs)
        return {Q.name: Q for Q in self.quantities if Q.name in wanted}

    def again(
        self,
        name: str,
        fixed: Mapping[str, Exact] | None = None,
        instead: Mapping[str, Expression] | None = None,
        how: Reckoning | None = None,
    ) -> Exact:
        """Compute a quantity anew: from these numbers, by these expressions, in this way."""
        how, fixed, instead = how or Reckoning(), fixed or {}, instead or {}
        known: dict[str, Exact] = {}
        for Q in self.above(name).values():
            if Q.name in fixed and Q.name != name:
                known[Q.name] = fixed[Q.name]
            else:
                known[Q.name] = instead.get(Q.name, Q.expression).value(replace(how, known=known))
        return known[name]


def check_new(name: str, values: Mapping[str, Exact]) -> None:
    """Say if there is a quantity of this name already."""
    if name in values:
        raise ValueError(f"two quantities would be called {name!r}: rename a column or a value")


def made(name: str, tex: str, kind: str, what: Expression, at: At, **more: tuple) -> Quantity:
    """Return a quantity, which knows the quantities that it is made of."""
    return Quantity(name, tex, kind, what, at, inputs=tuple(dict.fromkeys(names_in(what))), **more)


def spaceless(condition: str, feature: str) -> str:
    """Write a condition about a feature without the spaces around its sign.

    Examples
    --------
    >>> spaceless("age = middle aged", "age"), spaceless("age ≤ 3.5", "age")
    ('age=middle aged', 'age≤3.5')
    """
    return feature + re.sub(r"^ ([=≤><≥]) ", r"\1", condition[len(feature) :])


def tex_text(words: str) -> str:
    """Write words in a formula, what they say of numbers as signs.

    Examples
    --------
    >>> print(tex_text("has_job=yes"), tex_text("x≤5.5"), tex_text("x≥5.5"))
    \\text{has\\_job} = \\text{yes} \\text{x} \\le 5.5 \\text{x} \\ge 5.5
    """
    found = re.fullmatch(r"(.+?)([=≤><≥])(.+)", words)
    if not found:
        return rf"\text{{{in_latex(words)}}}"
    A, sign, value = found.groups()
    value = value if re.fullmatch(r"-?[\d.]+", value) else tex_text(value)
    sign = {"≤": r"\le", "≥": r"\ge"}.get(sign, sign)
    return f"{tex_text(A)} {sign} {value}"


def in_latex(words: str) -> str:
    """Write words in LaTeX, its own signs as signs of the text.

    Examples
    --------
    >>> print(in_latex("100% has_job"))
    100\\% has\\_job
    """
    signs = {"≤": r"$\le$", "≥": r"$\ge$", ">": "$>$", "<": "$<$", "^": r"\^{}", "~": r"\~{}"}
    signs |= {"\\": r"\textbackslash{}"}
    return re.sub(r"[\\{}_&%$#^~≤≥<>]", lambda m: signs.get(m[0], "\\" + m[0]), words)


def in_markdown(words: str) -> str:
    """Write words in Markdown, its own signs as signs of the text.

    Examples
    --------
    >>> print(in_markdown("has_job costs 5$ or 3*x"), in_markdown("_a"), in_markdown("1. plan"))
    has_job costs 5\\$ or 3\\*x \\_a 1\\. plan
    """
    words = re.sub(r"[\\`*$|<>\[\]~&]|(?<![^\W_])_|_(?![^\W_])", r"\\\g<0>", words)
    return re.sub(r"^(\s*\d*)([-+#=.)])(?=\W|$)", r"\1\\\2", words)


def known(Q: Quantity) -> Before:
    """Return a quantity as a part of the expression of another one."""
    return Before(Q.name, Q.tex)


def impurity_terms(measure: str, counts: Sequence[Fraction], wholes: Sequence[Fraction]) -> Expression:
    """Return the impurity of class counts, each a share of its whole; classes without rows are left out."""
    shares = [Share(n, N) for n, N in zip(counts, wholes, strict=True) if n]
    if measure == "entropy":
        return Total(tuple((-1, Times((p, Log2(p)))) for p in shares))
    if measure == "gini":
        return Total(((1, Given(UNITY)), *((-1, Squared(p)) for p in shares)))
    if measure == "misclassification":
        return Total(((1, Given(UNITY)), (-1, max(shares, key=lambda p: p.part / p.whole))))
    raise ValueError(f"measure is {measure!r}, which is not worked out by hand")


def impurity_of(
    measure: str, at: At, branch: str, counts: Counts, labels: tuple[str, ...], kind: str = ""
) -> Quantity:
    """Return the impurity of a node, or of a branch of a question."""
    letter, N = LETTERS[measure], sum(counts, Fraction(0))
    name = f"{letter}({at.D}{'|' + branch if branch else ''})"
    tex = tex_of(tex_letter(letter), at, branch)
    what = impurity_terms(measure, counts, [N] * len(counts))
    return made(name, tex, kind or measure, what, at, parts=counts, labels=labels)


def tex_letter(letter: str) -> str:
    """Write the letter of a measure in a formula; words stand upright."""
    return letter if len(letter) == 1 else rf"\mathrm{{{letter}}}"


def tex_of(letter: str, at: At, branch: str) -> str:
    """Write what is said of a node or of a branch in LaTeX."""
    given = rf" \mid {tex_text(branch)}" if branch else ""
    return f"{letter}({at.D}{given})"


def mean_of_branches(measure: str, at: At, branches: Sequence[Quantity], sizes: Counts) -> Quantity:
    """Return what a question leaves of an impurity: the mean of its branches, each with its share."""
    letter, N = LETTERS[measure], sum(sizes, Fraction(0))
    what = with_weights(branches, [Share(n, N) for n in sizes])
    bar, tex_bar = ("|", r" \mid ") if measure == "entropy" else (", ", ", ")
    question = "?" if measure == "entropy" and at.topic != at.feature else ""
    name = f"{letter}({at.D}{bar}{at.topic}{question})"
    tex = f"{tex_letter(letter)}({at.D}{tex_bar}{tex_text(at.topic)}{question})"
    labels = tuple(Q.name for Q in branches)
    return made(name, tex, f"branches of {measure}", what, at, parts=sizes, labels=labels)


def with_weights(branches: Sequence[Quantity], weights: Iterable[Expression]) -> Expression:
    """Return the sum of branches, each with its weight."""
    return Total(tuple((1, Times((w, known(Q)))) for w, Q in zip(weights, branches, strict=True)))


def called_elsewhere(Q: Quantity) -> tuple[str, ...]:
    """Return how people print what a question leaves, and its split information.

    Examples
    --------
    >>> Q = impurity_of("gini", At("D", 0, "age", "age"), "age=old", (Fraction(1),), ("yes",))
    >>> called_elsewhere(mean_of_branches("gini", Q.at, [Q], (Fraction(1),)))
    ('Gini(D|age)', 'Gini(D, age)', 'Gini_age(D)')
    """
    D, topic = Q.at.D, Q.at.topic
    if Q.kind == "split information":
        return (f"H_{topic}({D})",)
    kind, _, measure = Q.kind.partition(" of ")
    if kind not in ("branches", "sum") or measure not in LETTERS:
        return ()
    letter = "Info" if measure == "entropy" else LETTERS[measure]  # H_A(D) is split information
    word = LETTERS[measure]
    return f"{word}({D}|{topic})", f"{word}({D}, {topic})", f"{letter}_{topic}({D})"


def of_topic(word: str, at: At) -> str:
    """Return the name of what is said of a topic at a node; the root is not named."""
    inside = [at.D] * (at.node > 0) + [at.topic] * bool(at.topic)
    return f"{word}({', '.join(inside)})" if inside else word


def difference(measure: str, at: At, whole: Quantity, part: Quantity) -> Quantity:
    """Return what a question gains."""
    tex = f"g({at.D}, {tex_text(at.topic)})"
    what = Total(((1, known(whole)), (-1, known(part))))
    return made(of_topic("gain", at), tex, f"gain of {measure}", what, at)


def best_threshold(at: At, best: Quantity) -> Quantity:
    """Return the gain of a number: that of its best threshold."""
    return made(of_topic("gain", at), f"g({at.D}, {tex_text(at.topic)})", "best", known(best), at)


def charged(at: At, best: Quantity, tries: int, N: Fraction) -> Quantity:
    """Return the gain of a number less the charge for its threshold (6.6)."""
    charge = Quotient(Log2(Given(Fraction(tries))), Given(N))
    what = Total(((1, known(best)), (-1, charge)))
    return made(of_topic("gain", at), f"g'({at.D}, {tex_text(at.topic)})", "charged", what, at)


def split_information_of(at: At, sizes: Counts, labels: tuple[str, ...]) -> Quantity:
    """Return the split information of a question: the entropy of its branches' sizes."""
    what = impurity_terms("entropy", sizes, [sum(sizes, Fraction(0))] * len(sizes))
    tex = f"H_{{{tex_text(at.topic)}}}({at.D})"
    name = of_topic("split information", at)
    return made(name, tex, "split information", what, at, parts=sizes, labels=labels)


def ratio_of(at: At, gain: Quantity, bits: Quantity) -> Quantity:
    """Return the gain ratio of a question."""
    tex = f"g_R({at.D}, {tex_text(at.topic)})"
    return made(of_topic("gain ratio", at), tex, "gain ratio", Quotient(known(gain), known(bits)), at)


def average_of(at: At, gains: Sequence[Quantity]) -> Quantity:
    """Return the average gain of the candidates of a node."""
    what = Quotient(Total(tuple((1, known(g)) for g in gains)), Given(Fraction(len(gains))))
    return made(of_topic("average gain", at), rf"\bar g({at.D})", "average", what, at)


def mean_of_target(at: At, branch: str, numbers: Counts) -> Quantity:
    """Return the mean of numbers."""
    D = f"{at.D}{'|' + branch if branch else ''}"
    tex = tex_of(r"\bar y", at, branch)
    what = Quotient(Total(tuple((1, Given(y)) for y in numbers)), Given(Fraction(len(numbers))))
    return made(f"mean({D})", tex, "mean", what, at, parts=numbers)


def squares_of(at: At, branch: str, numbers: Counts, mean: Quantity) -> Quantity:
    """Return the squares of numbers about their mean."""
    bar = f"{'|' + branch if branch else ''}"
    tex = tex_of("S", at, branch)
    what = Total(tuple((1, Squared(Total(((1, Given(y)), (-1, known(mean)))))) for y in numbers))
    return made(f"S({at.D}{bar})", tex, "squares", what, at, parts=numbers)


def spread_of(measure: str, at: At, branch: str, squares: Quantity) -> Quantity:
    """Return the variance of numbers, or their standard deviation, from their squares; both divide by n."""
    letter = LETTERS[measure]
    name = f"{letter}({at.D}{'|' + branch if branch else ''})"
    tex = tex_of(tex_letter(letter), at, branch)
    what = spread_terms(measure, squares, len(squares.parts))
    return made(name, tex, measure, what, at, parts=squares.parts)


def spread_terms(measure: str, squares: Quantity, n: int) -> Expression:
    """Return the squares divided by n, for the standard deviation its root."""
    variance = Quotient(known(squares), Given(Fraction(n)))
    return Root(variance) if measure == "standard deviation" else variance


def median_of_target(at: At, branch: str, numbers: Counts) -> Quantity:
    """Return the median of numbers: the middle one, or the mean of the two in the middle."""
    D, n, by_size = f"{at.D}{'|' + branch if branch else ''}", len(numbers), sorted(numbers)
    middle = by_size[(n - 1) // 2 : n // 2 + 1]
    what = Quotient(Total(tuple((1, Given(y)) for y in middle)), Given(Fraction(len(middle))))
    return made(f"median({D})", tex_of(tex_letter("median"), at, branch), "median", what, at, parts=numbers)


def distances_of(at: At, branch: str, numbers: Counts, median: Quantity) -> Quantity:
    """Return the sum of the distances of numbers from their median."""
    name = f"AE({at.D}{'|' + branch if branch else ''})"
    far = (Distance(Total(((1, Given(y)), (-1, known(median))))) for y in numbers)
    what = Total(tuple((1, distance) for distance in far))
    return made(name, tex_of(tex_letter("AE"), at, branch), "distances", what, at, parts=numbers)


def sum_of_branches(measure: str, at: At, branches: Sequence[Quantity]) -> Quantity:
    """Return the squares or distances that a question leaves: the sum over its branches (11.2)."""
    what = Total(tuple((1, known(Q)) for Q in branches))
    letter, kind = LETTERS[measure], f"sum of {measure}"
    tex = f"{tex_letter(letter)}({at.D}, {tex_text(at.topic)})"
    return made(f"{letter}({at.D}, {at.topic})", tex, kind, what, at)
