"""Pruning: making a tree smaller after it was grown (chapters 11 to 14)."""

from dtlib.prune.cost_complexity import PruningPath, pruning_path, risk_of, scales, weakest_links
from dtlib.prune.cross_validation import choose, cp_table
from dtlib.prune.held_out import HeldOut, hold_out, split_held_out
from dtlib.prune.loss import best_subtree, risk
from dtlib.prune.printcp import printcp

__all__ = [
    "HeldOut", "PruningPath", "best_subtree", "choose", "cp_table", "hold_out", "printcp", "pruning_path",
    "risk", "risk_of", "scales", "split_held_out", "weakest_links",
]  # fmt: skip
