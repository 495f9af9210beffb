"""What the notes claim of measures and of trees, decided by numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_digits, load_iris

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtlib.datasets import load_heart, load_loan, load_regression_points, load_watermelon
from dtlib.dialects import C45Dialect, CARTDialect
from dtlib.measures import (
    classification_error,
    conditional_entropy,
    entropy,
    gain_ratio,
    gini,
    impurity_decrease,
    information_gain,
    split_information,
)
from dtlib.prune import (
    PrePruned,
    best_subtree,
    pessimistic,
    pre_prune,
    pruning_path,
    reduced_error,
    weakest_links,
)

CHAPTERS = Path(__file__).parents[2] / "chapters"
RESULTS = Path(__file__).parents[2] / "experiments" / "results"
GOLF = [85, 90, 78, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 80]  # percent; as tables of golf have it
PLAYED = list("nnyyynynyyyyyn")


def test_half_the_entropy_and_gini_differ_most_near_a_tenth():
    p = np.linspace(0, 1, 100_001)
    counts = np.stack([p, 1 - p], axis=-1)
    gap = entropy(counts) / 2 - gini(counts)
    assert p[gap[p <= 0.5].argmax()] == pytest.approx(0.096, abs=5e-4)
    assert gap.max() == pytest.approx(0.0545, abs=5e-5)
    assert gap == pytest.approx(gap[::-1], abs=1e-12)
    assert gap[[0, 50_000, 100_000]] == pytest.approx(0, abs=1e-12)


def test_dividing_every_gain_by_the_entropy_of_the_node_changes_no_order():
    """The split information does: it takes the first place from an id."""
    melons = load_watermelon()
    X = melons.X.assign(id=[f"melon {k}" for k in range(len(melons.X))])
    tables = [pd.crosstab(X[name], melons.y).to_numpy() for name in X]
    gains = np.array([information_gain(table) for table in tables])
    of_node = np.array([information_gain(table) / entropy(table.sum(axis=0)) for table in tables])
    ratios = np.array([gain_ratio(table) for table in tables])
    assert (gains.argsort(kind="stable") == of_node.argsort(kind="stable")).all()
    assert X.columns[gains.argmax()] == X.columns[of_node.argmax()] == "id" != X.columns[ratios.argmax()]
    assert not np.allclose(of_node, ratios)


def test_entropy_and_gini_rank_two_splits_differently_and_the_error_sees_neither():
    """Both are largest for equal shares and 0 for a pure node, as the error is."""
    A, B = [[0, 1], [2, 4]], [[1, 1], [1, 4]]
    assert impurity_decrease(A, entropy) > impurity_decrease(B, entropy) + 0.01
    assert impurity_decrease(A, gini) < impurity_decrease(B, gini) - 0.005
    overcast = [[0, 4], [5, 5]]
    for table in (A, B, overcast):
        assert impurity_decrease(table, classification_error) == pytest.approx(0, abs=1e-12)
        assert min(impurity_decrease(table, entropy), impurity_decrease(table, gini)) > 0.02
    for impurity in (entropy, gini, classification_error):
        of = [impurity([k, 12 - k]) for k in range(13)]
        assert np.argmax(of) == 6
        assert of[0] == of[12] == 0


def test_split_information_has_a_minus_before_its_sum_and_no_entropy_is_negative():
    """As it is printed, without the minus, the best ratio is the worst."""
    melons = load_watermelon()
    tables = {name: pd.crosstab(melons.X[name], melons.y).to_numpy() for name in melons.X}
    printed = {}
    for name, table in tables.items():
        share = table.sum(axis=1) / table.sum()
        printed[name] = (share * np.log2(share)).sum()
        assert printed[name] < 0 < split_information(table)
        assert split_information(table) == pytest.approx(-printed[name])
    ratios = {name: gain_ratio(table) for name, table in tables.items()}
    as_printed = {name: information_gain(table) / printed[name] for name, table in tables.items()}
    assert max(ratios, key=ratios.get) == min(as_printed, key=as_printed.get) == "texture"
    assert entropy([17, 0]) == 0  # so it is not always positive


def test_the_conditional_entropy_counts_each_branch_once():
    """With the third branch in place of the second, the gain would be twice what is printed beside it."""
    loan = load_loan()
    age = pd.crosstab(loan.X["age"], loan.y).loc[["young", "middle-aged", "old"]].to_numpy()
    H = entropy(age)
    assert information_gain(age) == pytest.approx(entropy([6, 9]) - H.mean())
    assert round(float(information_gain(age)), 3) == 0.083
    assert conditional_entropy(age) == pytest.approx(H.mean())
    assert round(float(entropy([6, 9]) - (H[0] + 2 * H[2]) / 3), 3) == 0.166


@pytest.mark.parametrize(("values", "classes"), [(2, 2), (5, 2), (4, 3)])
def test_a_useless_feature_gains_by_its_values_in_samples(values, classes):
    rng = np.random.default_rng(0)
    n, runs = 400, 2_000
    cells = rng.multinomial(n, np.full(values * classes, 1 / (values * classes)), size=runs)
    gains = information_gain(cells.reshape(runs, values, classes))
    expected = (values - 1) * (classes - 1) / (2 * n * np.log(2))
    error = gains.std() / np.sqrt(runs)
    assert gains.mean() == pytest.approx(expected, abs=4 * error + 0.02 * expected)
    assert information_gain(np.ones((values, classes))) == 0  # no gain in the distribution itself


def questions(tree) -> np.ndarray:
    """Return how many questions lead to each leaf."""
    return tree.depth[[node.is_leaf for node in tree]]


def test_a_balanced_tree_asks_log2_of_its_leaves_and_a_chain_does_not():
    x = np.repeat(np.arange(64), 2)[:, None]
    halves = CARTClassifier(criterion="entropy").fit(x, x[:, 0])
    assert set(questions(halves.tree_)) == {6}
    chain = CARTClassifier(criterion="gini").fit(x, x[:, 0])  # any cut between equal classes gains the same
    assert sorted(questions(chain.tree_)) == [*range(1, 64), 63]


def test_an_id_leaves_no_entropy_behind_it_and_so_gains_all():
    melons = load_watermelon()
    X = melons.X.assign(id=[f"melon {k}" for k in range(len(melons.X))])
    root = ID3Classifier().fit(X, melons.y).tree_.explain(0).set_index("feature")
    whole = entropy(melons.y.value_counts().to_numpy())
    assert root.gain["id"] == pytest.approx(whole, abs=1e-12)
    assert root.gain.idxmax() == "id"


def pruned_at_some_price(grown, left, kind) -> bool:
    """Tell whether a pruned tree is the best subtree for any price of a leaf."""
    path = pruning_path(grown, kind)
    prices = path.alphas[path.leaves == left.n_leaves]
    return any(best_subtree(grown, price, kind=kind).rules().equals(left.rules()) for price in prices)


def test_no_single_price_cuts_what_the_bound_of_c45_cuts():
    """One question about two groups, with the counts of both classes: one saves more and goes, one stays."""
    splits = {
        "mixed": [(71, 29), (49, 51)],
        "one class": [(100, 0), (55, 45)],
        "small": [(9, 0), (0, 1)],
    }
    saved, left = {}, {}
    for name, counts in splits.items():
        rows = np.repeat([0, 0, 1, 1], np.ravel(counts))
        X, y = pd.DataFrame({"group": np.where(rows, "b", "a")}), np.repeat([0, 1, 0, 1], np.ravel(counts))
        grown = C45Classifier().fit(X, y).tree_
        table = np.array([np.sum(counts, axis=0), *counts])
        bits = table.sum(axis=1) * entropy(table)
        errors = table.min(axis=1)
        saved[name] = errors[0] - errors[1:].sum(), bits[0] - bits[1:].sum()
        assert grown.n_leaves == 2
        left[name] = pessimistic(grown, raising=False).n_leaves
    assert left == {"mixed": 1, "one class": 1, "small": 2}
    assert saved["mixed"][0] > saved["small"][0]  # in errors
    assert saved["one class"][1] > saved["small"][1]  # in bits


def test_no_price_of_a_leaf_leaves_the_trees_that_c45_leaves():
    hearts, digits = load_heart(), load_digits(as_frame=True)
    narrowed = np.where(hearts.frame["disease"] > 0, "narrowed", "clear")
    for X, y in ((hearts.X.drop(columns="hospital"), narrowed), (digits.data, digits.target)):
        grown = C45Classifier().fit(X, y).tree_
        left = pessimistic(grown, raising=False)
        assert 1 < left.n_leaves < grown.n_leaves
        for kind in ("cost", "entropy"):
            assert not pruned_at_some_price(grown, left, kind)
            middle = pruning_path(grown, kind).trees[3]
            assert pruned_at_some_price(grown, middle, kind)  # the question can be answered by yes


@pytest.mark.parametrize("make", [C45Classifier, C45Classifier.release8, C45Classifier.j48])
def test_c45_chooses_a_threshold_by_the_gain_and_not_by_the_ratio(make):
    """Ten times the table, as Release 8 charges for a threshold and asks of few rows nothing."""
    humidity, played = np.tile(GOLF, 10), np.tile(PLAYED, 10)
    cuts = np.unique(humidity)[:-1]
    tables = [pd.crosstab(humidity < t + 1, played).to_numpy() for t in cuts]
    best = {f: cuts[np.argmax([f(table) for table in tables])] for f in (information_gain, gain_ratio)}
    assert best == {information_gain: 80, gain_ratio: 65}
    X = pd.DataFrame({"humidity": humidity})
    assert 80 <= make(prune=None).fit(X, played).tree_.threshold[0] < 85
    other = C45Classifier(dialect=C45Dialect(threshold_by="gain_ratio")).fit(X, played).tree_
    assert 65 <= other.threshold[0] < 70


def names(values: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Return six names of so many values; three of them speak for a class or against it."""
    rng = np.random.default_rng(values)
    codes = rng.integers(values, size=(1000, 6))
    score = sum(rng.normal(size=values)[codes[:, f]] for f in range(3)) + rng.normal(scale=0.5, size=1000)
    return pd.DataFrame(codes).map("v{}".format).add_prefix("x"), score > 0


