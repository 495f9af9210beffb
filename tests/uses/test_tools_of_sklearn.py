"""What the page for those who come from scikit-learn writes for each tool works as it stands there."""

from __future__ import annotations

import logging
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import sklearn
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from dtlib import CARTClassifier, CARTRegressor
from tests.book.from_sklearn import CODE, run, section, table
from tests.book.page_code import blocks
from tests.needs import has_java, needed

WRITTEN = {tool.partition(",")[0]: CODE.fullmatch(code)[1] for tool, code, _ in table("tool")}
BY_HAND = "experiments/requirements.txt"  # too large for every week
BELOW = {"skops": "skops and MLflow", "MLflow": "skops and MLflow"}  # the heading, where it is another
SINGLE = 1e-6  # answers in float32


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Return what the code of the page has made, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    pytest.importorskip("matplotlib").use("Agg")
    return SimpleNamespace(**run()[0])


def written(tool: str, page: SimpleNamespace, **more: Any) -> Any:
    """Run what the table says to write for a tool, after the code below the heading of the tool, if any."""
    names = {**vars(page), **more}
    for code, _ in blocks(section(BELOW.get(tool, tool))):
        exec(compile(code, f"{tool} of from_sklearn.md", "exec"), names)
    vars(page).update(names)
    return eval(WRITTEN[tool], names)


def answers_of(written: Any, given: dict[str, np.ndarray]) -> list[Any]:
    """Return what onnxruntime answers."""
    onnxruntime = needed("onnxruntime")
    session = onnxruntime.InferenceSession(written.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, {x.name: given[x.name] for x in session.get_inputs()})


def test_each_tool_is_tried() -> None:
    own = {
        name.removeprefix("test_").partition("_takes")[0]: name
        for name in globals()
        if name.startswith("test_") and "_takes" in name
    }
    assert {tool.lower().replace("_", "") for tool in WRITTEN} == {tool.replace("_", "") for tool in own}


def test_plot_tree_takes_it(page: SimpleNamespace) -> None:
    from sklearn.tree import plot_tree

    boxes = [box.get_text() for box in written("plot_tree", page, plot_tree=plot_tree)]
    assert "texture <= 0.5" in boxes[0]
    assert len([box for box in boxes if "samples" in box]) == page.cart.tree_.node_count


def test_export_text_takes_it(page: SimpleNamespace) -> None:
    from sklearn.tree import export_text

    lines = written("export_text", page, export_text=export_text).splitlines()
    assert lines[0] == "|--- texture <= 0.50"
    assert len([line for line in lines if "class: " in line]) == page.cart.get_n_leaves()


@pytest.mark.long
def test_shap_takes_it(page: SimpleNamespace) -> None:
    values = written("SHAP", page, shap=needed("shap"))
    shares = page.cart.predict_proba(page.melons.X)
    np.testing.assert_allclose(values.sum(1) + shares.mean(0), shares, atol=SINGLE)


@pytest.mark.long
def test_dtreeviz_takes_it(page: SimpleNamespace) -> None:
    """Also numbers alone. The category left of the root is in the picture; samples end where they belong."""
    needed("dtreeviz")
    logging.getLogger("matplotlib.font_manager").setLevel(logging.CRITICAL)  # it asks for Arial
    picture = written("dtreeviz", page)
    assert "digraph" in picture.dot
    shadow = page.ShadowCART(page.cart, page.melons.X, page.melons.y)
    assert shadow.root.split() == ["clear"]
    codes = [shadow.predict(x) for x in page.melons.X.to_numpy()]
    assert page.cart.classes_[codes].tolist() == page.cart.predict(page.melons.X).tolist()
    assert sum(leaf.nsamples() for leaf in shadow.leaves) == len(page.melons.y)
    assert "texture@clear" in page.DTreeVizAPI(shadow).view(fancy=False).dot
    numbers = page.ShadowCART(page.pruned, page.X, page.y)
    assert [node.split() for node in numbers.internal][-1] == page.pruned.tree_.threshold[0]
    assert "digraph" in page.DTreeVizAPI(numbers).view().dot
    gaps = page.gaps[["petal length (cm)"]]
    kept = CARTClassifier(missing="majority", max_depth=1).fit(gaps, page.y)
    with pytest.raises(ValueError, match="NaN"):
        page.DTreeVizAPI(page.ShadowCART(kept, gaps, page.y)).view()


@pytest.mark.long
def test_onnx_takes_it(page: SimpleNamespace) -> None:
    """The pipeline of names, and the last step of a pipeline of numbers, once it is registered."""
    to_onnx = needed("skl2onnx").to_onnx
    rows = page.melons.X.astype({"density": np.float32, "sugar": np.float32})
    onnx = written("ONNX", page, to_onnx=to_onnx, rows=rows)
    said, shares = answers_of(onnx, {name: rows[[name]].to_numpy() for name in rows})
    assert said.tolist() == page.cart.predict(page.melons.X).tolist()
    listed = [[share[name] for name in page.cart.classes_] for share in shares]
    np.testing.assert_allclose(listed, page.cart.predict_proba(page.melons.X), atol=SINGLE)
    numbers = page.X.to_numpy(np.float32)
    piped = make_pipeline(StandardScaler(), CARTClassifier(max_depth=3)).fit(numbers, page.y)
    onnx = to_onnx(piped, numbers[:1], options={"zipmap": False})
    said, shares = answers_of(onnx, {"X": numbers})
    assert said.tolist() == piped.predict(numbers).tolist()
    np.testing.assert_allclose(shares, piped.predict_proba(numbers), atol=SINGLE)


