"""Frames of polars and of Arrow: whatever the columns hold, the tree and what it says are those of pandas."""

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from tests.drawn import examples
from tests.needs import needed
from tests.property.test_streams_properties import ESTIMATORS, tables

polars, pyarrow = needed("polars"), needed("pyarrow")


def in_polars(column):
    """Return a column of pandas as one of polars, with its order."""
    if isinstance(column.dtype, np.dtype) and column.dtype != object:
        return polars.Series(column.to_numpy(), nan_to_null=True)
    values = [None if pd.isna(value) else value for value in column]
    declared = polars.Enum(column.cat.categories.tolist()) if column.dtype == "category" else None
    return polars.Series(values, dtype=declared)


@examples(60)
@given(tables(), st.sampled_from(ESTIMATORS), st.sampled_from([1, 7, 1000]))
def test_the_tree_is_that_of_pandas(drawn, estimator, rows):
    frame, holes = drawn
    if holes:
        estimator = clone(estimator).set_params(missing="majority")
    *names, target = frame.columns
    X, y = frame[names], frame[target]
    batches = pyarrow.Table.from_pandas(frame, preserve_index=False).to_batches(max_chunksize=rows)
    arrow = pyarrow.Table.from_batches(batches)
    columns = polars.DataFrame({name: in_polars(column) for name, column in frame.items()})
    wanted = clone(estimator).fit(X, y)
    for given_X, given_y in (
        (arrow.drop_columns(target), arrow[target]),
        (columns.drop(target), columns[target]),
    ):
        found = clone(estimator).fit(given_X, given_y)
        known = [name for name in names if frame[name].notna().any()]  # what nobody knows may be of any kind
        if known == names:
            assert found.tree_.features == wanted.tree_.features
        assert np.array_equal(found.predict(X), wanted.predict(X))
        assert np.array_equal(wanted.predict_proba(given_X), wanted.predict_proba(X))
        assert [array.tolist() for array in (found.tree_.feature, found.tree_.label)] == [
            array.tolist() for array in (wanted.tree_.feature, wanted.tree_.label)
        ]
