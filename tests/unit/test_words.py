"""Words of the library: those of the field, Chinese as in the glossary, true verdicts, pictures."""

from __future__ import annotations

import ast
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from glossary_terms import terms

import dtlib
from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, Tree, draw
from dtlib.datasets import load_golf, load_heart, load_loan, load_votes, load_watermelon
from dtlib.messages import catalogue

# The words that went, which must not come back


class Gone(NamedTuple):
    """A pattern of what went, where it must not be, and the term of the vocabulary that stands there now."""

    where: str
    pattern: str
    write: str


IDENTIFIER, MESSAGE, FIRST_LINE = "identifier", "message", "first line of a docstring"
#: What a first line says instead of "the same", which is no term.
OF_WHAT = "what it is the same as, by its name"
#: Identifiers are read in parts, with spaces between: `has_holes` as "has holes", `MyPrice` as "My Price".
GONE = (
    Gone(IDENTIFIER, r"(?i)\b(holes?|torn)\b", "missing value"),
    Gone(IDENTIFIER, r"(?i)\blots?\b", "random key"),
    Gone(IDENTIFIER, r"(?i)\basked\b", "split"),
    Gone(IDENTIFIER, r"(?i)\bstand ins?\b", "surrogate split"),
    Gone(IDENTIFIER, r"(?i)\bprices?\b", "alpha"),
    Gone(IDENTIFIER, r"(?<!Two )\bWays?\b", "pruning"),
    Gone(IDENTIFIER, r"\bSent\b", "branch"),
    Gone(IDENTIFIER, r"\bBelow\b", "level"),
    Gone(IDENTIFIER, r"\bParts\b", "fractional instance"),
    Gone(MESSAGE, r"\b(has|holds?|are|or|and) names\b(?! of)|\bnames and numbers\b", "categorical feature"),
    Gone(MESSAGE, r"\b(of|for) names\b(?! of)", "categorical feature"),
    Gone(MESSAGE, r"\bnames? (in (an|this|that) order|without a branch)\b(?!,)", "category"),
    Gone(MESSAGE, r"\bholes?\b", "missing value"),
    Gone(MESSAGE, r"\bprices? of (a leaf|leaves)\b|\bprice per leaf\b", "alpha"),
    Gone(MESSAGE, r"\b(in parts|parts? of (a row|rows))\b", "fractional instance"),
    Gone(MESSAGE, r"\b(by|about|for|asks?) (a )?weighted sums?\b", "oblique split"),
    Gone(MESSAGE, r"\bways? of pruning\b", "pruning"),
    Gone(FIRST_LINE, r"(?i)\b(of|for|as|or) names\b(?! of)", "categorical feature"),
    Gone(FIRST_LINE, r"(?i)\b(columns?|features?|lea(f|ves)|trees?|those) of numbers\b", "numeric feature"),
    Gone(FIRST_LINE, r"(?i)\bnames? (in an order|without a branch)\b", "category"),
    Gone(FIRST_LINE, r"(?i)\b(numbers?|what is) to be predicted\b", "target"),
    Gone(FIRST_LINE, r"(?i)\b(holes?|torn)\b", "missing value"),
    Gone(FIRST_LINE, r"(?i)\blots?\b", "random key"),
    Gone(FIRST_LINE, r"(?i)\bprices?\b", "alpha"),
    Gone(FIRST_LINE, r"(?i)\b(in parts|parts? of (a|the) row|parts of rows)\b", "fractional instance"),
    Gone(FIRST_LINE, r"(?i)\b(about|asks?|by) (for )?(a )?weighted sums?\b", "oblique split"),
    Gone(FIRST_LINE, r"(?i)\bways? of pruning\b", "pruning"),
    Gone(FIRST_LINE, r"(?i)\basks?\b|\basked\b(?! for)", "split"),
    Gone(FIRST_LINE, r"^\w+ the same\b(?= (as|at|for|given|in|of|to|where|with)\b|[.,;:])", OF_WHAT),
)  # fmt: skip
PACKAGE = Path(dtlib.__file__).parent
VOCABULARY = Path(__file__).parents[2] / "docs" / "maintainers" / "vocabulary.md"


