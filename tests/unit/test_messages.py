"""The catalogues of messages: complete, and consistent between the languages."""

# ruff: noqa: RUF001  (Chinese has its own comma, colon and question mark)

import ast
import json
import string
from pathlib import Path

import pytest

import dtlib
from dtlib import ID3Classifier, draw, messages
from dtlib.book import pictures
from dtlib.datasets import load_loan, load_watermelon

PACKAGE = Path(dtlib.__file__).parent


@pytest.fixture(autouse=True)
def _english_afterwards():
    yield
    messages.use_language("en")


def said(source: str) -> list[ast.expr]:
    """Return the first argument of every call of `say` in some source text."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [
        call.args[0] for call in calls if getattr(call.func, "id", getattr(call.func, "attr", "")) == "say"
    ]


def literals() -> list[str]:
    """Return every literal said in dtlib."""
    sources = [path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py"))]
    return [arg.value for source in sources for arg in said(source) if isinstance(arg, ast.Constant)]


def places_in_order(template: str) -> list[str]:
    return [name for _, name, _, _ in string.Formatter().parse(template) if name is not None]


def places(template: str) -> set[str]:
    return set(places_in_order(template))


# Here Chinese puts the whole before the part, or the place before what is there.
TURNED = {
    "{slope:.3g} at x = {x:.3g}",
    "{value} up to {end}",
    "{value} below {end}",
    "{value} from {end}",
    "{label}: {answer} on {share:.0f} % of the plane, {right} of {n} samples right.",
    "Known values: {known} of {cells}",
}


def test_calls_of_say_are_found():
    source = 'say("a"); messages.say("b", x=say("c")); essay("d"); say'
    assert sorted(arg.value for arg in said(source)) == ["a", "b", "c"]


def test_everything_said_has_a_translation():
    assert [literal for literal in literals() if literal not in messages.catalogue("zh")] == []


def test_nothing_is_translated_twice():
    text = (PACKAGE / "book" / "messages_zh.json").read_text(encoding="utf-8")
    keys = json.loads(text, object_pairs_hook=lambda pairs: [key for key, _ in pairs])
    assert len(keys) == len(set(keys)) > 100


@pytest.mark.parametrize(("english", "chinese"), messages.catalogue("zh").items())
def test_both_languages_have_the_same_places(english, chinese):
    assert places(chinese) == places(english)


def test_places_stand_in_the_same_order_but_where_chinese_turns_them_round():
    """Two places that have changed their words, as in "3 nodes, 5 leaves", are noticed."""
    turned = {
        english
        for english, chinese in messages.catalogue("zh").items()
        if places_in_order(english) != places_in_order(chinese)
    }
    assert turned == TURNED


def test_whatever_a_tree_says_has_a_translation():
    for data in (load_loan(), load_watermelon()):
        X, y = data.X.assign(name="one value"), data.y
        for min_gain in (0.0, 0.3, 2.0):
            tree = ID3Classifier(min_gain=min_gain).fit(X, y).tree_
            messages.use_language("zh")
            said = [tree.explain(node.id) for node in tree] + [tree.trace(), tree.rules(), str(tree)]
            messages.use_language("en")
            assert len(said) == tree.node_count + 3


def test_questions_are_asked_in_the_language_in_use():
    loan = load_loan()
    model = ID3Classifier().fit(loan.X, loan.y)
    messages.use_language("zh")
    tree = model.tree_
    asked = [tree.explain(0)["split"], tree.trace()["split"][:2], model.explain(loan.X.head(1))["split"][:2]]
    assert all(question.endswith("？") for questions in asked for question in questions)
    assert "owns_house？" in draw.tree(tree).svg
    assert "owns_house？" in draw.to_graphviz(tree).source


def test_pictures_are_described_with_the_signs_of_the_language_in_use():
    loan = load_loan()
    tree = ID3Classifier().fit(loan.X, loan.y).tree_
    messages.use_language("zh")
    shown = [
        draw.bars("ab", [1, 2]),
        pictures.venn([[3, 2], [1, 4]]),
        pictures.surprise_curve([0.5, 0.25]),
        draw.partition(tree, loan.frame, "approved", x="owns_house", y="has_job"),
        draw.tree(tree),
    ]
    for picture in shown:
        assert repr(picture) == f"图：{picture.title}。{picture.description}"
        assert picture.description.endswith("。")
        assert not any(signs in repr(picture) for signs in (". ", ": ", "。 "))
    assert repr(shown[0]) == "图：条形图。a 1.000，b 2.000。"


def test_the_language_can_be_switched_and_switched_back():
    assert messages.say("entropy of {name}", name="A") == "entropy of A"
    messages.use_language("zh")
    assert messages.say("entropy of {name}", name="A") == "A的熵"
    messages.use_language("en")
    assert messages.say("entropy of {name}", name="A") == "entropy of A"


def test_a_place_may_have_the_name_of_a_parameter():
    assert messages.say("{template} and {self}", template=1, self=2) == "1 and 2"


def test_a_text_without_translation_is_an_error_in_chinese_only():
    assert messages.say("not in the catalogue") == "not in the catalogue"
    messages.use_language("zh")
    with pytest.raises(ValueError, match=r"no translation of 'not in .*'; add it to dtlib/book/messages_zh"):
        messages.say("not in the catalogue")


def test_an_unknown_language_is_refused_and_changes_nothing():
    with pytest.raises(ValueError, match=r"language is 'de'; wanted one of 'en', 'zh'"):
        messages.use_language("de")
    assert messages.say("entropy of {name}", name="A") == "entropy of A"