@pytest.mark.parametrize("values", [3, 6, 12])
def test_two_branches_ask_more_questions_than_a_branch_for_each_value(values):
    X, y = names(values)
    many, two = (model.fit(X, y).tree_ for model in (ID3Classifier(), CARTClassifier()))
    asked = [sum(node.n for node in tree if not node.is_leaf) / len(X) for tree in (many, two)]
    assert asked[0] < 0.8 * asked[1]


def test_recorded_times_of_entropy_and_of_gini():
    recorded = pd.read_csv(RESULTS / "speed_of_logarithms.csv").set_index("part")
    assert recorded.loc["formula", "low"].iloc[0] > 2  # x log x beside x times x
    growing = recorded.loc["growing"]
    assert growing["ratio"].between(0.7, 1.5).all()
    assert (growing["high"] < 1).any()  # where entropy grows the smaller tree
    assert (recorded.loc["branches", "high"] < 1).all()


def test_the_gini_index_loses_less_than_a_point_over_many_tables():
    """The 90% interval of the mean difference over the tables lies within the margin: two tests of 5%."""
    gini = pd.read_csv(RESULTS / "twenty_tables.csv").pivot(index="table", columns="method", values="right")
    entropy = pd.read_csv(RESULTS / "entropy_and_gini.csv").groupby("table")["right"].agg(" ".join)
    right, by_gini, held = (
        rows.str.split(expand=True).astype(float).sum(axis=1)
        for rows in (entropy, gini["CART, full"], gini["held out"])
    )
    lead = 100 * (right - by_gini) / held
    assert len(lead) == 23
    low, high = stats.t.interval(0.9, len(lead) - 1, lead.mean(), lead.sem())
    assert -1 < low < 0 < high < 1