def identifiers(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the parts of each identifier, as it is defined, given, read or imported."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                found = [name]
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                found = [name]
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                found = [
                    getattr(node, "module", None) or "",
                    *(f"{x.name}.{x.asname or ''}" for x in aliases),
                ]
            case _:
                continue
        for name in found:
            yield node.lineno, " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name))


def is_documented(node: ast.AST) -> bool:
    """Tell whether a node is one that has a docstring."""
    return (
        isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None
    )


def sentences(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each string with a space that is no docstring, as messages have it."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if " " in text and id(node) not in alone:
                yield node.lineno, text


def first_lines(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of the first line of each docstring, without quoted code."""
    for node in filter(is_documented, ast.walk(tree)):
        yield node.body[0].lineno, re.sub(r"`+[^`]*`+", "``", ast.get_docstring(node).partition("\n")[0])


READ = {IDENTIFIER: identifiers, MESSAGE: sentences, FIRST_LINE: first_lines}


def come_back(source: str) -> Iterator[tuple[int, str, Gone]]:
    """Yield where words that went are in a source: its line, its text, and what is to be written."""
    tree = ast.parse(source)
    for where, read in READ.items():
        banned = [gone for gone in GONE if gone.where == where]
        for line, text in read(tree):
            yield from ((line, text, gone) for gone in banned if re.search(gone.pattern, text))


def vocabulary() -> set[str]:
    """Return the terms of the table of the vocabulary."""
    rows = [
        line.split("|")[1] for line in VOCABULARY.read_text(encoding="utf-8").splitlines() if line[:2] == "| "
    ]
    return {re.sub(r"\(.*\)", "", term).strip() for row in rows[1:] for term in row.split(",")}


def test_words_that_went_have_not_come_back() -> None:
    """The book and the homework apart, which speak as the chapters do."""
    wrong = []
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE)
        if place.parts[0] not in ("book", "homework"):
            found = come_back(path.read_text(encoding="utf-8"))
            wrong += [f"{place}:{n}: {gone.where} {text!r}: write {gone.write!r}" for n, text, gone in found]
    assert wrong == []


def test_what_is_to_be_written_is_in_the_vocabulary_and_none_of_its_terms_went() -> None:
    terms = vocabulary()
    assert {gone.write for gone in GONE} - terms == {OF_WHAT}
    assert [(term, gone) for gone in GONE for term in terms if re.search(gone.pattern, term)] == []


def documented(text: str) -> str:
    """Return a source with a function that has a docstring."""
    return f"def f():\n    {text!r}"


BACK = {
    "def has_holes(): ...": "missing value",
    "class Torn: ...": "missing value",
    "x.my_lot": "random key",
    "from dtlib.search.lots import a": "random key",
    "f(asked=1)": "split",
    "def f(AskedByNodes): ...": "split",
    "StandIns()": "surrogate split",
    "stand_in = 1": "surrogate split",
    "prices: int": "alpha",
    "import a as price": "alpha",
    "class Way: ...": "pruning",
    "class Sent: ...": "branch",
    "class Below: ...": "level",
    "Parts()": "fractional instance",
    "raise ValueError(f'column {x} holds names')": "categorical feature",
    "log.info('a feature of names')": "categorical feature",
    "way = 'declare names in an order'": "category",
    "raise ValueError(f'{x!r} is a name without a branch')": "category",
    "warn(f'{x} has holes')": "missing value",
    "raise ValueError(f'{x} is the price of a leaf')": "alpha",
    "raise ValueError(f'{x} goes down in parts')": "fractional instance",
    "how = 'by weighted sums'": "oblique split",
    "raise ValueError('wanted a way of pruning')": "pruning",
    documented("Read columns of names."): "categorical feature",
    documented("Rank a column of numbers."): "numeric feature",
    documented("Say what becomes of a name without a branch."): "category",
    documented("Read the number to be predicted."): "target",
    "class A:\n    'Rows with holes.'": "missing value",
    "'Lots of features.'": "random key",
    documented("Return the price of leaves."): "alpha",
    documented("Send parts of rows down."): "fractional instance",
    documented("Grow a tree by weighted sums."): "oblique split",
    "class A:\n    'A way of pruning.'": "pruning",
    documented("Tell whether anything is asked."): "split",
    documented("Return the same for rows."): OF_WHAT,
}
STAYED = (
    "slots, plots, parted, TwoWay = 1",
    "way, sent, below = 1",
    "kind = 'holes'",
    "how = 'give the names of the columns'",
    "how = 'weighted sums are infinite: divide it'",
    documented("Send rows.\n\nRows with holes."),
    documented("Return the names of the features."),
    documented("Return the same data with other labels."),
    documented("Return the weight; `asks` is an index."),
    documented("Read rows as often as they are asked for."),
)


@pytest.mark.parametrize(("source", "write"), BACK.items())
def test_a_word_that_comes_back_is_found_with_what_to_write(source: str, write: str) -> None:
    assert {gone.write for _, _, gone in come_back(source)} >= {write}


def test_every_pattern_finds_something() -> None:
    assert {gone for source in BACK for _, _, gone in come_back(source)} == set(GONE)


@pytest.mark.parametrize("source", STAYED)
def test_other_words_are_left_alone(source: str) -> None:
    assert list(come_back(source)) == []


# Chinese, as the glossary has it

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
