"""The tree as plain data, and back, with checks of the data (chapters 4 and 25)."""

import math
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np

from dtlib.arrays import TINY
from dtlib.counting.criteria import criterion_of
from dtlib.export.common import plain_value
from dtlib.search.surrogates import LINES, Surrogates
from dtlib.table.columns import Feature
from dtlib.tree import reasons
from dtlib.tree.leaf_shares import LeafShares
from dtlib.tree.tree import Fitted, Tree, tree_of

FORMAT = "dtlib.tree/1"
SHARES_SLACK = 1e-9  # shares may exceed 1 by rounding


def to_dict(tree: Tree | Fitted) -> dict[str, Any]:
    """Return a tree as plain lists, numbers and strings, all of which JSON can hold.

    Parameters
    ----------
    tree : Tree or fitted estimator

    Returns
    -------
    dict
        The parts of the tree by name; a threshold that is NaN is None, `reason` is in words, and
        `surrogates`, `missing_rows`, `loss`, `normals`, `feature_ranges` and `neighbors` are None if there
        are none. Written as JSON, numbers have all their digits, so that the tree read back predicts alike
        for every float64.

    Raises
    ------
    TypeError
        If a value or a class is neither text nor a number, such as a date.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> data = to_dict(ID3Classifier().fit(loan.X, loan.y).tree_)
    >>> data["outputs"], data["feature"], data["n"]
    ([{'name': 'class', 'kind': 'nominal', 'values': ['no', 'yes']}], [2, 1, -1, -1, -1], [15, 9, 6, 6, 3])
    """
    tree = tree_of(tree)
    w = tree.normals  # of a node that asks no weighted sum, None is written
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
        "saw_missing": tree.saw_missing,
        "unseen": tree.unseen,
        "surrogates": None if tree.surrogates is None else _surrogate_lists(tree.surrogates),
        "missing_rows": None if tree.missing_rows is None else tree.missing_rows.tolist(),
        "loss": None if tree.loss is None else tree.loss.tolist(),
        "single": tree.single,
        "leaf_shares": tree.leaf_shares.get_params(),
        "class_factors": None if tree.class_factors is None else tree.class_factors.tolist(),
        "normals": None if w is None else [row if any(row) else None for row in w.tolist()],
        "feature_ranges": None if tree.feature_ranges is None else tree.feature_ranges.tolist(),
        "strict": tree.strict,
        "neighbors": None if tree.neighbors is None else tree.neighbors.tolist(),
        "heuristic_features": list(tree.heuristic_features),
    }


def _surrogate_lists(surrogates: Surrogates) -> dict[str, Any]:
    lists = {f.name: getattr(surrogates, f.name).tolist() for f in fields(Surrogates)}
    return lists | {"threshold": _without_nan(lists["threshold"])}


def _without_nan(numbers: list[float]) -> list[float | None]:
    return [None if math.isnan(x) else x for x in numbers]


def _described(feature: Feature, what: str) -> dict[str, Any]:
    values = [plain_value(value, f"{what} {feature.name!r}", "JSON") for value in feature.values]
    return {"name": feature.name, "kind": feature.kind, "values": values}


def from_dict(cls: type[Tree], data: dict[str, Any]) -> Tree:
    """Build a tree from the data that `to_dict` returned.

    Parameters
    ----------
    cls : type
        `Tree`.
    data : dict

    Returns
    -------
    Tree

    Raises
    ------
    ValueError
        If the data are of another format, a part of them is missing, or they describe no tree.

    Examples
    --------
    >>> from dtlib import ID3Classifier, Tree
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> tree = ID3Classifier().fit(loan.X, loan.y).tree_
    >>> from_dict(Tree, to_dict(tree)) == tree
    True
    """
    found = data.get("format") if isinstance(data, dict) else data
    if not isinstance(found, str) or found != FORMAT:
        raise ValueError(f"format is {found!r}, wanted {FORMAT!r}: this was not written by to_dict()")
    try:
        tree = _as_read(cls, data)
        flaw = next(filter(None, _flaws(tree)), "")
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"data cannot be read ({error!r}): write them again with to_dict()") from error
    if flaw:
        raise ValueError(f"data describe no tree: {flaw}; write them again with to_dict()")
    return tree


