"""Why a row has its answer: values that suffice for it, and the nearest change that turns it (chapter 24).

Values of a row *suffice* if the tree has the same answer whatever the values of the other features are. That
is, they include one of each set of features that could turn the answer together, and the smallest set of such
values is a smallest hitting set. Papers call it a minimum sufficient reason, PI-explanation or abductive
explanation [1]_ [2]_, and the change a contrastive explanation [3]_: the path to a leaf may have many more
conditions than are needed [2]_.

Legend: f is the position of a feature, d the number of features; a set of cells is an int with a bit for each
(see `dtlib.telling.boxes`).

References
----------
.. [1] A. Shih, A. Choi, A. Darwiche, "A symbolic approach to explaining Bayesian network classifiers", IJCAI
   (2018) 5103-5111.
.. [2] Y. Izza, A. Ignatiev, J. Marques-Silva, "On tackling explanation redundancy in decision trees", Journal
   of Artificial Intelligence Research 75 (2022) 261-321.
.. [3] G. Audemard, S. Bellart, L. Bounia, F. Koriche, J.-M. Lagniez, P. Marquis, "On the explanatory power of
   Boolean decision trees", Data & Knowledge Engineering 142 (2022) 102088.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from dtlib.messages import say
from dtlib.numbers import format_number, shown
from dtlib.table.parameters import check_number
from dtlib.telling.boxes import Found, other_boxes
from dtlib.telling.changes import Change, nearest_changes
from dtlib.telling.hitting_sets import smallest_hitting_set
from dtlib.tree.splits import known_or_missing, say_group
from dtlib.tree.tree import Tree

__all__ = ["Why"]

SAID = 3  # changes in a sentence


class Explanation(pd.DataFrame):
    """The path of a row as a table, which also knows why the row has its answer.

    Parts and copies of it are plain frames.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> ID3Classifier().fit(loan.X, loan.y).explain(loan.X.tail(1)).why.sufficient
    {'has_job': 'no', 'owns_house': 'no'}
    """

    _metadata: ClassVar = ["_why"]

    def __init__(self, path: pd.DataFrame, why: "Why") -> None:
        super().__init__(path)
        self._why = why

    @property
    def _constructor(self) -> Callable[..., pd.DataFrame]:
        return pd.DataFrame

    @property
    def why(self) -> "Why":
        """Why the row has its answer, which is computed when it is read."""
        return self._why


@dataclass(frozen=True, eq=False, repr=False)
class Why:
    """Why a tree has its answer for a row, which prints as sentences.

    The values of a feature are all numbers, or the categories of the training data; and a missing value if
    the tree accepts it. The answer is the predicted class or number; for several outputs all of them.

    Parameters
    ----------
    tree : Tree
    row : float ndarray of shape (d,)
        Numbers, and codes of categories; NaN is missing.

    Raises
    ------
    ValueError
        By all that follows, if the tree has oblique splits, which part space into no boxes of values, or more
        boxes than can be visited, see `dtlib.telling.boxes`.

    Examples
    --------
    >>> from dtlib import CARTRegressor, ID3Classifier
    >>> from dtlib.datasets import load_loan, load_regression_points
    >>> loan = load_loan()
    >>> model = ID3Classifier().fit(loan.X, loan.y)
    >>> why = model.explain(loan.X.head(1)).why
    >>> print(why)
    has_job = no and owns_house = no suffice for the answer no.
    With has_job = yes, the answer would be yes.
    With owns_house = yes, the answer would be yes.
    >>> why.sufficient
    {'has_job': 'no', 'owns_house': 'no'}
    >>> points = load_regression_points()
    >>> model = CARTRegressor(max_depth=2).fit(points.X, points.y)
    >>> why = model.explain(points.X.head(1)).why
    >>> print(why)
    x = 1 suffices for the answer 4.72.
    With x > 3.5 and x ≤ 5.5, the answer would be 5.57.
    >>> why.changes_to(above=8)[["change", "prediction"]].round(3)
        change  prediction
    0  x > 7.5       8.643
    """

    tree: Tree
    row: np.ndarray

    @cached_property
    def _found(self) -> Found:
        """The boxes with another answer."""
        return other_boxes(self.tree, self.row)

    @cached_property
    def _hitting_set(self) -> tuple[frozenset[int], bool]:
        """The features of the sufficient values, and whether no fewer suffice."""
        order = self._order
        rank = {f: i for i, f in enumerate(order)}
        ranks = [frozenset(rank[f] for f in conflict) for conflict in self._found.conflicts]
        found, is_smallest = smallest_hitting_set(ranks)
        return frozenset(order[i] for i in found), is_smallest

    @property
    def _order(self) -> list[int]:
        """The features as they are preferred: those that the path tests, root first, before the others."""
        end = self.tree[int(self.tree.apply(self.row[None])[0])]
        tested = [int(self.tree.feature[i]) for i in (*end.ancestors, end.id) if not self.tree[i].is_leaf]
        return list(dict.fromkeys([*tested, *range(len(self.row))]))

    @property
    def prediction(self) -> Any:
        """The predicted class or number; for several outputs, a tuple of them."""
        return self._prediction(self._found.answer.tolist())

    @property
    def sufficient(self) -> dict[str, Any]:
        """The smallest set of values that suffices for the answer, by feature; a missing value is None.

        Of several, it has the features that the path of the row tests, those nearest to the root before all,
        then the first columns. Empty if all rows have the same answer.
        """
        features = self.tree.features
        return {features[f].name: self._value(f) for f in sorted(self._hitting_set[0])}

    @property
    def is_smallest(self) -> bool:
        """Whether fewer values are known not to suffice.

        The problem is NP-hard. If the search takes too many steps, no value can be left out, but fewer others
        may suffice.
        """
        return self._hitting_set[1]

    @cached_property
    def nearest(self) -> list[Change]:
        """The nearest changes as `dtlib.telling.changes` has them, for pictures."""
        return self._changes(lambda answer: True)

    @cached_property
    def changes(self) -> pd.DataFrame:
        """The nearest changes that turn the answer, see `changes_to`."""
        return self.changes_to()

    def changes_to(
        self, prediction: Any = None, *, above: float | None = None, below: float | None = None
    ) -> pd.DataFrame:
        """List the nearest changes of one value that turn the answer; if there are none, of two.

        For each feature, the nearest change is listed. A number, or a category with an order, takes the
        smallest step in its own unit; other categories are all as near as each other, and a value becomes
        missing only if no known value turns the answer. Steps of two features have two units: those are
        listed than which no other is nearer in one feature and as near in the other.

        Parameters
        ----------
        prediction : class, or tuple of classes for several outputs, optional
            Wanted instead of the row's; default: any other.
        above, below : float, optional
            In regression, the number that the prediction is to exceed, or to fall below.

        Returns
        -------
        DataFrame with one row per change
            ``change`` (the conditions, which must all be fulfilled), ``prediction`` (the answer then) and
            ``values`` (a dict of the nearest values that fulfil them; None is missing). Empty if no change of
            one or two values has such an answer.

        Raises
        ------
        ValueError
            If the tree predicts no such class, or classes where a number is given.
        """
        changes = self._changes(self._wanted(prediction, above, below))
        lines = []
        for change in changes:
            names = [self.tree.features[f].name for f in change.features]
            values = dict(zip(names, (step.value for step in change.steps), strict=True))
            lines.append((change.said, self._prediction(change.answer), values))
        return pd.DataFrame(lines, columns=["change", "prediction", "values"])

    def _changes(self, wanted: Callable[[np.ndarray], bool]) -> list[Change]:
        """Return the nearest changes to a wanted answer: of one value; if there are none, of two."""
        near = [box for box in self._found.near if wanted(box.answer)]
        size = min((len(box.differs) for box in near), default=0)
        near = [box for box in near if len(box.differs) == size]
        return nearest_changes(self.tree, self.row, self._found.cells, near)

    def __str__(self) -> str:
        answer = self._said(self._found.answer.tolist())
        if not self.sufficient:
            return say("Whatever the values are, the answer is {answer}.", answer=answer)
        said = say(" and ").join(self._said_value(f) for f in sorted(self._hitting_set[0]))
        if not self.is_smallest:
            first = say("{conditions} suffice for the answer {answer}; fewer values may do, too.",
                        conditions=said, answer=answer)  # fmt: skip
        elif len(self.sufficient) == 1:
            first = say("{conditions} suffices for the answer {answer}.", conditions=said, answer=answer)
        else:
            first = say("{conditions} suffice for the answer {answer}.", conditions=said, answer=answer)
        return "\n".join([first, *self._said_changes()])

    def __repr__(self) -> str:
        return str(self)

    def _said_changes(self) -> Iterator[str]:
        """Say the nearest changes, the first of many."""
        changes = self.nearest
        if not changes:
            yield say("No change of one or two values turns the answer.")
        for change in changes[:SAID]:
            answer = self._said(change.answer)
            yield say(
                "With {conditions}, the answer would be {answer}.", conditions=change.said, answer=answer
            )
        if (more := len(changes) - SAID) > 0:
            yield say("Further changes that turn the answer: {n}.", n=more)

    def _values(self, answer: Sequence[float]) -> tuple[Any, ...]:
        """Return the class or the number of each output."""
        if not self.tree.is_classifier:
            return tuple(answer)
        return tuple(output.values[int(k)] for output, k in zip(self.tree.outputs, answer, strict=True))

    def _prediction(self, answer: Sequence[float]) -> Any:
        """Return an answer as the prediction of a node is given."""
        values = self._values(answer)
        return values[0] if len(values) == 1 else values

    def _said(self, answer: Sequence[float]) -> str:
        """Return an answer in words."""
        values, tree = self._values(answer), self.tree
        if tree.is_classifier:
            return ", ".join(map(str, values))
        return ", ".join(tree.say_prediction(x, k) for k, x in enumerate(values))

    def _value(self, f: int) -> Any:
        """Return the row's value of a feature: None if it is missing, a text if its category is unseen."""
        feature, x = self.tree.features[f], self.row[f].item()
        if np.isnan(x):
            return None
        if feature.kind == "numeric":
            return float(str(np.float32(x))) if self.tree.single else x
        return say("an unseen category") if x < 0 else feature.values[int(x)]

    def _said_value(self, f: int) -> str:
        """Say the row's value of a feature."""
        feature, value = self.tree.features[f], self._value(f)
        if value is None:
            return known_or_missing(feature.name)[1]
        return say_group(feature.name, [format_number(value) if feature.kind == "numeric" else value])

    def _wanted(
        self, prediction: Any, above: float | None, below: float | None
    ) -> Callable[[np.ndarray], bool]:
        """Return a function that tells whether an answer is wanted; raise an error if none could be."""
        given = {"prediction": prediction, "above": above, "below": below}
        given = {name: value for name, value in given.items() if value is not None}
        if not given:
            return lambda answer: True
        if len(given) > 1:
            raise ValueError(f"{' and '.join(given)} are given; wanted one of them")
        ((name, value),) = given.items()
        if self.tree.is_classifier != (name == "prediction"):
            wanted = "a class as prediction" if self.tree.is_classifier else "a number as above or below"
            raise ValueError(f"{name} is {shown(value)}; wanted {wanted}, as the tree predicts them")
        return self._is_class(value) if name == "prediction" else self._is_beyond(name, value)

    def _is_class(self, prediction: Any) -> Callable[[np.ndarray], bool]:
        """Return a function that tells whether an answer is a class; for several outputs, all of them."""
        outputs = self.tree.outputs
        labels = (prediction,) if len(outputs) == 1 else prediction
        classes = [output.values for output in outputs]
        if not isinstance(labels, tuple) or len(labels) != len(classes):
            raise ValueError(f"prediction is {shown(prediction)}; wanted a tuple of {len(classes)} classes")
        if any(label not in values for label, values in zip(labels, classes, strict=True)):
            one = classes[0] if len(classes) == 1 else tuple(classes)
            raise ValueError(f"prediction is {shown(prediction)}; the classes are {shown(one)}")
        if labels == self._values(self._found.answer.tolist()):
            raise ValueError(f"prediction is {shown(prediction)}, which the row has; wanted another class")
        codes = [values.index(label) for label, values in zip(labels, classes, strict=True)]
        return lambda answer: answer.tolist() == codes

    def _is_beyond(self, name: str, limit: Any) -> Callable[[np.ndarray], bool]:
        """Return a function that tells whether a predicted number is above or below a limit."""
        check_number(name, limit, -np.inf)
        if len(self.tree.outputs) > 1:
            raise ValueError(f"{name} is {limit!r}; wanted None, as the tree predicts several numbers")
        sign = 1 if name == "above" else -1
        own = self._found.answer.item()
        if sign * own > sign * limit:
            raise ValueError(f"{name} is {limit!r}; the row's prediction, {own:.6g}, is {name} it already")
        return lambda answer: sign * answer.item() > sign * limit
