"""Numbers counted in intervals first: no bound is too low, and the tree is that of all numbers."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from dtlib import C45Classifier, CARTClassifier, CARTRegressor
from dtlib.counting.criteria import criterion_of, names_of
from dtlib.dialects import C45Dialect
from dtlib.out_of_core import Batches, from_sums, grow_from, intervals, spread, streams, tallies
from dtlib.out_of_core.intervals import Cuts, bound_cuts, cut_bounds, impure_weight
from dtlib.out_of_core.spread import Intervals
from dtlib.search.level import Limits
from tests.drawn import examples, mirrored, mirrors, seeds

COUNTED = [name for name in names_of("classes") if not criterion_of(name).needs_rows]
ESTIMATORS = [
    CARTClassifier(),
    CARTClassifier(criterion="entropy", max_depth=3),
    CARTClassifier(criterion="misclassification"),
    CARTClassifier(min_samples_leaf=4),
    CARTClassifier(missing="majority"),
    CARTClassifier(missing="stay", criterion="entropy"),
    CARTClassifier(max_leaf_nodes=5),
    CARTClassifier.sklearn(missing="majority"),
    C45Classifier(missing="majority"),
    C45Classifier(missing="majority", min_samples_leaf=3, criterion="gain"),
    C45Classifier(missing="majority", mdl_correction=True),
    C45Classifier.j48(missing="majority", prune=None),
    C45Classifier.j48(missing="majority", prune=None, min_samples_leaf=1, gap=0.3),
    C45Classifier.release8(missing="majority", prune=None),
]


@examples(100)
@given(
    st.lists(st.lists(st.integers(0, 3), min_size=7, max_size=7), min_size=1, max_size=4),
    st.integers(1, 7), st.sampled_from(COUNTED), st.integers(1, 3),
)  # fmt: skip
def test_no_cut_gains_more_than_its_interval_may(rows, K, criterion, least):
    table = np.array(rows)[:, :K]
    found = cut_bounds(table[None], criterion, least)
    node, slack = table.sum(0), 1e-9 * (1 + table.sum())
    whole = impure_weight(node, criterion)
    for v, within in enumerate(table):
        before = table[:v].sum(0)
        for part in product(*(range(m + 1) for m in within)):
            left = before + part
            if min(left.sum(), (node - left).sum()) < least or not within.sum():
                continue
            gain = whole - impure_weight(left, criterion) - impure_weight(node - left, criterion)
            assert gain <= found.inside[0, v] + slack
            if part == tuple(within):
                assert found.cut[0, v] == pytest.approx(gain, abs=slack)


NUMBERS = st.lists(st.integers(-9, 9), min_size=3, max_size=3, unique=True)
WEIGHTS = st.lists(st.sampled_from([0.0, 0.3, 1.0, 2.5]), min_size=3, max_size=3)


@examples(100)
@given(
    st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=1, max_size=4), st.one_of(NUMBERS, WEIGHTS),
    st.sampled_from(COUNTED),
)  # fmt: skip
def test_neither_with_weights_nor_of_numbers(rows, drawn, criterion):
    table, drawn = np.array(rows), np.array(drawn)
    of_numbers = drawn.dtype.kind == "i"
    cuts = Cuts("squared_error", Limits(), values=drawn) if of_numbers else Cuts(criterion, Limits(), drawn)
    found, node = bound_cuts(table[None], cuts), table.sum(0)

    def worth(counts):
        if of_numbers:
            y = np.repeat(drawn, counts)
            return ((y - y.mean()) ** 2).sum() if len(y) else 0.0
        return impure_weight(counts * drawn, criterion)

    for v, within in enumerate(table):
        for part in product(*(range(m + 1) for m in within)):
            left = table[:v].sum(0) + part
            counting = np.ones(3, bool) if of_numbers else drawn > 0
            if within.sum() and left @ counting and (node - left) @ counting:
                gain = worth(node) - worth(left) - worth(node - left)
                assert gain <= found.inside[0, v] + 1e-9 * (1 + worth(node))
                if part == tuple(within):
                    assert found.cut[0, v] == pytest.approx(gain, abs=1e-9 * (1 + worth(node)))


@st.composite
def tables(draw):
    """Return a frame of numbers, many of them different, and of names; the last column has the classes."""
    rng, n = np.random.default_rng(draw(st.integers(0, 2**32 - 1))), draw(st.sampled_from([3, 20, 60, 200]))
    K, share = draw(st.sampled_from([1, 2, 3, 8])), draw(st.sampled_from([0, 0, 0.2]))
    X = pd.DataFrame(
        {
            "normal": rng.normal(size=n),
            "steps": rng.integers(0, 30, n) / 8,
            "skew": np.exp(4 * rng.normal(size=n)),
            "whole": rng.integers(-40, 40, n),
            "near": 1 + rng.integers(0, 9, n) * 2.0**-26,
            "name": rng.choice(list("abc"), n).astype(object),
        }
    )[
        draw(
            st.lists(
                st.sampled_from(["normal", "steps", "skew", "whole", "near", "name"]), min_size=1, unique=True
            )
        )
    ]
    y = rng.integers(0, K, n)
    if "normal" in X and draw(st.booleans()):
        y = np.where(rng.random(n) < 0.8, (X["normal"] > 0.3) * (K - 1), y)
    X, y = mirrored(draw(mirrors), X.mask(rng.random(X.shape) < share), y)
    return X.assign(y=y), share > 0


@pytest.mark.long
@examples(60)
@given(
    tables(), st.sampled_from(ESTIMATORS), st.integers(2, 9), st.sampled_from([15, 10**6]),
    st.sampled_from([1, 60, 10**6]), st.sampled_from([5, 10**6]),
)  # fmt: skip
def test_the_tree_is_that_of_all_numbers(drawn, estimator, most, at_once, counts, room):
    frame, has_missing_values = drawn
    estimator = clone(estimator)
    if has_missing_values and estimator.missing == "error":
        estimator.set_params(missing="majority")
    wanted = clone(estimator).fit(frame.drop(columns="y"), frame["y"]).tree_
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spread, "FEW_VALUES", 2)
        patch.setattr(spread, "SAMPLED", 40)
        patch.setattr(tallies, "PENDING", 50)
        patch.setattr(streams, "ROOM", room)
        for name, value in {
            "INTERVALS": most, "FEWEST_INTERVALS": 2, "FINE_AT_ONCE": at_once, "COUNTS": counts
        }.items():  # fmt: skip
            patch.setattr(intervals, name, value)
        source = Batches([frame.iloc[a : a + 30] for a in range(0, len(frame), 30)], "y")
        found = grow_from(source, estimator).tree_
    assert found.to_json() == wanted.to_json()


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("ends", [[-1.7e308, 0, 1.7e308], [0, 5e-324, 1e-300], [7], [-3.5, -1, 2, 2.5, 1e30]])
def test_each_number_lies_in_the_interval_that_ends_at_it_or_above(ends, kind):
    with np.errstate(over="ignore"):
        ends = np.unique(np.array(ends).astype(kind))
    ends = ends[np.isfinite(ends)]
    x = np.concatenate([ends, np.nextafter(ends, kind(-np.inf)), ends / 3, [np.nan]]).astype(kind)
    x = x[~(x > ends[-1]) & ~np.isinf(x)]
    wanted = [len(ends) if np.isnan(v) else int((ends < v).sum()) for v in x]
    assert Intervals(ends).place(x).tolist() == wanted
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spread, "is_ready", lambda *_: True)  # without Numba, the same function in Python
        assert Intervals(ends).place(x).tolist() == wanted


@pytest.mark.parametrize("criterion", COUNTED)
def test_few_numbers_are_counted_one_by_one(criterion):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(30_000, 3)), columns=list("abc"))
    frame = X.assign(y=(X["a"] + rng.normal(size=len(X)) > 0.3).astype(int))
    source = Batches([frame], "y")
    source.columns()
    root = CARTClassifier(criterion=criterion, max_depth=0).fit(X, frame["y"]).tree_
    cells = intervals.count_what_may_win(source, root, [0], Cuts(criterion, Limits())).cells
    assert {f: int(x.rows.sum()) for f, x in cells.items()} == dict.fromkeys(range(3), len(X))
    assert sum(len(x.node) for x in cells.values()) < 600  # of 90,000 values
    assert source.passes == 3


class Watched(Batches):
    """Batches that note the largest number of cells of single values after any pass."""

    most = 0

    def tally(self, tree, nodes, counts, parts=None):
        super().tally(tree, nodes, counts, parts)
        one_by_one = (x for x in counts.values() if isinstance(x, tallies.EveryValue))
        self.most = max(self.most, sum(len(x.cells().node) for x in one_by_one))


def watch_what_is_kept(monkeypatch):
    """Return a list to which the number of single values is appended that are in memory after each pass."""
    kept, forget = [0], intervals.forget

    def watched(known, seen, cuts):
        kept.append(sum(len(cells.node) for cells in seen.values()))
        forget(known, seen, cuts)

    monkeypatch.setattr(intervals, "forget", watched)
    return kept


@pytest.mark.parametrize(
    "estimator",
    [
        CARTClassifier(max_depth=2),
        CARTClassifier.sklearn(max_depth=2, max_features=2, random_state=0),
        C45Classifier(max_depth=2),
        C45Classifier.j48(max_depth=2, prune=None),
        C45Classifier.release8(max_depth=2, prune=None),
    ],
    ids=["CART", "sklearn", "C4.5", "J48", "Release 8"],
)
def test_memory_holds_few_single_values_whatever_the_rules(estimator, monkeypatch):
    """Of 24,000 values, nearly all are distinct. Two of three features tell nothing: any cut may be best."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.normal(size=(8000, 3)), columns=list("abc"))
    X["c"] = X["c"].round(3)  # with ties
    frame = X.assign(y=(X["a"] + 0.5 * rng.normal(size=len(X)) > 0.3).astype(int))
    monkeypatch.setattr(intervals, "FINE_AT_ONCE", 1000)
    monkeypatch.setattr(spread, "FEW_VALUES", 100)
    kept = watch_what_is_kept(monkeypatch)
    source = Watched([frame.iloc[a : a + 1000] for a in range(0, len(frame), 1000)], "y")
    found = grow_from(source, estimator).tree_
    assert found.to_json() == clone(estimator).fit(X, frame["y"]).tree_.to_json()
    assert 0 < source.most <= 1000  # in one pass
    assert max(kept) <= 2 * 1000 + 100  # with those of earlier passes, which are forgotten if they are more