def _as_read(cls: type[Tree], data: dict[str, Any]) -> Tree:
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
        saw_missing=data["saw_missing"],
        unseen=data["unseen"],
        surrogates=None if data["surrogates"] is None else _surrogates(data["surrogates"]),
        missing_rows=None if data["missing_rows"] is None else _array(data["missing_rows"]),
        loss=None if data["loss"] is None else _array(data["loss"]),
        single=data["single"],
        leaf_shares=LeafShares(**data["leaf_shares"]).check(),
        class_factors=None if data["class_factors"] is None else _array(data["class_factors"]),
        normals=None if data["normals"] is None else _rows(data["normals"], len(data["features"])),
        feature_ranges=None
        if data["feature_ranges"] is None
        else _array(data["feature_ranges"]).astype(float),
        strict=data["strict"],
        neighbors=None if data["neighbors"] is None else _array(data["neighbors"]).astype(float),
        heuristic_features=tuple(data["heuristic_features"]),
    )


def _surrogates(data: dict[str, Any]) -> Surrogates:
    """Build surrogates, sound or not, from lists; without any, some arrays are still of floats."""
    arrays = {f.name: _array(data[f.name]) for f in fields(Surrogates) if f.name != "threshold"}
    arrays["threshold"] = _with_nan(data["threshold"])
    empty = {name: np.empty(0) for name in ("agreement", "adjusted", "threshold") if not len(arrays[name])}
    return Surrogates(**(arrays | empty))


def _rows(entries: list[list[float] | None], d: int) -> np.ndarray:
    """Return coefficients, sound or not, from lists."""
    return np.array([[0.0] * d if row is None else row for row in entries], dtype=float)


def _with_nan(entries: list[Any]) -> np.ndarray:
    return _array([math.nan if x is None else x for x in entries])


def _array(entries: list[Any]) -> np.ndarray:
    """Return an array of the type of its entries; without entries, of integers."""
    if not isinstance(entries, list):
        raise TypeError(f"{entries!r} is no list")
    return np.array(entries) if entries else np.empty(0, int)


def _feature(data: dict[str, Any]) -> Feature:
    name, values = data["name"], tuple(plain_value(v, "value", "JSON") for v in data["values"])
    if not isinstance(name, str):
        raise TypeError(f"a name is {name!r}, wanted text")
    return Feature(name, values, data["kind"])


# How flaws of questions are told: whose they are, and where thresholds and names belong.
OF_NODES = {
    "of": "",
    "ordered": "a numeric or ordered feature is tested",
    "categorical": "a categorical feature is tested",
    "places": "whole numbers, 0 or more",
    "each": "at each node",
}
OF_SURROGATES = {
    "of": " of the surrogates",
    "ordered": "they test a numeric or ordered feature",
    "categorical": "they test a categorical feature",
    "places": "positions of categories, or of the two branches",
    "each": "for each",
}


def _flaws(tree: Tree) -> Iterator[str]:
    """Yield the flaws of a tree in words; an empty text for each check that it passes.

    The search ends at the first flaw, so a later check may rely on the earlier ones.
    """
    yield from _flaws_of_names(tree)
    yield from _flaws_of_arrays(tree)
    kind = np.array([*(feature.kind for feature in tree.features), "leaf"])
    values = np.array([*(len(feature.values) for feature in tree.features), 0])
    yield from _flaws_of_questions(tree, kind[tree.feature], values[tree.feature], **OF_NODES)
    yield from _flaws_of_shape(tree)
    yield from _flaws_of_ways(tree)
    if tree.loss is not None:
        yield from _flaws_of_loss(tree, tree.loss)
    yield from _flaws_of_shares(tree)
    if tree.surrogates is not None:
        yield from _flaws_of_surrogates(tree, tree.surrogates)
        tested = tree.surrogates.feature
        yield from _flaws_of_questions(tree.surrogates, kind[tested], values[tested], **OF_SURROGATES)
    yield from _flaws_of_weighted_sums(tree)
    yield from _flaws_of_totals(tree)
    if tree.neighbors is not None:
        yield _flaw_of_size("neighbors", tree.neighbors, (len(tree.neighbors), 4))
        yield _flaw_of_values("neighbors", tree.neighbors, "f")


def _flaw(is_wrong: object, words: str) -> str:
    return words if is_wrong else ""


