"""What tools for scikit-learn's trees make of ours, once `to_sklearn` has written them: a table for the book.

``python -m tests.uses.other_tools`` runs all of them and writes ``experiments/results/tools.csv``; it needs
requirements/all.txt, and Graphviz (``dot``), by which dtreeviz draws. A tool works on a tree if it ends, and
if what it computes is what the tree says.
"""

from __future__ import annotations

import re
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_iris
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier, export_graphviz, export_text, plot_tree

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, ObliqueTreeClassifier, Tree
from dtlib.datasets import load_golf, load_regression_points, load_watermelon

TABLE = Path(__file__).resolve().parents[2] / "experiments" / "results" / "tools.csv"
PACKAGES = {
    "plot_tree": "scikit-learn", "export_text": "scikit-learn", "export_graphviz": "scikit-learn",
    "shap, with rows": "shap", "skl2onnx": "skl2onnx onnxruntime",
}  # fmt: skip
ROUNDED = 1e-6  # SHAP adds up parts, with rows in float32; ONNX answers in float32


@cache
def iris() -> tuple[pd.DataFrame, pd.Series]:
    """Return the irises, as numbers that a float32 can be, and their classes as text."""
    data = load_iris(as_frame=True)
    return data.data.astype(np.float32).astype(float), pd.Series(data.target_names[data.target], dtype=object)


def with_gaps(X: pd.DataFrame) -> pd.DataFrame:
    """Return a table in which every seventh value is missing."""
    return X.mask(np.arange(X.size).reshape(X.shape) % 7 == 0)


@cache
def trees() -> dict[str, tuple[Tree, pd.DataFrame, np.ndarray]]:
    """Return trees by what they are, with their tables and what their estimators say of these."""
    flowers, species = iris()
    golf, melons, points = load_golf(), load_watermelon("3.0"), load_regression_points()
    names = golf.X[["outlook", "windy"]]
    gaps = with_gaps(flowers)
    made = {
        "CART, numbers": (CARTClassifier(), flowers, species),
        "CART, names in two groups": (CARTClassifier(), melons.X, melons.y),
        "ID3, a branch for each name": (ID3Classifier(), names, golf.y),
        "C4.5": (C45Classifier(), golf.X, golf.y),
        "C4.5, gaps to the larger branch": (C45Classifier(missing="majority"), golf.X, golf.y),
        "CART, predicts numbers": (CARTRegressor(max_depth=3), points.X, points.y),
        "gaps to the larger branch": (CARTClassifier(missing="majority"), gaps, species),
        "gaps stay": (CARTClassifier(missing="stay", max_depth=3), gaps, species),
        "parts of rows": (C45Classifier(), with_gaps(golf.X), golf.y),
        "surrogates": (CARTClassifier(missing="surrogate"), gaps, species),
        "slanted questions": (ObliqueTreeClassifier(random_state=0), flowers, species),
    }
    found = {}
    for name, (model, X, y) in made.items():
        model.fit(X, y)
        says = model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)
        found[name] = model.tree_, X, says
    tree, X, says = found["C4.5, gaps to the larger branch"]
    found["C4.5, unknown as missing"] = (
        replace(tree, unseen="missing"),
        X,
        says,
    )  # to_sklearn(unseen="missing")
    theirs = DecisionTreeClassifier(random_state=0).fit(gaps, species)
    found["scikit-learn's, in and out"] = Tree.from_sklearn(theirs), gaps, theirs.predict_proba(gaps)
    return found


def halves(tree: Tree, X: pd.DataFrame) -> tuple[Any, Any]:
    """Return scikit-learn's tree, and the numbers it is asked about the rows."""
    model = tree.to_sklearn()
    if isinstance(model, Pipeline):
        return model["tree"], model["columns"].transform(X)
    return model, X


def drawn_by_plot_tree(tree: Tree, X: pd.DataFrame, says: np.ndarray) -> None:
    """Draw it, a box for each node."""
    import matplotlib.pyplot as plt

    model, _ = halves(tree, X)
    figure, axes = plt.subplots()
    boxes = plot_tree(model, ax=axes)
    plt.close(figure)
    assert len([box for box in boxes if "samples" in box.get_text()]) == model.tree_.node_count


def told_by_export_text(tree: Tree, X: pd.DataFrame, says: np.ndarray) -> None:
    """Print it, a line for each branch."""
    model, columns = halves(tree, X)
    lines = export_text(model, feature_names=list(columns.columns), max_depth=99).splitlines()
    inner = model.tree_.node_count - model.get_n_leaves()
    assert len(lines) == 2 * inner + model.get_n_leaves()


def told_by_export_graphviz(tree: Tree, X: pd.DataFrame, says: np.ndarray) -> None:
    """Write it for Graphviz, an arrow for each branch."""
    model, _ = halves(tree, X)
    assert export_graphviz(model).count(" -> ") == model.tree_.node_count - 1


