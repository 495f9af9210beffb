"""Pruning: making a tree smaller after it was grown (chapters 11 to 14)."""

from dtlib.prune.apart import BY_HELD_OUT, set_apart
from dtlib.prune.bounds import added_errors
from dtlib.prune.cost_complexity import PruningPath, pruning_path, scales, weakest_links
from dtlib.prune.cross_validation import choose, cp_table
from dtlib.prune.held_out import HeldOut, hold_out, split_held_out
from dtlib.prune.loss import best_subtree, local_differences, risk, tree_loss
from dtlib.prune.pessimistic import pessimistic
from dtlib.prune.pre import pre
from dtlib.prune.printcp import printcp
from dtlib.prune.reduced_error import reduced_error

__all__ = [
    "BY_HELD_OUT", "HeldOut", "PruningPath", "added_errors", "best_subtree", "choose", "cp_table", "hold_out",
    "local_differences", "pessimistic", "pre", "printcp", "pruning_path", "reduced_error", "risk",
    "scales", "set_apart", "split_held_out", "tree_loss", "weakest_links",
]  # fmt: skip