def _flaw_of_size(name: str, array: np.ndarray, shape: tuple[int, ...]) -> str:
    """Describe an array of another shape than wanted."""
    return _flaw(array.shape != shape, f"{name} has shape {array.shape}, wanted {shape}")


def _flaw_of_values(
    name: str, array: np.ndarray, kinds: str, low: float = -np.inf, high: float = np.inf, what: str = ""
) -> str:
    """Describe an array whose values are not finite, beyond limits, or of another type ("i": integers)."""
    if array.dtype.kind in kinds and (np.isfinite(array) & (array >= low) & (array <= high)).all():
        return ""
    limits = f" from {low} to {high}" if high < np.inf else f", {low} or more" if low > -np.inf else ""
    numbers = "whole numbers" if kinds == "i" else "finite numbers"
    return f"{name} holds other values than {what or numbers + limits}"


def _flaws_of_names(tree: Tree) -> Iterator[str]:
    """Check the features, the outputs and the criterion."""
    both, criterion = (*tree.features, *tree.outputs), tree.criterion
    for name, kind, values in ((feature.name, feature.kind, feature.values) for feature in both):
        yield _flaw(kind == "numeric" and values, f"{name!r} is numeric, but categories are listed")
    names = [[feature.name for feature in some] for some in (tree.features, tree.outputs)]
    for some in (*names, *(list(feature.values) for feature in both)):
        yield _flaw(len(set(some)) < len(some), f"{some} names something twice")
    wanted = "nominal" if criterion_of(criterion).of_classes else "numeric"
    yield _flaw(
        not tree.outputs or any(output.kind != wanted for output in tree.outputs),
        f"criterion {criterion!r} needs outputs that are {wanted}",
    )
    for output in tree.outputs:
        yield _flaw(wanted == "nominal" and not output.values, f"the output {output.name!r} has no class")


def _flaws_of_arrays(tree: Tree) -> Iterator[str]:
    """Check the shape and the type of each array."""
    n, width = len(tree.feature), sum(max(1, len(output.values)) for output in tree.outputs)
    yield _flaw_of_size("feature", tree.feature, (n,))
    yield _flaw_of_size("summary", tree.summary, (n, width))
    yield _flaw_of_size("reason", tree.stop, (n,))
    for name in ("threshold", "n_values", "n", "impurity", "gain"):
        yield _flaw_of_size(name, getattr(tree, name), (n,))
    yield _flaw_of_values("feature", tree.feature, "i", -1, len(tree.features) - 1)
    yield _flaw_of_values("summary", tree.summary, "if", 0 if tree.is_classifier else -np.inf)
    yield _flaw_of_values("n", tree.n, "if", 0)
    yield _flaw_of_values("impurity", tree.impurity, "if")
    yield _flaw_of_values("gain", tree.gain, "if")


def _flaws_of_questions(
    does_split: Tree | Surrogates,
    kind: np.ndarray,
    values: np.ndarray,
    *,
    of: str,
    ordered: str,
    categorical: str,
    places: str,
    each: str,
) -> Iterator[str]:
    """Check the thresholds, and the categories that have a branch.

    Parameters
    ----------
    does_split : Tree or Surrogates
    kind, values : ndarrays of shape (questions,)
        The kind of the feature of each split, and the number of its values.
    of, ordered, categorical, places, each : str
        Words for the messages.
    """
    x, number, code = does_split.threshold, does_split.n_values, does_split.code
    yield _flaw(
        x.dtype.kind != "f"
        or (np.isfinite(x) != np.isin(kind, ["ordered", "numeric"])).any()
        or np.isinf(x).any(),
        f"threshold{of} is not finite where and only where {ordered}",
    )
    yield _flaw(
        (~((x >= 0) & ((x < values - 1) | (x == values - 0.5))) & (kind == "ordered")).any(),
        f"a threshold{of} does not lie between two positions of categories",
    )
    yield _flaw(
        number.dtype.kind != "i" or (number < 0).any() or ((number > 0) != (kind == "nominal")).any(),
        f"n_values{of} is not positive where and only where {categorical}",
    )
    for name, array in (("code", code), ("branch", does_split.branch)):
        high = 1 if name == "branch" and isinstance(does_split, Surrogates) else np.inf
        yield _flaw_of_size(f"{name}{of}", array, (int(number.sum()),))
        yield _flaw_of_values(f"{name}{of}", array, "i", 0, high, places)
    owner = np.repeat(np.arange(len(number)), number)
    yield _flaw(
        (code >= values[owner]).any() or ((np.diff(code) <= 0) & (np.diff(owner) == 0)).any(),
        f"code{of} holds other values than positions of categories, ascending {each}",
    )


