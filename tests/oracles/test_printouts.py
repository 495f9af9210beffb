"""What the page about printouts shows of rpart, J48 and C4.5 is what comes out here for the same trees."""

import json
import re

import numpy as np
import pytest
from printouts import KEPT, irises
from sklearn.model_selection import PredefinedSplit

from dtlib import C45Classifier, CARTClassifier
from dtlib.dialects import printcp
from dtlib.prune import CrossValidated, added_errors

PRINTED = json.loads(KEPT.read_text(encoding="utf-8"))
ROWS = irises()
X, Y = ROWS.drop(columns="species"), ROWS["species"]


def numbers(text: str, name: str) -> list[float]:
    """Return the numbers that stand behind a name."""
    return [float(x) for x in re.findall(rf"{name}= *([\d.]+)", text)]


def test_improve_agree_and_adj_of_rpart() -> None:
    tree = CARTClassifier.rpart().fit(X, Y).tree_
    asked = [tree.explain(node)["gain"] * tree.n[node] for node in (0, 2)]
    here = np.concatenate([np.sort(gain)[::-1] for gain in asked])
    np.testing.assert_allclose(here, numbers(PRINTED["rpart"]["summary"], "improve"), rtol=1e-6)
    stands_in = [tree.surrogates_of(node) for node in (0, 2)]
    for column, name in (("agreement", "agree"), ("adjusted", "adj")):
        found = np.concatenate([some[column] for some in stands_in])
        np.testing.assert_allclose(found, numbers(PRINTED["rpart"]["summary"], name), atol=5e-4)


def test_nodes_of_rpart() -> None:
    tree = CARTClassifier.rpart().fit(X, Y).tree_
    lines = [line for line in PRINTED["rpart"]["print"].splitlines() if re.match(r" *\d+\)", line)]
    assert len(lines) == tree.node_count
    for node, line in zip(tree, lines, strict=True):
        n, loss, label = re.search(r" (\d+) +(\d+) ([a-z]+) \(", line).groups()
        assert (int(n), int(loss), label) == (node.n, node.n - node.counts.max(), node.prediction)


def test_printcp_of_rpart() -> None:
    folds = PredefinedSplit(np.arange(len(X)) % 10)
    here = printcp(CARTClassifier.rpart(prune=CrossValidated(folds=folds)).fit(X, Y))
    there = PRINTED["rpart"]["printcp"]
    assert here[here.index("Root node") :].strip() == re.sub(
        r" +$", "", there[there.index("Root node") :], flags=re.M
    )


def test_leaves_of_j48() -> None:
    tree = C45Classifier.j48(min_samples_leaf=10).fit(X, Y).tree_
    there = re.findall(r"([\w_]+ (?:<=|>) [\d.]+): (\w+) \(([\d.]+)(?:/([\d.]+))?\)", PRINTED["J48"])
    leaves = [node for node in tree if node.is_leaf]
    here = [
        (node.condition.replace("≤", "<="), node.prediction, node.n, node.n - node.counts.max())
        for node in leaves
    ]
    assert here == [(asked, label, float(n), float(wrong or 0)) for asked, label, n, wrong in there]


@pytest.mark.parametrize(("n", "wrong"), [(50, 0), (48, 1), (3, 0), (3, 1), (46, 1)])
def test_estimates_of_leaves_of_c45(n: int, wrong: int) -> None:
    found = [re.search(r"\(([\d.]+):([\d.]+)/([\d.]+)\)", line) for line in PRINTED["C4.5"]]
    estimates = {(float(m[1]), float(m[2])): float(m[3]) for m in found if m}
    assert wrong + added_errors(wrong, n, bound="release8") == pytest.approx(estimates[n, wrong], abs=0.005)


def test_estimates_of_nodes_of_c45() -> None:
    lines = " ".join(line for line in PRINTED["C4.5"] if "leaf=" in line)
    nodes = re.findall(r"N=([\d.]+) .*?leaf=([\d.]+)\+([\d.]+)", lines)
    assert len(nodes) == 4
    for n, wrong, added in nodes:
        assert added_errors(float(wrong), float(n), bound="release8") == pytest.approx(
            float(added), abs=0.005
        )
