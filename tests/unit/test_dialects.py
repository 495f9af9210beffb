"""Presets of other programs: which option may stand beside which, and where each one goes."""

import pickle
import re

import numpy as np
import pytest
from sklearn.base import clone

from dtlib import BySurrogates, C45Classifier, CARTClassifier, CARTRegressor, Prior
from dtlib.dialects import C45Dialect, CARTDialect
from dtlib.dialects.rpart_and_sklearn import ARGUMENTS_IN_R, SURROGATES, RpartSurrogates, times
from dtlib.prune import ComplexityParameter, CrossValidated, Pessimistic, ReducedError
from dtlib.prune.pruners import CostComplexity
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
    assert C45Classifier.release8(prune="reduced_error").prune == "reduced_error"
    a_third = C45Classifier.j48(
        prune="reduced_error"
    )  # J48 -R holds out a third, cuts ties, and does not collapse
    assert a_third.prune.get_params() == {"held_out": 1 / 3, "cp": None, "ties": "cut"}
    assert a_third.dialect.collapse is None
    assert C45Classifier.j48(prune=ReducedError(0.2)).dialect.collapse is None
    assert C45Classifier.j48(prune=ReducedError(), collapse="top_down").dialect.collapse == "top_down"


@pytest.mark.parametrize(
    ("options", "prune"),
    [
        ({}, ComplexityParameter(0.01)),
        ({"cp": 0.2}, ComplexityParameter(0.2)),
        ({"prune": None}, ComplexityParameter(None)),
        ({"prune": None, "cp": 0.2}, ComplexityParameter(0.2)),
        ({"prune": ComplexityParameter(None)}, ComplexityParameter(0.01)),
        ({"prune": ComplexityParameter(None), "cp": 0.2}, ComplexityParameter(0.2)),
        ({"prune": ComplexityParameter(0.3)}, ComplexityParameter(0.3)),
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


@pytest.mark.parametrize("prune", [ComplexityParameter(0.3), CostComplexity(0.1), CrossValidated(cp=0.1)])
def test_cp_beside_a_way_that_has_one_or_takes_none_is_refused(prune):
    with pytest.raises(ValueError, match=r"^cp and prune are given, and both say the same"):
        CARTClassifier.rpart(prune=prune, cp=0.2)


def test_the_way_of_pruning_that_was_given_is_left_as_it_is():
    mine = ComplexityParameter(None)
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
        ("agreement", "known"),
        ("fallback", "stay"),
    ],
)
def test_options_of_surrogates_go_into_them(missing, option, value):
    how = {} if missing is None else {"missing": missing}
    usual, changed = (CARTClassifier.rpart(**how, **more).missing for more in ({}, {option: value}))
    assert usual.use_surrogates == changed.use_surrogates == (missing != "stay")
    assert type(usual) is type(changed) is RpartSurrogates
    assert changed.get_params() == usual.get_params() | {option: value}
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


#: What each preset says in its docstring that it sets in its dialect; the rest is as the book has it.
ORIGINALS = {"gap": 1e-5, "many_values": 0.3, "threshold": "value", "unseen": "missing"}
RPART = {
    "samples": "rows", "unseen": "missing", "ties": "rounding", "class_order": "declared",
    "zero_weight": "count", "shrinkage": 1.0,
}  # fmt: skip
SET = {
    "release8": {
        **ORIGINALS, "zero_gain": True, "collapse": "bottom_up", "precision": "single",
        "class_order": "declared",
    },
    "j48": {
        **ORIGINALS, "samples": "rows", "values_of": "all", "collapse": "top_down",
        "class_order": "declared",
    },
    "rpart": RPART,
    "rpart, numbers": RPART,
    "sklearn": {"samples": "rows", "zero_gain": True, "precision": "single", "min_impurity": 2.0**-52},
}  # fmt: skip
OF_BOOK = {
    CARTDialect: {
        "samples": "weight", "min_impurity": 0.0, "zero_gain": False, "precision": "double",
        "unseen": "stay", "ties": "first", "class_order": "sorted", "zero_weight": "drop",
        "shrinkage": 0.0,
    },
    C45Dialect: {
        "samples": "weight", "threshold": "midpoint", "values_of": "grown", "threshold_by": "gain",
        "gap": 0.0, "many_values": None, "zero_gain": False, "collapse": None, "unseen": "stay",
        "precision": "double", "class_order": "sorted",
    },
}  # fmt: skip
OTHER = {
    CARTDialect: {
        "samples": ["rows"], "min_impurity": [0.5, 2], "zero_gain": [True], "precision": ["single"],
        "unseen": ["missing"], "ties": ["rounding"], "class_order": ["declared"], "zero_weight": ["count"],
        "shrinkage": [0.5, 2],
    },
    C45Dialect: {
        "samples": ["rows"], "threshold": ["value"], "values_of": ["all"], "threshold_by": ["gain_ratio"],
        "gap": [0.5], "many_values": [0.0, 0.5], "zero_gain": [True], "collapse": ["bottom_up", "top_down"],
        "unseen": ["missing"], "precision": ["single"], "class_order": ["declared"],
    },
}  # fmt: skip


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_sets_what_its_docstring_says_and_is_sound(preset):
    make, dialect = PRESETS[preset]
    assert make().dialect.check().get_params() == OF_BOOK[dialect] | SET[preset]


