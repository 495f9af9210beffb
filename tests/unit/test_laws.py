"""Formulas of the book that are laws of what the library computes, and that no other test checks.

The table chapters/formulas.csv says which test checks which formula. Each test here names its own.
"""

import math
import re
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linprog
from scipy.stats import chi2_contingency
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingRegressor
from sklearn.metrics import brier_score_loss, f1_score, roc_auc_score

from dtlib import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    LeafShares,
    OptimalTreeClassifier,
)
from dtlib.book import pictures
from dtlib.book.chance import corrected_se
from dtlib.book.checks import check
from dtlib.counting.tables import count_tables
from dtlib.datasets import load_golf, load_loan, load_watermelon
from dtlib.measures import (
    classification_error,
    entropy,
    gain_ratio,
    gini,
    impurity_decrease,
    information_gain,
    split_information,
    squared_error,
    variance,
)
from dtlib.oblique.hyperplane import Search, best_plane
from dtlib.prune import (
    CrossValidated,
    added_errors,
    best_subtree,
    local_differences,
    pruning_path,
    risk,
    weakest_links,
)
from dtlib.prune.cross_validation import middles
from tests.unit.test_oblique import every_line, node_of

COUNTS = arrays(np.int64, st.integers(1, 5), elements=st.integers(0, 30))
BRANCHES = arrays(np.int64, (2, 3), elements=st.integers(0, 30))
NUMBERS = arrays(np.float64, st.integers(1, 20), elements=st.integers(-800, 800).map(lambda k: k / 8))
SHARES = st.lists(st.floats(0.01, 1), min_size=4, max_size=4).map(lambda x: np.array(x) / sum(x))
loan, melons = load_loan(), load_watermelon("2.0")
SMALL = CARTClassifier(max_depth=2).fit(melons.X, melons.y).tree_


def noise(n=200, seed=0, flipped=0.2):
    """Return points of a square whose class is a corner, some of them flipped; and which."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 2))
    rule = (X > 0.5).all(1)
    return X, rule ^ (rng.random(n) < flipped), rule


def cart(n=60, seed=0, **parameters):
    X, y, _ = noise(n, seed)
    return CARTClassifier(**parameters).fit(X, y).tree_


def multiway(seed):
    """Return a tree of ID3, and its table, of features with two to four values."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({f"x{v}": rng.choice(list("abcd")[:v], 60) for v in (2, 3, 4)})
    return ID3Classifier().fit(X, rng.choice(["no", "yes"], 60)).tree_, X


# Chapters 1 to 4: trees, entropy, gain


def test_a_tree_is_the_sum_of_its_leaves():
    """(1.1), (11.6): each row is in one region, and the sum over the regions is the prediction."""
    X, y, _ = noise()
    tree = CARTRegressor(max_depth=4).fit(X, y.astype(float)).tree_
    leaves = np.flatnonzero(tree.feature < 0)
    inside = tree.apply(X)[:, None] == leaves
    assert (inside.sum(1) == 1).all()
    np.testing.assert_allclose(inside @ tree.value[leaves, 0], tree.value[tree.apply(X), 0])
    low, high = X.min(0) - 1, X.max(0) + 1
    for leaf in leaves:  # the region is a box: between its corners are its rows and no others
        a, b, node = low.copy(), high.copy(), leaf
        while node:
            above = tree.parent[node]
            side = b if node == tree.first_child[above] else a
            limit, f = tree.threshold[above], tree.feature[above]
            side[f] = min(side[f], limit) if side is b else max(side[f], limit)
            node = above
        assert (((a < X) & (b >= X)).all(1) == (tree.apply(X) == leaf)).all()


def test_the_mean_number_of_questions_is_that_of_the_leaves():
    """(1.2), (23.1): the depths of the leaves, weighted by their rows; or the shares of the other nodes."""
    X, y, _ = noise()
    est = CARTClassifier().fit(X, y)
    tree = est.tree_
    leaves = tree.feature < 0
    asked = np.asarray(est.decision_path(X).sum(1)).ravel() - 1
    assert asked.mean() == pytest.approx((tree.n * tree.depth)[leaves].sum() / len(X))
    assert asked.mean() == pytest.approx((tree.n / len(X))[~leaves].sum())
    sizes = [[child.n for child in tree[i].children] for i in np.flatnonzero(~leaves)]
    bits = sum(sum(n) / len(X) * split_information(np.array(n)[:, None]) for n in sizes)
    assert entropy(tree.n[leaves]) == pytest.approx(bits)


def test_depth_and_leaves_bound_each_other():
    """(1.3), (23.2): log2 L <= d <= L - 1, both reached; log2 N / log2(1/r) for shares of at most r."""
    for seed in range(30):
        tree = cart(seed=seed, max_leaf_nodes=1 + seed)
        assert math.log2(tree.n_leaves) <= tree.max_depth <= tree.n_leaves - 1
        shares = [child.n / node.n for node in tree if not node.is_leaf for child in node.children]
        if shares:
            assert tree.max_depth <= math.log2(60) / math.log2(1 / max(shares)) + 1e-9
    x = np.arange(8.0)[:, None]
    assert CARTRegressor().fit(x, x[:, 0]).tree_.max_depth == 3
    assert CARTRegressor().fit(x, 9 ** x[:, 0]).tree_.max_depth == 7


def complete_trees(features):
    """Yield every tree that asks all binary features on every path."""
    if not features:
        yield "leaf"
    for f in features:
        rest = tuple(g for g in features if g != f)
        yield from ((f, a, b) for a, b in product(list(complete_trees(rest)), repeat=2))


