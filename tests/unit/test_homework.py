"""Computations by hand, and answers to them: what is printed, what is refused, which slip is named."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from math import log, log2

import numpy as np
import pandas as pd
import pytest

from dtlib import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    ID3Regressor,
    ObliqueTreeClassifier,
    OptimalTreeClassifier,
    messages,
)
from dtlib.datasets import load_customers, load_golf, load_loan, load_regression_points, load_watermelon
from dtlib.homework import check_answer, worked
from dtlib.homework.answers import slip_numbers

# Quinlan (1986), table 1: the 14 Saturday mornings (facts, free to use).
DAYS = """
sunny hot high weak no, sunny hot high strong no, overcast hot high weak yes, rain mild high weak yes,
rain cool normal weak yes, rain cool normal strong no, overcast cool normal strong yes,
sunny mild high weak no, sunny cool normal weak yes, rain mild normal weak yes, sunny mild normal strong yes,
overcast mild high strong yes, overcast hot normal weak yes, rain mild high strong no
"""
TENNIS = pd.DataFrame(
    [day.split() for day in DAYS.split(",")], columns=["outlook", "temperature", "humidity", "wind", "play"]
)
SUNNY = TENNIS[TENNIS["outlook"] == "sunny"]
THREE = pd.DataFrame({"a": ["p", "q", "q"], "play": ["no", "yes", "yes"]})
# Sayad, "Decision Tree - Regression" of "An Introduction to Data Science": 14 days, in another order.
HOURS = TENNIS.assign(play=[25, 30, 46, 45, 52, 23, 43, 35, 38, 46, 48, 52, 44, 30])
POINTS = load_regression_points().frame.rename(columns={"y": "play"})


def H(*counts: float) -> float:
    return -sum(n / sum(counts) * log2(n / sum(counts)) for n in counts if n)


def left_of(frame: pd.DataFrame, feature: str, ddof: int = 0) -> float:
    """Return the mean of the standard deviations of the branches, each with its share of the rows."""
    groups = frame.groupby(feature)["play"]
    return float((groups.std(ddof=ddof) * groups.size()).sum() / len(frame))


def squares(numbers: pd.Series) -> float:
    """Return the squares about the mean."""
    return float(((numbers - numbers.mean()) ** 2).sum())


FAR = CARTRegressor(criterion="absolute_error")
WEAK, SQUARES = HOURS["wind"] == "weak", ID3Regressor(criterion="squared_error")
H_WIND = 6 / 14 * 1 + 8 / 14 * H(2, 6)
H_OUTLOOK = 10 / 14 * H(2, 3)
NINE = POINTS["play"] - POINTS["play"].mean()
LOW = POINTS["play"].iloc[:5]
HIGH_AND_FIRST = POINTS["play"].iloc[[0, 5, 6, 7, 8, 9]]
#: The kind of a slip, a method, a table, a quantity, and what comes out for who makes the slip.
SLIPS = [
    ("rounded too early", "id3", TENNIS, "gain(outlook)", f"{0.940 - 0.694:.3f}"),
    ("rounded too early", "id3", THREE, "H(D)", f"{1.6 / 3 + 0.6 * 2 / 3:.2f}"),
    ("truncated", "id3", TENNIS, "H(D|outlook=sunny)", "0.9709"),
    ("sign", "id3", TENNIS, "H(D)", f"{-H(5, 9):.3f}"),
    ("decimal point", "id3", TENNIS, "gain(wind)", "0.48"),
    ("decimal point", "id3", TENNIS, "H(D)", "94.03"),
    ("one minus", "cart", TENNIS, "Gini(D)", f"{(5 / 14) ** 2 + (9 / 14) ** 2:.3f}"),
    ("one minus", "id3", TENNIS, "gain(wind)", f"{1 - H_WIND:.3f}"),
    ("one minus", "id3", TENNIS, "H(D|wind)", f"{1 - H_WIND:.3f}"),
    ("wrong base", "id3", TENNIS, "H(D)", f"{H(5, 9) * log(2):.3f}"),
    ("wrong base", "id3", TENNIS, "gain(outlook)", f"{(H(5, 9) - H_OUTLOOK) / log2(10):.4f}"),
    ("wrong base", "c45", TENNIS, "split information(outlook)", f"{H(5, 4, 5) / log2(3):.4f}"),
    ("swapped", "id3", TENNIS, "H(D|humidity=normal)", f"{H(3, 4):.3f}"),
    ("swapped", "id3", TENNIS, "H(D|wind)", f"{8 / 14 * 1 + 6 / 14 * H(2, 6):.3f}"),
    ("swapped", "id3", TENNIS, "gain(wind)", "0.152"),
    ("weights forgotten", "id3", TENNIS, "H(D|wind)", f"{(1 + H(2, 6)) / 2:.3f}"),
    ("weights forgotten", "id3", TENNIS, "H(D|wind)", f"{1 + H(2, 6):.3f}"),
    ("weights forgotten", "id3", TENNIS, "gain(wind)", f"{H(5, 9) - (1 + H(2, 6)) / 2:.4f}"),
    ("weights forgotten", "c45", TENNIS, "average gain", f"{4 * 0.1189837:.3f}"),
    ("missed", "id3", TENNIS, "H(D|outlook)", f"{5 / 14 * H(2, 3):.3f}"),
    ("missed", "id3", TENNIS, "H(D)", f"{-9 / 14 * log2(9 / 14):.3f}"),
    ("missed", "cart", TENNIS, "Gini(D)", f"{1 - (9 / 14) ** 2:.3f}"),
    (
        "wrong total",
        "id3",
        TENNIS,
        "H(D|outlook=sunny)",
        f"{-3 / 14 * log2(3 / 14) - 2 / 14 * log2(2 / 14):.3f}",
    ),
    ("wrong total", "c45", TENNIS, "gain ratio(outlook)", f"{(H(5, 9) - H_OUTLOOK) / H(5, 9):.3f}"),
    ("wrong total", "c45", TENNIS, "average gain", f"{4 * 0.11898373 / 3:.4f}"),
    ("wrong total", "regression", POINTS, "mean(D)", f"{POINTS['play'].sum() / 9:.3f}"),
    ("wrong quantity", "id3", TENNIS, "gain(wind)", f"{H_WIND:.3f}"),
    ("wrong quantity", "c45", TENNIS, "gain ratio(outlook)", f"{H(5, 9) - H_OUTLOOK:.3f}"),
    ("wrong quantity", "c45", TENNIS, "gain ratio(outlook)", f"{H(5, 4, 5) / (H(5, 9) - H_OUTLOOK):.3f}"),
    ("wrong quantity", "regression", POINTS, "mean(D)", f"{POINTS['play'].median():.3f}"),
    ("wrong quantity", "regression", POINTS, "S(D)", f"{(NINE**2).mean():.3f}"),
    ("wrong quantity", "regression", POINTS, "S(D)", f"{(NINE**2).sum() / 9:.3f}"),
    ("wrong quantity", "regression", POINTS, "S(D)", f"{NINE.abs().sum():.3f}"),
    ("wrong quantity", "regression", POINTS, "S(D)", f"{(POINTS['play'] ** 2).sum():.2f}"),
    ("missed", "regression", POINTS, "S(D)", f"{(NINE[1:] ** 2).sum():.3f}"),
    ("missed", "regression", POINTS, "mean(D)", f"{POINTS['play'].drop(5).mean():.3f}"),
    ("wrong quantity", "regression", POINTS, "S(D, x≤5.5)", f"{LOW.var(ddof=0) * 5:.4f}"),
    ("wrong total", "sdr", HOURS, "SD(D)", f"{HOURS['play'].std():.3f}"),
    ("wrong total", "sdr", HOURS, "gain(wind)", f"{HOURS['play'].std() - left_of(HOURS, 'wind', 1):.3f}"),
    ("wrong quantity", "sdr", HOURS, "SD(D)", f"{HOURS['play'].var(ddof=0):.3f}"),
    ("wrong quantity", "sdr", HOURS, "SD(D|wind=weak)", f"{HOURS[WEAK]['play'].var(ddof=0):.3f}"),
    ("wrong quantity", SQUARES, HOURS, "Var(D)", f"{HOURS['play'].std(ddof=0):.3f}"),
    (
        "weights forgotten",
        "sdr",
        HOURS,
        "SD(D, wind)",
        f"{HOURS.groupby('wind')['play'].std(ddof=0).mean():.3f}",
    ),
    ("already weighted", "sdr", HOURS, "SD(D|wind=weak)", f"{HOURS[WEAK]['play'].std(ddof=0) * 8 / 14:.3f}"),
    ("already weighted", "cart", SUNNY, "Gini(D|wind=weak)", f"{3 / 5 * 4 / 9:.4f}"),
    ("miscounted", "id3", TENNIS, "H(D)", f"{H(4, 10):.3f}"),
    ("wrong quantity", FAR, POINTS, "median(D)", f"{POINTS['play'].mean():.3f}"),
    ("wrong quantity", FAR, POINTS, "AE(D|x≤5.5)", f"{(LOW - LOW.mean()).abs().sum():.3f}"),
    ("wrong quantity", FAR, POINTS, "AE(D)", f"{(NINE**2).sum():.2f}"),
    ("wrong branch", "id3", TENNIS, "gain(wind)", f"{H(5, 9) - 7 / 14 * (H(3, 4) + H(2, 5)):.3f}"),
    ("wrong branch", "id3", TENNIS, "H(D|wind=weak)", f"{H(2, 7):.3f}"),
    ("wrong branch", "c45", TENNIS, "split information(outlook)", f"{H(6, 3, 5):.3f}"),
    ("wrong branch", "cart", TENNIS, "Gini(D, wind=strong)", f"{7 / 14 * (24 / 49 + 20 / 49):.4f}"),
    (
        "wrong branch",
        "regression",
        POINTS,
        "S(D, x≤5.5)",
        f"{squares(LOW[1:]) + squares(HIGH_AND_FIRST):.3f}",
    ),
    ("carried on", "id3", TENNIS, "gain(wind)", f"{H(5, 9) * log(2) - H_WIND:.3f}"),
    ("carried on", "c45", TENNIS, "gain ratio(wind)", f"{(H(4, 10) - H_WIND) / H(6, 8):.4f}"),
    ("unexplained", "id3", TENNIS, "H(D)", "0.777"),
]


@pytest.mark.parametrize(("kind", "method", "frame", "name", "given"), SLIPS)
def test_the_slip_is_named(kind, method, frame, name, given) -> None:
    found = check_answer({name: given}, frame, "play", method=method).first_wrong
    assert found is not None
    assert (found.slip, found.name, found.given) == (kind, name, given)
    assert found.explanation in str(found)


@pytest.mark.parametrize(("kind", "method", "frame", "name", "given"), SLIPS)
def test_a_slip_is_known_before_it_is_made(kind, method, frame, name, given) -> None:
    found = slip_numbers(name, frame, "play", method=method, digits=len(given.partition(".")[2]))
    (told,) = check_answer({name: given}, frame, "play", method=method).findings
    assert [x for x in found if x.given == given] == [told] * (kind != "unexplained")


def test_the_numbers_of_slips_are_those_that_an_answer_would_have_explained() -> None:
    written = [f"{k / 100:.2f}" for k in range(-20, 120)]
    answers = [check_answer({"gain(wind)": x}, TENNIS, "play").findings[0] for x in written]
    found = {x.given: x for x in slip_numbers("IG(wind)", TENNIS, "play", digits=2)}
    assert len(found) > 5
    explained = {x.given: x for x in answers if x.slip not in ("right", "unexplained")}
    assert explained == {given: x for given, x in found.items() if given in written}


@pytest.mark.parametrize(
    ("name", "words"), [("gain(wnd)", "nearest: gain\\(wind\\)"), ("choice", "'choice' is a choice; wanted")]
)
def test_slips_are_made_in_a_number_that_is_computed(name, words) -> None:
    with pytest.raises(ValueError, match=words):
        slip_numbers(name, TENNIS, "play")


def test_every_kind_of_slip_has_a_case() -> None:
    told = set(re.findall(r'"([a-z ]+)"', re.search(r"slip : str\n(.*?)explanation", doc(), re.DOTALL)[1]))
    assert told == {kind for kind, *_ in SLIPS} | {"right", "follows from before"}


def doc() -> str:
    from dtlib.homework.answers import Finding

    return Finding.__doc__ or ""


#: Numbers that published solutions print wrongly, with the slip that explains them.
PRINTED = [
    ({"gain(wind)": "0.48"}, TENNIS, "id3", ["decimal point"]),
    ({"gain(outlook)": "0.246", "gain(humidity)": "0.151"}, TENNIS, "id3", ["rounded too early"] * 2),
    ({"gain(outlook)": "0.247", "gain(wind)": "0.048"}, TENNIS, "id3", ["right"] * 2),
    ({"H(D|humidity=normal)": "0.985", "H(D|humidity=high)": "0.591"}, TENNIS, "id3", ["swapped"] * 2),
    ({"H(D|wind)": "0.892", "H(D|outlook)": "0.693"}, TENNIS, "id3", ["rounded too early", "right"]),
    ({"Gini(D, wind=weak)": "0.428", "Gini(D, humidity=high)": "0.367"}, TENNIS, "cart",
     ["right", "rounded too early"]),
    ({"Gini(D|humidity=normal)": "0.244"}, TENNIS, "cart", ["truncated"]),
    ({"Gini(D, wind=weak)": "0.466"}, SUNNY, "cart", ["rounded too early"]),
    ({"Gini(D|wind=weak)": "0.266"}, SUNNY, "cart", ["already weighted"]),
    ({"Gini(D, wind=weak)": "0.5"}, TENNIS, "cart", ["unexplained"]),
    ({"H(D)": "0.93"}, THREE, "id3", ["rounded too early"]),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "frame", "method", "slips"), PRINTED)
def test_wrong_numbers_of_published_solutions(answer, frame, method, slips) -> None:
    found = check_answer(answer, frame, "play", method=method)
    assert [x.slip for x in found.findings] == slips


def test_a_published_root_entropy_is_wrong_and_its_gains_follow() -> None:
    answer = {"gain(temperature)": "-0.085", "gain(humidity)": "0.037", "gain(wind)": "-0.066"}
    answer |= {"gain(outlook)": "0.132", "H(D)": "0.826", "H(D|temperature)": "0.911"}
    found = check_answer(answer, TENNIS, "play")
    assert found.first_wrong.name == "H(D)"
    assert {x.name: x.slip for x in found.findings} == {
        "H(D)": "unexplained", "gain(outlook)": "follows from before", "H(D|temperature)": "right",
        "gain(temperature)": "follows from before", "gain(humidity)": "follows from before",
        "gain(wind)": "follows from before",
    }  # fmt: skip
    assert "H(D) = 0.826" in str(found)


def test_the_book_and_the_notes() -> None:
    customers, melons, loan = load_customers(), load_watermelon(), load_loan()
    tan = check_answer({"Gini(D)": "0.05"}, customers.frame, "class", method="cart")
    assert tan.first_wrong.slip == "decimal point"
    note = check_answer(
        {"H(D)": "0.998", "H(D|color)": "0.889", "gain(color)": "0.109"}, melons.frame, "good"
    )
    assert [x.slip for x in note.findings] == ["right", "right", "rounded too early"]
    assert note.first_wrong.explanation == "rounded too early: H(D) = 0.998, H(D|color) = 0.889"
    li = {"gain(age)": 0.083, "gain(has_job)": 0.324, "gain(owns_house)": 0.420, "gain(credit)": 0.363}
    assert check_answer(li | {"choice": "owns_house"}, loan.frame, "approved").is_right
    cart = {"Gini(D, age=young)": 0.44, "Gini(D,has_job=yes)": 0.32, "Gini(D, owns_house=yes)": 0.27}
    one = CARTClassifier(nominal="one_vs_rest")
    assert check_answer(cart | {"choice": "owns_house=yes"}, loan.frame, "approved", method=one).is_right


def test_what_follows_is_told_from_what_does_not() -> None:
    wrong = {"H(D)": "0.900", "gain(wind)": "0.008", "gain(humidity)": "0.777"}
    found = {x.name: x.slip for x in check_answer(wrong, TENNIS, "play").findings}
    assert found == {
        "H(D)": "unexplained",
        "gain(wind)": "follows from before",
        "gain(humidity)": "unexplained",
    }


def test_choices() -> None:
    def slip(choice, method="id3", **answer):
        found = check_answer({**answer, "choice": choice}, load_golf().frame, "play", method=method)
        return found.findings[-1].slip, found.findings[-1].explanation

    assert slip("outlook", "c45")[0] == "right"
    assert slip("temperature", "c45") == (
        "wrong quantity",
        "chosen by the largest gain ratio, whatever the gain",
    )
    assert slip("windy", "c45")[1] == "chosen by what is left, the largest instead of the smallest"
    assert slip("humidity", "c45") == ("unexplained", "no slip known here explains it")
    assert slip("temperature ≤ 84", "cart")[0] != "right"
    own = {"gain ratio(outlook)": "0.100"}
    found = check_answer(own | {"choice": "humidity"}, load_golf().frame, "play", method="c45")
    assert found.findings[-1].slip == "follows from before"
    points = check_answer({"choice": "x<=5.5"}, POINTS, "play", method="regression")
    assert points.is_right
    assert check_answer({"choice": "x>5.5"}, POINTS, "play", method="regression").is_right
    with pytest.raises(
        ValueError, match=r"answer\['choice'\] is 'windows'; wanted one of outlook, temp.*leaf"
    ):
        slip("windows", "c45")
    with pytest.raises(TypeError, match=r"answer\['choice'\] is 3; wanted the feature"):
        slip(3, "c45")


def test_a_choice_as_good_as_the_trees_is_right() -> None:
    by_error = ID3Classifier(criterion="misclassification")
    found = check_answer({"choice": "credit"}, load_loan().frame, "approved", method=by_error)
    assert found.is_right
    assert found.findings[0].expected == "owns_house"
    assert str(found) == (
        "All right: choice.\nchoice = credit is right: as good as owns_house, which the tree takes."
    )
    twice = TENNIS.assign(again=TENNIS["outlook"], turned=-np.arange(14), order=np.arange(14))
    for choice in ("outlook", "again"):
        assert check_answer({"choice": choice}, twice.iloc[:, :6], "play").is_right
    right = {"turned≤-1.5": True, "order > 1.5": True, "order≤12.5": False, "outlook=overcast": False}
    for choice, is_right in right.items():
        assert check_answer({"choice": choice}, twice, "play", method="cart").is_right is is_right
    useless = pd.DataFrame({"a": list("ppqq"), "play": list("ynyn")})
    assert not check_answer({"choice": "a"}, useless, "play").is_right


@pytest.mark.parametrize(
    "given", ["Gain(wind)", "IG(wind)", "ig(D, Wind)", "g(D,wind)", "Information Gain(WIND)"]
)
def test_quantities_may_be_called_as_elsewhere(given) -> None:
    found = check_answer({given: "0.048", "entropy(d)": "0.940", "Choice": "Outlook"}, TENNIS, "play")
    assert found.is_right
    assert [x.name for x in found.findings] == ["entropy(d)", given, "Choice"]
    ratio = {"GainRatio(wind)": "0.049", "SplitInfo(D, wind)": "0.985", "GR(outlook)": "0.156"}
    assert check_answer(ratio, TENNIS, "play", method="c45").is_right
    with pytest.raises(ValueError, match=rf"answer has '{re.escape(given)}' twice|twice"):
        check_answer({given: "0.048", "gain(wind)": "0.048"}, TENNIS, "play")


def test_capitals_count_where_they_tell_apart() -> None:
    both = TENNIS.assign(Wind=TENNIS["outlook"])
    assert check_answer({"gain(wind)": "0.048", "gain(Wind)": "0.247"}, both, "play").is_right
    with pytest.raises(ValueError, match=r"answer has 'IG\(WIND\)', which is not computed here; nearest"):
        check_answer({"IG(WIND)": "0.048"}, both, "play")


def test_the_question_mark_is_explained_once() -> None:
    said = "H(D|humidity≤67.5?), with a question mark, is the mean over all branches of the question; "
    said += "H(D|humidity≤67.5) is one branch."
    page = worked(load_golf().frame, "play", method="c45", depth=None)
    assert f"\n\n{said}\n\n" in str(worked(load_golf().frame[["humidity", "play"]], "play", method="c45"))
    assert str(page).count("with a question mark") == 1
    assert r"H(D|temperature$\le$64.5?), with" in page.to_latex()
    assert "question mark" not in str(worked(load_golf().frame, "play", method="cart"))


def test_a_feature_with_one_question_is_that_question() -> None:
    loan = load_loan().frame
    answer = {"choice": "owns_house", "gain(owns_house)": "0.213", "Gini(D, owns_house)": "0.267"}
    assert check_answer(answer, loan, "approved", method="cart").is_right
    found = check_answer({"choice": "has_job"}, loan, "approved", method="cart")
    assert not found.is_right
    by_bits = CARTClassifier(criterion="entropy")
    assert check_answer({"H(D|owns_house)": "0.551"}, loan, "approved", method=by_bits).is_right
    assert check_answer({"gain(humidity>82.5)": "0.152"}, load_golf().frame, "play", method="c45").is_right
    cut = pd.DataFrame({"x": [1, 1, 2], "play": [1.0, 2.0, 6.0]})
    assert check_answer({"choice": "x", "S(D, x)": "0.5"}, cut, "play", method="regression").is_right
    with pytest.raises(ValueError, match=r"answer\['choice'\] is 'age'; wanted one of age in"):
        check_answer({"choice": "age"}, loan, "approved", method="cart")


@pytest.mark.parametrize("given", ["0,940", "94%", "≈0.94"])
def test_other_ways_to_write_numbers_stay_refused(given) -> None:
    with pytest.raises(ValueError, match=r"wanted a number, as in '0\.971' or '4/9'"):
        check_answer({"H(D)": given}, TENNIS, "play")


def test_nodes_below_the_root() -> None:
    found = check_answer({"H(D3)": "0.971", "choice(D3)": "humidity"}, TENNIS, "play", depth=1)
    assert found.is_right
    assert check_answer({"choice(D1)": "leaf"}, TENNIS, "play", depth=1).is_right
    with pytest.raises(ValueError, match="nearest: H"):
        check_answer({"H(D3)": "0.971"}, TENNIS, "play")


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ("0.940", True), ("0.94", True), (0.94, True), ("0.9403", True), (".94", True), ("0.941", False),
        (np.float64(0.940286), True), (np.float32(0.94), True), (Decimal("0.94"), True), (1, False),
        (1.0, False), ("1", False), ("0.9", True), ("  0.940 ", True), ("9.4e-1", True), ("−0.94", False),
        (0.940285958670631, True), ("0.93", False),
    ],
)  # fmt: skip
def test_the_digits_written_decide(given, right) -> None:
    assert check_answer({"H(D)": given}, TENNIS, "play").is_right is right


def test_fractions_and_halves() -> None:
    customers = load_customers().frame
    assert check_answer(
        {"Gini(D)": "1/2", "Gini(D, gender=M)": "12/25"}, customers, "class", method="cart"
    ).is_right
    assert not check_answer({"Gini(D)": "1/3"}, customers, "class", method="cart").is_right
    half = pd.DataFrame({"a": list("ppppqqqq"), "play": list("yyynynnn")})  # a Gini decrease of 1/8
    for given in ("0.12", "0.13", "0.125", "1/8"):
        assert check_answer({"gain(a=p)": given}, half, "play", method="cart").is_right
    assert (
        check_answer({"mean(D)": 7, "S(D)": "27.6"}, POINTS, "play", method="regression").first_wrong.name
        == "mean(D)"
    )


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (
            {"gain(winds)": 0.1},
            ValueError,
            r"answer has 'gain\(winds\)', .*; nearest: gain\(wind\).*names lists all",
        ),
        ({3: 0.1}, ValueError, "answer has 3"),
        ({"H(D)": None}, TypeError, r"answer\['H\(D\)'\] is None; wanted a number"),
        ({"H(D)": True}, TypeError, "is True; wanted a number"),
        ({"H(D)": "about 1"}, ValueError, "is 'about 1'; wanted a number, as in"),
        ({"H(D)": "nan"}, ValueError, "is 'nan'"),
        ({"H(D)": float("inf")}, ValueError, "is inf"),
        ({"H(D)": "1/0"}, ValueError, "is '1/0'"),
        ({"H(D)": 0.9, "H( D )": 0.9}, ValueError, r"answer has 'H\(D\)' twice"),
        ([0.9], TypeError, "answer is of type list; give a mapping"),
        ({}, ValueError, "answer is empty; wanted at least one number"),
        ({"H(D)": "1e999999"}, ValueError, "is '1e999999'; wanted a number that can be written without"),
        ({"H(D)": "1e-999999"}, ValueError, "is '1e-999999'; wanted a number that can"),
        ({"H(D)": "0e-999999"}, ValueError, "is '0e-999999'; wanted a number that can"),
        ({"H(D)": 10**5000}, ValueError, r"answer\['H\(D\)'\] is longer than 60 signs; wanted a number"),
        ({"H(D)": Fraction(10**5000, 3)}, ValueError, "is longer than 60 signs"),
        ({"H(D)": Fraction(1, 10**5000)}, ValueError, "is longer than 60 signs"),
        ({"H(D)": "1" * 4400 + "/3"}, ValueError, "is longer than 60 signs"),
        ({"H(D)": "²/3"}, ValueError, "is '²/3'; wanted a number, as in"),
        ({"H(D)": "--2/3"}, ValueError, "is '--2/3'; wanted a number, as in"),
        ({"H(D)": "1_0.5"}, ValueError, "is '1_0.5'; wanted a number, as in"),
    ],
)
def test_answers_that_cannot_be_read(answer, error, words) -> None:
    with pytest.raises(error, match=words):
        check_answer(answer, TENNIS, "play")


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        (
            {"method": "id4"},
            ValueError,
            "method is 'id4'; wanted one of 'id3', 'c45', 'cart', 'regression', 'sdr'",
        ),
        (
            {"method": ObliqueTreeClassifier()},
            ValueError,
            "method is Oblique.*or an estimator: ID3Classifier",
        ),
        (
            {"method": CARTClassifier(nominal="ordered")},
            ValueError,
            "nominal='ordered'.*'subset' or 'one_vs_rest'",
        ),
        (
            {"method": C45Classifier(min_samples_leaf=2)},
            ValueError,
            "min_samples_leaf=2; .* min_samples_leaf=0",
        ),
        ({"method": CARTRegressor(min_samples_leaf=2)}, ValueError, "min_samples_leaf=2"),
        ({"method": OptimalTreeClassifier()}, ValueError, "method is OptimalTreeClassifier"),
        (
            {"frame": POINTS, "method": CARTRegressor(max_leaf_nodes=3)},
            ValueError,
            "method has max_leaf_nodes=3; what is worked out by hand has max_leaf_nodes=None",
        ),
        ({"frame": TENNIS, "method": "sdr"}, ValueError, "y holds no real numbers"),
        (
            {"frame": HOURS.assign(wind=1.5), "method": "sdr"},
            TypeError,
            "ID3 needs categorical features.*wind",
        ),
        ({"frame": HOURS, "method": "sdr", "weight": [1] * 14}, ValueError, "repeat the rows instead"),
        ({"method": CARTClassifier(missing="majority")}, ValueError, "missing='majority'"),
        ({"depth": -1}, ValueError, "depth is -1; wanted a whole number"),
        ({"depth": True}, ValueError, "depth is True"),
        ({"digits": 0}, ValueError, "digits is 0; wanted a whole number from 1 to 12"),
        ({"digits": 2.5}, ValueError, "digits is 2.5"),
        ({"target": "plays"}, ValueError, "target is 'plays'; the columns are"),
        ({"target": []}, TypeError, "target is of type list; wanted the name of a column"),
        ({"target": {}}, TypeError, "target is of type dict; wanted the name of a column"),
        ({"target": (["play"],)}, TypeError, "target is of type tuple; wanted the name of a column"),
        ({"target": TENNIS}, TypeError, "target is of type DataFrame; wanted the name of a column"),
        ({"frame": TENNIS[["wind", "wind", "play"]]}, ValueError, r"several columns called \['wind'\]"),
        ({"frame": TENNIS[["wind", "play", "play"]]}, ValueError, r"several columns called \['play'\]"),
        ({"frame": TENNIS.to_dict()}, TypeError, "frame is of type dict; give a DataFrame"),
        (
            {"frame": TENNIS.where(TENNIS != "hot")},
            ValueError,
            r"missing values in columns: temperature; the first is in row 0 ",
        ),
        ({"weight": [1] * 13}, ValueError, "weight"),
    ],
)
def test_what_cannot_be_worked_out(asked, error, words) -> None:
    with pytest.raises(error, match=words):
        worked(**{"frame": TENNIS, "target": "play", **asked})
    if "digits" not in asked:
        with pytest.raises(error, match=words):
            check_answer({"H(D)": 1}, **{"frame": TENNIS, "target": "play", **asked})


def test_more_that_cannot_be_worked_out() -> None:
    many = pd.DataFrame({"a": list("abcdefghijkl"), "play": list("yn") * 6})
    with pytest.raises(ValueError, match="feature 'a' has 12 values here"):
        worked(many, "play", method="cart")
    sizes = TENNIS.assign(size=pd.Categorical(["S", "L"] * 7, ["S", "L"], ordered=True))
    with pytest.raises(ValueError, match=r"names in an order in \['size'\]"):
        worked(sizes, "play", method="cart")
    with pytest.raises(ValueError, match="weight is not worked out for regression"):
        worked(POINTS, "play", method="regression", weight=[1] * 10)
    with pytest.raises(KeyError, match=r"no quantity 'H\(E\)'"):
        worked(TENNIS, "play").step("H(E)")
    near = pd.DataFrame({"x": [0, 1e-11, 2e-11], "play": ["y", "n", "y"]})
    assert len(worked(near, "play", method="cart").steps) == 9


def test_estimators_are_left_as_they_are() -> None:
    model = CARTClassifier(criterion="log_loss")
    page = worked(TENNIS, "play", method=model)
    assert page.steps[0].name == "H(D)"
    assert not hasattr(model, "tree_")
    assert worked(TENNIS, "play", method=ID3Classifier(min_gain=0.9)).choices == {}


def test_weights_count_as_rows() -> None:
    weight = np.arange(14) % 3 + 1
    twice = TENNIS.loc[np.repeat(TENNIS.index, weight)]
    for method in ("id3", "c45", "cart"):
        a = worked(TENNIS, "play", method=method, weight=weight, depth=None)
        b = worked(twice, "play", method=method, depth=None)
        assert [str(step) for step in a.steps] == [str(step) for step in b.steps]
        assert a.choices == b.choices
    tenths = worked(TENNIS, "play", weight=[0.1] * 14)
    assert tenths.step("H(D)").formula == "-(0.5/1.4) log2(0.5/1.4) - (0.9/1.4) log2(0.9/1.4)"
    assert tenths.step("gain(wind)").result == "0.048"


def test_hours_played_by_the_reduction_of_the_standard_deviation() -> None:
    page = worked(HOURS, "play", method="sdr", digits=2)
    hand = {"SD(D)": "9.32", "SD(D|outlook=overcast)": "3.49", "SD(D|outlook=sunny)": "7.78"}
    hand |= {"SD(D|outlook=rain)": "10.87", "SD(D, outlook)": "7.66", "gain(outlook)": "1.66"}
    hand |= {"gain(temperature)": "0.48", "gain(humidity)": "0.27", "gain(wind)": "0.28"}
    assert {name: page.step(name).result for name in hand} == hand
    for feature in HOURS.columns[:-1]:
        gain = HOURS["play"].std(ddof=0) - left_of(HOURS, feature)
        assert page.step(f"gain({feature})").value == pytest.approx(gain, abs=1e-12)
    assert "sqrt(S(D) / 14) = sqrt(1216.3571 / 14) = 9.32" in str(page.step("SD(D)"))
    assert r"\sqrt{\frac{S(D)}{14}}" in page.step("SD(D)").tex
    assert "outlook gains most, 1.66: it is asked." in str(page)
    said = {"SDR(outlook)": "1.66", "Standard deviation(D)": "9.32", "choice": "outlook"}
    assert check_answer(said, HOURS, "play", method="sdr").is_right
    squares = worked(HOURS, "play", method=SQUARES, digits=2)
    assert squares.step("Var(D)").value == pytest.approx(HOURS["play"].var(ddof=0), abs=1e-12)
    assert str(squares.step("gain(wind)")) == "gain(wind) = Var(D) - Var(D, wind) = 86.8827 - 83.5149 = 3.37"


def test_a_node_of_few_rows_says_why_it_is_a_leaf() -> None:
    page = worked(HOURS, "play", method=ID3Regressor(min_samples_split=5), depth=1)
    leaf = next(node for node in page.nodes if "outlook = overcast" in node.heading)
    assert leaf.choice is None
    assert leaf.conclusion == "A leaf, which predicts 46.25: less than min_samples_split."
    assert [step.name for _, steps in leaf.paragraphs for step in steps] == [
        f"{letter}(D{leaf.id})" for letter in ("mean", "S", "SD")
    ]


def test_the_absolute_error_of_a_cut() -> None:
    page = worked(POINTS.head(5), "play", method=FAR, digits=2)
    assert str(page.step("median(D|x≤2.5)")) == "median(D|x≤2.5) = (4.5 + 4.75) / 2 = 4.63"
    assert str(page.step("AE(D|x≤2.5)")).splitlines()[1:] == [
        "    = abs(4.5 - 4.625) + abs(4.75 - 4.625)",
        "    = 0.125 + 0.125",
        "    = 0.25",
    ]
    assert r"\left|4.5 - 4.625\right|" in page.step("AE(D|x≤2.5)").tex
    assert page.nodes[0].conclusion.startswith(
        "After x ≤ 3.5 the sum of the distances is smallest, 0.87: it is asked."
    )
    far = {
        t: (abs(LOW[:t] - LOW[:t].median()).sum() + abs(LOW[t:] - LOW[t:].median()).sum())
        for t in (1, 2, 3, 4)
    }
    assert [page.step(f"AE(D, x≤{t + 0.5})").value for t in far] == pytest.approx(list(far.values()))


@pytest.mark.parametrize(
    ("method", "names"),
    [
        ("c45", {"ratio(wind)": "gain ratio(wind)", "Gain_ratio(D, wind)": "gain ratio(wind)",
                 "IV(wind)": "split information(wind)", "H_wind(D)": "split information(wind)",
                 "Info_wind(D)": "H(D|wind)", "H(D, wind)": "H(D|wind)", "Ent(D)": "H(D)"}),
        (ID3Classifier(criterion="gini"), {"Gini(D|wind)": "Gini(D, wind)", "Gini_wind(D)": "Gini(D, wind)",
                                           "decrease(wind)": "gain(wind)", "Gini index(D)": "Gini(D)"}),
        ("cart", {"Gini(D|wind)": "Gini(D, wind=strong)", "decrease(wind)": "gain(wind=strong)",
                  "Gini(D|wind=weak)": "Gini(D|wind=weak)", "Gini(D, wind=weak)": "Gini(D, wind=strong)"}),
        ("sdr", {"SD(D|wind)": "SD(D, wind)", "std(D)": "SD(D)", "reduction(wind)": "gain(wind)"}),
    ],
)  # fmt: skip
def test_names_that_people_print_are_read(method, names) -> None:
    frame = HOURS if method == "sdr" else TENNIS
    page = worked(frame, "play", method=method)
    answer = {typed: page.step(name).result for typed, name in names.items()}
    for typed, right in answer.items():  # one by one, as two of them may mean one quantity
        assert check_answer({typed: right}, frame, "play", method=method).is_right, typed
        (found,) = check_answer({typed: "0.777"}, frame, "play", method=method).findings
        assert (found.name, f"{found.value:.3f}") == (typed, right)


def test_a_leaf_below_a_smallest_decrease_says_why() -> None:
    page = worked(TENNIS, "play", method=CARTClassifier(min_impurity_decrease=0.2))
    assert page.choices == {}
    assert page.tree.root.is_leaf
    assert page.step("gain(wind=strong)").result == "0.031"
    assert worked(TENNIS, "play", method=CARTClassifier(min_samples_split=6), depth=None).tree.n_leaves < 5


def test_a_wrong_sign_is_carried_on_through_a_root() -> None:
    found = check_answer({"S(D)": "-1216.357", "SD(D)": "9.321"}, HOURS, "play", method="sdr").findings
    assert [x.slip for x in found] == ["sign", "right"]


def test_the_page() -> None:
    page = worked(load_loan().frame, "approved", depth=1)
    text = str(page)
    assert repr(page) == text
    assert text.startswith("Node 0, the root. D: 15 rows, no 6, yes 9.\n\nH(D) = -(6/15) log2(6/15) - ")
    assert "age: young 5 (no 3, yes 2); middle-aged 5 (no 2, yes 3); old 5 (no 1, yes 4)." in text
    assert "owns_house gains most, 0.420: it is asked.\nNode 1, owns_house = no: rows 1, 2, 3, 5," in text
    assert "Node 2, owns_house = yes. D2: 6 rows, no 0, yes 6." in text
    assert text.endswith("A leaf, which predicts yes: pure.")
    assert page.choices == {"choice": "owns_house", "choice(D1)": "has_job"}
    assert page.names[-2:] == ["choice", "choice(D1)"]
    frame = page.to_frame()
    assert frame.loc[0, ["name", "node", "result"]].tolist() == ["H(D)", 0, "0.971"]
    assert len(frame) == len(page.steps)
    assert [len(node.paragraphs) for node in page.nodes] == [5, 4, 1]


def test_the_page_in_latex_and_markdown() -> None:
    page = worked(load_loan().frame, "approved", depth=1)
    for said in (page.to_markdown(), page.to_latex()):
        assert said.count(r"\begin{aligned}") == said.count(r"\end{aligned}") == 10
        assert said.count("$$") == 20
        for step in page.steps:
            assert step.tex.count("{") == step.tex.count("}")
            assert step.tex in said
    assert page._repr_markdown_() == page.to_markdown()
    assert r"H(D \mid \text{has\_job} = \text{no})" in page.to_markdown()
    assert r"g(D, \text{has\_job})" in page.to_markdown()
    assert page.to_markdown().startswith("**Node 0, the root. D: 15 rows, no 6, yes 9.**\n\n$$\n")
    assert page.to_latex().startswith(r"\paragraph{Node 0, the root. D: 15 rows, no 6, yes 9.}")
    assert r"owns\_house gains most, 0.420" in page.to_latex()
    assert "owns_house gains most, 0.420" in page.to_markdown()
    odd = pd.DataFrame(
        {"a|b$_{x}": ["x$", "<b>*_`"], "#": ["[1]", r"\_"], "1.": ["p", "q"], "play": ["y", "n"]}
    )
    said = re.sub(r"\$\$.*?\$\$", "", worked(odd, "play").to_markdown(), flags=re.DOTALL)
    assert r"a\|b\$\_{x}: \<b\>\*\_\` 1 (n 1, y 0); x\$ 1 (n 0, y 1)." in said
    assert r"\#: \[1\] 1 (n 0, y 1); \\\_ 1 (n 1, y 0)." in said
    assert r"1\.: p 1 (n 0, y 1); q 1 (n 1, y 0)." in said
    odd = pd.DataFrame({"50% off_{x}": ["a&b", "c#d"], "play": ["y", "n"]})
    assert r"\text{50\% off\_\{x\}} = \text{a\&b}" in worked(odd, "play").to_latex()


def test_exact_fractions() -> None:
    page = worked(load_customers().frame, "class", method="cart")
    assert page.step("Gini(D, gender=M)").fraction == Fraction(12, 25)
    assert str(page.step("Gini(D)")) == "Gini(D) = 1 - (10/20)^2 - (10/20)^2 = 1/2 = 0.500"
    pure = worked(TENNIS, "play").step("H(D|outlook=overcast)")
    assert str(pure) == "H(D|outlook=overcast) = -(4/4) log2(4/4) = 0.000"
    assert worked(TENNIS, "play").step("H(D)").fraction is None
    assert worked(TENNIS, "play").step("H(D|temperature=hot)").fraction == 1


def test_thresholds_are_listed_and_the_average_is_taken() -> None:
    page = worked(load_golf().frame, "play", method="c45")
    assert "humidity, cut at 67.5, 72.5, 77.5, 82.5, 85.5, 88, 90.5, 93, 95.5:" in str(page)
    assert page.step("gain(humidity)").formula == "gain(humidity≤82.5)"
    assert "Gain at least the average: outlook, humidity. outlook has the largest gain ratio" in str(page)
    charged = worked(load_golf().frame, "play", method=C45Classifier(mdl_correction=True)).step(
        "gain(humidity)"
    )
    assert charged.formula == "gain(humidity≤82.5) - log2(9) / 14"


def test_equal_questions_are_said() -> None:
    twice = TENNIS.assign(again=TENNIS["outlook"])
    assert "outlook gains most, 0.247: it is asked. Equal to it: again." in str(worked(twice, "play"))


def test_two_quantities_of_one_name_are_refused() -> None:
    same = pd.DataFrame({"a": ["b=c", "d", "d"], "a=b": ["c", "c", "d"], "play": list("yny")})
    with pytest.raises(ValueError, match=r"two quantities would be called .*rename"):
        worked(same, "play")


def test_words_in_chinese_names_as_they_are() -> None:
    try:
        messages.use_language("zh")
        page = worked(TENNIS, "play", depth=None)
        found = check_answer({"gain(wind)": "0.48"}, TENNIS, "play")
        assert "根" in str(page)
        assert "gain(outlook) = H(D) - H(D|outlook)" in str(page)
        assert "小数点" in str(found)
        assert found.first_wrong.slip == "decimal point"
    finally:
        messages.use_language("en")


def test_what_was_left_out_is_named() -> None:
    for name, n in {"no": 9, "yes": 5}.items():
        given = f"{1 - (n / 14) ** 2:.4f}"
        found = check_answer({"Gini(D)": given}, TENNIS, "play", method="cart").first_wrong
        assert found.explanation == f"the term of {name} was left out"


def test_a_choice_follows_from_own_squares() -> None:
    own = {"S(D, x≤6.5)": "0.500", "choice": "x≤6.5"}
    found = check_answer(own, POINTS, "play", method="regression")
    assert [x.slip for x in found.findings] == ["unexplained", "follows from before"]


def test_floats_are_read_to_the_digits_that_they_have() -> None:
    value = worked(TENNIS, "play").step("gain(outlook)").value
    assert check_answer({"gain(outlook)": value * (1 + 1e-15)}, TENNIS, "play").is_right


def test_many_rows_are_counted_and_not_listed() -> None:
    text = str(worked(pd.concat([TENNIS] * 8, ignore_index=True), "play"))
    assert "outlook = sunny: 40 rows." in text
    assert "outlook = overcast: 32 rows." in text
    assert "outlook = overcast: rows 2, 6, 11, 12." in str(worked(TENNIS, "play"))


@pytest.mark.parametrize(
    ("values", "typed", "read"),
    [
        (["", " "], ["H(D|v=)", "H(D|v= )"], ["H(D|v=)", "H(D|v= )"]),
        (["x", "x "], ["H(D|v=x)", "H(D|v=x )"], ["H(D|v=x)", "H(D|v=x )"]),
        (["≤", "<="], ["H(D|v=≤)", "H(D|v=<=)"], ["H(D|v=≤)", "H(D|v=<=)"]),
        (["e\u0301", "a"], ["H(D|v=\u00e9)", "h(d|v=\u00c9)"], ["H(D|v=e\u0301)"] * 2),  # é as two signs
        (["\u00e9", "e\u0301"], ["H(D|v=\u00e9)", "H(D|v=e\u0301)"], ["H(D|v=\u00e9)", "H(D|v=e\u0301)"]),
        (["a", "b"], ["\uff28\uff08D | v = a\uff09", "H(D|v=B)"], ["H(D|v=a)", "H(D|v=b)"]),  # wide letters
    ],
)
def test_a_name_is_read_as_it_is_written_or_as_the_only_one_that_can_be_meant(values, typed, read) -> None:
    frame = pd.DataFrame({"v": [values[0]] * 3 + [values[1]] * 3, "y": list("aababb")})
    page = worked(frame, "y")
    for name, meant in zip(typed, read, strict=True):
        assert meant in page.names
        assert check_answer({name: "0.918"}, frame, "y").is_right
        assert check_answer({name: "0.518"}, frame, "y").first_wrong.expected == "0.918"
    spaced = frame.assign(v=frame["v"].replace({values[0]: "x", values[1]: "x "}))
    with pytest.raises(ValueError, match=r"answer has 'H\(D\|v= x\)', which is not computed here"):
        check_answer({"H(D|v= x)": "0.918"}, spaced, "y")  # either may be meant


def test_a_column_without_a_name_may_be_chosen() -> None:
    frame = pd.DataFrame({"": list("ppqq"), " ": list("pqpq"), "y": list("aabb")})
    page = worked(frame, "y")
    assert page.choices == {"choice": ""}
    assert check_answer(page.choices, frame, "y").is_right
    assert not check_answer({"choice": " "}, frame, "y").is_right
    assert not check_answer({"choice": "leaf"}, frame, "y").is_right
    assert worked(frame, "y", depth=1).nodes[1].choice is None


def test_names_of_two_nodes_that_would_be_the_same_are_refused() -> None:
    frame = pd.DataFrame(
        {"D1, b": list("ppppqqqq"), "a": list("pqpqpqpp"), "b": list("ppqqppqq"), "y": list("abababab")}
    )
    worked(frame, "y")
    with pytest.raises(ValueError, match=r"two quantities would be called 'gain\(D1, b\)': rename a column"):
        worked(frame, "y", depth=1)