def test_every_value_is_counted_for_thresholds_by_gain_ratio(monkeypatch):
    """No bound is known on a gain ratio inside an interval: every value is counted, and the tree is exact."""
    rng = np.random.default_rng(2)
    X = pd.DataFrame({"a": rng.normal(size=300)})
    frame = X.assign(y=(X["a"] > 0.3).astype(int))
    monkeypatch.setattr(spread, "FEW_VALUES", 100)
    model = C45Classifier(dialect=C45Dialect(threshold_by="gain_ratio"), max_depth=2)
    source = Watched([frame], "y")
    assert grow_from(source, model).tree_ == clone(model).fit(X, frame["y"]).tree_
    assert source.most == 300


REGRESSORS = [
    CARTRegressor(),
    CARTRegressor(min_samples_leaf=3, nominal="one_vs_rest"),
    CARTRegressor(max_features=1, random_state=5, min_impurity_decrease=0.01),
    CARTRegressor(max_leaf_nodes=5, ccp_alpha=0.01),
    CARTRegressor.sklearn(min_samples_split=5),
]


@pytest.mark.parametrize("seed", seeds(8))
def test_many_targets_are_summed_and_the_tree_is_that_from_memory(seed, monkeypatch):
    estimator = REGRESSORS[seed % len(REGRESSORS)]
    rng = np.random.default_rng(seed)
    n, at_once, counts = rng.integers(20, 90), [15, 10**6][seed % 2], [6, 60][seed // 2 % 2]
    x = rng.normal(size=n)
    X = pd.DataFrame({
        "normal": x,
        "steps": rng.integers(0, 30, n) / 8,
        "near": 1 + rng.integers(0, 9, n) * 2.0**-26,
        "name": rng.choice(list("abc"), n).astype(object),
        "size": pd.Categorical(rng.choice(["s", "m", "l"], n), ["s", "m", "l"], ordered=True),
    })  # fmt: skip
    X = X[list(rng.permutation(list(X))[: rng.integers(1, 6)])]
    y = [x**3, np.round(np.exp(x) + rng.random(n), 1), 1e8 + x][seed % 3]
    wanted = clone(estimator).fit(X, y).tree_
    for name, value in {
        "INTERVALS": 2 + seed, "FEWEST_INTERVALS": 2, "FINE_AT_ONCE": at_once, "COUNTS": counts
    }.items():  # fmt: skip
        monkeypatch.setattr(intervals, name, value)
    monkeypatch.setattr(spread, "FEW_VALUES", 2)
    source, summed = Batches([X[:11].assign(y=y[:11]), X[11:].assign(y=y[11:])], "y"), []
    monkeypatch.setattr(
        from_sums, "count_sums", lambda *given: summed.append(1) or intervals.count_sums(*given)
    )
    assert grow_from(source, estimator).tree_.to_json() == wanted.to_json()
    # One narrow feature and few targets: a table of labels has room, and nothing needs to be summed.
    has_room = intervals.fits(len(np.unique(y)), X.shape[1])
    assert bool(summed) != has_room or wanted.node_count == 1


def test_memory_holds_few_sums_of_targets(monkeypatch):
    """All targets differ. With labels, there would be a cell for each of 24,000 values."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.normal(size=(8000, 3)), columns=list("abc"))
    y = (X["a"] ** 2 + rng.normal(size=len(X))).rename("y")
    monkeypatch.setattr(intervals, "FINE_AT_ONCE", 1000)
    monkeypatch.setattr(spread, "FEW_VALUES", 100)
    kept = watch_what_is_kept(monkeypatch)
    source = Watched([X[:3000].assign(y=y[:3000]), X[3000:].assign(y=y[3000:])], "y")
    found = grow_from(source, CARTRegressor(max_depth=2)).tree_
    assert found.to_json() == CARTRegressor(max_depth=2).fit(X, y).tree_.to_json()
    assert 0 < max(kept) <= 3 * 1000 + 100  # cells of rows and of sums; those of earlier passes are fewer


def test_sums_that_change_between_two_passes_are_noticed(monkeypatch):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(300, 2)), columns=list("ay"))
    other = frame.assign(y=frame["y"].to_numpy()[rng.integers(0, 300, 300)])
    monkeypatch.setattr(intervals, "COUNTS", 60)
    passes = iter([frame, other, other, other])
    with pytest.raises(ValueError, match="the counts of 'a' at depth 0 are not those of the level above"):
        grow_from(Batches(lambda: [next(passes)], "y"), CARTRegressor(max_depth=1))
