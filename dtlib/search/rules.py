"""The rules by which a tree grows: estimators make them of their parameters, search and growing obey them."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

import numpy as np

from dtlib.arrays import NEARLY
from dtlib.counting.criteria import criterion_of
from dtlib.counting.pairs import Pairs
from dtlib.counting.targets import Totals
from dtlib.search.level import TIE, Level, Limits
from dtlib.table.parameters import Declared, Number, Settings
from dtlib.table.training import Training

if TYPE_CHECKING:
    from dtlib.search.surrogates import Known, Surrogates


class SplitCandidate(NamedTuple):
    """A split: its improvement, and the codes below and above the cut, or the categories on the left."""

    improve: float
    low: int = -1
    high: int = -1
    left: np.ndarray | None = None


class TieBreaker(Protocol):
    """Chooses among equal splits, where the first one is not wanted."""

    def over(self, data: Training) -> "TieBreaker":
        """Return the tie breaker for the rows of a fit, whose order counts."""

    def part(self, rows: np.ndarray) -> "TieBreaker":
        """Return the tie breaker for some of these rows."""

    def settle(
        self, data: Training, node: np.ndarray, features: np.ndarray, limits: Limits
    ) -> tuple[int, SplitCandidate]:
        """Return on which of some features a node splits, given its rows, and the split; -1 for none."""

    def key_of_categories(
        self, data: Training, level: Level, pairs: Pairs[Totals], code: np.ndarray
    ) -> np.ndarray:
        """Return the numbers by which categories are ordered, given a level's pairs, and its rows' codes."""

    def rounds(self, data: Training) -> bool:
        """Tell whether sums of the rows' weights are rounded."""

    def sides(self, data: Training, known: "Known", tested: np.ndarray) -> np.ndarray:
        """Return the weight that took each branch, shape (2, J), given the feature that each node tests."""

    def find(
        self, data: Training, known: "Known", tested: np.ndarray, both: np.ndarray, how: "BySurrogates",
        strict: bool,
    ) -> "Surrogates":  # fmt: skip
        """Find the surrogates of nodes, given the feature each tests, and the weight on each branch."""


@dataclass(repr=False, eq=False)
class BySurrogates(Settings):
    """Send rows whose value is missing by surrogate splits, which send the other rows most alike [1]_.

    Parameters
    ----------
    max_surrogates : int of at least 0, default 5
        Surrogates kept at each node.
    agreement : {"all", "known"}, default "all"
        The agreement of a surrogate is the share of weight that it sends as the split does: of all rows whose
        value in the split is known, or only of those whose value in the surrogate is known too.
    fallback : {"majority", "stay"}, default "majority"
        What happens to a row whose values in all surrogates are missing too: it goes to the larger branch, or
        it ends at the node.
    use_surrogates : bool, default True
        Whether surrogates send rows; if False, they are only listed, and the rows end at the node.

    References
    ----------
    .. [1] L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone, "Classification and Regression Trees"
       (1984), section 5.3.

    Examples
    --------
    >>> from dtlib import BySurrogates, CARTClassifier
    >>> from dtlib.datasets import load_watermelon
    >>> melons = load_watermelon("2.0a")
    >>> model = CARTClassifier(missing=BySurrogates(max_surrogates=1)).fit(melons.X, melons.y)
    >>> len(model.tree_.surrogates_of(0))
    1
    """

    max_surrogates: int = 5
    agreement: str = "all"
    fallback: str = "majority"
    use_surrogates: bool = True

    #: A categorical surrogate sends at least two rows "each_way"; or two as the split does, and two that
    #: "disagree". The latter is a slip of rpart, whose preset sets it.
    categorical_rule: ClassVar[str] = "each_way"

    _declared: ClassVar[Declared] = {
        "max_surrogates": (Number(0, whole=True),),
        "agreement": ("all", "known"),
        "fallback": ("majority", "stay"),
        "use_surrogates": (True, False),
    }

    @property
    def are_sought(self) -> bool:
        """Whether surrogates are searched for, to send rows or to be listed."""
        return self.use_surrogates or self.max_surrogates > 0


