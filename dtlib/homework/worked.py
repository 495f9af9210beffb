"""The computation of a node or a tree, written down as one hands it in (chapters 3 to 8, 10 and 11).

Examples
--------
>>> from dtlib.datasets import load_loan
>>> page = worked(load_loan().frame, "approved")
>>> [step.name for step in page.steps][:3]
['H(D)', 'H(D|age=young)', 'H(D|age=middle-aged)']
>>> print(page.step("gain(age)"))
gain(age) = H(D) - H(D|age) = 0.97095 - 0.88794 = 0.083
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd
from numpy.typing import ArrayLike

from dtlib.homework.methods import NodeWork, grown
from dtlib.homework.printed import Step, display, step_of
from dtlib.homework.quantities import Computation, in_latex, in_markdown
from dtlib.homework.sentences import (
    branch_lines,
    choice_of,
    conclusion_of,
    heading_of,
    note_on_questions,
    title_of,
)
from dtlib.table.other_frames import in_pandas
from dtlib.tree.tree import Tree


@dataclass(frozen=True)
class WorkedNode:
    """A node worked out: in words what comes there, the steps in paragraphs, and what is chosen.

    Attributes
    ----------
    id : int
        The number of the node in the tree.
    heading : str
        Which node it is, and what comes there.
    paragraphs : tuple of (str, tuple of Step)
        What is counted, and the steps that follow from it: first of the node, then of each feature.
    choice : str or None
        The feature or the question that is asked, as an answer has it; None for a leaf.
    conclusion : str
        Why, in a sentence; and a line for each branch.
    """

    id: int
    heading: str
    paragraphs: tuple[tuple[str, tuple[Step, ...]], ...]
    choice: str | None
    conclusion: str

    def __str__(self) -> str:
        said = [
            "\n".join([*([title] if title else []), *map(str, steps)]) for title, steps in self.paragraphs
        ]
        return "\n\n".join(part for part in (self.heading, *said, self.conclusion) if part)


@dataclass(frozen=True, eq=False)
class Worked:
    """A computation worked out: printed as text, in a notebook as formulas.

    Attributes
    ----------
    nodes : tuple of WorkedNode
        The nodes, the root first.
    tree : Tree
        The tree that the estimator grows, which the choices are taken from.
    computation : Computation
        The quantities behind the steps, exact.
    """

    nodes: tuple[WorkedNode, ...]
    tree: Tree
    computation: Computation

    @property
    def steps(self) -> tuple[Step, ...]:
        """All lines, in the order of the computation."""
        return tuple(step for node in self.nodes for _, steps in node.paragraphs for step in steps)

    @property
    def choices(self) -> dict[str, str]:
        """What each node asks, by the name that an answer has for it; a leaf asks nothing."""
        return {choice_name(node.id): node.choice for node in self.nodes if node.choice is not None}

    @property
    def names(self) -> list[str]:
        """The names of all quantities and choices, the keys of an answer."""
        return [*(step.name for step in self.steps), *self.choices]

    def step(self, name: str) -> Step:
        """Return the line of a quantity.

        Raises
        ------
        KeyError
            If there is none of this name.
        """
        found = {step.name: step for step in self.steps}
        if name not in found:
            raise KeyError(f"no quantity {name!r}; there are {', '.join(found)}")
        return found[name]

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.nodes))

    __repr__ = __str__

    def to_markdown(self) -> str:
        """Return the computation in Markdown, its lines as formulas between dollar signs."""
        return "\n\n".join(
            self._written(f"**{in_markdown(node.heading)}**", node, in_markdown) for node in self.nodes
        )

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def to_latex(self) -> str:
        """Return the computation in LaTeX; it needs the package `amsmath`."""
        return "\n\n".join(
            self._written(rf"\paragraph{{{in_latex(node.heading)}}}", node, in_latex) for node in self.nodes
        )

    @staticmethod
    def _written(heading: str, node: WorkedNode, words: Callable[[str], str]) -> str:
        """Write a node as words and displays."""
        parts = [heading]
        for title, steps in node.paragraphs:
            parts += [words(title)] * bool(title)
            parts += [display(steps)] * bool(steps)
        return "\n\n".join([*parts, *map(words, node.conclusion.splitlines())])

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each line: name, node, formula, numbers, fraction, value, result."""
        names = ["name", "node", "formula", "numbers", "fraction", "value", "result"]
        return pd.DataFrame([[getattr(step, name) for name in names] for step in self.steps], columns=names)