def test_the_number_of_complete_trees_and_the_one_that_id3_grows():
    """(1.4): T_n = n T_(n-1)^2."""
    numbers = [len(set(complete_trees(tuple(range(n))))) for n in range(4)]
    assert numbers == [1, *(n * numbers[n - 1] ** 2 for n in range(1, 4))]
    X = pd.DataFrame(list(product("ab", repeat=3)))
    X.columns = list("xyz")
    tree = ID3Classifier().fit(X, [f"class {i}" for i in range(8)]).tree_

    def shape(node):
        return "leaf" if node.is_leaf else ("xyz".index(node.feature), *map(shape, node.children))

    assert shape(tree.root) in set(complete_trees((0, 1, 2)))


def test_surprises_of_independent_answers_add_up():
    """(2.1), (2.2): what the curve marks."""
    shown = pictures.surprise_curve([0.5, 0.25, 0.125]).description
    bits = {float(p): float(b) for p, b in re.findall(r"p = ([\d.]+): ([\d.]+) bits", shown)}
    assert bits == {p: -math.log2(p) for p in (0.5, 0.25, 0.125)}
    assert bits[0.5] + bits[0.25] == bits[0.5 * 0.25]


@given(SHARES, SHARES)
def test_no_forecast_surprises_less_than_the_shares_themselves(p, q):
    """(2.6), Gibbs; (2.5) is its lemma."""
    surprise = -(p * np.log2(q)).sum()
    assert entropy(p) <= surprise + 1e-12
    assert surprise - entropy(p) == pytest.approx((p * np.log2(p / q)).sum(), abs=1e-9)
    assert math.log(q[0]) <= q[0] - 1


def test_the_difference_of_rounded_numbers_is_off_by_a_unit_at_most():
    """(3.7), (26.1): half a unit for each; so `check` may refuse the difference of two printed numbers."""
    x = np.random.default_rng(0).random((10_000, 2))
    off = abs(np.diff(x.round(3), axis=1) - np.diff(x, axis=1)).max()
    assert 0.0009 < off <= 0.001
    for d in (1, 2, 5):
        assert abs(np.diff(x.round(d), axis=1) - np.diff(x, axis=1)).max() <= 10.0**-d + 1e-15
    H, left = entropy([9, 8]), entropy([9, 8]) - information_gain([[3, 3], [4, 2], [1, 4]])
    assert round(H, 3) - round(left, 3) == pytest.approx(0.109)
    with pytest.raises(AssertionError, match=r"does not round to 0\.109"):
        check("color", H - left, "0.109", source="the difference of 0.998 and 0.889")


@pytest.mark.parametrize("data", [loan, melons], ids=["loan", "melons"])
def test_the_ledger_of_a_tree(data):
    """(4.2), (4.3): what the questions gain and what the leaves keep is the entropy of the root."""
    tree = ID3Classifier().fit(data.X, data.y).tree_
    for node in tree:
        if not node.is_leaf:
            table = [child.counts for child in node.children]
            kept = sum(child.n / node.n * entropy(child.counts) for child in node.children if child.n)
            assert tree.gain[node.id] == pytest.approx(information_gain(table))
            assert entropy(node.counts) == pytest.approx(tree.gain[node.id] + kept)
    share, leaves = tree.n / tree.n[0], tree.feature < 0
    kept = (share * tree.impurity)[leaves].sum()
    assert entropy(tree.counts[0]) == pytest.approx((share * tree.gain)[~leaves].sum() + kept)
    assert (share * tree.gain)[~leaves].sum() > 0.9


def test_id3_reads_no_more_than_the_bound():
    """(4.4): N rows with n - d features left at depth d; and at the root it reads N n."""
    for seed in range(5):
        tree, X = multiway(seed)
        table = tree.trace(candidates=True).query("role != 'leaf' and reason != 'asked above'")
        asks = tree.feature[table.index] >= 0
        reads = table["n"][asks].sum()
        N, n = X.shape
        assert N * n < reads <= N * n * (n + 1) / 2


# Chapters 5, 6 and 10: chance, ratios, numbers, gaps


def drawn(p, V, N, times, seed=0):
    """Return tables of N rows whose feature and class have nothing to do with each other."""
    rng = np.random.default_rng(seed)
    cells = np.outer(np.full(V, 1 / V), p).ravel()
    return rng.multinomial(N, cells, size=times).reshape(times, V, len(p))


@pytest.mark.parametrize("p", [(0.5, 0.5), (0.2, 0.3, 0.5)])
def test_how_much_entropy_chance_takes_and_how_much_gain_it_gives(p):
    """(5.5), (5.1), (5.9), where N is large; (5.2), (5.4) are steps to (5.5)."""
    K, N, V = len(p), 400, 4
    tables = drawn(p, V, N, 40_000)
    nats = 2 * math.log(2)
    lost = entropy(p) - entropy(tables.sum(1)).mean()
    assert lost == pytest.approx((K - 1) / (N * nats), rel=0.05)
    gain = (V - 1) * (K - 1) / (N * nats)
    assert information_gain(tables).mean() == pytest.approx(gain, rel=0.02)
    assert gain_ratio(tables).mean() == pytest.approx(gain / math.log2(V), rel=0.02)
    share = tables.sum(1) / N
    mean_square = ((share - p) ** 2).mean(0)
    np.testing.assert_allclose(mean_square, np.multiply(p, np.subtract(1, p)) / N, rtol=0.05)  # (5.4)


def test_the_gain_of_a_useless_feature_is_pearsons_statistic():
    """(5.6): 2 N ln 2 g is nearly chi squared; (5.3) is the step."""
    for table in drawn((0.3, 0.7), 3, 5000, 20):
        pearson = chi2_contingency(table, correction=False).statistic
        assert 2 * 5000 * math.log(2) * information_gain(table) == pytest.approx(pearson, rel=0.05)