@dataclass(frozen=True)
class Rules:
    """How to grow a tree.

    Parameters
    ----------
    criterion : str
        The criterion that scores splits, see `dtlib.counting.criteria`. By the standard deviation, only
        categorical features split, by "multiway".
    nominal : {"multiway", "subset", "ordered", "one_vs_rest"}
        How nominal features split: a branch for each value; the best two groups of values; two groups that
        are a cut of the values' order, if they have one; one value and the rest.
    one_vs_rest : tuple of int
        Nominal features that split into one value and the rest, however the others do.
    max_depth : int, optional
    min_split, min_leaf : float
        Least weight of a node that is split, and of its branches.
    min_split_rows, min_leaf_rows : int
        Least number of rows of a node that is split, and of its branches.
    min_impurity : float
        A node is split only if its impurity is above this.
    min_variation : float
        A node with regression targets is split only if their standard deviation is at least this times the
        absolute value of their mean.
    min_gain : float
        Least decrease of impurity.
    min_decrease : float
        Least decrease times the node's share of all weight.
    zero_gain : bool
        Whether a split without any gain is a split.
    max_leaf_nodes : int, optional
        Keep the splits with the largest decrease, times the node's share, up to this many leaves.
    max_features : int, optional
        Consider this many features at each node, drawn by `seed` among those that can split it.
    splitter : {"best", "random"}
        Whether each feature offers its best split, or one that is drawn by `seed`.
    seed : int or None
    monotonic : tuple of int
        For each feature, whether predictions rise along it (1), fall (-1), or neither (0); empty: all 0.
    gap : float
        No threshold comes between values no further apart than this.
    missing : {"error", "stay", "majority", "fractional", "surrogate", "learned"}
        What happens to rows whose value is missing, as in `Tree`.
    feature_of : tuple of int
        The feature of each column, if some features have two, see `dtlib.growing.both_sides`; features are
        drawn, not columns. Default: each column is a feature.
    surrogates : BySurrogates, optional
        How surrogate splits are searched for and used; default: none are searched for.
    strict : bool
        Whether a value equal to a threshold goes right.
    ties : TieBreaker, optional
        Chooses among equal splits; default: the first one is taken.
    zero_weight : bool
        Whether rows of weight 0 come down the tree, too: as rows that `min_split_rows` counts, and as values
        between which surrogates cut, but not as rows from which a split or a summary is computed.
    shrinkage : float
        How the rates of nodes are shrunk, as in `RateTarget`; 0 if they are not.
    zero_rates : bool
        Whether a branch may have the rate 0.
    is_optimal : bool
        Whether the tree is optimal as a whole, so that a split need not have the largest gain.
    """

    criterion: str = "gini"
    nominal: str = "subset"
    one_vs_rest: tuple[int, ...] = ()
    max_depth: int | None = None
    min_split: float = 0.0
    min_leaf: float = 0.0
    min_split_rows: int = 2
    min_leaf_rows: int = 1
    min_impurity: float = 0.0
    min_variation: float = 0.0
    min_gain: float = 0.0
    min_decrease: float = 0.0
    zero_gain: bool = False
    max_leaf_nodes: int | None = None
    max_features: int | None = None
    splitter: str = "best"
    seed: int | None = None
    monotonic: tuple[int, ...] = ()
    gap: float = 0.0
    missing: str = "error"
    feature_of: tuple[int, ...] = ()
    surrogates: BySurrogates | None = None
    strict: bool = False
    ties: TieBreaker | None = None
    zero_weight: bool = False
    shrinkage: float = 0.0
    zero_rates: bool = False
    is_optimal: bool = False

    def __post_init__(self) -> None:
        criterion_of(self.criterion)
        check_policy(self.missing)
        if self.nominal not in NOMINAL:
            raise ValueError(f"nominal is {self.nominal!r}; wanted one of {', '.join(map(repr, NOMINAL))}")

    def nominal_of(self, f: int) -> str:
        """Return how a nominal feature splits."""
        return "one_vs_rest" if f in self.one_vs_rest else self.nominal

    def rounding(self, data: Training) -> TieBreaker | None:
        """Return the tie breaker of surrogates, if sums of weights are rounded and rounding decides."""
        return self.ties if self.ties is not None and self.ties.rounds(data) else None

    @property
    def is_drawn(self) -> bool:
        """Whether the splits themselves are drawn."""
        return self.splitter == "random"

    @property
    def is_local(self) -> bool:
        """Whether a node grows as it would in any other tree."""
        beyond = self.surrogates, self.max_features, self.ties
        plain = all(x is None for x in beyond) and not self.min_decrease and not self.zero_weight
        plain = plain and not self.shrinkage and not self.is_drawn and not self.monotonic
        return plain and self.missing in ("error", "stay", "majority")


