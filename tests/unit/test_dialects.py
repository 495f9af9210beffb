"""Presets of other programs: which option may stand beside which, and where each one goes."""

import pytest

from dtlib import BySurrogates, C45Classifier, CARTClassifier, CARTRegressor, Prior
from dtlib.dialects import C45Dialect, CARTDialect
from dtlib.dialects.rpart_and_sklearn import SURROGATES, times
from dtlib.prune import CrossValidated, Pessimistic, Price, ReducedError
from dtlib.prune.ways import CostComplexity
from dtlib.table.parameters import Number

PRESETS = {
    "release8": (C45Classifier.release8, C45Dialect),
    "j48": (C45Classifier.j48, C45Dialect),
    "rpart": (CARTClassifier.rpart, CARTDialect),
    "rpart, numbers": (CARTRegressor.rpart, CARTDialect),
    "sklearn": (CARTClassifier.sklearn, CARTDialect),
}
CASES = [
    (preset, option, choice)
    for preset, (_, dialect) in PRESETS.items()
    for option, choices in dialect._declared.items()
    for choice in choices
]


def given(choice):
    """Return a value that a declaration allows."""
    return 0.125 if isinstance(choice, Number) else choice


@pytest.mark.parametrize(("preset", "option", "choice"), CASES)
def test_an_option_of_the_dialect_changes_it_alone(preset, option, choice):
    make, _ = PRESETS[preset]
    plain, changed = make().get_params(), make(**{option: given(choice)}).get_params()
    assert changed.pop(f"dialect__{option}") == given(choice)
    plain.pop(f"dialect__{option}")
    differ = {name for name in plain if repr(plain[name]) != repr(changed[name])}
    assert differ <= {"dialect"}


@pytest.mark.parametrize(("preset", "option", "choice"), CASES)
def test_a_dialect_beside_an_option_of_its_own_is_refused(preset, option, choice):
    make, dialect = PRESETS[preset]
    with pytest.raises(ValueError, match=f"^{option} and dialect are given, and both say the same: give"):
        make(dialect=dialect(), **{option: given(choice)})


@pytest.mark.parametrize("preset", PRESETS)
def test_a_dialect_stands_beside_options_that_are_not_its_own(preset):
    make, dialect = PRESETS[preset]
    mine, plain = dialect(), make()
    others = {name: value for name, value in plain.get_params(deep=False).items() if name != "dialect"}
    model = make(dialect=mine, max_depth=4, min_samples_leaf=3)
    assert model.dialect is mine
    assert (model.max_depth, model.min_samples_leaf) == (4, 3)
    if preset != "rpart":  # whose priors are another option's, and whose way of pruning holds cp
        others |= {"prune": None}
        assert make(dialect=mine, **others).dialect is mine


@pytest.mark.parametrize("make", [C45Classifier.release8, C45Classifier.j48])
@pytest.mark.parametrize(
    "option",
    [{"confidence": 0.1}, {"raising": False}, {"bound": "exact"}, {"confidence": 0.3, "bound": "normal"}],
)
def test_options_of_the_pruning_go_into_it_or_stand_alone(make, option):
    usual, changed = make().prune.get_params(), make(**option).prune.get_params()
    assert changed == usual | option
    for way in (None, Pessimistic(), "reduced_error"):
        with pytest.raises(ValueError, match=f"^{min(option)} and prune are given, and both say the same"):
            make(prune=way, **option)


def test_each_program_has_its_bound():
    assert (C45Classifier.release8().prune.bound, C45Classifier.j48().prune.bound) == ("release8", "normal")
    assert C45Classifier.j48(prune="pessimistic").prune.bound == "normal"
    mine = Pessimistic()
    assert C45Classifier.j48(prune=mine).prune is mine