def _flaws_of_shape(tree: Tree) -> Iterator[str]:
    """Check the branches, and the links between the nodes."""
    n, inner = tree.node_count, tree.feature >= 0
    node = np.repeat(np.arange(n), tree.n_values)
    pairs, largest = np.unique(np.stack([node, tree.branch]), axis=1), np.full(n, -1)
    np.maximum.at(largest, node, tree.branch)
    different = np.bincount(pairs[0], minlength=n)
    lacks_one = (different < 2) & (tree.children != 2)  # a learned branch may have missing values only
    for i in np.flatnonzero((tree.n_values > 0) & (lacks_one | (different != largest + 1))):
        yield f"the branches of node {i} are not 0, 1, ..., at least two"
    below = int(tree.children.sum())
    yield _flaw(n != 1 + below, f"its questions have {below} branches, but {n - 1} nodes are below the root")
    yield _flaw((tree.parent >= np.arange(n)).any(), "a node is above itself")
    yield _flaw(((tree.stop > 0) == inner).any(), "a leaf has no reason, or an inner node has one")
    yield _flaw(tree.gain[~inner].any(), "a leaf has a gain")
    lacking = (tree.n[inner] <= 0).any() or tree.n[0] <= 0
    yield _flaw(lacking, "a node splits where n is 0, or n is 0 at the root")


def _flaws_of_ways(tree: Tree) -> Iterator[str]:
    """Check the rules for missing values and for unseen categories, and how values are compared."""
    missing, saw, single = tree.missing, tree.saw_missing, tree.single
    has_surrogates = tree.surrogates is not None
    yield _flaw(not isinstance(saw, bool), f"saw_missing is {saw!r}, wanted True or False")
    for name, value in (("single", single), ("strict", tree.strict)):
        yield _flaw(not isinstance(value, bool), f"{name} is {value!r}, wanted True or False")
    categorical = tree.heuristic_features
    strange = [name for name in categorical if name not in {feature.name for feature in tree.features}]
    yield _flaw(bool(strange), f"heuristic_features is {list(categorical)!r}, wanted names of features")
    yield _flaw(
        missing in ("surrogate", "learned") and not has_surrogates,
        f"missing is {missing!r}, but there are no surrogates",
    )
    yield _flaw(
        missing not in ("surrogate", "learned", "stay") and has_surrogates,
        f"missing is {missing!r}, but there are surrogates",
    )
    rows = tree.missing_rows
    if rows is not None:
        yield _flaw(missing != "learned", f"missing is {missing!r}, but there are missing_rows")
        yield _flaw_of_size("missing_rows", rows, (tree.node_count,))
        yield _flaw_of_values("missing_rows", rows, "i", 0)


def _flaws_of_loss(tree: Tree, loss: np.ndarray) -> Iterator[str]:
    """Check the loss."""
    is_one = tree.is_classifier and len(tree.outputs) == 1
    yield _flaw(not is_one, "there is a loss, but not one output that is nominal")
    yield _flaw_of_size("loss", loss, (len(tree.classes), len(tree.classes)))
    yield _flaw_of_values("loss", loss, "if", 0)
    wrong = np.diag(loss).any() or not loss.sum(1).all()
    yield _flaw(wrong, "loss is not 0 on its diagonal, with a cost above 0 in each row")


def _flaws_of_shares(tree: Tree) -> Iterator[str]:
    """Check how the class shares are estimated, and which weights they undo."""
    how, factors = tree.leaf_shares, tree.class_factors
    plain = how.get_params() == LeafShares().get_params()
    yield _flaw(
        not tree.is_classifier and not plain, f"leaf_shares is {how!r}, but the tree is a regression tree"
    )
    if factors is not None:
        is_one = tree.is_classifier and len(tree.outputs) == 1 and how.undo_weights
        yield _flaw(not is_one, "there are class_factors, but not one output whose weights are undone")
        yield _flaw_of_size("class_factors", factors, (len(tree.classes),))
        yield _flaw_of_values("class_factors", factors, "if", TINY)


