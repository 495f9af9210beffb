"""What a row counts: sums, priors and losses by hand, and the limits of numbers that can be divided."""

import numpy as np
import pytest

from dtlib.table.columns import Column
from dtlib.table.weights import (
    LEAST,
    Prior,
    check_prior,
    check_scale,
    check_weight,
    checked_weight,
    weigh_classes,
    with_costs,
)

LABELS = Column("y", np.array(["a", "b", "c"]), np.array([0, 0, 0, 1, 1, 2]))


def test_a_single_weight_is_that_of_every_row():
    assert checked_weight(None, 2) is None
    assert checked_weight(2, 3).tolist() == [2, 2, 2]
    assert checked_weight([2, 3], 2).tolist() == [2, 3]
    with pytest.raises(ValueError, match=r"sample_weight has shape \(1,\), but there are 2 rows"):
        checked_weight([2], 2)
    with pytest.raises(ValueError, match=r"sample_weight is missing \(NaN\) in row 1 "):
        checked_weight(np.ma.array([1, 2], mask=[0, 1]), 2)


def test_the_first_bad_weight_is_named():
    for weight, said in (
        ([0, 1, -1, -2], r"\[2\] is -1.0: weights must be finite"),
        ([0, -1, np.nan], r"\[1\] is -1.0: weights must be finite"),
        ([0, np.nan, -1], r" is missing \(NaN\) in row 1 \(counted from 0\): give each row a weight"),
    ):
        with pytest.raises(ValueError, match=rf"^sample_weight{said}"):
            check_weight(weight, len(weight))


def test_the_least_sum_of_weights():
    assert check_weight([LEAST, 0], 2).tolist() == [1e-300, 0]
    with pytest.raises(ValueError, match="has the sum 9e-301, too small to be divided: multiply all weights"):
        check_weight([9e-301, 0], 2)


@pytest.mark.parametrize(
    ("largest", "total", "way"),
    [
        (1e140, 1e25, "divide"),  # squares times weights are 1e305
        (1e140, 9e24, None),
        (1e-110, 1e20, "multiply"),  # 1e-200
        (1e-110, 2e20, None),
        (1e-90, 1e-10, "multiply"),  # sums of 1e-100
        (1e-90, 2e-10, None),
        (0.0, 1e-200, None),
        (-1e140, 1e25, "divide"),
    ],
)
def test_scales_that_go_together(largest, total, way):
    targets = [Column("y", np.sort([largest, 0.0]), np.array([0, 1]), "numeric")]
    check_scale(targets, None)
    if way is None:
        check_scale(targets, np.array([total]))
        return
    said = (
        f"y is up to {abs(largest):g} and all weight is {total:g}: their scales do not go together, {way} one"
    )
    with pytest.raises(ValueError, match=said.replace("+", r"\+")):
        check_scale(targets, np.array([total]))


def test_of_several_outputs_each_has_its_scale():
    good, bad = (
        Column(name, np.array([x]), np.array([0]), "numeric") for name, x in (("good", 1.0), ("bad", 1e150))
    )
    with pytest.raises(ValueError, match=r"^bad is up to"):
        check_scale([good, bad], np.array([1e10]))


@pytest.mark.parametrize(
    ("weight", "class_weight", "product"),
    [
        (None, None, None),
        ([1.0, 2, 3, 4, 5, 6], None, [1, 2, 3, 4, 5, 6]),
        ([1.0, 2, 3, 4, 5, 6], Prior([1, 0, 0]), [1, 2, 3, 4, 5, 6]),  # which `with_costs` heeds
        (None, {"a": 2, "c": 0}, [2, 2, 2, 1, 1, 0]),
        ([1.0, 2, 3, 4, 5, 6], {"a": 2, "c": 0}, [2, 4, 6, 4, 5, 0]),
        (None, "balanced", [2 / 3, 2 / 3, 2 / 3, 1, 1, 2]),
    ],
)
def test_the_weight_of_a_row_is_multiplied_by_that_of_its_class(weight, class_weight, product):
    given = weigh_classes(class_weight, [LABELS], None if weight is None else np.array(weight))
    assert given is None if product is None else given.tolist() == pytest.approx(product)


@pytest.mark.parametrize(
    ("class_weight", "words"),
    [
        ({"a": -1}, "^class_weight of 'a' is -1.0: weights must be finite and not negative"),
        ({"c": np.inf}, "^class_weight of 'c' is inf"),
        ({"a": 0, "b": 0, "c": 0}, "^class_weight is zero for every row"),
        (
            "even",
            r"^class_weight is 'even'; wanted one of 'balanced', None, dict\(...\), list\(...\), Prior",
        ),
        ({"q": 1}, r"^class_weight is {'q': 1}; .*The classes, \['a', 'b', 'c'\], are not in class_weight"),
    ],
)
def test_bad_weights_of_classes_are_named(class_weight, words):
    with pytest.raises(ValueError, match=words):
        weigh_classes(class_weight, [LABELS], None)


@pytest.mark.parametrize("class_weight", [[1, 2, 3], [{"a": 1}], ["a", "b"], ({"a": 1},)])
def test_a_list_of_weights_is_for_several_outputs(class_weight):
    words = "^class_weight is .*; wanted .*of several outputs a list of these .y has one output"
    with pytest.raises(TypeError, match=words):
        weigh_classes(class_weight, [LABELS], None)