@pytest.mark.parametrize("p", [0.5, 0.25, 0.1])
def test_the_gain_ratio_of_one_row_against_the_rest(p):
    """(5.11): log2(1/p) / (log2 N + log2 e)."""
    N = 10**6
    table = [[1, 0], [p * N - 1, (1 - p) * N]]
    assert gain_ratio(table) == pytest.approx(math.log2(1 / p) / (math.log2(N) + math.log2(math.e)), rel=1e-3)


def test_thresholds_lie_halfway_and_a_number_is_worth_its_best_cut():
    """(6.1), (6.2): every cut of every number of two data sets."""
    for data in (load_golf(), load_watermelon("3.0")):
        tree = C45Classifier().fit(data.X, data.y).tree_
        for name in data.X.select_dtypes("number"):
            x = data.X[name].to_numpy()
            a = np.unique(x)
            gains = [information_gain(pd.crosstab(x <= t, data.y)) for t in (a[:-1] + a[1:]) / 2]
            found = tree.explain(0).set_index("feature").loc[name]
            assert found["gain"] == pytest.approx(max(gains))
            shown = tree.explain(0, name).set_index("split")["gain"]
            halfway = [f"{name} ≤ {t:.10g}?" for t in (a[:-1] + a[1:]) / 2]
            assert set(shown.index) == set(halfway)
            np.testing.assert_allclose(shown[halfway], gains, atol=1e-12)


def total_bits(*counts):
    """Return (6.3)."""
    n = sum(counts)
    return n * math.log2(n) - sum(k * math.log2(k) for k in counts if k) if n else 0.0


@given(arrays(np.int64, 4, elements=st.integers(0, 20)), st.integers(2, 12))
def test_a_cut_inside_a_run_is_never_the_best(around, m):
    """(6.3), (6.4), (6.5): what a cut leaves is concave in how far it has come through the run."""
    below, above = around[:2], around[2:]
    assume(below[1] + above[1] > 0)
    assert total_bits(*below) == pytest.approx(below.sum() * entropy(below), abs=1e-9)
    F = [total_bits(below[0] + s, below[1]) + total_bits(above[0] + m - s, above[1]) for s in range(m + 1)]
    assert (np.diff(F, 2) <= 1e-9).all()
    assert min(F) >= min(F[0], F[-1]) - 1e-9
    runs = [0] * below[1] + [1] * below[0] + [2] * m + [3] * above[0] + [4] * above[1]
    y = ["b"] * below[1] + ["a"] * (below[0] + m + above[0]) + ["b"] * above[1]
    root = C45Classifier(max_depth=1).fit(pd.DataFrame({"x": np.arange(len(y))}), y).tree_.root
    if not root.is_leaf:
        last = int(root.split.threshold)
        assert y[last] != y[last + 1], runs


def test_what_a_hole_tells():
    """(10.1), (10.2), (10.3): with unknown as a value, the gain of knowing comes on top of C4.5's."""
    data = load_watermelon("2.0a")
    explained = C45Classifier().fit(data.X, data.y).tree_.explain(0).set_index("feature")
    for name in data.X:
        x = data.X[name].astype(object).fillna("?")
        known = x != "?"
        among = information_gain(pd.crosstab(x[known], data.y[known]))
        assert explained.loc[name, "gain"] == pytest.approx(known.mean() * among)
        whole = information_gain(pd.crosstab(x, data.y))
        assert whole == pytest.approx(
            information_gain(pd.crosstab(known, data.y)) + explained.loc[name, "gain"]
        )
        bits = split_information(pd.crosstab(x, data.y))  # (10.3)
        assert explained.loc[name, "split_information"] == pytest.approx(bits)


# Chapters 7, 8 and 11: impurities, CART, numbers


@given(COUNTS)
def test_the_forms_of_gini(counts):
    """(7.1), (7.3), (7.2)."""
    assume(counts.sum())
    p = counts / counts.sum()
    assert gini(counts) == pytest.approx(1 - (p**2).sum(), abs=1e-12)
    assert gini(counts) == pytest.approx((p * (1 - p)).sum(), abs=1e-12)
    assert gini([p[0], 1 - p[0]]) == pytest.approx(2 * p[0] * (1 - p[0]), abs=1e-12)


@given(BRANCHES)
def test_what_gini_loses_is_how_far_the_branches_are_apart(table):
    """(7.8); (7.14) with two classes."""
    for counts in (table, table[:, :2]):
        assume((counts.sum(1) > 0).all())
        n = counts.sum(1)
        p, q = counts / n[:, None]
        weight = n[0] * n[1] / n.sum() ** 2
        assert impurity_decrease(counts, gini) == pytest.approx(weight * ((p - q) ** 2).sum(), abs=1e-12)
    assert impurity_decrease(counts, gini) == pytest.approx(2 * weight * (p[0] - q[0]) ** 2, abs=1e-12)


def test_where_half_the_entropy_and_gini_part_most():
    """(7.12): log2((1 - p) / p) = 4 (1 - 2p) there."""
    p = np.linspace(0.001, 0.499, 100_000)
    gap = entropy(np.stack([p, 1 - p], axis=1)) / 2 - gini(np.stack([p, 1 - p], axis=1))
    best = p[gap.argmax()]
    assert math.log2((1 - best) / best) == pytest.approx(4 * (1 - 2 * best), abs=1e-3)
    assert 0 < best < 0.2


@given(BRANCHES)
def test_what_the_error_loses(table):
    """(7.13): only branches with another majority count."""
    assume(table.sum())
    m = table.sum(0).argmax()
    other = (table.max(1) - table[:, m]).sum() / table.sum()
    assert impurity_decrease(table, classification_error) == pytest.approx(other, abs=1e-12)


