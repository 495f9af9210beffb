"""What a question says of itself, in both languages."""

# ruff: noqa: RUF001  (Chinese has its own question mark)

import pytest

from dtlib.messages import use_language
from dtlib.tree.splits import Multiway, Subset, Threshold, say_number


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
    assert say_number(x) == said


def test_chinese():
    try:
        use_language("zh")
        assert Threshold("x", 1.5).branches == ("是", "否")
        splits = Threshold("x", 1.5), Subset("c", (("a",), ("b",))), Multiway("c", ("a",))
        assert [str(split) for split in splits] == ["x ≤ 1.5？", "c = a？", "c？"]
    finally:
        use_language("en")
