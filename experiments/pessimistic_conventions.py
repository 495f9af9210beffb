"""Three conventions of C4.5's pruning, varied one at a time on twenty-three tables (chapter 15).

    python -m experiments.pessimistic_conventions

writes `experiments/results/pessimistic_conventions.csv`, in about ten minutes on one core. It needs what
`experiments.tables` needs. No derivation says that the confidence is 0.25, that a leaf may be 0.1 errors
worse, or that only the largest branch may be raised. Each is varied while the other two stay as they are:

- the confidence CF: 0.01, 0.05, 0.1, 0.25, 0.5, 0.75 and 1, where Release 8 adds next to nothing;
- the allowance: 0, 0.1 and 0.5 errors;
- what may be raised: nothing, the largest branch, or whichever branch promises the fewest errors.

The trees are those of Release 8, grown once in each fold and pruned in all ways, and once more without its
two other guards, the charge for thresholds and the collapse (`plain`), which leave pruning less to do. The
folds are those of five times five-fold cross-validation, stratified, with the seeds 0 to 4. A line of the
file is a growth, a table and a setting: for each of the 25 folds, in order, how many held-out rows are right,
and the mean number of leaves. `not pruned` is the tree as grown, `tested` counts the rows of each fold.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from dtlib import C45Classifier, Tree
from dtlib.growing.training_rows import RowsAt
from dtlib.prune import pessimistic
from dtlib.prune.pessimistic import Layer, Raising
from experiments.tables import SOURCES, load

KEPT = Path(__file__).resolve().parent / "results" / "pessimistic_conventions.csv"
FOLDS, REPEATS = 5, 5
GROWTHS: dict[str, dict[str, Any]] = {"release8": {}, "plain": {"mdl_correction": False, "collapse": None}}
CONVENTION = "convention"
SETTINGS: dict[str, dict[str, Any]] = {
    **{f"CF {CF:g}": {"confidence": CF} for CF in (0.01, 0.05, 0.1, 0.5, 0.75, 1.0)},
    CONVENTION: {},
    "allowance 0": {"slack": 0.0},
    "allowance 0.5": {"slack": 0.5},
    "raise nothing": {"raising": False},
}


class AnyBranch(Raising):
    """The same pruning if each branch is tried, and not only the largest."""

    def decide(self, layer: Layer, keys: dict[int, tuple[int, ...]]) -> None:
        self.here = layer.rows
        super().decide(layer, keys)

    def largest(self, children: np.ndarray, owner: np.ndarray) -> np.ndarray:
        """Return the branch with the fewest estimated errors of each node; of equals the largest."""
        best = super().largest(children, owner)
        nodes = self.deciding[: owner[-1] + 1]
        least = self.tried(nodes, best, self.here)
        place = np.arange(len(children)) - np.searchsorted(owner, owner)
        for k in range(int(place.max()) + 1):
            some = place == k
            at = owner[some]
            errors = self.tried(nodes[at], children[some], self.here)
            better = errors < least[at] - 1e-6
            best[at[better]], least[at[better]] = children[some][better], errors[better]
        self.raised[nodes] = least
        return best

    def below(self, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        self.deciding = nodes
        return super().below(nodes)

    def tried(self, nodes: np.ndarray, branch: np.ndarray, rows: RowsAt) -> np.ndarray:
        """Return the estimated errors if these branches take the places of these nodes."""
        self.raised[nodes] = np.nan
        return self.branch_errors(nodes, branch, rows)


def any_branch(tree: Tree) -> Tree:
    """Prune as by default in Release 8, but let any branch take the place of its node."""
    assert tree.training is not None
    pruning = AnyBranch(tree, tree.training, 0.25, "release8", 0.1)
    return pruning.prune(pruning.router.start())


def pruned(tree: Tree) -> Iterator[tuple[str, Tree]]:
    """Yield a tree as grown, and pruned in each way."""
    yield "not pruned", tree
    for name, setting in SETTINGS.items():
        yield name, pessimistic(tree, bound="release8", **setting)
    yield "raise any branch", any_branch(tree)


def measured(name: str) -> list[dict[str, object]]:
    """Return the lines of one table."""
    X, y = load(name)
    right, leaves, tested = defaultdict(list), defaultdict(list), []
    for repeat in range(REPEATS):
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=repeat)
        for train, test in folds.split(X, y):
            tested.append(len(test))
            for growth, options in GROWTHS.items():
                model = C45Classifier.release8(prune=None, **options).fit(X.iloc[train], y.iloc[train])
                for setting, tree in pruned(model.tree_):
                    model.tree_ = tree
                    right[growth, setting].append(int((model.predict(X.iloc[test]) == y.iloc[test]).sum()))
                    leaves[growth, setting].append(tree.n_leaves)
    lines = [
        {
            "growth": growth,
            "table": name,
            "setting": setting,
            "right": " ".join(map(str, found)),
            "leaves": round(float(np.mean(leaves[growth, setting])), 1),
        }
        for (growth, setting), found in right.items()
    ]
    return [{"growth": "-", "table": name, "setting": "tested", "right": " ".join(map(str, tested))}, *lines]


def main() -> None:
    lines = []
    for name in SOURCES:
        lines += measured(name)
        sys.stderr.write(f"{name}\n")
        pd.DataFrame(lines).to_csv(KEPT, index=False)


if __name__ == "__main__":
    main()
