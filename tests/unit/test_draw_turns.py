"""The picture of an arrow that turns: the order of points along it, and where two of them change places."""

import numpy as np
import pytest
from pictures import texts

from dtlib import messages
from dtlib.book import pictures

FOUR = {"A": (-0.8, -0.4), "B": (-0.3, 0.5), "C": (0.3, -0.1), "D": (0.9, 0.4)}


@pytest.fixture(autouse=True)
def _english_afterwards():
    yield
    messages.use_language("en")


def test_two_points_change_places_where_the_arrow_is_perpendicular_to_the_line_through_them():
    """(22.4): the order before, at and after the swap, and reversed after half a turn."""
    said = pictures.turning(FOUR, [20, 45, 70, 200]).description
    assert said == "At 20°: A B C D. At 45°: A B=C D. At 70°: A C B D. At 200°: D C B A."


@pytest.mark.parametrize("degrees", [7, 100, 231])
def test_the_order_is_that_of_the_weighted_sums(degrees):
    arrow = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    order = sorted(FOUR, key=lambda name: np.dot(arrow, FOUR[name]))
    assert pictures.turning(FOUR, [degrees]).description == f"At {degrees}°: {' '.join(order)}."


def test_each_frame_has_its_order_and_all_names():
    words = [word for word, *_ in texts(pictures.turning(FOUR, [20, 45, 70]))]
    assert {"20°: A B C D", "45°: A B=C D", "70°: A C B D"} <= set(words)
    assert words.count("A") == 3


@pytest.mark.parametrize(("points", "angles"), [({"A": (0, 0)}, [1]), (FOUR, [])])
def test_refuses_no_points_and_no_direction(points, angles):
    with pytest.raises(ValueError, match="wanted two points and a direction"):
        pictures.turning(points, angles)


def test_speaks_chinese():
    messages.use_language("zh")
    assert pictures.turning(FOUR, [20]).title == "箭头旋转，两点交换位置"  # noqa: RUF001
