"""Pruning: making a tree smaller after it was grown (chapters 11 to 14)."""

from dtlib.prune.held_out import HeldOut, hold_out
from dtlib.prune.loss import best_subtree, local_differences, risk, tree_loss

__all__ = ["HeldOut", "best_subtree", "hold_out", "local_differences", "risk", "tree_loss"]
