"""Rules of C4.5 that its programs add to the book's, and those of Release 8 and J48 (chapter 6)."""

from dataclasses import dataclass
from typing import Any, ClassVar

from dtlib.prune.ways import Pessimistic
from dtlib.table.parameters import Declared, Number, Settings


@dataclass(repr=False, eq=False)
class C45Dialect(Settings):
    """Rules of C4.5 that its programs add to those of the textbooks, which are the default.

    Parameters
    ----------
    numeric_minimum : bool, default False
        Whether both sides of a threshold must have a tenth of the known weight divided by the number of
        classes, if that is more than `min_samples_leaf`; but no more than 25.
    threshold : {"midpoint", "value"}, default "midpoint"
        What a threshold is: the middle between two values; or the largest number of the training data that
        is not above it.
    gap : float of at least 0, default 0.0
        Numbers no further apart than this are not parted.
    average_slack : float of at least 0, default 0.0
        By how much (bits) a gain may be below the average.
    many_values : float of at least 0, optional
        Names with at least this times the weight of all rows as values are left out of the average, unless
        all features are such. Default: none are.
    min_split_information : float of at least 0, default 0.0
        The split information (bits) must be larger than this.
    tolerance : float of at least 0, default 0.0
        Gains, ratios and weights are larger than others only if by more than this; and a node with less
        weight than this in other classes is pure. At least 1e-10 for gains and ratios.
    zero_gain : bool, default False
        Whether a question that gains nothing may be asked.
    collapse : {None, "bottom_up", "top_down"}, default None
        Whether a node becomes a leaf if its subtree makes no fewer errors on the training data (less 0.001);
        and whether its errors are counted after what is below was treated so, or as it was grown.
    unseen : {"stay", "missing"}, default "stay"
        What becomes of a name that was not among the values in training: its row ends at the node that asks;
        or it counts as missing.
    precision : {"double", "single"}, default "double"
        Read numbers as float64; or round them to float32, and add weights in float32 where it is close
        whether a threshold leaves enough.

    Examples
    --------
    >>> from dtlib import C45Classifier, load_golf
    >>> golf = load_golf()
    >>> values = C45Classifier(dialect=C45Dialect(threshold="value")).fit(golf.X, golf.y)
    >>> print(values.tree_[1].split)
    humidity ≤ 75?
    """

    numeric_minimum: bool = False
    threshold: str = "midpoint"
    gap: float = 0.0
    average_slack: float = 0.0
    many_values: float | None = None
    min_split_information: float = 0.0
    tolerance: float = 0.0
    zero_gain: bool = False
    collapse: str | None = None
    unseen: str = "stay"
    precision: str = "double"

    _declared: ClassVar[Declared] = {
        "numeric_minimum": (True, False),
        "threshold": ("midpoint", "value"),
        "gap": (Number(0),),
        "average_slack": (Number(0),),
        "many_values": (None, Number(0)),
        "min_split_information": (Number(0),),
        "tolerance": (Number(0),),
        "zero_gain": (True, False),
        "collapse": (None, "bottom_up", "top_down"),
        "unseen": ("stay", "missing"),
        "precision": ("double", "single"),
    }


ORIGINALS: dict[str, Any] = {
    "numeric_minimum": True, "gap": 1e-5, "average_slack": 1e-3, "many_values": 0.3, "threshold": "value",
    "unseen": "missing",
}  # fmt: skip
#: The dialects that have a name.
C45_DIALECTS: dict[str, dict[str, Any]] = {
    "release8": ORIGINALS | {
        "min_split_information": 1e-3, "zero_gain": True, "collapse": "bottom_up", "precision": "single",
        "tolerance": 1e-7,
    },
    "j48": ORIGINALS | {"tolerance": 1e-6, "collapse": "top_down"},
}  # fmt: skip
BOUNDS_OF = {"release8": "release8", "j48": "normal"}


def c45_options(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of an estimator that grows and prunes a program's tree.

    Parameters
    ----------
    name : {"release8", "j48"}
    given : dict
        What is to be otherwise: parameters of the estimator, settings of the dialect or of the pruning.
    """
    options: dict[str, Any] = {"min_samples_leaf": 2, "charge": True, "prune": "pessimistic"} | given
    settings: dict[str, Any] = {"bound": BOUNDS_OF[name]}
    settings |= {key: options.pop(key) for key in ("confidence", "raising", "bound") if key in options}
    if options["prune"] == "pessimistic":
        options["prune"] = Pessimistic(**settings)
    own = {key: options.pop(key) for key in set(C45Dialect().get_params()) & set(options)}
    if name == "release8" and options.get("group_values") == "merge":
        own = {"many_values": None} | own  # with -s, all features count in the average
    return {"dialect": C45Dialect(**(C45_DIALECTS[name] | own))} | options
