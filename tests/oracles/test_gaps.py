"""What programs do with missing and unseen values, as the page about them says it."""

import json
import shutil
from importlib.util import find_spec

import pytest
from sklearn.base import clone

from dtlib import C45Classifier, CARTClassifier, CARTRegressor
from tests.oracles import gaps

RECORDED = json.loads(gaps.FILE.read_text(encoding="utf-8"))
PROGRAMS, ISSUES = RECORDED["programs"], RECORDED["issues"]
ALWAYS = ("scikit-learn's tree", "its histogram boosting")


def of(name, ending):
    """Mark a program that only long runs ask, where it is installed."""
    return pytest.param(name, marks=() if name in ALWAYS else pytest.mark.long, id=f"{name}{ending}")


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_words_follow_from_the_answers(name):
    assert set(PROGRAMS[name]["answers"]) == set(gaps.questions())
    assert PROGRAMS[name]["says"] == gaps.words(PROGRAMS[name]["answers"])


@pytest.mark.parametrize("name", [of(name, "") for name in gaps.IN_PYTHON])
def test_an_installed_program_does_what_is_recorded(name):
    package, ask = gaps.IN_PYTHON[name]
    if find_spec(package if name not in ALWAYS else "sklearn") is None:
        pytest.skip(f"{package} is not installed: pip install {package}")
    assert gaps.words(gaps.answers(lambda question: gaps.in_frames(ask, question))) == PROGRAMS[name]["says"]


@pytest.mark.long
def test_rpart_does_what_is_recorded():
    if not (rscript := shutil.which("Rscript")):
        pytest.skip("R is not installed (on Debian: r-cran-rpart)")
    assert (
        gaps.words(gaps.answers(lambda question: gaps.in_r(rscript, question))) == PROGRAMS["rpart"]["says"]
    )


@pytest.mark.parametrize("issue", gaps.ISSUES)
def test_scikit_learn_is_right_now_and_was_wrong(issue):
    assert not ISSUES["1.4.0"][issue]
    assert ISSUES["1.9.1"][issue]
    version = gaps.version_of("scikit-learn")
    assert gaps.is_right(issue) == ISSUES.get(version, ISSUES["1.9.1"])[issue]


OURS = {
    "scikit-learn's tree": CARTRegressor.sklearn(missing="learned", max_depth=1),
    "rpart": CARTClassifier.rpart(max_depth=1, min_samples_split=2, min_samples_leaf=1, prune=None),
    "J48 of Weka": C45Classifier.j48(min_samples_leaf=1, prune=None),
}


@pytest.mark.parametrize("name", OURS)
def test_our_trees_send_these_rows_where_the_program_does(name):
    def ask(x, y, asked):
        tree = clone(OURS[name]).fit(x, y)
        return tree.predict_proba(asked)[:, 1] if hasattr(tree, "predict_proba") else tree.predict(asked)

    ours = gaps.answers(lambda question: gaps.in_frames(ask, question))
    theirs = {k: said for k, said in PROGRAMS[name]["answers"].items() if not isinstance(said, str)}
    assert {k: ours[k] for k in theirs} == theirs


@pytest.mark.parametrize("tree", [CARTRegressor(missing="learned")])
def test_ours_has_none_of_the_faults_of_scikit_learn(tree):
    """The same trees, asked in the same way."""
    NAN = gaps.NAN
    X, y = gaps.np.array([[NAN, NAN, 3.0, 4, 5, 6]]).T, gaps.np.arange(6.0)
    grown = clone(tree).fit(X, y)
    assert grown.predict(X).tolist() == [0.5, 0.5, 2, 3, 4, 5]  # 28254
    assert (grown.tree_.impurity >= 0).all()
    assert (
        clone(tree).set_params(criterion="absolute_error").fit(X, y).predict(X)[2:] == y[2:]
    ).all()  # 32119
    X = gaps.np.array([[NAN] * 4 + [1.0, 2, 3, 4], [1.0, 2] * 4]).T
    limited = clone(tree).set_params(max_depth=1, min_impurity_decrease=0.25)
    assert limited.fit(X, [0.0] * 4 + [1.0] * 4).get_n_leaves() == 2  # 32178
    X = gaps.np.array([[0.0, 0, 0, NAN, NAN]]).T
    assert clone(tree).fit(X, [0, 0, 0, 1, 1]).get_n_leaves() == 2  # 32272
    X = gaps.np.array([[0, NAN, NAN, 2.0, 3]]).T
    grown = clone(tree).fit(X, [0, 0, 0, 1, 1])
    assert grown.decision_path(X).toarray()[gaps.np.arange(5), grown.apply(X)].all()  # 32284