@dataclass(repr=False, eq=False)
class C45Dialect(Settings):
    """Rules of C4.5 that its programs add to those of the textbooks, which are the default.

    Parameters
    ----------
    samples : {"weight", "rows"}, default "weight"
        The unit of samples in `many_values`, and in the rule that a numeric feature needs twice as many known
        samples as either side of a threshold: weight, or (fractional) rows of any weight. Either side of a
        threshold needs its weight in any case.
    threshold : {"midpoint", "value"}, default "midpoint"
        The threshold of a cut: the midpoint between two values; or the largest value in the training data
        that is not above the midpoint.
    values_of : {"grown", "all"}, default "grown"
        Where rows are held out: the rows that determine the values of a feature, and the number of samples
        for `many_values`: those from which the tree grows, or all rows.
    threshold_by : {"gain", "gain_ratio"}, default "gain"
        The score by which the threshold of a numeric feature is chosen: the gain, as since Release 8; or the
        gain ratio, less the MDL correction, as before [1]_ and in many worked examples, which prefers uneven
        splits.
    gap : float of at least 0, default 0.0
        No threshold comes between values no further apart than this.
    many_values : float of at least 0, optional
        Categorical features with at least this times as many values as there are samples (of all rows, see
        `samples`) are left out of the average gain, unless all features are such. Default: none are.
    zero_gain : bool, default False
        Whether a split may be made whose gain is zero.
    collapse : {None, "bottom_up", "top_down"}, default None
        Whether a node becomes a leaf if its subtree makes no fewer errors on the training data (less 0.001);
        and whether these errors are counted after the subtree was collapsed, or as it was grown.
    unseen : {"stay", "missing"}, default "stay"
        What happens to a row with an unseen category: it ends at the node; or the value counts as missing.
    precision : {"double", "single"}, default "double"
        Read numeric features as float64; or round them to float32, and add weights in float32 where it is
        close whether a threshold leaves enough.
    class_order : {"sorted", "declared"}, default "sorted"
        Of classes with the same weight, the first is predicted: in sorted order; or in the order in which a
        categorical y declares them.

    References
    ----------
    .. [1] J. R. Quinlan, "Improved use of continuous attributes in C4.5", Journal of Artificial Intelligence
       Research 4 (1996) 77-90.

    Examples
    --------
    >>> from dtlib import C45Classifier
    >>> from dtlib.datasets import load_golf
    >>> golf = load_golf()
    >>> values = C45Classifier(dialect=C45Dialect(threshold="value")).fit(golf.X, golf.y)
    >>> print(values.tree_[1].split)
    humidity ≤ 75?
    """

    samples: str = "weight"
    threshold: str = "midpoint"
    values_of: str = "grown"
    threshold_by: str = "gain"
    gap: float = 0.0
    many_values: float | None = None
    zero_gain: bool = False
    collapse: str | None = None
    unseen: str = "stay"
    precision: str = "double"
    class_order: str = "sorted"

    # What only the programs do is no parameter: their presets are subclasses that set it.
    #: Whether both sides of a threshold must have a tenth of the known weight divided by the number of
    #: classes, if that is more than `min_samples_leaf`; but no more than 25.
    numeric_minimum: ClassVar[bool] = False
    #: By how much (bits) a gain may be below the average.
    average_slack: ClassVar[float] = 0.0
    #: The split information (bits) must be larger than this.
    min_split_information: ClassVar[float] = 0.0
    #: Gains, ratios and weights are larger than others only if by more than this, and a node with less weight
    #: than this in other classes is pure. At least 1e-10 for gains and ratios.
    tolerance: ClassVar[float] = 0.0

    _declared: ClassVar[Declared] = {
        "class_order": ("sorted", "declared"),
        "samples": ("weight", "rows"),
        "threshold": ("midpoint", "value"),
        "values_of": ("grown", "all"),
        "threshold_by": ("gain", "gain_ratio"),
        "gap": (Number(0),),
        "many_values": (None, Number(0)),
        "zero_gain": (True, False),
        "collapse": (None, "bottom_up", "top_down"),
        "unseen": ("stay", "missing"),
        "precision": ("double", "single"),
    }

    @property
    def is_single(self) -> bool:
        """Whether numeric features are rounded to float32."""
        return self.precision == "single"

    @property
    def counts_rows(self) -> bool:
        """Whether samples are rows of any weight."""
        return self.samples == "rows"


