"""Rules of C4.5 that its programs add to the book's, and those of Release 8 and J48 (chapter 6)."""

from typing import Any

from dtlib.prune.pruners import Pessimistic, ReducedError
from dtlib.search.rules import C45Dialect
from dtlib.table.parameters import check_alone

ORIGINALS: dict[str, Any] = {
    "numeric_minimum": True, "gap": 1e-5, "average_slack": 1e-3, "many_values": 0.3, "threshold": "value",
    "unseen": "missing",
}  # fmt: skip
#: The dialects that have a name.
C45_DIALECTS: dict[str, dict[str, Any]] = {
    "release8": ORIGINALS | {
        "min_split_information": 1e-3, "zero_gain": True, "collapse": "bottom_up", "precision": "single",
        "tolerance": 1e-7, "class_order": "declared",
    },
    "j48": ORIGINALS | {
        "samples": "rows", "values_of": "all", "tolerance": 1e-6, "collapse": "top_down",
        "class_order": "declared",
    },
}  # fmt: skip


def c45_options(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of an estimator that grows and prunes a program's tree.

    Parameters
    ----------
    name : {"release8", "j48"}
    given : dict
        What is to be otherwise: parameters of the estimator, settings of the dialect or of the pruning.

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
    return {"dialect": C45Dialect(**(C45_DIALECTS[name] | own))} | options