def _flaws_of_surrogates(tree: Tree, s: Surrogates) -> Iterator[str]:
    """Check the shapes of the surrogates, their nodes, and their defaults."""
    of, leaf, n = " of the surrogates", tree.feature < 0, tree.node_count
    for name, shape in (dict.fromkeys(LINES, (len(s.node),)) | {"default": (n,)}).items():
        yield _flaw_of_size(name + of, getattr(s, name), shape)
    limits = {
        "node": (0, n - 1), "feature": (0, len(tree.features) - 1), "side": (0, 1), "rows": (0, np.inf),
        "n_values": (0, np.inf), "default": (-1, 1),
    }  # fmt: skip
    for name, (low, high) in limits.items():
        yield _flaw_of_values(name + of, getattr(s, name), "i", low, high)
    yield _flaw((np.diff(s.node) < 0).any(), "the surrogates are not sorted by node")
    at_leaf = leaf[s.node].any() or (s.default[leaf] >= 0).any()
    yield _flaw(at_leaf, "a leaf has a surrogate or a default")
    yield _flaw((tree.feature[s.node] == s.feature).any(), "a surrogate tests the feature of its node")
    yield _flaw(
        (tree.children[s.node] != 2).any() or (tree.children[s.default >= 0] != 2).any(),
        "a node with a surrogate or a default has not two branches",
    )
    for name in ("agreement", "adjusted"):
        yield _flaw_of_values(name + of, getattr(s, name), "if", 0, 1 + SHARES_SLACK, "numbers from 0 to 1")


def _flaws_of_weighted_sums(tree: Tree) -> Iterator[str]:
    """Check the oblique splits."""
    w, feature_ranges, shape = tree.normals, tree.feature_ranges, (tree.node_count, len(tree.features))
    if feature_ranges is not None:
        is_sound = (
            feature_ranges.shape == shape[1:] and (np.isfinite(feature_ranges) & (feature_ranges >= 0)).all()
        )
        yield _flaw(not is_sound, f"feature_ranges is not {shape[1]} finite numbers, 0 or more")
    if w is None:
        return
    yield _flaw(
        w.shape != shape or not np.isfinite(w).all(), f"normals are not finite numbers of shape {shape}"
    )
    categorical = np.array([feature.kind != "numeric" for feature in tree.features])
    wrong = (w != 0)[:, categorical].any() or w[tree.feature < 0].any()
    yield _flaw(wrong, "an oblique split has a categorical feature, or stands at a leaf")
    does_split = np.flatnonzero(w.any(axis=1))
    yield _flaw(
        (w[does_split, tree.feature[does_split]] == 0).any(),
        "a feature that is tested has no coefficient in the oblique split of its node",
    )
    yield _flaw(
        len(does_split) and (tree.missing != "error" or tree.surrogates is not None or tree.single),
        "there are oblique splits, but values may be missing, or numbers are rounded",
    )


def _flaws_of_totals(tree: Tree) -> Iterator[str]:
    """Check that counts add up from children to parents; where rows stay, children may have less."""
    yield _flaw(not _adds_up(tree, tree.n), "the n of some children do not add up to that of the node above")
    if tree.is_classifier:
        is_whole = all(np.allclose(block.sum(1), tree.n) for block in tree._blocks(tree.summary))
        yield _flaw(not is_whole, "the summary of a node does not add up to its n")
        # of two classes, shares of scikit-learn may be clipped to be monotonic
        may_be_clipped = tree.single and tree.summary.shape[1] == 2
        yield _flaw(
            not may_be_clipped and not _adds_up(tree, tree.summary),
            "the summary of some children do not add up to that of the node above",
        )


def _adds_up(tree: Tree, amounts: np.ndarray) -> bool:
    """Tell whether the amounts of children add up to those of their parent, or to less where rows stay."""
    inner = np.flatnonzero(tree.feature >= 0)
    if not len(inner):
        return True
    below, above = np.add.reduceat(amounts, tree.first_child[inner]), amounts[inner]
    lacking = tree.missing in ("stay", "surrogate")  # a training row may miss all surrogates, too
    return bool((np.isclose(below, above) | (lacking & (below < above))).all())