def worked(
    frame: pd.DataFrame,
    target: str,
    *,
    method: Any = "id3",
    depth: int | None = 0,
    digits: int = 3,
    weight: ArrayLike | None = None,
) -> Worked:
    """Work out by hand what a tree asks: counts, fractions, terms, sums and the choice, line by line.

    Parameters
    ----------
    frame : DataFrame
        The training set, nothing missing: features and target. What is no feature, such as a number of the
        row, is left out or made the index.
    target : str
        The column of the classes; for regression, of the numbers to be predicted.
    method : {"id3", "c45", "cart", "regression", "sdr"} or estimator, default "id3"
        What is computed: information gain; gain and gain ratio; the Gini index of two-way splits; squared
        error of two-way splits; the reduction of the standard deviation, as `ID3Regressor` computes it. An
        estimator of the library says more, as in ``ID3Classifier(criterion="gini")``,
        ``CARTClassifier(nominal="one_vs_rest")``, ``CARTRegressor(criterion="absolute_error")`` or
        ``ID3Regressor(criterion="squared_error")``, which reduces the variance; a parameter that is not
        worked out is refused.
    depth : int of at least 0 or None, default 0
        Down to which depth nodes are worked out: 0 is the root alone, None the whole tree.
    digits : int from 1 to 12, default 3
        Decimals of each result. Numbers that are put in have at least two more, so that nothing is rounded
        too early.
    weight : array-like of shape (n,), optional
        What each row counts. Not for regression.

    Returns
    -------
    Worked
        Prints as text; in a notebook, as formulas.

    Raises
    ------
    TypeError
        If `frame` is no DataFrame, `target` no name, or a column cannot be read by the method.
    ValueError
        If there is no such target or method, a column is there twice, a value is missing, the method has
        a parameter that is not worked out, a feature has more names than can be grouped by hand, or `depth`
        or `digits` cannot be used.

    References
    ----------
    Quinlan (1986), section 4; Quinlan (1992); Quinlan (1993), chapter 2; Breiman et al. (1984), chapters 4
    and 8.

    Examples
    --------
    >>> from dtlib.datasets import load_regression_points
    >>> from dtlib.homework import worked
    >>> points = load_regression_points().frame.tail(3)
    >>> print(worked(points, "y", method="regression"))
    Node 0, the root. D: n 3, mean 8.64333.
    <BLANKLINE>
    mean(D) = (8.23 + 8.7 + 9) / 3 = 8.643
    S(D) = (8.23 - mean(D))^2 + (8.7 - mean(D))^2 + (9 - mean(D))^2
        = (8.23 - 8.64333)^2 + (8.7 - 8.64333)^2 + (9 - 8.64333)^2
        = 0.17084 + 0.00321 + 0.12721
        = 0.301
    <BLANKLINE>
    x, cut at 8.5, 9.5:
    mean(D|x≤8.5) = 8.23 / 1 = 8.230
    S(D|x≤8.5) = (8.23 - mean(D|x≤8.5))^2 = (8.23 - 8.23)^2 = 0.000
    mean(D|x>8.5) = (8.7 + 9) / 2 = 8.850
    S(D|x>8.5) = (8.7 - mean(D|x>8.5))^2 + (9 - mean(D|x>8.5))^2
        = (8.7 - 8.85)^2 + (9 - 8.85)^2
        = 0.0225 + 0.0225
        = 0.045
    S(D, x≤8.5) = S(D|x≤8.5) + S(D|x>8.5) = 0 + 0.045 = 0.045
    mean(D|x≤9.5) = (8.23 + 8.7) / 2 = 8.465
    S(D|x≤9.5) = (8.23 - mean(D|x≤9.5))^2 + (8.7 - mean(D|x≤9.5))^2
        = (8.23 - 8.465)^2 + (8.7 - 8.465)^2
        = 0.05523 + 0.05523
        = 0.110
    mean(D|x>9.5) = 9 / 1 = 9.000
    S(D|x>9.5) = (9 - mean(D|x>9.5))^2 = (9 - 9)^2 = 0.000
    S(D, x≤9.5) = S(D|x≤9.5) + S(D|x>9.5) = 0.11045 + 0 = 0.110
    <BLANKLINE>
    After x ≤ 8.5 the squared error is smallest, 0.045: it is asked.
    Node 1, x ≤ 8.5: row 7.
    Node 2, x > 8.5: rows 8, 9.

    The same rows by the reduction of the standard deviation, with a branch for each category:

    >>> page = worked(points.assign(x=["low", "high", "high"]), "y", method="sdr")
    >>> for name in ("SD(D)", "SD(D|x=high)", "SD(D, x)", "gain(x)"):
    ...     print(page.step(name))
    SD(D) = sqrt(S(D) / 3) = sqrt(0.30127 / 3) = 0.317
    SD(D|x=high) = sqrt(S(D|x=high) / 2) = sqrt(0.045 / 2) = 0.150
    SD(D, x) = (2/3) SD(D|x=high) + (1/3) SD(D|x=low) = (2/3) · 0.15 + (1/3) · 0 = 0.1 + 0 = 0.100
    gain(x) = SD(D) - SD(D, x) = 0.31689 - 0.1 = 0.217
    """
    if isinstance(digits, bool) or not isinstance(digits, int) or not 1 <= digits <= 12:
        raise ValueError(f"digits is {digits!r}; wanted a whole number from 1 to 12")
    frame = in_pandas(frame, "frame")
    tree, works = work_out(frame, target, method, depth, weight)
    first = next((work for work in works if note_on_questions(work)), None)
    nodes = tuple(written_node(work, digits, frame.index, work is first) for work in works)
    return Worked(nodes, tree, Computation.joined([work.computation for work in works]))


