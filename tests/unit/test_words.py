"""Words of the library: Chinese as the glossary has it, true verdicts, a tree's numbers in pictures."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from glossary_terms import terms

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, Tree, draw
from dtlib.datasets import load_golf, load_heart, load_loan, load_votes, load_watermelon
from dtlib.messages import catalogue

CATALOGUE = catalogue("zh")
#: Words whose meaning is easily turned round, and what the Chinese says, one of these.
TURNED = {
    "largest": "最大", "smallest": "最小", "least": "最小", "smaller": "较小", "larger": "较?大",
    "equal": "相等",
    "later": "在后", "below": "低于|下|界限内", "above": "上|其后|高于", "less than": "少于|不足",
    "not": "不|未",
    "no": "无|不|没有|否", "without": "缺|不含", "only": "只", "empty": "空",
    "complete": "完整", "kept": "保留",
    "too little": "过小", "too few": "过少", "predicted": "预测", "right": "正确", "wrong": "错",
    "first": "第一",
    "second": "第二", "larger than": "大于", "more": "超过", "at most": "不超过|至多", "at least": "至少",
    "mean": "均值|平均", "median": "中位数",
}  # fmt: skip
#: Where a term of the glossary stands in another sense: "cut" is a verb, a part is one of a sample.
OTHER_SENSE = {("Cut below: {nodes}.", "cut"), ("cut at {nodes}", "cut"), ("part of {n}/{total}", "part")}
SVG = "{http://www.w3.org/2000/svg}"


def has(word: str, english: str) -> bool:
    """Return whether a text has a word, places to fill apart."""
    text = re.sub(r"\{[^}]*\}", "{}", english)
    return bool(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text, re.IGNORECASE))


def has_alone(word: str, english: str) -> bool:
    """Return whether a text has a word of `TURNED`, and not within a longer one, as "least" in "at least"."""
    for longer in TURNED:
        if longer != word and has(word, longer):
            english = re.sub(re.escape(longer), "", english, flags=re.IGNORECASE)
    return has(word, english)


def test_terms_are_called_in_chinese_as_the_glossary_calls_them() -> None:
    chinese = {term.word.lower(): term.chinese for term in terms().values()}
    used, wrong = 0, []
    for english, said in CATALOGUE.items():
        found = [word for word in chinese if has(word, english) and (english, word) not in OTHER_SENSE]
        longest = [word for word in found if not any(word != other and has(word, other) for other in found)]
        used += len(longest)
        wrong += [
            (english, said, word) for word in longest if not any(name in said for name in chinese[word])
        ]
    assert wrong == []
    assert used > 60


@pytest.mark.parametrize(
    "word", [word for word in TURNED if any(has_alone(word, english) for english in CATALOGUE)]
)
def test_words_that_are_easily_turned_round_say_the_same_in_chinese(word: str) -> None:
    said = [(english, zh) for english, zh in CATALOGUE.items() if has_alone(word, english)]
    assert [pair for pair in said if not re.search(TURNED[word], re.sub(r"\{[^}]*\}", "", pair[1]))] == []


def test_no_two_verdicts_and_reasons_are_the_same_in_chinese() -> None:
    from dtlib.tree.reasons import REASONS

    said = [CATALOGUE[reason] for reason in REASONS[1:]]
    assert len(set(said)) == len(said)


# Why a feature is not asked: each verdict is true of the numbers beside it


def grown() -> dict[str, Tree]:
    """Grow trees whose verdicts are of each kind."""
    melons, votes, heart = load_watermelon("3.0"), load_votes(), load_heart()
    X, y = heart.X.iloc[:300].drop(columns="hospital"), heart.y.iloc[:300] > 0
    twice = load_loan().X.assign(again=load_loan().X["has_job"], one="same")
    return {
        "ID3": ID3Classifier().fit(load_watermelon().X, melons.y).tree_,
        "ties": ID3Classifier().fit(twice, load_loan().y).tree_,
        "C4.5": C45Classifier(prune=None).fit(melons.X, melons.y).tree_,
        "C4.5 votes": C45Classifier(prune=None, missing="fractional").fit(votes.X, votes.y).tree_,
        "CART": CARTClassifier().fit(melons.X, melons.y).tree_,
        "CART ties": CARTClassifier().fit(twice, load_loan().y).tree_,
        "CART gaps": CARTClassifier(missing="stay", max_depth=3).fit(X, y).tree_,
    }


TREES = grown()
NEAR = 1e-9


def is_true(line: dict, lines: list[dict], asked: dict) -> bool:
    """Return whether the verdict on a candidate follows from the numbers of all candidates of the node."""
    gain, best = line["gain"], asked["gain"]
    place = [other["feature"] for other in lines].index
    match line["reason"]:
        case "largest gain":
            return line["chosen"] and gain >= max(x["gain"] for x in lines if pd.notna(x["gain"])) - NEAR
        case "smaller gain":
            return not line["chosen"] and gain < best - NEAR
        case "equal gain, but a later column":
            return abs(gain - best) <= NEAR and place(line["feature"]) > place(asked["feature"])
        case "largest gain ratio":
            return line["chosen"] and gain >= line["average_gain"] - 1e-3
        case "smaller gain ratio":
            return gain >= line["average_gain"] - 1e-3 and line["gain_ratio"] < asked["gain_ratio"] - NEAR
        case "equal gain ratio, but a later column":
            equal = abs(line["gain_ratio"] - asked["gain_ratio"]) <= NEAR
            return equal and place(line["feature"]) > place(asked["feature"])
        case "gain below the average":
            return gain < line["average_gain"]
        case "no gain":
            return not line["chosen"] and gain <= NEAR
        case "one value only" | "asked above" | "no known value":
            return not line["chosen"] and (pd.isna(gain) or gain <= NEAR)
    raise AssertionError(f"nobody has said when {line['reason']!r} is true")


@pytest.mark.parametrize("name", TREES)
def test_each_verdict_is_true_of_the_numbers_beside_it(name: str) -> None:
    tree, told = TREES[name], set()
    for node in np.flatnonzero(tree.feature >= 0).tolist():
        lines = tree.explain(node).to_dict("records")
        chosen = [line for line in lines if line["chosen"]]
        assert [line["feature"] for line in chosen] == [tree.features[tree.feature[node]].name]
        assert [line for line in lines if not is_true(line, lines, chosen[0])] == []
        told |= {line["reason"] for line in lines}
    assert len(told) > 1


# The pictures of trees: each card says the numbers of its node


def counts_in(text: str) -> dict[str, float]:
    """Return the weights that a card says, by class.

    >>> counts_in("no 6 · yes 9")
    {'no': 6.0, 'yes': 9.0}
    """
    return {name: float(n) for name, n in (part.rsplit(" ", 1) for part in text.split(" · "))}


def cards(tree: Tree) -> dict[int, list[str]]:
    """Return the texts of each card of the picture of a tree, by node; they stand in that order."""
    root = ET.fromstring(draw.tree(tree).svg)
    groups = [group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}text") is not None]
    return {
        node: ["".join(text.itertext()) for text in group.iter(f"{SVG}text")]
        for node, group in enumerate(groups)
    }


@pytest.mark.parametrize("name", ["ID3", "ties", "C4.5", "CART", "CART gaps"])
def test_a_picture_says_the_weights_questions_and_answers_of_the_tree(name: str) -> None:
    tree, told = TREES[name], cards(TREES[name])
    assert sorted(told) == list(range(tree.node_count))
    for node, texts in told.items():
        head, weights = texts[:2]
        split = tree[node].split
        assert head in ([str(split), f"{split.feature}?"] if split else [str(tree[node].prediction)])
        if node:
            above, branch = tree[int(tree.parent[node])], node - int(tree.first_child[tree.parent[node]])
            assert above.split.branches[branch].startswith(texts[-1].removesuffix("…"))
        if tree.n[node] == 0:
            assert weights == "no sample"
            continue
        wanted = dict(zip(map(str, tree.classes), tree.counts[node].tolist(), strict=True))
        shown = counts_in(weights)
        assert shown == pytest.approx({k: x for k, x in wanted.items() if k in shown}, rel=1e-5)
        assert all(x == 0 for k, x in wanted.items() if k not in shown)


def test_a_picture_of_numbers_says_mean_and_weight() -> None:
    golf = load_golf()
    tree = CARTRegressor(max_depth=2).fit(golf.X.drop(columns="humidity"), golf.X["humidity"]).tree_
    told = cards(tree)
    assert len(told) == tree.node_count > 3
    for node, texts in told.items():
        numbers = [float(x) for text in texts for x in re.findall(r"-?\d+\.?\d*", text)]
        if tree.feature[node] < 0:
            assert any(x == pytest.approx(tree.value[node, 0], rel=1e-3) for x in numbers), texts
        assert tree.n[node] in numbers, texts