@pytest.mark.long
def test_onnx_registers_the_regression_tree_as_the_page_says(page: SimpleNamespace) -> None:
    to_onnx = needed("skl2onnx").to_onnx
    written("ONNX", page, to_onnx=to_onnx, rows=page.melons.X.astype({"density": "f4", "sugar": "f4"}))
    from skl2onnx.common.shape_calculator import calculate_linear_regressor_output_shapes as shapes

    page.update_registered_converter(CARTRegressor, "CARTRegressor", shapes, page.as_sklearn)
    numbers = page.X.to_numpy(np.float32)
    piped = make_pipeline(StandardScaler(), CARTRegressor(max_depth=3)).fit(numbers, page.iris.target)
    [said] = answers_of(to_onnx(piped, numbers[:1]), {"X": numbers})
    np.testing.assert_allclose(said.ravel(), piped.predict(numbers), atol=SINGLE)


@pytest.mark.long
def test_treelite_takes_it(page: SimpleNamespace) -> None:
    """Missing values too, which go where they should; and a regression tree in a forest for regression."""
    treelite = needed("treelite")

    def answered(forest: Any, rows: Any) -> np.ndarray:
        return treelite.gtil.predict(treelite.sklearn.import_model(forest), rows.to_numpy("float32"))

    assert written("treelite", page, treelite=treelite).num_tree == 1
    shares = page.cart.predict_proba(page.melons.X)
    np.testing.assert_allclose(answered(page.forest, page.columns).reshape(shares.shape), shares, atol=SINGLE)
    with pytest.raises(treelite.TreeliteError, match="DecisionTreeClassifier"):
        treelite.sklearn.import_model(page.tree)
    for way in ("learned", "majority"):
        ours = CARTClassifier(missing=way).fit(page.gaps, page.y)
        forest = RandomForestClassifier(n_estimators=1).fit(page.X, page.y)
        forest.estimators_ = [ours.to_sklearn()]
        shares = ours.predict_proba(page.gaps)
        np.testing.assert_allclose(answered(forest, page.gaps).reshape(shares.shape), shares, atol=SINGLE)
    ours = CARTRegressor(max_depth=3).fit(page.X, page.iris.target)
    forest = RandomForestRegressor(n_estimators=1).fit(page.X, page.iris.target)
    forest.estimators_ = [ours.to_sklearn()]
    np.testing.assert_allclose(answered(forest, page.X).ravel(), ours.predict(page.X), atol=SINGLE)


@pytest.mark.long
def test_pmml_takes_it(page: SimpleNamespace, capfd: pytest.CaptureFixture[str]) -> None:
    """The pipeline of names; what is written says for each melon what the tree says."""
    pmml = needed("sklearn2pmml", BY_HAND)
    evaluator = needed("jpmml_evaluator", BY_HAND)
    if not has_java():
        pytest.skip("Java is not installed, by which sklearn2pmml writes")
    try:
        written("PMML", page, sklearn2pmml=pmml.sklearn2pmml, make_pmml_pipeline=pmml.make_pmml_pipeline)
    except RuntimeError:
        if f"Scikit-Learn version '{sklearn.__version__}' is not supported" not in capfd.readouterr().out:
            raise
        here = metadata.version("sklearn2pmml")
        pytest.skip(f"sklearn2pmml {here} does not know scikit-learn {sklearn.__version__}")
    answers = evaluator.make_evaluator("tree.pmml").verify().evaluateAll(page.melons.X)
    assert answers.iloc[:, 0].tolist() == page.cart.predict(page.melons.X).tolist()


@pytest.mark.long
def test_skops_takes_it(page: SimpleNamespace) -> None:
    needed("skops")
    back = written("skops", page)
    assert back.tree_ == page.cart.tree_
    assert back.predict(page.melons.X).tolist() == page.cart.predict(page.melons.X).tolist()
    assert len(page.known) == 4
    assert all(name.startswith("dtlib.") for name in page.known)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_mlflow_takes_it(page: SimpleNamespace) -> None:
    """What is loaded answers as the estimator does, as one of scikit-learn and as a model of any kind."""
    needed("skops")
    mlflow = needed("mlflow", BY_HAND)
    needed("mlflow.sklearn", BY_HAND)
    written("MLflow", page, mlflow=mlflow)
    said = page.cart.predict(page.melons.X).tolist()
    assert mlflow.sklearn.load_model("model").predict(page.melons.X).tolist() == said
    assert mlflow.pyfunc.load_model("model").predict(page.melons.X).tolist() == said