def test_of_several_outputs_the_classes_of_the_row_are_named():
    with pytest.raises(ValueError, match=r"^class_weight of \['b', 'b'\] is -3.0"):
        weigh_classes([{"b": 3}, {"b": -1}], [LABELS, LABELS], None)


def test_many_classes_are_not_all_listed():
    many = Column("y", np.arange(1000), np.arange(1000))
    for call in (
        lambda: weigh_classes({"q": 1}, [many], None),
        lambda: check_prior({"q": 1}, many, np.ones(1000)),
        lambda: check_prior([1.0], many, np.ones(1000)),
    ):
        with pytest.raises(ValueError, match=r"^(class_weight|prior) ") as caught:
            call()
        assert len(str(caught.value)) < 600


def test_two_weights_that_leave_nothing_are_refused():
    with pytest.raises(ValueError, match="class_weight and sample_weight together are zero for every row"):
        weigh_classes({"a": 0}, [LABELS], np.array([1.0, 1, 1, 0, 0, 0]))


def test_class_weights_of_two_outputs_are_multiplied():
    other = Column("z", np.array([0, 1]), np.array([0, 1, 0, 1, 0, 1]))
    given = weigh_classes([{"a": 2}, {1: 3}], [LABELS, other], None)
    assert given.tolist() == [2, 6, 2, 3, 1, 3]


LOSS = [[0, 1, 2], [3, 0, 4], [5, 6, 0]]


@pytest.mark.parametrize(
    ("prior", "loss", "weight", "factor"),
    [
        ([0.5, 0.25, 0.25], None, None, [1, 0.75, 1.5]),
        ({"c": 0.25, "a": 0.5, "b": 0.25}, None, None, [1, 0.75, 1.5]),
        ([0.5, 0.25, 0.25], LOSS, None, [0.5, 0.875, 2.75]),
        (None, LOSS, None, [9 / 17, 21 / 17, 33 / 17]),
        (None, LOSS, [0.25] * 6, [9 / 17, 21 / 17, 33 / 17]),
        (None, LOSS, [2.0] * 6, [9 / 17, 21 / 17, 33 / 17]),
        ([0.5, 0.5, 0], None, [1.0, 1, 0, 1, 0, 0], [0.75, 1.5, 0]),
    ],
)
def test_classes_get_their_prior_times_what_it_costs_to_miss_them(prior, loss, weight, factor):
    """The shares are altered, the sum of all weights is not."""
    w = None if weight is None else np.array(weight)
    given, table = with_costs(None if prior is None else Prior(prior), loss, [LABELS], w)
    before = np.ones(6) if w is None else w
    assert given.tolist() == pytest.approx((before * np.array(factor)[LABELS.codes]).tolist())
    assert given.sum() == pytest.approx(before.sum())
    assert table is None if loss is None else (table.tolist() == loss and table.dtype == float)


def test_without_prior_and_loss_the_weights_stay():
    weight = np.arange(6.0)
    assert with_costs("balanced", None, [LABELS, LABELS], weight) == (weight, None)
    with pytest.raises(ValueError, match="are for one output, and y has 2"):
        with_costs(None, LOSS, [LABELS, LABELS], weight)


@pytest.mark.parametrize(
    ("prior", "loss", "words"),
    [
        ({"a": 1}, None, r"prior is for \['a'\], but the classes are \['a', 'b', 'c'\]"),
        ([0.5, 0.5], None, r"prior has shape \(2,\); wanted \(3,\)"),
        ([0.5, 0.75, -0.25], None, "wanted numbers of at least 0 with the sum 1"),
        ([0.5, 0.25, 0.2], None, "wanted numbers of at least 0 with the sum 1"),
        (["x", 0, 0], None, "prior is .*; wanted real numbers"),
        (None, [[0, 1], [1, 0]], r"loss has shape \(2, 2\); wanted \(3, 3\)"),
        (None, [[0, 1, 1], [-1, 0, 3], [1, 1, 0]], "wanted numbers of at least 0, and 0 on the diagonal"),
        (None, [[0, 1, 1], [np.inf, 0, 1], [1, 1, 0]], "wanted numbers of at least 0, and 0 on the diagonal"),
        (None, [[0, 1, 1], [1, 0, 1], [1, 1, 1]], "wanted numbers of at least 0, and 0 on the diagonal"),
        (None, [[0, 1, 1], [0, 0, 0], [1, 1, 0]], "wanted a cost above 0 in each row"),
        (None, "much", "loss is 'much'; wanted real numbers"),
    ],
)
def test_bad_priors_and_losses_are_named(prior, loss, words):
    with pytest.raises(ValueError, match=words):
        with_costs(None if prior is None else Prior(prior), loss, [LABELS], None)


@pytest.mark.parametrize("prior", [[0.5, 0.25, 0.25], [0, 0, 1]])
def test_a_class_without_weight_has_no_prior(prior):
    weight = np.array([1.0, 1, 1, 1, 1, 0])
    with pytest.raises(
        ValueError, match=r"prior is .*, but the classes weigh .*: 0.0}: give \[.*\] a prior of 0$"
    ):
        with_costs(Prior(prior), None, [LABELS], weight)
