"""The data of *grow it yourself*: the table as the library reads it, the programs' trees as they are."""

from __future__ import annotations

import pytest
from touchable import grow


@pytest.mark.parametrize("name", grow.TABLES)
def test_the_table_is_whole(name: str) -> None:
    table, found = grow.TABLES[name].load(), grow.data(name)["table"]
    assert [column["name"] for column in found["columns"]] == list(table.X)
    for column, (_, values) in zip(found["columns"], table.X.items(), strict=True):
        names = column.get("names")
        told = [names[c] if c is not None else None for c in column["codes"]] if names else column["numbers"]
        assert told == [None if x != x else x for x in values.tolist()]
    classes = table.y.cat.categories
    assert [classes[k] for k in found["y"]] == table.y.tolist()


@pytest.mark.parametrize(
    ("name", "programs"),
    [
        ("loan", ["ID3", "C4.5", "CART"]),
        ("golf", ["C4.5", "CART"]),
        ("watermelon_2_missing", ["C4.5", "CART"]),
    ],
)
def test_id3_reads_neither_numbers_nor_gaps(name: str, programs: list[str]) -> None:
    assert [program["name"] for program in grow.data(name)["programs"]] == programs


@pytest.mark.parametrize("name", grow.TABLES)
def test_errors_are_those_of_the_model(name: str) -> None:
    table = grow.TABLES[name].load()
    models = grow.readers(table)
    for program in grow.data(name)["programs"]:
        model = models[program["name"]].fit(table.X, table.y)
        assert program["errors"] == round((1 - model.score(table.X, table.y)) * len(table.y))
        assert program["leaves"] == model.get_n_leaves()