@given(SHARES, SHARES)
def test_squares_of_a_forecast(p, q):
    """(7.5): Gini, and how far the forecast is from the shares."""
    mean = sum(p[k] * ((1 - q[k]) ** 2 + (q**2).sum() - q[k] ** 2) for k in range(4))
    assert mean == pytest.approx(gini(p) + ((p - q) ** 2).sum(), abs=1e-12)


def test_each_question_adds_its_answers_less_one():
    """(8.1): leaves of trees with two, three and four branches."""
    for seed in range(5):
        tree, _ = multiway(seed)
        assert tree.n_leaves == 1 + (tree.children[tree.feature >= 0] - 1).sum()
        assert set(tree.children) >= {0, 2, 3}


def test_the_best_of_all_groups_is_a_cut_of_the_order_by_shares():
    """(9.1), (9.2), (9.3), (9.4), (9.5): of all pairs of groups none beats the best cut, which CART finds."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        V, n = 6, 80
        x, y = rng.integers(0, V, n), rng.integers(0, 2, n)
        table = np.array([[((x == v) & (y == k)).sum() for k in (0, 1)] for v in range(V)])
        groups = [L for r in range(1, V) for L in combinations(range(V), r) if 0 in L]
        assert len(groups) == 2 ** (V - 1) - 1
        p, size = table[:, 1] / table.sum(1), table.sum(1)

        def left(L, table=table):
            return np.array([table[list(L)].sum(0), np.delete(table, list(L), axis=0).sum(0)])

        def spread(L, center, p=p, size=size):
            return sum(size[v] * (p[v] - center) ** 2 for v in L)

        for L in groups:
            R = [v for v in range(V) if v not in L]
            within = 0
            for G, counts in zip((L, R), left(L), strict=True):
                pG, N = counts[1] / counts.sum(), counts.sum()
                inside = sum(size[v] * gini(table[v]) for v in G)
                assert N * gini(counts) == pytest.approx(inside + 2 * spread(G, pG))  # (9.2)
                assert spread(G, 0.3) == pytest.approx(spread(G, pG) + N * (pG - 0.3) ** 2)  # (9.5)
                within += spread(G, pG)
            nearer = [min(left(L), key=lambda c, v=v: abs(c[1] / c.sum() - p[v])) for v in range(V)]
            moved = sum(size[v] * (p[v] - nearer[v][1] / nearer[v].sum()) ** 2 for v in range(V))
            assert moved <= within + 1e-12  # (9.3), (9.4)
        best = max(impurity_decrease(left(L), gini) for L in groups)
        order = np.argsort(p, kind="stable")
        cuts = [impurity_decrease(left(order[:k]), gini) for k in range(1, V)]
        assert max(cuts) == pytest.approx(best)
        names = pd.DataFrame({"x": np.array(list("abcdef"))[x]})
        assert CARTClassifier(max_depth=1).fit(names, y).tree_.gain[0] == pytest.approx(best)


@given(NUMBERS, st.floats(-100, 100))
def test_squares_about_any_number(y, c):
    """(11.1), and its mean (11.7): the variance and the squared bias."""
    about = ((y - c) ** 2).sum()
    assert about == pytest.approx(squared_error(y) + len(y) * (y.mean() - c) ** 2, rel=1e-9, abs=1e-9)
    assert about / len(y) == pytest.approx(variance(y) + (y.mean() - c) ** 2, rel=1e-9, abs=1e-9)


@given(NUMBERS, st.integers(1, 19))
def test_what_a_cut_takes_from_the_squares_is_between_the_means(y, cut):
    """(11.3), (11.4), (11.5)."""
    left, right = y[:cut], y[cut:]
    assume(len(right))
    N, l, r = len(y), len(left), len(right)  # noqa: E741
    between = l * r / N * (left.mean() - right.mean()) ** 2
    lost = squared_error(y) - squared_error(left) - squared_error(right)
    assert lost == pytest.approx(between, rel=1e-6, abs=1e-6)
    t = (left - y.mean()).sum()
    assert between == pytest.approx(N * t**2 / (l * r), rel=1e-6, abs=1e-6)
    x = np.arange(N)[:, None] < cut
    tree = CARTRegressor(max_depth=1).fit(x.astype(float), y).tree_
    below = (l * variance(left) + r * variance(right)) / N
    assert variance(y) - below == pytest.approx(between / N, abs=1e-6)
    if not tree.root.is_leaf:
        assert tree.gain[0] == pytest.approx(between / N, rel=1e-6, abs=1e-6)


# Chapters 12 to 15: noise, prices, estimates


@pytest.mark.parametrize("flipped", [0.1, 0.3])
def test_the_fresh_error_of_a_tree_that_learns_noise_by_heart(flipped):
    """(12.1) for any tree, from where it contradicts the rule; (12.2) for one without limits."""
    X, y, _ = noise(4000, 1, flipped)
    fresh, labels, rule = noise(200_000, 2, flipped)
    for tree in (CARTClassifier(), CARTClassifier(max_leaf_nodes=20)):
        said = tree.fit(X, y).predict(fresh)
        w, e = (said != rule).mean(), (said != labels).mean()
        assert e == pytest.approx(flipped + (1 - 2 * flipped) * w, abs=0.005)
    e = (CARTClassifier().fit(X, y).predict(fresh) != labels).mean()
    assert e == pytest.approx(2 * flipped * (1 - flipped), abs=0.02)


def test_the_standard_error_of_a_share_and_of_a_count():
    """(12.3), (14.10), (24.1): what the table of a pruning path says, in the unit of the root's errors."""
    X, y, _ = noise(150)
    model = CARTClassifier(prune=CrossValidated(folds=5), random_state=0).fit(X, y)
    for _, line in model.cptable_.iterrows():
        root = min(y.sum(), (~y).sum())
        E = line["xerror"] * root
        assert line["xstd"] * root == pytest.approx(math.sqrt(E * (1 - E / 150)))
        e = E / 150
        assert line["xstd"] * root / 150 == pytest.approx(math.sqrt(e * (1 - e) / 150))
        assert e * (1 - e) / (line["xstd"] * root / 150) ** 2 == pytest.approx(150)  # (24.1)