@dataclass(frozen=True)
class RatioRules:
    """How C4.5 grows a tree: the parameters of `C45Classifier`, which explains them."""

    dialect: C45Dialect = field(default_factory=C45Dialect)
    choose_by: str = "gain_ratio"
    average_gain: bool = True
    min_leaf: float = 0.0
    mdl_correction: bool = False
    group_values: str | None = None
    max_depth: int | None = None
    missing: str = "fractional"
    criterion: str = "entropy"
    nominal: str = "multiway"

    #: As in `Rules`: C4.5 has neither.
    strict: ClassVar[bool] = False
    monotonic: ClassVar[tuple[int, ...]] = ()

    def __post_init__(self) -> None:
        check_policy(self.missing)
        if self.choose_by not in ("gain_ratio", "gain"):
            raise ValueError(f"choose_by is {self.choose_by!r}, wanted 'gain_ratio' or 'gain'")

    @property
    def tie(self) -> float:
        """The tolerance within which gains (in bits) and gain ratios are equal."""
        return max(self.dialect.tolerance, TIE)

    def groups(self, V: int) -> bool:
        """Tell whether the values of a feature of V categories are grouped; two values never are."""
        return self.group_values == "one_vs_rest" or (self.group_values == "merge" and V > 2)

    def enough(self, weight: np.ndarray, least: np.ndarray | float) -> np.ndarray:
        """Tell which weights are at least `least`."""
        return weight >= self.at_least(least)

    def at_least(self, least: np.ndarray | float) -> np.ndarray | float:
        """Return the smallest weight that counts as at least `least`."""
        return least * NEARLY - self.dialect.tolerance


MISSING_POLICIES = (
    "error",
    "stay",
    "majority",
    "fractional",
    "surrogate",
    "learned",
)  # for rows with missing values
NOMINAL = ("multiway", "subset", "ordered", "one_vs_rest")  # how nominal features split


def check_policy(missing: str) -> None:
    """Raise ValueError if a policy for missing values is unknown.

    Examples
    --------
    >>> check_policy("mean")
    Traceback (most recent call last):
    ValueError: missing is 'mean', wanted one of ['error', 'stay', 'majority', 'fractional', \
'surrogate', 'learned']
    """
    if missing not in MISSING_POLICIES:
        raise ValueError(f"missing is {missing!r}, wanted one of {list(MISSING_POLICIES)}")
