"""Feature importance: of one tree, of all trees that ties allow, and for the error of predictions."""

from dtlib.importance.decrease import decrease_importances, surrogate_importances
from dtlib.importance.intervals import importance_intervals
from dtlib.importance.leave_out import leave_out_importances

__all__ = ["decrease_importances", "importance_intervals", "leave_out_importances", "surrogate_importances"]
