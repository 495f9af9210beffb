"""The standard error of a mean difference over tested rows."""

import numpy as np
import pytest

from dtlib.book.chance import rows_se


def test_rows_that_are_drawn_independently_have_the_standard_error_of_their_values():
    """However often each is tested; what several divisions say of the same row is no new row."""
    rng = np.random.default_rng(7)
    row = rng.normal(size=(20_000, 30))
    tested = rng.random((20_000, 4, 30)) < 0.5
    found = np.where(tested, row[:, None] + 0.5 * rng.normal(size=tested.shape), np.nan)
    means = np.nansum(found, (1, 2)) / tested.sum((1, 2))
    said = [rows_se(some) for some in found]
    assert np.sqrt(np.mean(np.square(said))) == pytest.approx(means.std(), rel=0.02)
    assert rows_se(row[:1]) == pytest.approx(row[0].std(ddof=1) / 30**0.5)
    assert rows_se(np.repeat(row[:1], 4, axis=0)) == pytest.approx(row[0].std(ddof=1) / 30**0.5)
