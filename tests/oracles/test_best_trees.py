"""The best trees of pystreed cost what ours do, on columns of 0 and 1."""

import gzip
import json
from pathlib import Path

import pytest

from dtlib import OptimalTreeClassifier
from tests.oracles.best_trees import DEPTHS, PRICES, binary_tables, fingerprint

RECORDED = json.loads(gzip.decompress((Path(__file__).parent / "best_trees.json.gz").read_bytes()))["tables"]
BINARY = binary_tables()


def test_tables_are_those_recorded():
    assert {name: fingerprint(X, y) for name, (X, y) in BINARY.items()} == {
        name: table["fingerprint"] for name, table in RECORDED.items()
    }
    assert len(BINARY) >= 20
    assert all(len(table["runs"]) == len(DEPTHS) * len(PRICES) for table in RECORDED.values())


@pytest.mark.parametrize("name", BINARY)
def test_the_best_tree_costs_what_that_of_pystreed_costs(name):
    """A price counts for each question there, for each leaf here."""
    X, y = BINARY[name]
    for run in RECORDED[name]["runs"]:
        ours = OptimalTreeClassifier(max_depth=run["depth"], ccp_alpha=run["price"]).fit(X, y)
        errors, questions = int((ours.predict(X) != y).sum()), ours.get_n_leaves() - 1
        paid = errors / len(y) + run["price"] * questions
        assert ours.is_optimal_
        assert paid == pytest.approx(run["errors"] / len(y) + run["price"] * run["questions"], abs=1e-12), run
        assert ours.objective_ == pytest.approx(paid + run["price"], abs=1e-12)
        assert ours.get_depth() <= run["depth"]
        if not run["price"]:
            assert questions <= run["questions"]
