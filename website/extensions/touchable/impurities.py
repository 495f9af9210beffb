"""The widget *split a node* of chapter 7: three impurities of two classes, and what a split lowers."""

from __future__ import annotations

from typing import Any

import numpy as np

from dtlib.measures import classification_error, entropy, gini

STEPS = 50  # the sliders' places less one: shares 0, 0.02, ..., 1 of a branch
PLACES = 9


def data() -> dict[str, Any]:
    """Return the three impurities at the shares of the branches and halfway between them.

    >>> found = data()
    >>> [(measure["name"], measure["at"][25]) for measure in found["measures"]]
    [('half the entropy', 0.405639062), ('Gini index', 0.375), ('error', 0.25)]
    """
    p = np.linspace(0, 1, 2 * STEPS + 1)
    nodes = np.column_stack([p, 1 - p])
    known = {
        "half the entropy": entropy(nodes) / 2,
        "Gini index": gini(nodes),
        "error": classification_error(nodes),
    }
    return {
        "start": [10, 40],  # shares 0.2 and 0.8: every measure decreases
        "measures": [{"name": name, "at": at.round(PLACES).tolist()} for name, at in known.items()],
    }