@pytest.mark.parametrize(
    ("options", "prune"),
    [
        ({}, Price(0.01)),
        ({"cp": 0.2}, Price(0.2)),
        ({"prune": None}, Price(None)),
        ({"prune": None, "cp": 0.2}, Price(0.2)),
        ({"prune": Price(None)}, Price(0.01)),
        ({"prune": Price(None), "cp": 0.2}, Price(0.2)),
        ({"prune": Price(0.3)}, Price(0.3)),
        ({"prune": "cv"}, CrossValidated()),
        ({"prune": CrossValidated(cp=None), "cp": 0.2}, CrossValidated(cp=0.2)),
        ({"prune": ReducedError()}, ReducedError()),
        ({"prune": CostComplexity(0.1)}, CostComplexity(0.1)),
    ],
)
def test_cp_goes_into_the_way_of_pruning(options, prune):
    found = CARTClassifier.rpart(**options).prune
    if "cp" not in options and getattr(prune, "cp", 0.0) is None and options.get("prune") is not None:
        prune = prune.set_params(cp=0.01)
    assert repr(found) == repr(prune)


@pytest.mark.parametrize("prune", [Price(0.3), CostComplexity(0.1), CrossValidated(cp=0.1)])
def test_cp_beside_a_way_that_has_one_or_takes_none_is_refused(prune):
    with pytest.raises(ValueError, match=r"^cp and prune are given, and both say the same"):
        CARTClassifier.rpart(prune=prune, cp=0.2)


def test_the_way_of_pruning_that_was_given_is_left_as_it_is():
    mine = Price(None)
    assert CARTClassifier.rpart(prune=mine, cp=0.2).prune.cp == 0.2
    assert mine.cp is None


def test_a_prior_goes_into_the_class_weight_or_stands_alone():
    assert CARTClassifier.rpart(prior=[0.3, 0.7]).class_weight.of_class == [0.3, 0.7]
    assert CARTClassifier.rpart(prior=None, class_weight="balanced").class_weight == "balanced"
    mine = Prior([0.5, 0.5])
    assert CARTClassifier.rpart(class_weight=mine).class_weight is mine
    with pytest.raises(ValueError, match=r"^prior and class_weight are given"):
        CARTClassifier.rpart(prior=[0.3, 0.7], class_weight=None)


@pytest.mark.parametrize("missing", ["surrogate", "stay", None])
@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("max_surrogates", 2),
        ("surrogate_agreement", "known"),
        ("surrogate_names", "each_way"),
        ("unresolved", "stay"),
    ],
)
def test_options_of_surrogates_go_into_them(missing, option, value):
    how = {} if missing is None else {"missing": missing}
    usual, changed = (CARTClassifier.rpart(**how, **more).missing for more in ({}, {option: value}))
    assert usual.used == changed.used == (missing != "stay")
    assert usual.names == "disagree"
    assert changed.get_params() == usual.get_params() | {SURROGATES[option]: value}
    for other in ("majority", BySurrogates()):
        with pytest.raises(ValueError, match=f"^{option} and missing are given, and both say the same"):
            CARTClassifier.rpart(missing=other, **{option: value})


@pytest.mark.parametrize(
    ("given", "factor", "wanted"),
    [
        (None, 3, 20),
        ("many", 3, 20),
        (0, 3, 0),
        (1, 3, 3),
        (7, 3, 21),
        (20, 1 / 3, 7),
        (1, 1 / 3, 0),
        (2.0, 3, 6),
        (1.0, 3, 3),
        (0.9, 3, 0.9),
        (0.1, 3, 0.1 * 3),
        (0.2, 3, 1 / 3),
        (0.3, 3, 1 / 3),
        (0.4, 3, 0.4),
        (0.3, 1 / 3, 0.3 / 3),
        (0.9, 1 / 3, 0.9 / 3),
    ],
)
def test_a_minimum_follows_the_other_and_a_share_stays_one(given, factor, wanted):
    found = times(given, factor, 20)
    assert found == pytest.approx(wanted)
    assert isinstance(found, float) == isinstance(wanted, float)