#: What no parameter sets: in the book, and in the presets that have it otherwise.
CONSTANTS = {
    CARTDialect: {"strict": False, "zero_rates": False},
    C45Dialect: {
        "numeric_minimum": False, "average_slack": 0.0, "min_split_information": 0.0, "tolerance": 0.0,
    },
    BySurrogates: {"categorical_rule": "each_way"},
}  # fmt: skip
OWN = {
    "release8": {
        "numeric_minimum": True, "average_slack": 1e-3, "min_split_information": 1e-3, "tolerance": 1e-7,
    },
    "j48": {"numeric_minimum": True, "average_slack": 1e-3, "tolerance": 1e-6},
    "rpart": {"strict": True, "zero_rates": True},
    "rpart, numbers": {"strict": True, "zero_rates": True},
    "sklearn": {},
}  # fmt: skip


def constants(settings, base):
    """Return what no parameter sets."""
    return {name: getattr(settings, name) for name in CONSTANTS[base]}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_keeps_what_is_its_programs_alone(preset):
    """It stays when the estimator is cloned, pickled or given other settings; its name says so."""
    make, base = PRESETS[preset]
    model = make(class_order="sorted")
    for each in (model, clone(model), pickle.loads(pickle.dumps(model))):
        each.set_params(dialect__samples="weight")
        assert constants(each._dialect, base) == CONSTANTS[base] | OWN[preset]
    named = make.__self__(dialect=preset.partition(",")[0])
    assert constants(named._dialect, base) == CONSTANTS[base] | OWN[preset]
    assert repr(model.dialect).startswith(type(model.dialect).__name__ + "(")
    assert constants(base(), base) == CONSTANTS[base]
    assert (type(model.dialect) is base) == (not OWN[preset])


@pytest.mark.parametrize("missing", ["surrogate", "stay"])
def test_the_surrogates_of_rpart_keep_its_slip(missing):
    model = CARTRegressor.rpart(missing=missing)
    for each in (model, clone(model), pickle.loads(pickle.dumps(model))):
        each.set_params(missing__max_surrogates=2)
        assert constants(each.missing, BySurrogates) == {"categorical_rule": "disagree"}
        assert repr(each.missing).startswith("RpartSurrogates(max_surrogates=2")
    assert constants(BySurrogates(), BySurrogates) == CONSTANTS[BySurrogates]


@pytest.mark.parametrize(("base", "name"), [(base, name) for base in CONSTANTS for name in CONSTANTS[base]])
def test_what_is_one_programs_alone_is_no_parameter(base, name):
    value = CONSTANTS[base][name]
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'"):
        base(**{name: value})
    for make in PRESETS.values():
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'"):
            make[0](**{name: value})


@pytest.mark.parametrize("dialect", [CARTDialect, C45Dialect])
def test_a_dialect_takes_its_choices_and_nothing_else(dialect):
    assert dialect().check().get_params() == OF_BOOK[dialect]
    for name, choices in OTHER[dialect].items():
        for choice in choices:
            assert getattr(dialect(**{name: choice}).check(), name) is choice
        for strange in ("weights", -0.5, [], 1 if name == "zero_gain" else None):
            if strange is not OF_BOOK[dialect][name]:
                with pytest.raises(ValueError, match=f"^{name} is "):
                    dialect(**{name: strange}).check()


@pytest.mark.parametrize(
    ("given", "split", "leaf"),
    [
        ({}, 20, 7),
        ({"min_samples_leaf": 5}, 15, 5),
        ({"min_samples_split": 31}, 31, 10),
        ({"min_samples_split": 4, "min_samples_leaf": 3}, 4, 3),
        ({"min_samples_leaf": 0.1}, 0.1 * 3, 0.1),
        ({"min_samples_split": 0.3}, 0.3, 0.3 / 3),
    ],
)
def test_minsplit_and_minbucket_follow_each_other(given, split, leaf):
    model = CARTClassifier.rpart(**given)
    assert (model.min_samples_split, model.min_samples_leaf) == pytest.approx((split, leaf))


