"""How much each feature is worth to a tree."""

from dtlib.importance.decrease import decrease_importances, surrogate_importances

__all__ = ["decrease_importances", "surrogate_importances"]
