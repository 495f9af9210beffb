"""What tools for scikit-learn's trees make of ours is what the table of the book says."""

from __future__ import annotations

import shutil

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

from dtlib import Tree
from tests.needs import needed
from tests.uses.other_tools import PACKAGES, TABLE, TOOLS, iris, tried, version_of, with_gaps

STORED = pd.read_csv(TABLE)
OTHERS = [tool for tool in TOOLS if PACKAGES.get(tool) != "scikit-learn"]
OF_OTHERS = STORED[STORED["tool"].isin(OTHERS)]


def cases(lines):
    return [pytest.param(*row, id="-".join(row[:2])) for row in lines[["tool", "tree", "said"]].to_numpy()]


@pytest.mark.parametrize(("tool", "name", "said"), cases(STORED[~STORED["tool"].isin(OTHERS)]))
def test_the_tools_of_scikit_learn(tool, name, said):
    pytest.importorskip("matplotlib").use("Agg")
    assert tried(tool, name) == said


@pytest.mark.long
@pytest.mark.parametrize(("tool", "name", "said"), cases(OF_OTHERS))
def test_the_tools_of_others(tool, name, said):
    for package in PACKAGES.get(tool, tool).split():
        needed(package)
    if tool == "dtreeviz" and shutil.which("dot") is None:
        pytest.skip("Graphviz is not installed, by which dtreeviz draws")
    assert tried(tool, name) == said


@pytest.mark.long
def test_the_versions_are_those_that_are_said():
    for package in ("shap", "dtreeviz", "skl2onnx"):
        needed(package)
    assert {tool: version_of(tool) for tool in TOOLS} == dict(
        zip(STORED["tool"], STORED["version"], strict=True)
    )


@pytest.mark.long
def test_shap_says_the_same_of_a_tree_that_was_here():
    """Parts of features, of scikit-learn's own tree and of the one that went in and out."""
    shap = needed("shap")
    flowers, species = iris()
    model = DecisionTreeClassifier(random_state=0).fit(flowers, species)
    back = Tree.from_sklearn(model).to_sklearn()
    there, here = (shap.TreeExplainer(one).shap_values(flowers.to_numpy()) for one in (model, back))
    assert np.array_equal(there, here)


@pytest.mark.long
def test_onnx_sends_missing_values_elsewhere_for_a_tree_of_scikit_learn_too():
    """So that the table need not blame ours: the converter does not look where missing values go."""
    needed("skl2onnx")
    onnxruntime = needed("onnxruntime")
    from skl2onnx import to_onnx
    from skl2onnx.common.data_types import FloatTensorType

    flowers, species = iris()
    gaps = with_gaps(flowers)
    model = DecisionTreeClassifier(random_state=0).fit(gaps, species)
    options = {id(model): {"zipmap": False}}
    written = to_onnx(model, initial_types=[("X", FloatTensorType([None, 4]))], options=options)
    session = onnxruntime.InferenceSession(written.SerializeToString(), providers=["CPUExecutionProvider"])
    shares = session.run(None, {"X": gaps.to_numpy(np.float32)})[1]
    assert (np.abs(shares - model.predict_proba(gaps)) > 0.1).any()
