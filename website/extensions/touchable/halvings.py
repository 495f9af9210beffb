"""The widget *halve 1 until p is left* of chapter 2: surprises, and the entropy of two answers."""

from __future__ import annotations

from typing import Any

import numpy as np

from dtlib.measures import entropy

STEPS = 200  # the slider's places: p = 0.005, 0.01, ..., 1
PLACES = 9
START = 0.6  # the share of yes among the loans


def data() -> dict[str, Any]:
    """Return the probabilities, the surprise of each, and the entropy of an answer and its opposite.

    >>> found = data()
    >>> i = found["start"]
    >>> found["p"][i], round(found["surprise"][i], 3), round(found["entropy"][i], 3)
    (0.6, 0.737, 0.971)
    """
    p = np.arange(2, STEPS + 1) / STEPS  # as far as Figure 2.1 goes
    return {
        "start": p.tolist().index(START),
        "p": p.tolist(),
        "surprise": np.abs(np.log2(p)).round(PLACES).tolist(),
        "entropy": entropy(np.column_stack([p, 1 - p])).round(PLACES).tolist(),
    }
