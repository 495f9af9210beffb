"""The curves of surprise and of entropy (chapter 2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dtlib.draw.plots import curve
from dtlib.draw.svg import Picture
from dtlib.measures import entropy
from dtlib.messages import say


def entropy_curve(marks: Sequence[float | Sequence[float]] = ()) -> Picture:
    """Draw the entropy of two classes against the share p of the first.

    Parameters
    ----------
    marks : sequence of float or (float, float)
        Shares p, or counts of the two classes, to be marked.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If a mark is neither a share between 0 and 1 nor two counts with a positive sum.

    Examples
    --------
    >>> entropy_curve([0.5, (6, 9)]).description.split(". ")[-1]
    'Marked: H(0.5) = 1.000, H(6, 9) = 0.971.'
    """
    found = []
    for mark in marks:
        given = np.asarray(mark, float)
        counts = given if given.ndim else np.stack([given, 1 - given])
        if counts.shape != (2,) or not (counts >= 0).all() or not 0 < counts.sum() < np.inf:
            raise ValueError(
                f"marks has {mark}; wanted a share between 0 and 1, or two counts with a positive sum"
            )
        shown, bits = ", ".join(f"{n:g}" for n in given.ravel()), entropy(counts)
        found.append((counts[0] / counts.sum(), bits, f"H({shown}) = {bits:.3f}"))
    p = np.linspace(0, 1, 201)
    labels = {"x_label": say("share p of one class"), "y_label": say("entropy (bits)")}
    return curve(p, entropy(np.stack([p, 1 - p], axis=1)), label="H(p)", marks=found, **labels)


def surprise_curve(marks: Sequence[float] = ()) -> Picture:
    """Draw the surprise -log2 p of an outcome of probability p.

    Parameters
    ----------
    marks : sequence of float
        Probabilities to be marked, 0 < p <= 1.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If a probability is not between 0 and 1.

    Examples
    --------
    >>> surprise_curve([0.25]).description.split(". ")[-1]
    'Marked: p = 0.25: 2.000 bits.'
    """
    if any(not 0 < p <= 1 for p in marks):
        raise ValueError(f"marks is {list(marks)}; a probability is above 0 and at most 1")
    p = np.linspace(0.01, 1, 199)
    found = [
        (q, -np.log2(q) + 0, say("p = {p:.4g}: {bits:.3f} bits", p=q, bits=-np.log2(q) + 0)) for q in marks
    ]
    labels = {"x_label": say("probability p"), "y_label": say("surprise (bits)")}
    return curve(p, -np.log2(p) + 0, label="-log2 p", marks=found, **labels)
