"""What a question says of itself, in both languages."""

# ruff: noqa: RUF001  (Chinese has its own question mark)

import pytest

from dtlib.messages import use_language
from dtlib.numbers import format_number
from dtlib.tree.splits import Hyperplane, Multiway, Subset, Threshold


def test_multiway():
    split = Multiway("color", ("green", 2))
    assert str(split) == "color?"
    assert split.branches == ("green", "2")
    assert split.conditions == ("color = green", "color = 2")


@pytest.mark.parametrize(
    ("threshold", "values", "last"),
    [(0.3815, (), "0.3815"), (-2.0, (), "-2"), (0.5, ("S", "M", "L"), "S"), (1.0, ("S", "M", "L"), "M")],
)
def test_threshold(threshold, values, last):
    split = Threshold("x", threshold, values)
    assert str(split) == f"x ≤ {last}?"
    assert split.branches == ("yes", "no")
    assert split.conditions == (f"x ≤ {last}", f"x > {last}")


def test_subset():
    split = Subset("color", (("dark",), ("green", "pale"), (1, True)))
    assert str(split) == "color?"
    assert str(Subset("color", split.groups[:2])) == "color = dark?"
    assert split.branches == ("dark", "green, pale", "1, True")
    assert split.conditions == ("color = dark", "color in {green, pale}", "color in {1, True}")


@pytest.mark.parametrize(
    ("x", "said"),
    [(3.0, "3"), (0.1 + 0.2, "0.3"), (202311.5, "202311.5"), (1e-7, "1e-07"), (123456789.25, "123456789.2")],
)
def test_numbers_are_said_with_ten_digits(x, said):
    assert format_number(x) == said


def test_chinese():
    try:
        use_language("zh")
        assert Threshold("x", 1.5).branches == ("是", "否")
        splits = Threshold("x", 1.5), Subset("c", (("a",), ("b",))), Multiway("c", ("a",))
        assert [str(split) for split in splits] == ["x ≤ 1.5？", "c = a？", "c？"]
    finally:
        use_language("en")


def test_a_brief_sum_has_as_many_terms_as_fit_and_at_least_one():
    split = Hyperplane(("width", "height", "depth"), (1.0, 0.25, -0.5), 3.0)
    terms = ["width", "+ 0.25 height", "- 0.5 depth"]
    assert list(split.terms) == terms
    for letters in range(len(" ".join(terms)) + 2):
        fit = max((k for k in (1, 2, 3) if len(" ".join(terms[:k])) <= letters), default=1)
        shown = " ".join([*terms[:fit], *(["+ …"] if fit < 3 else [])])
        assert split.brief(letters) == f"{shown} ≤ 3?"