@given(SHARES)
def test_no_forecast_makes_the_labels_of_a_tree_likelier_than_its_shares(q):
    """(13.2): the bits of the risk are those of the best likelihood."""
    leaves = SMALL.counts[SMALL.feature < 0]
    C = risk(SMALL, "entropy")[SMALL.feature < 0].sum()
    forecast = q[:2] / q[:2].sum()
    assert -(leaves * np.log2(forecast)).sum() >= C - 1e-9
    own = leaves / leaves.sum(1, keepdims=True)
    assert -(leaves * np.log2(np.where(own, own, 1))).sum() == pytest.approx(C)


def test_which_samples_and_how_many_is_what_the_entropy_counts():
    """(13.3)."""
    for N in (1, 2, 10, 50):
        for k in range(N + 1):
            which = math.log2(math.comb(N, k))
            assert which - 1e-9 <= N * entropy([k, N - k]) <= which + math.log2(N + 1)


def test_neither_of_two_best_trees_is_better_at_the_others_price():
    """(13.7), and what follows: a higher price leaves no more leaves."""
    for seed in range(10):
        tree = cart(seed=seed)
        low, high = best_subtree(tree, 0.7), best_subtree(tree, 1.6)
        C = [risk(t)[t.feature < 0].sum() for t in (low, high)]
        size = [t.n_leaves for t in (low, high)]
        assert C[0] + 0.7 * size[0] <= C[1] + 0.7 * size[1] + 1e-9
        assert C[1] + 1.6 * size[1] <= C[0] + 1.6 * size[0] + 1e-9
        assert size[1] <= size[0]
    assert size[1] < size[0]


def test_a_node_is_cut_by_the_sign_of_g_less_the_price():
    """(14.2), (14.3), (14.5): both ways to lose, and their difference."""
    for seed in range(10):
        tree = cart(seed=seed)
        links = weakest_links(tree).set_index("node")
        alpha = links["g"].min() * 0.9  # nothing is cut, so each node has all its leaves below
        steps = local_differences(tree, alpha).set_index("node").loc[links.index]
        as_leaf, below = links["risk_leaf"] + alpha, links["risk_branch"] + alpha * links["leaves"]
        np.testing.assert_allclose(steps["loss_as_leaf"], as_leaf)
        np.testing.assert_allclose(steps["loss"], below)
        difference = (links["leaves"] - 1) * (links["g"] - alpha)
        np.testing.assert_allclose(steps["difference"], difference, atol=1e-9)


def test_after_a_cut_no_g_falls():
    """(14.6): by how much it rises; and (14.7), on which the nesting rests."""
    rose = 0
    for seed in range(10):
        tree = cart(seed=seed)
        before = weakest_links(tree).set_index("node")
        alpha = before["g"].min()
        small = best_subtree(tree, alpha)
        after = weakest_links(small)
        where = {node.id: old for node, old in zip(small, kept_nodes(small, tree), strict=True)}
        for line in after.itertuples():
            old = before.loc[where[line.node]]
            s, m = old["leaves"] - 1, old["leaves"] - line.leaves
            assert line.g == pytest.approx((old["g"] * s - alpha * m) / (s - m))
            assert line.g == pytest.approx(old["g"] + m / (s - m) * (old["g"] - alpha))
            assert line.g > alpha
            rose += line.g > old["g"] + 1e-9
        path = pruning_path(tree)
        for k, price in enumerate(path.alphas[:-1]):  # the root alone is no better before the path ends
            C, leaves = path.risks[k], path.leaves[k]
            assert path.risks[-1] - C > price * (leaves - 1) - 1e-9
    assert rose > 5


def kept_nodes(small, tree):
    """Return for each node of a pruned tree its number in the tree from which it was pruned."""
    old = {0: 0}
    for node in small:
        if not node.is_leaf:
            for i in range(small.children[node.id]):
                old[small.first_child[node.id] + i] = tree.first_child[old[node.id]] + i
    return [old[node.id] for node in small]


def test_two_neighbors_of_a_path_cost_the_same_where_their_lines_cross():
    """(13.6): and there the smaller one takes over."""
    path = pruning_path(cart())
    saved, rise = -np.diff(path.leaves), np.diff(path.risks)
    np.testing.assert_allclose(path.alphas[1:], rise / saved)
    assert [best_subtree(path.full, a).n_leaves for a in path.alphas[1:]] == [*path.leaves[1:]]


def test_divisions_that_share_samples_need_a_larger_standard_error():
    """(12.6): between results with a share in common, m / (n + m), it is that of their mean."""
    rng = np.random.default_rng(6)
    m, n, J = 30, 70, 8
    common, own = rng.normal(size=(20_000, 1)), rng.normal(size=(20_000, J))
    found = np.sqrt(m / (n + m)) * common + np.sqrt(n / (n + m)) * own
    said = corrected_se(found.T, m, n)
    assert np.sqrt(np.mean(said**2)) == pytest.approx(found.mean(1).std(), rel=0.02)
    np.testing.assert_allclose(corrected_se(found.T, 0, n), found.std(1, ddof=1) / J**0.5)


