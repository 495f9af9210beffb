"""Pruning: making a tree smaller after it was grown (chapters 12 to 15)."""

from dtlib.prune.cost_complexity import PruningPath, pruning_path, scales, weakest_links
from dtlib.prune.cross_validation import cp_table, one_se_rule
from dtlib.prune.error_bounds import added_errors
from dtlib.prune.held_out import ValidationErrors, hold_out
from dtlib.prune.loss import best_subtree, local_differences, risk, tree_loss
from dtlib.prune.losses_per_row import losses_per_row
from dtlib.prune.pessimistic import pessimistic
from dtlib.prune.pruners import (
    ComplexityParameter,
    CrossValidated,
    HoldoutValidated,
    Pessimistic,
    PrePruned,
    Pruning,
    ReducedError,
)
from dtlib.prune.reduced_error_and_pre_pruning import pre_prune, reduced_error

__all__ = [
    "ComplexityParameter",
    "CrossValidated",
    "HoldoutValidated",
    "Pessimistic",
    "PrePruned",
    "Pruning",
    "PruningPath",
    "ReducedError",
    "ValidationErrors",
    "added_errors",
    "best_subtree",
    "cp_table",
    "hold_out",
    "local_differences",
    "losses_per_row",
    "one_se_rule",
    "pessimistic",
    "pre_prune",
    "pruning_path",
    "reduced_error",
    "risk",
    "scales",
    "tree_loss",
    "weakest_links",
]  # fmt: skip
