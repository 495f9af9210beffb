"""Why a node is a leaf, in words that are also the keys of their translations.

A tree stores the index of a reason in `REASONS`; inner nodes have 0.

Examples
--------
>>> REASONS[code_of(PURE)], REASONS[0]
('pure', '')
"""

# what growing finds
PURE, EMPTY, NO_FEATURE = "pure", "empty branch", "no feature left"
NO_GAIN, BELOW, DECREASE = "no gain", "gain below min_gain", "decrease below min_impurity_decrease"
VARIATION = "variation below min_variation"
DEPTH, SMALL, FEW = "max_depth reached", "less than min_samples_split", "no split leaves min_samples_leaf"
CONSTRAINED = "no split that monotonic_cst allows"
IMPURITY, LEAVES = "impurity not above min_impurity", "max_leaf_nodes reached"
# what pruning finds
COLLAPSED, PRUNED = "no fewer errors below", "saves less than cp"
PRICED, HELD_OUT = "saves less than alpha per leaf", "no fewer held-out errors below"
ESTIMATED, MOVED = "no fewer estimated errors below", "a leaf of a branch that was raised"
NO_HELP = "no fewer held-out errors after the split"
# what a person writes down
BY_HAND = "no question was given"
# what the search for the best tree finds
LATE = "time_limit reached"
# what was a leaf in a tree of another library
AS_READ = "a leaf where it was read"
REASONS = (
    "", PURE, EMPTY, NO_FEATURE, NO_GAIN, BELOW, DECREASE, DEPTH, SMALL, FEW, IMPURITY, LEAVES, COLLAPSED,
    PRUNED, PRICED, HELD_OUT, ESTIMATED, MOVED, NO_HELP, BY_HAND, LATE, VARIATION, AS_READ, CONSTRAINED,
)  # fmt: skip


def code_of(reason: str) -> int:
    """Return the index of a reason in `REASONS`, which trees and exported files store."""
    return REASONS.index(reason)