def test_the_price_in_the_middle_of_an_interval():
    """(14.9): the geometric mean; above the last price there is no middle."""
    alphas = pruning_path(cart()).alphas
    prices = middles(alphas)
    np.testing.assert_allclose(prices[:-1] ** 2, alphas[:-1] * alphas[1:])
    assert ((alphas[1:-1] < prices[1:-1]) & (prices[1:-1] < alphas[2:])).all()
    assert (prices[0], prices[-1]) == (0, np.inf)


@given(st.floats(1, 1e4), st.floats(0.001, 0.5))
def test_a_pure_leaf_is_never_expected_to_err_more_than_this(n, confidence):
    """(15.1), (15.5)."""
    expected = float(added_errors(0, n, confidence))
    assert expected == pytest.approx(n * (1 - confidence ** (1 / n)), rel=1e-6)
    assert expected <= math.log(1 / confidence) + 1e-6


# Chapters 16 and 22: hyperplanes, forests


@pytest.mark.parametrize("leaves", [2, 4, 8, 16])
def test_the_least_wrong_area_of_a_staircase(leaves):
    """(22.1): no tree of L leaves does better on the diagonal, and columns of half height reach it."""
    side = 320
    grid = (np.stack(np.meshgrid(*[np.arange(side)] * 2), axis=-1).reshape(-1, 2) + 0.5) / side
    above = grid.sum(1) > 1
    tree = CARTClassifier(max_leaf_nodes=leaves, keep_data=False).fit(grid, above)
    wrong = (tree.predict(grid) != above).mean()
    assert wrong >= 1 / (2 * leaves) - 1 / side
    step = 2 / leaves
    height = 1 - (np.floor(grid[:, 0] / step) + 0.5) * step
    assert ((grid[:, 1] > height) != above).mean() == pytest.approx(1 / (2 * leaves), abs=1 / side)


def parted(points):
    """Return in how many ways a hyperplane parts points, each way once, none of the two sides empty."""
    n, d = points.shape
    Z = np.column_stack([points, np.ones(n)])
    ways = 0
    for rest in product((-1, 1), repeat=n - 1):
        sides = np.array([1, *rest])
        found = linprog(np.zeros(d + 1), A_ub=-sides[:, None] * Z, b_ub=-np.ones(n), bounds=(None, None))
        ways += found.status == 0 and (sides < 0).any()
    return ways


@pytest.mark.parametrize(("n", "d"), [(5, 1), (6, 2), (4, 3), (6, 3)])
def test_the_number_of_ways_to_part_points(n, d):
    """(22.4), (22.5), (22.8), and for n = d + 1 (22.7): every way but the empty one."""
    x = np.random.default_rng(n).random((n, d))
    ways = parted(x)
    assert ways == sum(math.comb(n - 1, k) for k in range(1, d + 1))
    share = 2 / 2**n * sum(math.comb(n - 1, k) for k in range(d + 1))
    assert 2 * (ways + 1) / 2**n == pytest.approx(share)
    if d == 2:
        assert ways == n * (n - 1) / 2
        sides = {tuple(side if side[0] else ~side) for side in every_line(x)} - {(True,) * n}
        assert len(sides) == ways  # the lines among which the search is tested are all there are
    if n == d + 1:
        assert ways == 2 ** (n - 1) - 1
        for coins in product((0, 1), repeat=n):
            if 0 < sum(coins) < n:
                z = best_plane(node_of(x, coins), Search(), np.random.default_rng(0))
                assert z.score == pytest.approx(n * gini([sum(coins), n - sum(coins)]))


def test_how_calm_the_average_of_trees_is():
    """(16.1), sigma^2 and rho sigma^2 being the mean variance and covariance of real trees."""
    rng = np.random.default_rng(0)
    X = rng.random((200, 1))
    y = np.sin(6 * X[:, 0]) + rng.normal(0, 0.4, 200)
    bag = BaggingRegressor(CARTRegressor(keep_data=False), 8, random_state=0).fit(X, y)
    x = rng.random((500, 1))
    noise_of = np.array([tree.predict(x) for tree in bag.estimators_]) - np.sin(6 * x[:, 0])
    cov = np.cov(noise_of, ddof=0)
    B, variances = len(cov), np.diag(cov)
    covariance = (cov.sum() - variances.sum()) / (B * (B - 1))
    s2, rho = variances.mean(), covariance / variances.mean()
    assert 0.1 < rho < 0.9
    of_mean = variance(bag.predict(x) - np.sin(6 * x[:, 0]))
    assert of_mean == pytest.approx(rho * s2 + (1 - rho) / B * s2)


def test_how_many_rows_a_draw_leaves_out():
    """(16.2): the chance at N = 200, and its limit."""
    X = np.arange(200.0)[:, None]
    bag = BaggingRegressor(CARTRegressor(max_depth=1), 200, random_state=0).fit(X, X[:, 0])
    left = 1 - np.mean([len(set(rows)) / 200 for rows in bag.estimators_samples_])
    assert left == pytest.approx((1 - 1 / 200) ** 200, abs=0.01)
    assert pytest.approx(math.exp(-1), abs=1e-6) == (1 - 1e-7) ** 10**7


@pytest.mark.parametrize("w", [1.0, 3.0, 9.0])
def test_from_which_share_on_a_leaf_says_the_rare_class(w):
    """(20.1): above 1 / (1 + w)."""
    for rare in range(1, 20):
        y = np.array([1] * rare + [0] * (20 - rare))
        tree = CARTClassifier(max_depth=0, class_weight={0: 1.0, 1: w}).fit(np.zeros((20, 1)), y)
        assert (tree.predict([[0]])[0] == 1) == (rare / 20 > 1 / (1 + w) + 1e-12)


