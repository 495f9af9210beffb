"""Rules of C4.5 that its programs add to the book's, and those of Release 8 and J48 (chapter 6)."""

from collections.abc import Callable
from functools import partial
from typing import Any

from dtlib.prune.pruners import Pessimistic, ReducedError
from dtlib.search.rules import C45Dialect
from dtlib.table.parameters import check_alone


class Release8Dialect(C45Dialect):
    """The dialect of Release 8, with settings that only this program needs."""

    numeric_minimum = True
    average_slack = 1e-3
    min_split_information = 1e-3
    tolerance = 1e-7


class J48Dialect(C45Dialect):
    """The dialect of J48, with settings that only this program needs."""

    numeric_minimum = True
    average_slack = 1e-3
    tolerance = 1e-6


BOTH: dict[str, Any] = {
    "gap": 1e-5, "many_values": 0.3, "threshold": "value", "unseen": "missing", "class_order": "declared",
}  # fmt: skip
#: The dialects by name, each with the settings of its program.
C45_DIALECTS: dict[str, Callable[..., C45Dialect]] = {
    "release8": partial(Release8Dialect, **BOTH, zero_gain=True, collapse="bottom_up", precision="single"),
    "j48": partial(J48Dialect, **BOTH, samples="rows", values_of="all", collapse="top_down"),
}


def c45_options(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of an estimator that grows and prunes a program's tree.

    Parameters
    ----------
    name : {"release8", "j48"}
    given : dict
        Overrides: parameters of the estimator, settings of the dialect or of the pruning method.

    Examples
    --------
    >>> c45_options("j48", {"confidence": 0.1})["prune"]
    Pessimistic(bound='normal', confidence=0.1)
    """
    options: dict[str, Any] = {"min_samples_leaf": 2, "mdl_correction": True, "prune": "pessimistic"} | given
    settings: dict[str, Any] = {"bound": "normal" if name == "j48" else name}
    settings |= {key: options.pop(key) for key in ("confidence", "raising", "bound") if key in options}
    if options["prune"] == "pessimistic":
        options["prune"] = Pessimistic(**settings)
    else:
        check_alone(set(settings) & set(given), "prune")
    check_alone(set(C45Dialect().get_params()) & set(given), "dialect" if "dialect" in given else None)
    own = {key: options.pop(key) for key in set(C45Dialect().get_params()) & set(options)}
    if name == "release8" and options.get("group_values") == "merge":
        own = {"many_values": None} | own  # with -s, all features count in the average
    if name == "j48" and options["prune"] == "reduced_error":
        options["prune"] = ReducedError(1 / 3, ties="cut")
    if name == "j48" and isinstance(options["prune"], ReducedError):
        own = {"collapse": None} | own  # with -R, nothing is collapsed
    return {"dialect": C45_DIALECTS[name](**own)} | options
