"""Pruning: making a tree smaller after it was grown (chapters 11 to 14)."""

from dtlib.prune.bounds import added_errors
from dtlib.prune.held_out import HeldOut, hold_out
from dtlib.prune.loss import best_subtree, risk
from dtlib.prune.pessimistic import pessimistic

__all__ = ["HeldOut", "added_errors", "best_subtree", "hold_out", "pessimistic", "risk"]