def test_balanced_weights_by_hand():
    """(20.2): N / (K N_k); every class then weighs N / K."""
    y = np.array(list("aaaaaabbbc"))
    tree = CARTClassifier(max_depth=0, class_weight="balanced").fit(np.zeros((10, 1)), y).tree_
    own = CARTClassifier(max_depth=0, class_weight={"a": 10 / 18, "b": 10 / 9, "c": 10 / 3})
    np.testing.assert_allclose(tree.counts[0], own.fit(np.zeros((10, 1)), y).tree_.counts[0])
    np.testing.assert_allclose(tree.counts[0], 10 / 3)


def test_of_several_outputs_the_mean_gain_counts():
    """(11.8)."""
    X, y, _ = noise()
    both = CARTClassifier(max_depth=1).fit(X, np.stack([y, X[:, 0] > 0.3], axis=1)).tree_
    side = both.apply(X) == 1
    gains = [impurity_decrease(pd.crosstab(side, out), gini) for out in (y, X[:, 0] > 0.3)]
    assert both.gain[0] == pytest.approx(np.mean(gains))


# Costs of errors, and chapter 25: counts


@pytest.mark.parametrize("c", [1.0, 3.0, 9.0])
def test_from_which_share_on_an_alarm_costs_less_than_a_miss(c):
    """(20.4): where a miss costs c alarms, the leaf warns above 1 / (1 + c)."""
    for sick in range(1, 20):
        y = np.array([1] * sick + [0] * (20 - sick))
        tree = CARTClassifier(max_depth=0, loss=[[0, 1], [c, 0]]).fit(np.zeros((20, 1)), y)
        p = sick / 20
        if abs(p - 1 / (1 + c)) > 1e-9:  # else both cost the same
            assert (tree.predict([[0]])[0] == 1) == (p > 1 / (1 + c)) == (1 - p < c * p)


def test_the_counts_of_a_level():
    """(25.1), (25.2), (25.4), (25.5): sums over values, cuts, parts of the rows; and how many cells."""
    rng = np.random.default_rng(0)
    N, J, V, K = 300, 5, 12, 3
    node, x, y = rng.integers(0, J, N), rng.integers(0, V, (4, N)), rng.integers(0, K, N)
    tables = np.array([count_tables(a, y, (J, V, K), node) for a in x])
    of_node = count_tables(np.zeros(N, int), y, (J, 1, K), node)[:, 0]
    assert (tables.sum(2) == of_node).all()
    assert (of_node.sum(1) == np.bincount(node)).all()
    for c in range(V):
        left = count_tables(np.zeros(N, int)[x[0] <= c], y[x[0] <= c], (J, 1, K), node[x[0] <= c])[:, 0]
        assert (left == tables[0].cumsum(1)[:, c]).all()
    parts = [count_tables(x[0][rows], y[rows], (J, V, K), node[rows]) for rows in (slice(120), slice(120, N))]
    assert (sum(parts) == tables[0]).all()
    assert (tables > 0).sum() <= 4 * min(J * V * K, N) <= N * 4


def test_growing_takes_a_pass_for_each_level_that_asks(caplog):
    """(25.3): and one that looks at the columns; the leaves of the last level need none."""
    caplog.set_level("INFO", logger="dtlib")
    tree = CARTClassifier().fit(melons.X, melons.y).tree_
    levels = [depth for depth in range(tree.max_depth + 1) if (tree.feature[tree.depth == depth] >= 0).any()]
    assert len(levels) == tree.max_depth
    assert len(caplog.messages) == 1 + len(levels)


# Chapters 19 and 20: shares and rare classes


def test_precision_follows_from_the_shares_of_the_classes():
    """(20.6), on the answers of a tree to fresh samples."""
    X, y, _ = noise()
    said = CARTClassifier(max_depth=2).fit(X, y).predict(X) == 1
    r, f, pi = said[y == 1].mean(), said[y == 0].mean(), (y == 1).mean()
    assert (y == 1)[said].mean() == pytest.approx(r * pi / (r * pi + f * (1 - pi)))


def test_undone_weights_give_back_the_shares_of_the_samples():
    """(20.3): what each leaf says, from what it says under weights; and that is the share of its samples."""
    X, y = np.arange(12.0)[:, None] // 6, np.array(list("aabcabcbccca"))
    w = {"a": 1.0, "b": 4.0, "c": 0.5}
    q = CARTClassifier(class_weight=w).fit(X, y).predict_proba(X)
    undone = CARTClassifier(class_weight=w, leaf_shares=LeafShares(undo_weights=True)).fit(X, y)
    parts = q / [*w.values()]
    p = undone.predict_proba(X)
    np.testing.assert_allclose(p, parts / parts.sum(axis=1, keepdims=True))
    leaf = undone.apply(X)
    for t in set(leaf):
        shares = [(y[leaf == t] == k).mean() for k in "abc"]
        np.testing.assert_allclose(p[leaf == t], [shares] * (leaf == t).sum())


@pytest.mark.parametrize(("k", "n"), [(0, 4), (2, 3), (5, 5)])
def test_a_leaf_says_with_laplace_what_happens_next(k, n):
    """(19.1): of drawn chances those are kept that fit the leaf; and what a leaf of such samples says."""
    rng = np.random.default_rng(0)
    p = rng.random(200_000)
    rare = (rng.random((n, len(p))) < p).sum(axis=0)
    after = (rng.random(len(p)) < p)[rare == k]
    assert after.mean() == pytest.approx((k + 1) / (n + 2), abs=4 * 0.5 / len(after) ** 0.5)
    leaf = CARTClassifier(max_depth=1, leaf_shares="laplace")  # beside it, a class is at home in a leaf of 50
    X, y = np.repeat([[0.0], [1.0]], [n, 50], axis=0), [1] * k + [0] * (n - k) + [int(2 * k < n)] * 50
    assert leaf.fit(X, y).predict_proba([[0]])[0, 1] == pytest.approx((k + 1) / (n + 2))