IN_R = [
    ({"minsplit": 5}, {"min_samples_split": 5}),
    ({"minbucket": 2}, {"min_samples_leaf": 2}),
    ({"maxdepth": 4}, {"max_depth": 4}),
    ({"maxsurrogate": 3}, {"max_surrogates": 3}),
    ({"usesurrogate": 0}, {"missing": "stay"}),
    ({"usesurrogate": 1}, {"fallback": "stay"}),
    ({"usesurrogate": 2}, {"fallback": "majority"}),
    ({"surrogatestyle": 0}, {"agreement": "all"}),
    ({"surrogatestyle": 1}, {"agreement": "known"}),
    ({"split": "gini"}, {"criterion": "gini"}),
    ({"split": "information"}, {"criterion": "entropy"}),
]


@pytest.mark.parametrize(("there", "here"), IN_R)
def test_an_argument_of_r_is_answered_with_what_is_written_here(there, here):
    (new, value), (old, _) = *here.items(), *there.items()
    with pytest.raises(TypeError, match=re.escape(f"{old!r}, as R's rpart has: wanted {new}={value!r}")):
        CARTClassifier.rpart(**there)
    assert repr(CARTClassifier.rpart(**here)) != repr(CARTClassifier.rpart()) or value in DEFAULTS


DEFAULTS = ("gini", "all", "majority")


@pytest.mark.parametrize(
    ("there", "said"),
    [
        (
            {"usesurrogate": 7},
            "missing='stay' for 0 or fallback='stay' for 1 or fallback='majority' for 2",
        ),
        ({"surrogatestyle": True}, "agreement='all' for 0 or agreement='known' for 1"),
        ({"xval": 0}, "prune=CrossValidated(folds=...), which also chooses the subtree, or nothing for 0"),
        ({"method": "class"}, "CARTClassifier.rpart()"),
        ({"method": "anova"}, "CARTRegressor.rpart()"),
        ({"method": "poisson"}, "CARTRegressor.rpart(criterion='poisson')"),
        (
            {"method": "exp"},
            "CARTClassifier.rpart() for 'class' or CARTRegressor.rpart() for 'anova' or "
            "CARTRegressor.rpart(criterion='poisson') for 'poisson'",
        ),
        ({"shrink": 0.5}, "shrinkage=0.5"),
        (
            {"parms": {"prior": [0.5, 0.5]}},
            "its parts, each as a parameter: prior, loss, shrinkage for shrink, and criterion for split",
        ),
        ({"control": {}}, "its settings, each as a parameter: min_samples_split, cp, ..."),
        ({"maxcompete": 2}, "nothing, as tree_.explain(node) lists all features"),
        ({"cost": [1, 2]}, "nothing, as no feature has a cost here"),
        ({"weights": np.ones(3)}, "fit(X, y, sample_weight)"),
        ({"formula": "y ~ x"}, "fit(X, y)"),
        ({"data": None}, "fit(X, y)"),
        ({"subset": [1, 2]}, "fit(X, y) with some of the rows"),
        ({"na_action": "na.omit"}, "missing, which says what becomes of rows with missing values"),
    ],
)
@pytest.mark.parametrize("make", [CARTClassifier.rpart, CARTRegressor.rpart])
def test_an_argument_of_r_that_is_not_here_is_answered_with_what_is(make, there, said):
    (name,) = there
    with pytest.raises(TypeError) as error:
        make(**there, min_samples_split=5)
    assert str(error.value) == f"rpart() has no parameter {name!r}, as R's rpart has: wanted {said}"


def test_every_argument_of_r_that_is_known_is_tested():
    others = {
        "xval",
        "shrink",
        "method",
        "parms",
        "control",
        "maxcompete",
        "cost",
        "weights",
        "formula",
        "data",
        "subset",
    }
    assert set(ARGUMENTS_IN_R) == {name for there, _ in IN_R for name in there} | others | {"na_action"}
    assert not set(ARGUMENTS_IN_R) & {
        *CARTClassifier().get_params(),
        *CARTDialect().get_params(),
        *SURROGATES,
    }


def test_what_else_a_preset_sets():
    rpart, sklearn = CARTClassifier.rpart(), CARTClassifier.sklearn()
    assert (rpart.nominal, rpart.max_depth, rpart.class_weight) == ("ordered", 30, None)
    assert rpart.missing.get_params() == {
        "max_surrogates": 5, "agreement": "all", "fallback": "majority", "use_surrogates": True,
    }  # fmt: skip
    assert (sklearn.min_samples_split, sklearn.min_samples_leaf, sklearn.prune) == (2, 1, None)
    for make in (C45Classifier.release8, C45Classifier.j48):
        assert (make().min_samples_leaf, make().mdl_correction) == (2, True)
        assert (make().prune.confidence, make().prune.raising) == (0.25, True)
    assert C45Classifier.release8(group_values="merge").dialect.many_values is None
    assert C45Classifier.j48(group_values="merge").dialect.many_values == 0.3
