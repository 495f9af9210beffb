"""What is drawn for a test: how much, ten times as much with `--all`; and tables in which questions tie.

No two cuts of a table drawn at random are likely to be worth the same. Of a table and its mirror image, in
which the largest value stands for the smallest, each cut is worth what the opposite one is.
"""

import numpy as np
import pandas as pd
from hypothesis import settings
from hypothesis import strategies as st

from dtlib import jit

USUAL = 100  # examples of a test that asks for no number, in an ordinary run

#: How many rows a table has on which two engines are compared; compiled, they may be more.
rows_of_both = st.sampled_from([1, 2, 3, 5, 8, 13, 40])
if jit.has_numba():
    rows_of_both |= st.sampled_from([100, 700])
SPREADS = ["two", "few", "many", "any", "near"]  # values of a column, the last nearer than float32 parts

mirrors = st.sampled_from(["none", "none", "of the features", "of all"])


def mirrored(how, X, y, *others):
    """Return a table as it is, or with its mirror image below it: of the features, or of the target too."""
    if how == "none":
        return X, y, *others
    image = X.apply(opposite)
    answers = opposite(pd.Series(y)).to_numpy() if how == "of all" else y
    both = pd.concat([X, image], ignore_index=True).astype(X.dtypes)
    return both, np.concatenate([y, answers]), *(None if x is None else np.tile(x, 2) for x in others)


def spread_out(rng, n, how):
    """Return a column of numbers, as one of `SPREADS`."""
    if how == "any":
        return rng.normal(size=n)
    if how == "near":
        return 1 + rng.integers(0, 6, n) * 2.0**-24
    return rng.integers(0, {"two": 2, "few": 6, "many": 1000}[how], n).astype(float)


def opposite(column):
    """Return a column with the last value for the first one, the last but one for the second."""
    ordered = isinstance(column.dtype, pd.CategoricalDtype)
    values = list(column.cat.categories) if ordered else sorted(column.dropna().unique())
    return column.map(dict(zip(values, reversed(values), strict=True))).astype(column.dtype)


def examples(number: int) -> settings:
    """Return a decorator: let Hypothesis draw this many examples."""
    return settings(max_examples=as_many(number))


def seeds(number: int) -> range:
    """Return the seeds of this many random tables."""
    return range(as_many(number))


def as_many(number: int) -> int:
    """Return a number as the profile has it that the run has chosen."""
    return number * settings().max_examples // USUAL