def test_recorded_duels_of_pruned_trees_go_both_ways_on_few_samples_and_to_cart_on_many():
    duels = pd.read_csv(RESULTS / "small_and_large.csv").set_index(["world", "samples"])
    clear = (duels["C4.5 leads"] / duels["standard error"]).unstack()
    assert (clear[800] < -2).all()
    assert clear[50].min() < -2
    assert clear[50].max() > 2
    many = duels.xs(800, level="samples")
    assert (many["leaves of C4.5"] > 2 * many["leaves of CART"]).all()  # it is the pruning that differs
    assert (many["whole trees"].abs() < 1.1).all()


def test_a_subset_of_one_class_is_a_leaf_and_one_with_a_single_feature_left_is_not():
    """Note 4 makes a leaf of what has a single feature left; it means a single class."""
    X = pd.DataFrame({"a": list("xxyy"), "b": list("xyxy")})
    tree = ID3Classifier().fit(X, ["no", "yes", "yes", "yes"]).tree_
    last = tree.root.children[0]
    assert tree.root.feature == "a"
    assert not last.is_leaf  # only b is left, and the classes are mixed
    assert last.feature == "b"
    assert tree.root.children[1].is_leaf  # b is left here too, but there is one class


def test_the_steps_of_note_2_call_the_first_weakest_link_alpha_0_and_name_t_0_twice():
    """Steps 1 to 7 to the letter: alpha_k is set, and the tree cut, before k is raised."""
    grown = CARTClassifier().fit(*load_iris(return_X_y=True)).tree_
    k, tree, alphas, subtrees = 0, grown, {}, [("T0", grown)]
    while tree.n_leaves > 1:
        alphas[k] = weakest_links(tree)["g"].min()
        tree = best_subtree(tree, alphas[k])
        subtrees.append((f"T{k}", tree))
        k += 1
    path = pruning_path(grown)
    assert path.alphas[0] == 0 < alphas[0] == path.alphas[1]
    assert list(alphas.values()) == pytest.approx(path.alphas[1:])
    assert [tree.n_leaves for _, tree in subtrees] == list(path.leaves)  # the subtrees are right,
    assert [name for name, _ in subtrees].count("T0") == 2  # their numbers are one too low


