"""Pruning: making a tree smaller after it was grown (chapters 11 to 14)."""

from dtlib.prune.apart import BY_HELD_OUT, set_apart
from dtlib.prune.held_out import HeldOut, hold_out, split_held_out
from dtlib.prune.loss import best_subtree, local_differences, risk, tree_loss
from dtlib.prune.pre import pre
from dtlib.prune.reduced_error import reduced_error

__all__ = [
    "BY_HELD_OUT",
    "HeldOut",
    "best_subtree",
    "hold_out",
    "local_differences",
    "pre",
    "reduced_error",
    "risk",
    "set_apart",
    "split_held_out",
    "tree_loss",
]
