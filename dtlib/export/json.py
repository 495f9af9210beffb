"""The tree as plain data, and back."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

import numpy as np

from dtlib.export.common import plain
from dtlib.search.rules import WAYS
from dtlib.search.surrogates import LINES, Surrogates
from dtlib.table.columns import Feature
from dtlib.tree import reasons
from dtlib.tree.tree import CRITERIA, Tree

FORMAT = "dtlib.tree/4"
FORMERLY = {  # what each knew not yet
    "dtlib.tree/3": ("normals", "spread"),
    "dtlib.tree/2": ("missing", "unseen", "surrogates", "loss", "single", "laplace", "normals", "spread"),
}
ADDED = {
    "missing": "error",
    "unseen": "stay",
    "surrogates": None,
    "loss": None,
    "single": False,
    "laplace": False,
    "normals": None,
    "spread": None,
}
KINDS = ("nominal", "ordered", "numeric")
SHARES = ("agreement", "adjusted")
SLACK = 1e-9  # shares may exceed 1 by rounding


def to_dict(tree: Tree) -> dict[str, Any]:
    """Return a tree as plain lists, numbers and strings, all of which JSON can hold.

    Parameters
    ----------
    tree : Tree

    Returns
    -------
    dict
        The parts of the tree by name; a threshold that is NaN is None, `reason` is in words, and
        `surrogates`, `loss`, `normals` and `spread` are None if there are none.

    Raises
    ------
    TypeError
        If a value or a class is neither text nor a number, such as a date.

    Examples
    --------
    >>> from dtlib import ID3Classifier, load_loan
    >>> loan = load_loan()
    >>> data = to_dict(ID3Classifier().fit(loan.X, loan.y).tree_)
    >>> data["outputs"], data["feature"], data["n"]
    ([{'name': 'class', 'kind': 'nominal', 'values': ['no', 'yes']}], [2, 1, -1, -1, -1], [15, 9, 6, 6, 3])
    """
    return {
        "format": FORMAT,
        "criterion": tree.criterion,
        "features": [_described(feature, "value of") for feature in tree.features],
        "outputs": [_described(output, "class of") for output in tree.outputs],
        "feature": tree.feature.tolist(),
        "threshold": _without_nan(tree.threshold.tolist()),
        "n_values": tree.n_values.tolist(),
        "code": tree.code.tolist(),
        "branch": tree.branch.tolist(),
        "summary": tree.summary.tolist(),
        "n": tree.n.tolist(),
        "impurity": tree.impurity.tolist(),
        "gain": tree.gain.tolist(),
        "reason": list(tree.reason),
        "missing": tree.missing,
        "unseen": tree.unseen,
        "surrogates": None if tree.surrogates is None else _surrogate_lists(tree.surrogates),
        "loss": None if tree.loss is None else tree.loss.tolist(),
        "single": tree.single,
        "laplace": tree.laplace,
        "normals": None if tree.normals is None else _normals(tree.normals),
        "spread": None if tree.spread is None else tree.spread.tolist(),
    }


def _normals(normals: np.ndarray) -> list[list[float] | None]:
    """List the coefficients of each node, None where no weighted sum is asked."""
    return [row if any(row) else None for row in normals.tolist()]


def _surrogate_lists(surrogates: Surrogates) -> dict[str, Any]:
    lists = {f.name: getattr(surrogates, f.name).tolist() for f in fields(Surrogates)}
    return lists | {"threshold": _without_nan(lists["threshold"])}


def _without_nan(numbers: list[float]) -> list[float | None]:
    return [None if math.isnan(x) else x for x in numbers]


def _described(feature: Feature, what: str) -> dict[str, Any]:
    values = [plain(value, f"{what} {feature.name!r}", "JSON") for value in feature.values]
    return {"name": feature.name, "kind": feature.kind, "values": values}


def from_dict(cls: type[Tree], data: dict[str, Any]) -> Tree:
    """Build a tree from what `to_dict` returned.

    Parameters
    ----------
    cls : type
        `Tree`.
    data : dict
        Or what an earlier version wrote: trees of ``"dtlib.tree/2"`` refuse missing values, and those of
        ``"dtlib.tree/3"`` ask no weighted sums.

    Returns
    -------
    Tree

    Raises
    ------
    ValueError
        If the data are of another format, a part of them is missing, or they describe no tree.

    Examples
    --------
    >>> from dtlib import ID3Classifier, Tree, load_loan
    >>> loan = load_loan()
    >>> tree = ID3Classifier().fit(loan.X, loan.y).tree_
    >>> from_dict(Tree, to_dict(tree)) == tree
    True
    """
    found = data.get("format") if isinstance(data, dict) else data
    if not isinstance(data, dict) or found not in (FORMAT, *FORMERLY):
        raise ValueError(f"format is {found!r}, wanted {FORMAT!r}: this was not written by to_dict()")
    try:
        tree = _read(cls, data | {name: ADDED[name] for name in FORMERLY.get(found, ())})
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"data cannot be read ({error!r}): write them again with to_dict()") from error
    flaw = next((flaw for find in FLAWS if (flaw := find(tree))), "")
    if flaw:
        raise ValueError(f"data describe no tree: {flaw}; write them again with to_dict()")
    return tree


def _read(cls: type[Tree], data: dict[str, Any]) -> Tree:
    """Build a tree, sound or not, from lists."""
    return cls(
        tuple(_feature(feature) for feature in data["features"]),
        tuple(_feature(output) for output in data["outputs"]),
        data["criterion"],
        feature=_array(data["feature"]),
        threshold=_with_nan(data["threshold"]),
        n_values=_array(data["n_values"]),
        code=_array(data["code"]),
        branch=_array(data["branch"]),
        summary=_array(data["summary"]),
        n=_array(data["n"]),
        impurity=_array(data["impurity"]),
        gain=_array(data["gain"]),
        stop=_array([reasons.code_of(reason) for reason in data["reason"]]),
        missing=data["missing"],
        unseen=data["unseen"],
        surrogates=None if data["surrogates"] is None else _surrogates(data["surrogates"]),
        loss=None if data["loss"] is None else _array(data["loss"]),
        single=data["single"],
        laplace=data["laplace"],
        normals=None if data["normals"] is None else _rows(data["normals"], len(data["features"])),
        spread=None if data["spread"] is None else _array(data["spread"]).astype(float),
    )


def _surrogates(data: dict[str, Any]) -> Surrogates:
    """Build surrogates, sound or not, from lists; without any, some arrays are of floats all the same."""
    arrays = {f.name: _array(data[f.name]) for f in fields(Surrogates) if f.name != "threshold"}
    arrays["threshold"] = _with_nan(data["threshold"])
    empty = {name: np.empty(0) for name in (*SHARES, "threshold") if not len(arrays[name])}
    return Surrogates(**(arrays | empty))


def _rows(entries: list[list[float] | None], d: int) -> np.ndarray:
    """Return coefficients, sound or not, from lists."""
    return np.array([[0.0] * d if row is None else row for row in entries], dtype=float)


def _with_nan(entries: list[Any]) -> np.ndarray:
    return _array([math.nan if x is None else x for x in entries])


def _array(entries: list[Any]) -> np.ndarray:
    """Return an array of the type that its entries have; without entries, of whole numbers."""
    if not isinstance(entries, list):
        raise TypeError(f"{entries!r} is no list")
    return np.array(entries) if entries else np.empty(0, int)


def _feature(data: dict[str, Any]) -> Feature:
    name, values = data["name"], tuple(plain(v, "value", "JSON") for v in data["values"])
    if not isinstance(name, str):
        raise TypeError(f"a name is {name!r}, wanted text")
    return Feature(name, values, data["kind"])


def _flaw_of_names(tree: Tree) -> str:
    """Say what is wrong with the features, the outputs and the criterion."""
    for feature in (*tree.features, *tree.outputs):
        if feature.kind not in KINDS:
            return f"the kind of {feature.name!r} is {feature.kind!r}, wanted one of {list(KINDS)}"
        if feature.kind == "numeric" and feature.values:
            return f"{feature.name!r} has numbers, but values are listed"
    names = [[f.name for f in tree.features], [f.name for f in tree.outputs]]
    names += [list(f.values) for f in (*tree.features, *tree.outputs)]
    twice = [some for some in names if len(set(some)) < len(some)]
    if twice:
        return f"{twice[0]} names something twice"
    if tree.criterion not in CRITERIA:
        return f"criterion is {tree.criterion!r}, wanted one of {list(CRITERIA)}"
    wanted = "numeric" if tree.criterion in ("squared_error", "absolute_error") else "nominal"
    if not tree.outputs or any(output.kind != wanted for output in tree.outputs):
        return f"criterion {tree.criterion!r} needs outputs that are {wanted}"
    empty = [output.name for output in tree.outputs if wanted == "nominal" and not output.values]
    return f"the output {empty[0]!r} has no class" if empty else ""


def _flaw_of_arrays(tree: Tree) -> str:
    """Say what is wrong with the shape of an array, or with what kind of numbers it holds."""
    n, d = len(tree.feature), len(tree.features)
    width = sum(max(1, len(output.values)) for output in tree.outputs)
    sizes = {"feature": (n,), "summary": (n, width), "stop": (n,)}
    sizes |= dict.fromkeys(("threshold", "n_values", "n", "impurity", "gain"), (n,))
    for name, wanted in sizes.items():
        if getattr(tree, name).shape != wanted:
            name, shape = name.replace("stop", "reason"), getattr(tree, name).shape
            return f"{name} has shape {shape}, wanted {wanted}"
    if tree.feature.dtype.kind != "i" or not ((tree.feature >= -1) & (tree.feature < d)).all():
        return f"feature holds other values than whole numbers from -1 to {d - 1}"
    low = {"summary": 0.0 if tree.is_classifier else -np.inf, "n": 0.0}
    for name in ("summary", "n", "impurity", "gain"):
        array = getattr(tree, name)
        if array.dtype.kind not in "if" or not (np.isfinite(array) & (array >= low.get(name, -np.inf))).all():
            return f"{name} holds other values than finite numbers{', 0 or more' * (low.get(name) == 0)}"
    return ""


def _flaw_of_questions(tree: Tree) -> str:
    """Say what is wrong with the thresholds, or where names are asked."""
    kind = np.array([*(feature.kind for feature in tree.features), "leaf"])[tree.feature]
    values = np.array([*(len(feature.values) for feature in tree.features), 0])[tree.feature]
    is_cut, x, n_values = np.isin(kind, ["ordered", "numeric"]), tree.threshold, tree.n_values
    if x.dtype.kind != "f" or (np.isfinite(x) != is_cut).any() or np.isinf(x).any():
        return "threshold is not finite where and only where numbers or names in an order are asked"
    if (~((x >= 0) & (x < values - 1)) & (kind == "ordered")).any():
        return "a threshold does not lie between two places of the values"
    is_whole = n_values.dtype.kind == "i" and (n_values >= 0).all()
    if not is_whole or ((n_values > 0) != (kind == "nominal")).any():
        return "n_values is not positive where and only where names are asked"
    return _flaw_of_branches(tree, values)


def _flaw_of_branches(tree: Tree, values: np.ndarray) -> str:
    """Say what is wrong with the names that have a branch, or with their branches."""
    for name in ("code", "branch"):
        array, wanted = getattr(tree, name), (int(tree.n_values.sum()),)
        if array.shape != wanted:
            return f"{name} has shape {array.shape}, wanted {wanted}"
        if array.dtype.kind != "i" or (array < 0).any():
            return f"{name} holds other values than whole numbers, 0 or more"
    node = np.repeat(np.arange(tree.node_count), tree.n_values)
    if (tree.code >= values[node]).any() or ((np.diff(tree.code) <= 0) & (np.diff(node) == 0)).any():
        return "code holds other values than places of the names, ascending at each node"
    largest = np.full(tree.node_count, -1)
    np.maximum.at(largest, node, tree.branch)
    pairs = np.unique(np.stack([node, tree.branch]), axis=1)
    different = np.bincount(pairs[0], minlength=tree.node_count)
    wrong = np.flatnonzero((tree.n_values > 0) & ((different < 2) | (different != largest + 1)))
    return f"the branches of node {wrong[0]} are not 0, 1, ..., at least two" if len(wrong) else ""


def _flaw_of_shape(tree: Tree) -> str:
    """Say what keeps the nodes from being a tree."""
    below, inner = int(tree.children.sum()), tree.feature >= 0
    if tree.node_count != 1 + below:
        return f"its questions have {below} branches, but {tree.node_count - 1} nodes are below the root"
    if (tree.parent >= np.arange(tree.node_count)).any():
        return "a node is above itself"
    if ((tree.stop > 0) == inner).any():
        return "a leaf has no reason, or an inner node has one"
    if tree.gain[~inner].any():
        return "a leaf has a gain"
    if (tree.n[inner] <= 0).any() or tree.n[0] <= 0:
        return "a question is asked where n is 0, or n is 0 at the root"
    return ""


def _flaw_of_ways(tree: Tree) -> str:
    """Say what is wrong with what becomes of missing values and of names without a branch, or the loss."""
    if tree.missing not in WAYS:
        return f"missing is {tree.missing!r}, wanted one of {list(WAYS)}"
    if tree.unseen not in ("stay", "missing"):
        return f"unseen is {tree.unseen!r}, wanted 'stay' or 'missing'"
    if not isinstance(tree.single, bool):
        return f"single is {tree.single!r}, wanted True or False"
    if tree.laplace is not False and not (tree.laplace is True and tree.is_classifier):
        return f"laplace is {tree.laplace!r}, wanted False, or True for classes"
    if tree.missing == "surrogate" and tree.surrogates is None:
        return "missing is 'surrogate', but there are no surrogates"
    if tree.missing not in ("surrogate", "stay") and tree.surrogates is not None:
        return f"missing is {tree.missing!r}, but there are surrogates"
    if tree.loss is None:
        return ""
    if not tree.is_classifier or len(tree.outputs) > 1:
        return "there is a loss, but not one output that is nominal"
    loss, K = tree.loss, len(tree.classes)
    if loss.shape != (K, K):
        return f"loss has shape {loss.shape}, wanted {(K, K)}"
    if loss.dtype.kind not in "if" or not (np.isfinite(loss) & (loss >= 0)).all():
        return "loss holds other values than finite numbers, 0 or more"
    if np.diag(loss).any() or not loss.sum(1).all():
        return "loss is not 0 on its diagonal, with a cost above 0 in each row"
    return ""


def _flaw_of_surrogates(tree: Tree) -> str:
    """Say what is wrong with the shapes of the surrogates, where they stand in, or what they default to."""
    s, inner = tree.surrogates, tree.feature >= 0
    if s is None:
        return ""
    sizes = dict.fromkeys(LINES, (len(s.node),)) | {"default": (tree.node_count,)}
    for name, wanted in sizes.items():
        if getattr(s, name).shape != wanted:
            return f"{name} of the surrogates has shape {getattr(s, name).shape}, wanted {wanted}"
    high = {"node": tree.node_count - 1, "feature": len(tree.features) - 1, "side": 1, "default": 1}
    for name in ("node", "feature", "side", "rows", "n_values", "default"):
        array, low = getattr(s, name), -1 if name == "default" else 0
        if array.dtype.kind != "i" or (array < low).any() or (array > high.get(name, np.inf)).any():
            upto = f" from {low} to {high[name]}" if name in high else f", {low} or more"
            return f"{name} of the surrogates holds other values than whole numbers{upto}"
    if (np.diff(s.node) < 0).any():
        return "the surrogates are not sorted by node"
    if not inner[s.node].all() or (s.default[~inner] >= 0).any():
        return "a leaf has a surrogate or a default"
    if (tree.feature[s.node] == s.feature).any():
        return "a surrogate asks the feature of its node"
    if (tree.children[s.node] != 2).any() or (tree.children[s.default >= 0] != 2).any():
        return "a node with a surrogate or a default has not two branches"
    for name in SHARES:
        array = getattr(s, name)
        if array.dtype.kind not in "if" or not ((array >= 0) & (array <= 1 + SLACK)).all():
            return f"{name} of the surrogates holds other values than numbers from 0 to 1"
    return _flaw_of_stand_ins(tree, s)


def _flaw_of_stand_ins(tree: Tree, s: Surrogates) -> str:
    """Say what is wrong with the thresholds of the surrogates, or with their names and branches."""
    kind = np.array([feature.kind for feature in tree.features])[s.feature]
    values = np.array([len(feature.values) for feature in tree.features])[s.feature]
    x, is_named = s.threshold, kind == "nominal"
    if x.dtype.kind != "f" or (np.isfinite(x) == is_named).any() or np.isinf(x).any():
        return "threshold of the surrogates is not finite where and only where they ask numbers or an order"
    if (~((x >= 0) & (x < values - 1)) & (kind == "ordered")).any():
        return "a threshold of the surrogates does not lie between two places of the values"
    if ((s.n_values > 0) != is_named).any():
        return "n_values of the surrogates is not positive where and only where they ask names"
    for name in ("code", "branch"):
        array, wanted = getattr(s, name), (int(s.n_values.sum()),)
        if array.shape != wanted:
            return f"{name} of the surrogates has shape {array.shape}, wanted {wanted}"
        if array.dtype.kind != "i" or (array < 0).any() or (name == "branch" and (array > 1).any()):
            return f"{name} of the surrogates holds other values than places of names, or of the two branches"
    owner = np.repeat(np.arange(len(s.node)), s.n_values)
    if (s.code >= values[owner]).any() or ((np.diff(s.code) <= 0) & (np.diff(owner) == 0)).any():
        return "code of the surrogates holds other values than places of the names, ascending for each"
    return ""


def _flaw_of_sums(tree: Tree) -> str:
    """Say what does not add up from children to parents; where rows stay, children may have less."""
    inner = tree.feature >= 0
    lacking = tree.missing in ("stay", "surrogate")  # a training row may miss all surrogates, too
    if not _adds_up(tree, tree.n, inner, lacking):
        return "the n of some children do not add up to that of the node above"
    if not tree.is_classifier:
        return ""
    if not all(np.allclose(block.sum(1), tree.n) for block in tree.blocks(tree.summary)):
        return "the summary of a node does not add up to its n"
    if not _adds_up(tree, tree.summary, inner, lacking):
        return "the summary of some children do not add up to that of the node above"
    return ""


def _adds_up(tree: Tree, amounts: np.ndarray, inner: np.ndarray, lacking: bool) -> bool:
    if not inner.any():
        return True
    below, above = np.add.reduceat(amounts, tree.first_child[inner]), amounts[inner]
    return bool((np.isclose(below, above) | (lacking & (below < above))).all())


def _flaw_of_weighted_sums(tree: Tree) -> str:
    """Say what is wrong with the weighted sums that are asked."""
    w, spread, d = tree.normals, tree.spread, len(tree.features)
    if spread is not None and not (spread.shape == (d,) and (np.isfinite(spread) & (spread >= 0)).all()):
        return f"spread is not {d} finite numbers, 0 or more"
    if w is None:
        return ""
    if w.shape != (tree.node_count, d) or not np.isfinite(w).all():
        return f"normals are not finite numbers of shape {(tree.node_count, d)}"
    numbers = np.array([feature.kind == "numeric" for feature in tree.features])
    if (w != 0)[:, ~numbers].any() or w[tree.feature < 0].any():
        return "a weighted sum has names, or is asked at a leaf"
    asks = np.flatnonzero(w.any(axis=1))
    if (w[asks, tree.feature[asks]] == 0).any():
        return "a feature that is asked has no coefficient in the weighted sum of its node"
    if len(asks) and (tree.missing != "error" or tree.surrogates is not None or tree.single):
        return "weighted sums are asked, but values may be missing, or numbers are rounded"
    return ""


# Each looks where those before found nothing.
FLAWS = (
    _flaw_of_names, _flaw_of_arrays, _flaw_of_questions, _flaw_of_shape, _flaw_of_ways, _flaw_of_surrogates,
    _flaw_of_weighted_sums, _flaw_of_sums,
)  # fmt: skip