def test_the_mean_of_a_region_sums_the_numbers_that_it_counts():
    """As note 0 prints it, sum over i of y_j, every region has the value of a single sample."""
    points = load_regression_points()
    tree = CARTRegressor(max_depth=1).fit(points.X, points.y).tree_
    low, high = points.y[:5].to_numpy(), points.y[5:].to_numpy()
    assert [tree[k].prediction for k in (1, 2)] == pytest.approx([low.mean(), high.mean()])
    for region in (low, high):
        as_printed = [sum(y_j for _ in region) / len(region) for y_j in region]
        assert as_printed == pytest.approx(region)
        assert not np.isclose(as_printed, region.mean()).any()


def test_a_question_that_saves_no_error_is_not_better_than_a_leaf_at_price_0():
    grown = CARTClassifier(min_samples_leaf=5).fit(*load_iris(return_X_y=True)).tree_
    links = weakest_links(grown).set_index("node")
    free = links[links["g"] == 0]
    assert len(free) == 2
    assert (free["risk_branch"] == free["risk_leaf"]).all()  # so the two losses are equal at 0, ...
    for alpha in (1e-9, 0.1):  # ... and the leaf's is the smaller one at any price above
        assert (free["risk_branch"] + alpha * free["leaves"] > free["risk_leaf"] + alpha).all()
    assert best_subtree(grown, 0).n_leaves < grown.n_leaves
    assert (weakest_links(grown, "gini")["g"] > 0).all()  # with the Gini index each question here saves some


def rows_sorted(nodes) -> int:
    """Return how many rows pass the nodes at which a question is looked for."""
    return sum(node.n for node in nodes if not node.is_leaf or node.impurity > 0)


@pytest.mark.parametrize("flipped", [0, 0.2])
@pytest.mark.parametrize("load", [load_digits, load_breast_cancer])
def test_work_of_pre_and_of_post_pruning_in_rows_counted(load, flipped):
    """Pre-pruning that asks while growing looks at fewer rows; cutting afterward hardly adds to growing."""
    X, y = load(return_X_y=True)
    rng = np.random.default_rng(0)
    held = rng.permutation(len(y)) < len(y) // 3
    wrong = rng.random(len(y)) < flipped
    y[wrong] = rng.permutation(y[wrong])
    full = CARTClassifier().fit(X[~held], y[~held]).tree_
    early, late = pre_prune(full, X[held], y[held]), reduced_error(full, X[held], y[held])
    whole = rows_sorted(full)
    assert early.n_leaves < late.n_leaves < full.n_leaves
    assert 0.25 < rows_sorted(early) / whole < 0.85  # a fifth to three quarters of the rows are saved
    cutting = held.sum() * (full.max_depth + 1)  # a held-out row passes at most so many nodes, once
    assert cutting < 0.1 * whole * X.shape[1]  # growing reads every feature of each row


def test_a_bad_choice_of_features_costs_more_than_the_choice_of_the_criterion():
    """Entropy and the Gini index differ less than a feature drawn by lot costs."""
    X, y = load_digits(return_X_y=True)
    settings = {"gini": {}, "entropy": {"criterion": "entropy"}, "by lot": {"max_features": 1}}
    right = pd.DataFrame(0.0, range(3), list(settings))
    for seed in right.index:
        half = np.random.default_rng(seed).random(len(y)) < 0.5
        for name, setting in settings.items():
            tree = CARTClassifier(random_state=seed, **setting).fit(X[half], y[half])
            right.loc[seed, name] = tree.score(X[~half], y[~half])
    mean = right.mean()
    assert abs(mean["gini"] - mean["entropy"]) < 0.03
    assert min(mean["gini"], mean["entropy"]) > mean["by lot"] + 0.1


