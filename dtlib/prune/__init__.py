"""Pruning: making a tree smaller after it was grown (chapters 11 to 14)."""

from dtlib.prune.loss import best_subtree, risk

__all__ = ["best_subtree", "risk"]