def explained_by_shap(tree: Tree, X: pd.DataFrame, says: np.ndarray) -> None:
    """Explain it by the weights of its nodes: the parts of the features add up to what the tree says."""
    import shap

    model, columns = halves(tree, X)
    add_up(shap.TreeExplainer(model), columns.to_numpy(np.float32), says)


def explained_with_rows(tree: Tree, X: pd.DataFrame, says: np.ndarray) -> None:
    """Explain it by rows to compare with: the same."""
    import shap

    model, columns = halves(tree, X)
    rows = columns.to_numpy(float)
    add_up(shap.TreeExplainer(model, rows, feature_perturbation="interventional"), rows, says)


def add_up(explainer: Any, rows: np.ndarray, says: np.ndarray) -> None:
    """Look whether the parts of each row and what is expected without a row add up to what the tree says."""
    values = np.asarray(explainer.shap_values(rows, check_additivity=False))
    total = values.sum(1) + explainer.expected_value
    np.testing.assert_allclose(total.reshape(says.shape), says, atol=ROUNDED)


def drawn_by_dtreeviz(tree: Tree, X: pd.DataFrame, says: np.ndarray) -> None:
    """Draw it with the rows in each node, all of which end in its leaves; classes by their numbers."""
    import dtreeviz

    model, columns = halves(tree, X)
    y, names = says, None
    if tree.is_classifier:
        y, names = says.argmax(1), list(tree.classes)
        model.classes_ = np.arange(len(names))
    shadow = dtreeviz.model(
        model, columns, pd.Series(y), feature_names=list(columns.columns), target_name="y", class_names=names
    )
    with tempfile.TemporaryDirectory() as folder:
        shadow.view(fontname="sans").save(str(Path(folder) / "tree.svg"))
    rows = {leaf.id: leaf.nsamples() for leaf in shadow.shadow_tree.leaves}
    assert sum(rows.values()) == round(float(tree.n[0]))


def answered_by_onnx(tree: Tree, X: pd.DataFrame, says: np.ndarray) -> None:
    """Convert the estimator, the pipeline as a whole, and let onnxruntime answer."""
    import onnxruntime
    from skl2onnx import to_onnx
    from skl2onnx.common.data_types import FloatTensorType, StringTensorType

    model = tree.to_sklearn()
    if isinstance(model, Pipeline):
        kinds = {f.name: f.kind for f in tree.features}
        used = list(model["columns"].feature_names_in_)
        types = [
            (name, (FloatTensorType if kinds[name] == "numeric" else StringTensorType)([None, 1]))
            for name in used
        ]
        given = {
            name: X[[name]].to_numpy(np.float32 if kinds[name] == "numeric" else object) for name in used
        }
    else:
        types, given = [("X", FloatTensorType([None, X.shape[1]]))], {"X": X.to_numpy(np.float32)}
    options = {"zipmap": False} if tree.is_classifier else None
    written = to_onnx(model, initial_types=types, options={id(model): options} if options else None)
    asked = {x.name for x in written.graph.input}
    session = onnxruntime.InferenceSession(written.SerializeToString(), providers=["CPUExecutionProvider"])
    answer = session.run(None, {name: x for name, x in given.items() if name in asked})[-1]
    np.testing.assert_allclose(np.asarray(answer).reshape(says.shape), says, atol=ROUNDED, rtol=ROUNDED)


TOOLS: dict[str, Callable[[Tree, pd.DataFrame, np.ndarray], None]] = {
    "plot_tree": drawn_by_plot_tree,
    "export_text": told_by_export_text,
    "export_graphviz": told_by_export_graphviz,
    "shap": explained_by_shap,
    "shap, with rows": explained_with_rows,
    "dtreeviz": drawn_by_dtreeviz,
    "skl2onnx": answered_by_onnx,
}


def tried(tool: str, name: str) -> str:
    """Return "works", or the first words of what came instead."""
    tree, X, says = trees()[name]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            TOOLS[tool](tree, X, says)
    except AssertionError:
        return "other answers"
    except Exception as error:  # whatever a tool of others raises is what the table is to say
        return re.split(r"[,:;(]| cannot", " ".join(str(error).split()))[0].strip()
    return "works"


def version_of(tool: str) -> str:
    """Return the packages of a tool, with their versions."""
    packages = PACKAGES.get(tool, tool).split()
    return ", ".join(f"{package} {metadata.version(package)}" for package in packages)


def tools_and_trees() -> pd.DataFrame:
    """Return what becomes of each tree in each tool, and the versions."""
    lines = [(tool, version_of(tool), name, tried(tool, name)) for tool in TOOLS for name in trees()]
    return pd.DataFrame(lines, columns=["tool", "version", "tree", "said"])


if __name__ == "__main__":
    found = tools_and_trees()
    found.to_csv(TABLE, index=False)
    print(
        found.pivot(index="tree", columns="tool", values="said").loc[list(trees()), list(TOOLS)].to_string()
    )
