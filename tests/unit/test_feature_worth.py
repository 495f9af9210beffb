"""What a feature is worth where the truth is known: some lines of the recorded file, grown again."""

import numpy as np
import pandas as pd
import pytest

from dtlib import CARTClassifier, CARTRegressor
from experiments.feature_worth import KEPT, friedman, lines_of, names_and_noise

kept = pd.read_csv(KEPT)


def test_the_file_has_a_line_for_each_world_table_model_and_measure():
    size = kept.groupby(["world", "model", "measure"])["table"].agg(["nunique", "size"])
    assert (size["nunique"] == size["size"]).all()
    assert size["size"].groupby("world").unique().map(list).to_dict() == {
        "friedman": [40], "noise": [120], "two names": [120],
    }  # fmt: skip
    assert kept.columns[:5].tolist() == ["world", "table", "model", "score", "measure"]


@pytest.mark.parametrize(
    ("world", "task", "model"),
    [
        ("noise", lambda: names_and_noise(np.random.default_rng((0, 0)), 0.0), CARTClassifier()),
        ("two names", lambda: names_and_noise(np.random.default_rng((1, 0)), 0.2), CARTClassifier()),
        ("friedman", lambda: friedman(0), CARTRegressor(min_samples_leaf=5)),
    ],
)
def test_the_first_tree_of_each_world_is_grown_again(world, task, model):
    found = pd.DataFrame(lines_of(world, 0, task(), {"tree": model})).set_index("measure")
    rows = kept[(kept["world"] == world) & (kept["table"] == 0) & (kept["model"] == "tree")]
    rows = rows.set_index("measure").dropna(axis=1)
    assert list(rows.index) == list(found.index)
    numbers = [name for name in rows if name.startswith("x")] + ["score"]
    assert found[numbers].to_numpy() == pytest.approx(rows[numbers].to_numpy(), abs=6e-5)