def choice_name(node: int) -> str:
    """Return the name of what a node asks, as a key of an answer.

    Examples
    --------
    >>> choice_name(0), choice_name(3)
    ('choice', 'choice(D3)')
    """
    return f"choice(D{node})" if node else "choice"


def work_out(
    frame: pd.DataFrame, target: str, method: Any, depth: int | None, weight: ArrayLike | None
) -> tuple[Tree, list[NodeWork]]:
    """Grow the tree, and compute its nodes down to a depth."""
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int) or depth < 0):
        raise ValueError(f"depth is {depth!r}; wanted a whole number of at least 0, or None")
    tree, word = grown(frame, target, method, weight)
    return tree, [NodeWork.at(node, word) for node in tree if depth is None or node.depth <= depth]


def written_node(work: NodeWork, digits: int, index: pd.Index, has_note: bool) -> WorkedNode:
    """Write a node down, maybe with a note on the names."""
    known = work.computation

    def steps(quantities: Any) -> tuple[Step, ...]:
        return tuple(step_of(known, Q, digits) for Q in quantities)

    paragraphs = [("", steps(work.own))]
    paragraphs += [(note_on_questions(work), ())] * has_note
    paragraphs += [(title_of(work.bench, topic), steps(topic.quantities)) for topic in work.topics]
    paragraphs += [("", steps(work.average))] * bool(work.average)
    conclusion = "\n".join([conclusion_of(work, digits), *branch_lines(work.bench, index)])
    node = work.bench.node
    return WorkedNode(node.id, heading_of(work.bench), tuple(paragraphs), choice_of(work.bench), conclusion)