def test_two_facts_are_both_right_where_neither_is_wrong():
    """(11.9), on the answers of one tree with two outputs."""
    X, y, _ = noise()
    Y = np.stack([y, X[:, 0] > 0.3], axis=1)
    wrong = CARTClassifier(max_depth=2).fit(X, Y).predict(X) != Y
    both = 1 - wrong[:, 0].mean() - wrong[:, 1].mean() + wrong.all(axis=1).mean()
    assert (~wrong).all(axis=1).mean() == pytest.approx(both)


def told() -> tuple[np.ndarray, np.ndarray]:
    """Return the shares that a small tree says of samples it has not seen, and which of them are rare."""
    X, y, _ = noise()
    half = len(y) // 2
    model = CARTClassifier(max_depth=3).fit(X[:half], y[:half])
    return model.predict_proba(X[half:])[:, 1], y[half:] == 1


def test_the_brier_score_is_the_sum_of_its_parts():
    """(19.3)."""
    s, rare = told()
    groups = pd.Series(rare).groupby(s)
    f, n, pi = groups.mean(), groups.size() / len(s), rare.mean()
    parts = (n * (f.index - f) ** 2).sum() - (n * (f - pi) ** 2).sum() + pi * (1 - pi)
    assert brier_score_loss(rare, s) == pytest.approx(parts)


def test_a_calibrated_tree_says_a_sigmoid_of_its_share():
    """(19.4): the logarithm of the odds is a line in the share."""
    X, y, _ = noise()
    tree = CARTClassifier(max_depth=3)
    p = CalibratedClassifierCV(tree, cv=3, ensemble=False).fit(X, y).predict_proba(X)[:, 1]
    s = tree.fit(X, y).predict_proba(X)[:, 1]
    a, b = np.polyfit(s, np.log(p / (1 - p)), 1)
    np.testing.assert_allclose(p, 1 / (1 + np.exp(-(a * s + b))))


def test_the_area_under_the_roc_curve_counts_the_pairs_won():
    """(20.5)."""
    s, rare = told()
    apart = s[rare][:, None] - s[~rare]
    assert (apart == 0).any()
    assert roc_auc_score(rare, s) == pytest.approx(((apart > 0) + (apart == 0) / 2).mean())


def test_f1_is_the_harmonic_mean_of_precision_and_recall():
    """(20.7)."""
    s, rare = told()
    said = s > 0.5
    h, a = (said & rare).sum(), (said & ~rare).sum()
    assert f1_score(rare, said) == pytest.approx(2 * h / (h + a + rare.sum()))


def test_f1_is_largest_at_half_of_itself():
    """(20.8): of all ways in which leaves may answer, on the samples from which their shares are counted."""
    X, y, _ = noise()
    model = CARTClassifier(max_depth=3).fit(X, y)
    s, leaf = model.predict_proba(X)[:, 1], model.apply(X)
    ways = [np.isin(leaf, where) for k in range(1, 9) for where in combinations(sorted(set(leaf)), k)]
    best = max(f1_score(y == 1, said) for said in ways)
    assert f1_score(y == 1, s > best / 2) == pytest.approx(best)


# Chapter 21: the best tree


def trees_up_to(Q, d):
    """Yield every tree of at most d levels that asks some of Q questions with two answers."""
    yield "leaf"
    if d:
        yield from product(range(Q), list(trees_up_to(Q, d - 1)), list(trees_up_to(Q, d - 1)))


def test_the_number_of_trees_up_to_a_depth():
    """(21.1): T_d = 1 + Q T_(d-1)^2; and the best of them is no better than the one that is found."""
    for Q in (1, 2, 3):
        numbers = [len(set(trees_up_to(Q, d))) for d in range(3)]
        assert numbers == [1, *(1 + Q * numbers[d - 1] ** 2 for d in (1, 2))]
    X, y = pd.DataFrame(list(product((0, 1), repeat=3))), [0, 1, 1, 0, 1, 0, 0, 0]

    def errors(tree, rows):
        if tree == "leaf":
            right = [y[i] for i in rows]
            return min(sum(right), len(right) - sum(right))
        q, *sides = tree
        return sum(errors(side, [i for i in rows if X[q][i] == v]) for v, side in enumerate(sides))

    fewest = min(errors(tree, range(8)) for tree in trees_up_to(3, 2))
    assert fewest == 8 * OptimalTreeClassifier(max_depth=2).fit(X.add_prefix("x"), y).objective_


def least_loss(X, y, rows, depth, price):
    """Return the least loss of the trees up to a depth, in errors."""
    n = len(rows)
    model = OptimalTreeClassifier(max_depth=depth, ccp_alpha=price / n).fit(X[rows], y[rows])
    return n * model.objective_


def test_the_best_tree_has_the_best_sides_and_little_is_lost_with_few_rows():
    """(21.2), (21.3) and (21.4)."""
    rng = np.random.default_rng(23)
    for price in (0.0, 0.5, 2.0):
        X, y, rows = rng.integers(0, 2, (24, 4)), rng.integers(0, 2, 24), np.arange(24)
        for d in (1, 2):
            leaf = min(np.bincount(y, minlength=2)) + price
            sides = [
                sum(least_loss(X, y, rows[X[:, q] == v], d - 1, price) for v in (0, 1)) for q in range(4)
            ]
            assert least_loss(X, y, rows, d, price) == pytest.approx(min(leaf, *sides))
            assert least_loss(X, y, rows, d, price) >= min(leaf, 2 * price)
            fewer = rows[rng.permutation(24)[:20]]
            assert least_loss(X, y, fewer, d, price) >= least_loss(X, y, rows, d, price) - 4 - 1e-9