def test_features_that_tell_nothing_alone_may_tell_all_together():
    corners = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "coin": [0, 0, 0, 0]})
    y = corners["a"] ^ corners["b"]
    for name in corners:
        assert information_gain(pd.crosstab(corners[name], y)) == pytest.approx(0, abs=1e-12)
    stubborn = CARTClassifier(dialect=CARTDialect(zero_gain=True))
    assert stubborn.fit(corners, y).score(corners, y) == 1
    assert stubborn.fit(corners.drop(columns="a"), y).score(corners.drop(columns="a"), y) == 0.5


def test_equal_rows_of_two_classes_leave_no_tree_without_contradiction_and_others_several():
    same = pd.DataFrame({"a": ["x", "x"]})
    assert ID3Classifier().fit(same, ["no", "yes"]).score(same, ["no", "yes"]) == 0.5
    loan = load_loan()
    one = ID3Classifier().fit(loan.X, loan.y)
    two = ID3Classifier().fit(loan.X.drop(columns="owns_house"), loan.y)
    assert one.score(loan.X, loan.y) == two.score(loan.X.drop(columns="owns_house"), loan.y) == 1
    assert not one.tree_.rules().equals(two.tree_.rules())


def test_a_leaf_keeps_the_shares_of_its_classes_and_of_numbers_the_mean_alone():
    X, y = load_iris(return_X_y=True)
    tree = CARTClassifier(max_depth=2).fit(X, y)
    leaf = pd.Series(tree.apply(X))
    shares = pd.crosstab(leaf, y, normalize="index").loc[leaf].to_numpy()
    assert tree.predict_proba(X) == pytest.approx(shares)
    assert ((shares > 0) & (shares < 1)).any()
    numbers = CARTRegressor(max_depth=1).fit(X[:, :3], X[:, 3])
    assert not hasattr(numbers, "predict_proba")
    means = pd.Series(X[:, 3]).groupby(numbers.apply(X[:, :3])).mean()
    assert sorted(set(numbers.predict(X[:, :3]))) == pytest.approx(sorted(means))


def test_the_letters_of_the_gain_name_one_column_of_classes():
    """Note 0 writes H(Y) and H(D|A) of one difference, and |D| and D of one number of samples."""
    loan = load_loan()
    table = pd.crosstab(loan.X["age"], loan.y).to_numpy()
    D = len(loan.y)
    shares = table.sum(axis=1) / D
    assert shares.sum() == 1
    H_Y = entropy(loan.y.value_counts())
    assert information_gain(table) == pytest.approx(H_Y - shares @ entropy(table))


def noisy_corner(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return places on the square, in the corner or not; one label in five is flipped."""
    X = rng.random((n, 2))
    return X, (X > 0.5).all(axis=1) ^ (rng.random(n) < 0.2)


def test_with_more_leaves_the_training_error_falls_and_the_fresh_error_falls_and_then_rises():
    errors = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        (X, y), (T, t) = noisy_corner(300, rng), noisy_corner(3000, rng)
        trees = [CARTClassifier(max_leaf_nodes=leaves).fit(X, y) for leaves in (2, 4, 16, None)]
        errors.append([[1 - tree.score(A, a) for tree in trees] for A, a in ((X, y), (T, t))])
    training, fresh = np.mean(errors, axis=0)
    assert (np.diff(training) < 0).all()
    assert training[-1] == 0
    assert fresh[0] > fresh[1] + 0.02  # two leaves are too few for a corner
    assert fresh[1] < fresh[2] < fresh[3] - 0.05


def test_where_labels_are_noisy_limits_err_less_and_pre_pruning_overfits_less_than_a_full_tree():
    """Pre-pruning may still err more: where no first question helps it stops at the root, and underfits."""
    settings = {
        "full": {},
        "deep": {"max_depth": 2},
        "large": {"min_samples_leaf": 20},
        "early": {"prune": PrePruned()},
    }
    fresh, gap = (pd.DataFrame(0.0, range(8), list(settings)) for _ in range(2))
    for seed in gap.index:
        rng = np.random.default_rng(seed)
        (X, y), (T, t) = noisy_corner(300, rng), noisy_corner(3000, rng)
        for name, setting in settings.items():
            tree = CARTClassifier(random_state=seed, **setting).fit(X, y)
            fresh.loc[seed, name] = 1 - tree.score(T, t)
            gap.loc[seed, name] = tree.score(X, y) - tree.score(T, t)
    assert (fresh[["deep", "large"]].lt(fresh["full"] - 0.05, axis=0)).all(axis=None)
    assert (gap["early"] < gap["full"] - 0.2).all()
