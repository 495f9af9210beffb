"""Growing from some rows and pruning by the others, as the estimators do (chapter 11)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtlib.prune.held_out import check_share, split_held_out
from dtlib.prune.pre_pruning import pre_prune
from dtlib.prune.reduced_error import reduced_error
from dtlib.table.columns import Column
from dtlib.tree.tree import Tree

#: What the parameter `prune` may say, and the function that then prunes by the rows held out.
BY_HELD_OUT = {"reduced_error": reduced_error, "pre": pre_prune}


class Apart(NamedTuple):
    """What a tree grows from, and what is held out.

    Parameters
    ----------
    grown : tuple
        X, the targets, and the weights or None.
    held : tuple, optional
        X, a frame of what is true, and the weights or None.
    rows : int ndarray
        Which rows those of `grown` are.
    """

    grown: tuple[Any, Sequence[Column], np.ndarray | None]
    held: tuple[Any, pd.DataFrame, np.ndarray | None] | None
    rows: np.ndarray

    def by(self, prune: str | None) -> Callable[[Tree], Tree] | None:
        """Return what prunes a tree by the rows held out, None if they do not; there must be some."""
        if prune not in BY_HELD_OUT:
            return None
        if self.held is None:
            check_share(None)
        X, y, weight = self.held
        return partial(BY_HELD_OUT[prune], X=X, y=y, sample_weight=weight)


def set_apart(
    held_out: float | ArrayLike | None,
    X: pd.DataFrame | np.ndarray,
    targets: Sequence[Column],
    weight: np.ndarray | None,
    random_state: Any = None,
    judged: np.ndarray | None = None,
) -> Apart:
    """Divide training data into what a tree grows from and what is held out; rows of weight 0 are neither.

    Parameters
    ----------
    held_out : float, array-like or None
        As for `split_held_out`; None for nothing.
    X : DataFrame or ndarray of n rows
    targets : sequence of Column
    weight : ndarray of shape (n,), optional
    random_state : int, RandomState, optional
    judged : ndarray of shape (n,), optional
        What each row counts if it is held out; default: its weight.

    Returns
    -------
    Apart
    """
    if held_out is None:
        if weight is None or weight.all():
            return Apart((X, targets, weight), None, np.arange(len(X)))
        rows = np.flatnonzero(weight)
        return Apart(part(X, targets, weight, rows), None, rows)
    rows, held = split_held_out(held_out, targets, random_state, weight)
    X_held, known, judged = part(X, targets, weight if judged is None else judged, held)
    truth = pd.DataFrame({target.name: np.asarray(target.values)[target.codes] for target in known})
    return Apart(part(X, targets, weight, rows), (X_held, truth, judged), rows)


def part(
    X: pd.DataFrame | np.ndarray, targets: Sequence[Column], weight: np.ndarray | None, rows: np.ndarray
) -> tuple[Any, list[Column], np.ndarray | None]:
    """Return some rows of the data."""
    return (
        X.iloc[rows] if isinstance(X, pd.DataFrame) else X[rows],
        [replace(target, codes=target.codes[rows]) for target in targets],
        None if weight is None else weight[rows],
    )
