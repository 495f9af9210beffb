"""The meanings of formulas about trees, pruning, slanted lines and forests: chapters 1, 4, 8 and 10 to 26."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, permutations, product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.random import Generator
from scipy.special import bdtr
from sklearn.ensemble import AdaBoostClassifier, GradientBoostingRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, f1_score, roc_auc_score

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, LeafShares, Tree
from dtlib.arrays import weighted_sums
from dtlib.book.chance import corrected_se
from dtlib.book.searched import errors_by_pairs
from dtlib.counting.tables import count_tables
from dtlib.importance import decrease_importances, surrogate_importances
from dtlib.measures import entropy, gini, impurity_decrease, split_information
from dtlib.out_of_core import cut_bounds
from dtlib.prune import (
    CrossValidated,
    added_errors,
    best_subtree,
    local_differences,
    pessimistic,
    pruning_path,
    reduced_error,
    risk,
    scales,
    tree_loss,
    weakest_links,
)
from dtlib.prune.cross_validation import middles
from dtlib.prune.error_bounds import quantile
from dtlib.tree.descend import divide_rows, ends
from dtlib.tree.splits import Hyperplane
from tests.book.formulas.evaluate import Meanings
from tests.book.formulas.scenes import at, below, given, says, shares
from tests.unit.test_laws import complete_trees, kept_nodes, least_loss, parted, trees_up_to


class Below(NamedTuple):
    """All that hangs from a node, with the node on top."""

    tree: Tree
    node: int


class Region(NamedTuple):
    """The rows that end in a leaf."""

    tree: Tree
    leaf: int

    def __contains__(self, x: np.ndarray) -> bool:
        return bool(self.tree.apply(x[None])[0] == self.leaf)


def points(rng: Generator, n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Draw points of a square whose class is a corner, some of them flipped."""
    X = rng.random((n, 2))
    return X, (X > 0.5).all(1) ^ (rng.random(n) < 0.2)


def cart(rng: Generator, n: int = 60, **parameters: Any) -> Tree:
    """Grow a tree of drawn points."""
    return CARTClassifier(**parameters).fit(*points(rng, n)).tree_


def names(rng: Generator, sizes: tuple[int, ...] = (2, 3, 4)) -> tuple[pd.DataFrame, np.ndarray]:
    """Draw data of names, for branches of two to four values."""
    X = pd.DataFrame({f"x{v}": rng.choice(list("abcd")[:v], 60) for v in sizes})
    return X, rng.choice(["no", "yes"], 60)


def inner(tree: Tree) -> list[int]:
    """Return the nodes that ask."""
    return np.flatnonzero(tree.feature >= 0).tolist()


def leaves(tree: Tree) -> list[int]:
    """Return the nodes that do not."""
    return np.flatnonzero(tree.feature < 0).tolist()


def children(tree: Tree, t: int) -> list[int]:
    """Return the nodes right below a node."""
    return [child.id for child in tree[t].children]


# Trees: chapters 1, 4, 8, 11 and 23


@says("1.1", "11.6")
def regions(rng: Generator) -> Iterator[Meanings]:
    """A tree, its leaves numbered, and a sample."""
    for _ in range(4):
        X, y = points(rng)
        tree = CARTRegressor(max_depth=2).fit(X, y + 1.0).tree_
        found = leaves(tree)
        samples = [X[tree.apply(X) == leaf][0] for leaf in found]
        yield from (
            {
                **{"x": x, "L": len(found), "each m": below(found), "c_.": at(tree.value[found, 0])},
                **{"R_.": lambda m, tree=tree, found=found: Region(tree, at(found)(m))},
                "f(.)": given(tree.value[tree.apply(x[None])[0], 0], x),
            }
            for x in samples
        )


@says("1.2")
def questions(rng: Generator) -> Iterator[Meanings]:
    """Trees of two and more branches: how many questions are asked, and how the samples end up."""
    for sizes in ((2, 3), (2, 4), (3, 4)):
        X, y = names(rng, sizes)
        model = ID3Classifier().fit(X, y)
        tree, found = model.tree_, leaves(model.tree_)
        asked = (model.decision_path(X).sum(1) - 1).mean()
        bits = {t: split_information(np.array([[tree[c].n] for c in children(tree, t)])) for t in inner(tree)}
        yield {
            **{
                "N": 60,
                "bar d": asked,
                "L": len(found),
                "d_.": at(tree.depth[found]),
                "IV_.": bits.__getitem__,
            },
            **{"N_.": at(tree.n[found]), "H": entropy(tree.n[found]), "each t": list(bits)},
            **{"tree": tree},
        }


@says("23.1")
def questions_by_node(rng: Generator) -> Iterator[Meanings]:
    """The same, node by node."""
    yield from ({**m, "N_.": at(m["tree"].n, 0)} for m in questions(rng))


@says("1.3", "23.2")
def depths(rng: Generator) -> Iterator[Meanings]:
    """Trees of two branches; a balanced one, and a chain."""
    x = np.arange(8.0)[:, None]
    trees = [CARTRegressor().fit(x, y[:, 0]).tree_ for y in (x, 9**x)]
    for tree in [cart(rng), cart(rng, max_leaf_nodes=5), *trees]:
        r = max(tree[c].n / tree[t].n for t in inner(tree) for c in children(tree, t))
        yield {"L": tree.n_leaves, "d": tree.max_depth, "N": tree.n[0].item(), "r": r}


@says("1.4")
def complete(rng: Generator) -> Iterator[Meanings]:
    """All trees that ask every feature on every path."""
    numbers = [len(set(complete_trees(tuple(range(n))))) for n in range(4)]
    yield {"T_.": at(numbers, first=0), "each n": (1, 2, 3)}


@says("4.3")
def ledger(rng: Generator) -> Iterator[Meanings]:
    """A tree of ID3: what its questions gain, and what its leaves keep."""
    for sizes in ((2, 3), (3, 4)):
        tree = ID3Classifier().fit(*names(rng, sizes)).tree_
        yield {
            **{
                "D": tree.counts[0],
                "D_.": at(tree.counts, 0),
                "N": 60,
                "N_.": at(tree.n, 0),
                "H(.)": entropy,
            },
            **{"g_.": at(tree.gain, 0), "each t": inner(tree), "each ell": leaves(tree)},
        }


@says("4.4")
def reads(rng: Generator) -> Iterator[Meanings]:
    """Samples and features."""
    yield from ({"N": N, "n": n} for N, n in ((10, 1), (17, 3), (100, 8)))


@says("8.1")
def branches(rng: Generator) -> Iterator[Meanings]:
    """Trees of two to four branches."""
    for _ in range(3):
        tree = ID3Classifier().fit(*names(rng)).tree_
        yield {"T": tree, "|.|": lambda T: T.n_leaves, "V_.": at(tree.children, 0), "each t": inner(tree)}


@says("8.3")
def limits(rng: Generator) -> Iterator[Meanings]:
    """A node below the root, and a limit below, above and at what its question earns."""
    X, y = points(rng, 64)
    tree = CARTClassifier(max_depth=2).fit(X, y).tree_
    t = inner(tree)[1]
    earned = tree.n[t] / tree.n[0] * tree.gain[t]
    parts = [tree[c] for c in children(tree, t)]
    D_t = tree.counts[t]
    left = sum(part.n / tree.n[t] * gini(part.counts) for part in parts)
    for delta in (earned * 0.9, earned, earned * 1.1):
        limited = CARTClassifier(max_depth=2, min_impurity_decrease=delta).fit(X, y).tree_
        yield {
            **{"N": 64, "N_t": tree.n[t], "D_t": D_t, "question": "question", "delta": delta},
            **{"Gini(.)": gini, "Gini(.,.)": given(left, D_t, "question"), "decides": t in inner(limited)},
        }


# Chapter 10: rows in parts


@says("10.4")
def parts_of_rows(rng: Generator) -> Iterator[Meanings]:
    """The weights of branches, and the part of a row that takes each."""
    for V in (2, 4):
        n = rng.integers(1, 9, V).astype(float)
        part = divide_rows(np.array([0]), np.array([0]), n, "fractional").share
        w = rng.random()
        yield {"w": w, "w_.": at(w * part), "N_.": at(n), "V": V, "each v": below(n)}


@says("10.5")
def mixed_answers(rng: Generator) -> Iterator[Meanings]:
    """A row of which some is missing: the leaves where it ends, and what they say."""
    for hole in (0, 1, 2):
        X, y = names(rng)
        model = C45Classifier().fit(X, y)
        tree = model.tree_
        row = X.iloc[[0]].copy().astype(object)
        row.iloc[0, hole] = None
        codes = [[math.nan if f == hole else float("abcd".index(row.iloc[0, f])) for f in range(3)]]
        found = ends(tree, np.array(codes), "fractional")
        leaf = tree.counts[found.node] / tree.counts[found.node].sum(1, keepdims=True)
        yield {
            **{
                "p_.": at(model.predict_proba(row)[0]),
                "w_.": at(found.weight),
                "each ell": below(found.node),
            },
            **{"p_.|.": lambda k, i, leaf=leaf: at(leaf)(i, k), "each k": (1, 2)},
        }


@says("10.6")
def blank_rows(rng: Generator) -> Iterator[Meanings]:
    """A row of which all is missing."""
    X, y = names(rng)
    model = C45Classifier().fit(X, y)
    said = model.predict_proba(pd.DataFrame([[None] * 3], columns=X.columns, dtype=object))[0]
    N = model.tree_.counts
    yield {"p_.": at(said), "N_..": lambda t, k: at(N[t])(k), "N_.": lambda t: N[t].sum(), "each k": (1, 2)}


@says("10.7", "10.8")
def active_surrogates(rng: Generator) -> Iterator[Meanings]:
    """The question of a root, and the surrogates that stand in for it."""
    for _ in range(3):
        y = rng.random(40) < 0.4
        X = np.stack(
            [np.where(rng.random(40) < off, rng.random(40), y + rng.random(40) / 2) for off in (0.1, 0.3)], 1
        )
        tree = CARTClassifier(missing="surrogate", max_depth=1).fit(X, y).tree_
        found = tree.surrogates
        sent = tree.apply(X) - 1
        for i in found.at(0):
            right = X[:, found.feature[i]] > found.threshold[i]
            alike = (np.where(right, 1 - found.side[i], found.side[i]) == sent).sum()
            yield {
                **{"N": 40, "N_=": alike, "N_+": np.bincount(sent).max()},
                **{"a": found.agreement[i], "a_adj": found.adjusted[i]},
            }


# Chapters 12 to 14: noise, prices, pruning


@says("12.1")
def noise(rng: Generator) -> Iterator[Meanings]:
    """What a tree says and what the rule says, point by point, where a label is flipped with the chance q."""
    for q in (0.1, 0.25, 0.4):
        said, rule = rng.random((2, 50)) < 0.5
        e = sum(chance * (said != (rule ^ flip)).mean() for chance, flip in ((q, True), (1 - q, False)))
        yield {"q": q, "w": (said != rule).mean(), "e": e}


@says("12.2")
def learned_by_heart(rng: Generator) -> Iterator[Meanings]:
    """Trees without limits, on points of which some are flipped, and on fresh ones."""
    for q in (0.1, 0.3):
        X = rng.random((2000, 2))
        y = (X[:, 0] > 0.5) ^ (rng.random(2000) < q)
        fresh = rng.random((20_000, 2))
        said = CARTClassifier(keep_data=False).fit(X, y).predict(fresh)
        yield {"q": q, "e": (said != (fresh[:, 0] > 0.5) ^ (rng.random(20_000) < q)).mean(), "nearly": 0.1}


@says("12.3", "14.10", "24.1")
def standard_errors(rng: Generator) -> Iterator[Meanings]:
    """The lines of a table of prices: errors that cross-validation found, and their standard error."""
    X, y = points(rng, 150)
    table = CARTClassifier(prune=CrossValidated(folds=5), random_state=0).fit(X, y).cptable_
    root = min(y.sum(), (~y).sum())
    for E, SE in (table[["xerror", "xstd"]].to_numpy() * root).tolist():
        e = E / 150
        yield {"E": E, "N": 150, "m": 150, "e": e, "p": e, "se": SE / 150, "SE(.)": given(SE, E)}


@says("14.11")
def summed_costs(rng: Generator) -> Iterator[Meanings]:
    """The squares of the distances of held-out rows, in the last line of a table: no price."""
    x, y = rng.normal(size=(2, 24))
    folds = [(np.setdiff1d(np.arange(24), test), test) for test in np.array_split(np.arange(24), 4)]
    model = CARTRegressor(prune=CrossValidated(folds=folds), max_depth=2).fit(x[:, None], y)
    costs = np.empty(24)
    for train, test in folds:
        one = CARTRegressor(max_depth=2).fit(x[train, None], y[train])
        costs[test] = (y[test] - one.predict(x[test, None])) ** 2
    SE = model.cptable_["xstd"].iloc[-1] * ((y - y.mean()) ** 2).sum()
    E = costs.sum()
    yield {"E": E, "N": 24, "ell_.": at(costs), "each i": below(costs), "SE(.)": given(SE, E)}


@says("12.4")
def held_out(rng: Generator) -> Iterator[Meanings]:
    """The fewest errors on held-out rows, at each node."""
    for _ in range(4):
        tree = cart(rng, max_leaf_nodes=8)
        X, y = points(rng, 40)
        steps = reduced_error(tree, X, y).steps.set_index("node")
        kept = np.where(steps["cut"], steps["cost_as_leaf"], steps["cost"])
        came = tree._paths_to(tree.apply(X)).toarray().T == 1
        errors = [
            int((y[rows] != (tree[t].counts[1] > tree[t].counts[0])).sum()) for t, rows in enumerate(came)
        ]
        best = dict(enumerate(errors)) | dict(zip(steps.index, kept, strict=True))
        yield {
            **{"B(.)": best.__getitem__, "E(.)": errors.__getitem__, "each t": inner(tree)},
            "each c": lambda m, tree=tree: children(tree, m["t"]),
        }


def subtrees(tree: Tree, t: int) -> set[Any]:
    """Return all that can be left of what hangs from a node."""
    below = [subtrees(tree, c) for c in children(tree, t)]
    return {"leaf", *(product(*below) if below else ())}


@says("12.5")
def numbers_of_subtrees(rng: Generator) -> Iterator[Meanings]:
    """Trees of two and of more branches."""
    for tree in (cart(rng, max_leaf_nodes=6), ID3Classifier().fit(*names(rng, (2, 3))).tree_):
        yield {
            **{"s(.)": lambda t, tree=tree: len(subtrees(tree, t)), "each t": inner(tree)},
            "each c": lambda m, tree=tree: children(tree, m["t"]),
        }


@says("12.6")
def divisions(rng: Generator) -> Iterator[Meanings]:
    """Results of divisions of the same rows: ever more of them, and ever more rows tested."""
    for J, m, n in ((2, 1, 2), (10, 30, 70), (20, 171, 398)):
        found = rng.normal(size=J)
        se = float(corrected_se(found, m, n))
        yield {"J": J, "m": m, "n": n, "s": float(found.std(ddof=1)), "se": se}


def of_pruning(tree: Tree, alpha: float, kind: str) -> Meanings:
    """Return the letters of pruning: a node is its number, what hangs from it `Below`, T the tree."""
    alone, links = risk(tree, kind), weakest_links(tree, kind).set_index("node")
    steps = local_differences(tree, alpha, kind).set_index("node")

    def C(t: Any) -> float:
        return float(links["risk_branch"][t.node] if isinstance(t, Below) else alone[t])

    def C_alpha(t: Any) -> float:
        if not isinstance(t, Below):
            return steps["loss_as_leaf"][t]
        return steps["loss"][t.node] if t.node else tree_loss(tree, alpha, kind)

    best = steps[["loss", "loss_as_leaf"]].min(axis=1)
    return {
        **{
            "tree": tree,
            "kind": kind,
            "steps": steps,
            "T": Below(tree, 0),
            "T_.": lambda t: Below(tree, t),
            "alpha": alpha,
        },
        **{"C(.)": C, "C_alpha(.)": C_alpha, "|.|": lambda T: links["leaves"][T.node], "each t": inner(tree)},
        **{"B(.)": lambda t: best[t] if t in best else alone[t] + alpha, "g(.)": lambda t: links["g"][t]},
        "each c": lambda m: children(tree, m["t"]),
    }


def priced(rng: Generator, dear: float = 0.9) -> Iterator[Meanings]:
    """Trees, and a price below all g, so that nothing is cut; or above some."""
    for kind in ("cost", "entropy", "gini"):
        tree = cart(rng, max_leaf_nodes=9)
        g = weakest_links(tree, kind)["g"]
        yield of_pruning(tree, float(g.min() * dear if dear < 1 else g.median()), kind)


@says("13.1")
def bits_and_leaves(rng: Generator) -> Iterator[Meanings]:
    """The loss in bits: t are the leaves."""
    for m in list(priced(rng))[1:2] * 2:
        tree = m["tree"]
        yield {
            **m,
            "N_.": at(tree.n, 0),
            "H_.": lambda t, tree=tree: entropy(tree.counts[t]),
            "each t": leaves(tree),
        }


@says("13.2")
def likelihood(rng: Generator) -> Iterator[Meanings]:
    """Forecasts of the leaves of a tree; once they are its shares."""
    for i in range(3):
        tree = cart(rng, n=25, max_leaf_nodes=3, min_samples_leaf=4)
        found, n = leaves(tree), tree.counts
        q = n / n.sum(1, keepdims=True) if not i else np.stack([shares(rng, 2) for _ in n])
        seen = [(t, k) for t in found for k in (0, 1) if n[t, k]]
        yield {
            **{
                "L": math.prod(q[t, k] ** n[t, k] for t, k in seen),
                "T": tree,
                "each t": found,
                "each k": (1, 2),
            },
            **{"N_..": lambda t, k, n=n: n[t, k - 1], "q_..": lambda t, k, q=q: q[t, k - 1]},
            "C(.)": lambda T, found=found: risk(T, "entropy")[found].sum(),
        }


@says("13.3")
def which_samples(rng: Generator) -> Iterator[Meanings]:
    """Which k of N samples are of a class; of none there is nothing to say."""
    for N, k in ((0, 0), (1, 0), (1, 1), (7, 3), (20, 1), (50, 25)):
        yield {"N": N, "k": k, "H": entropy([k, N - k])}
    yield {"N": 9000, "k": 3000, "H": entropy([3000, 6000]), "tight": 0.002}


@says("13.5")
def best_below(rng: Generator) -> Iterator[Meanings]:
    """A price at which some nodes are cut."""
    for m in priced(rng, dear=1):
        root = tree_loss(best_subtree(m["tree"], m["alpha"], kind=m["kind"]), m["alpha"], m["kind"])
        yield {**m, "B(.)": lambda t, m=m, root=root: m["B(.)"](t) if t else root}


@says("13.6")
def neighbors(rng: Generator) -> Iterator[Meanings]:
    """Neighbors on the path of the best trees, and the price at which one takes over from the other."""
    path = pruning_path(cart(rng))
    for k, alpha in enumerate(path.alphas[1:]):
        cost, size = ({"T": x[k], "T'": x[k + 1]} for x in (path.risks, path.leaves))
        yield {"T": "T", "T'": "T'", "alpha": float(alpha), "C(.)": cost.get, "|.|": size.get}


@says("13.7")
def two_prices(rng: Generator) -> Iterator[Meanings]:
    """The best trees at two prices; once they are the same."""
    for low, high in ((0.7, 1.6), (0.4, 3.0), (1.0, 1.0)):
        tree = cart(rng)
        yield {
            **{"T": best_subtree(tree, low), "T'": best_subtree(tree, high), "alpha": low, "alpha'": high},
            **{"C(.)": lambda T: risk(T)[T.feature < 0].sum(), "|.|": lambda T: T.n_leaves},
        }


@says("14.1")
def outside_the_majority(rng: Generator) -> Iterator[Meanings]:
    """The errors of every node of a tree, if it were a leaf."""
    for _ in range(3):
        tree = cart(rng, max_leaf_nodes=6)
        alone, n = risk(tree), tree.counts
        yield {
            **{"C(.)": lambda t, alone=alone: alone[t], "N_.": at(tree.n, 0), "each t": range(len(tree))},
            **{"N_..": lambda t, k, n=n: n[t, k - 1], "each k": (1, 2)},
        }


@says("14.4")
def weakest(rng: Generator) -> Iterator[Meanings]:
    """The g of every node; and of the weakest, the price at which pruning cuts them first."""
    for m in priced(rng):
        yield m
        links = weakest_links(m["tree"], m["kind"])
        alphas = pruning_path(m["tree"], m["kind"]).alphas
        first = alphas[1] if links["g"].min() > 0 else alphas[0]  # a link of g = 0 is cut at once
        cut = links["node"][np.isclose(links["g"], links["g"].min())].tolist()
        yield {**m, "each t": cut, "g(.)": lambda t, first=first: first}


@says("14.2", "14.3")
def losses(rng: Generator) -> Iterator[Meanings]:
    """Nodes as leaves and with all below, at a price at which nothing is cut."""
    yield from priced(rng)


@says("13.4", "14.5")
def differences(rng: Generator) -> Iterator[Meanings]:
    """The same, node by node beside the difference that decides."""
    for m in priced(rng):
        for t in m["each t"]:
            yield {**m, "t": t, "value": m["steps"]["difference"][t]}


@says("14.6")
def after_a_cut(rng: Generator) -> Iterator[Meanings]:
    """Trees before and after their weakest links are cut."""
    for _ in range(4):
        tree = cart(rng)
        before = weakest_links(tree).set_index("node")
        alpha = float(before["g"].min())
        small = best_subtree(tree, alpha)
        old = kept_nodes(small, tree)
        for line in weakest_links(small).itertuples():
            was = before.loc[old[line.node]]
            yield {
                **{"t": "t", "alpha": alpha, "s": was["leaves"] - 1, "m": was["leaves"] - line.leaves},
                **{"g(.)": given(was["g"], "t"), "g_new(.)": given(line.g, "t")},
            }


@says("14.7")
def root_alone(rng: Generator) -> Iterator[Meanings]:
    """From the price on at which the root alone is best, beside the other trees of the path."""
    for _ in range(3):
        path = pruning_path(cart(rng))
        alpha = float(path.alphas[-1])
        for k, beta in product(range(len(path.alphas) - 1), (alpha, 1.3 * alpha)):
            cost, size = {"t": path.risks[-1], "S": path.risks[k]}, path.leaves[k]
            yield {
                **{"t": "t", "S": "S", "alpha": alpha, "beta": beta, "C(.)": cost.__getitem__},
                "|.|": given(size, "S"),
            }


@says("14.8")
def units(rng: Generator) -> Iterator[Meanings]:
    """A price in three scales."""
    for m in priced(rng):
        factor = scales(m["tree"], "gini")
        alone = risk(m["tree"], "gini")
        yield {
            **{"N": 60, "t_0": 0, "alpha": m["alpha"], "C(.)": lambda t, alone=alone: alone[t]},
            **{f"alpha_{unit}": m["alpha"] * factor[unit] for unit in ("mean", "share")},
        }


@says("14.9")
def prices_between(rng: Generator) -> Iterator[Meanings]:
    """The prices of a path, and those that stand for its intervals."""
    alphas = pruning_path(cart(rng)).alphas
    yield {"alpha_.": at(alphas), "beta_.": at(middles(alphas)), "each k": range(1, len(alphas))}


# Chapter 15: estimates


def rate(e: float, N: float, CF: float, bound: str = "binomial") -> float:
    """Return the pessimistic error rate of a leaf, as the library has it."""
    return (e + float(added_errors(e, N, CF, bound))) / N


@says("15.1", "15.5")
def pure_leaves(rng: Generator) -> Iterator[Meanings]:
    """Leaves without an error, small and very large."""
    for N, CF in ((1, 0.25), (6, 0.25), (9, 0.1), (10**7, 0.4)):
        found = {"U(.,.)": lambda e, N, CF=CF: rate(e, N, CF), "c": math.log(1 / CF)}
        yield {**found, "N": N, "CF": CF, "close": 1e-6}


@says("15.2", "15.3")
def binomial(rng: Generator) -> Iterator[Meanings]:
    """Leaves with and without errors, at their pessimistic rate."""
    for e, N, CF in ((0, 6, 0.25), (1, 16, 0.25), (3, 10, 0.1)):
        p = rate(e, N, CF)
        yield {"e": e, "N": N, "CF": CF, "p": p, "B(.;.,.)": lambda e, N, p: float(bdtr(e, N, p))}


@says("15.4")
def estimates(rng: Generator) -> Iterator[Meanings]:
    """A question with its leaves, and the errors that C4.5 expects of them."""
    for _ in range(3):
        X, y = names(rng)
        tree = C45Classifier(max_depth=1).fit(X, y).tree_
        expected = pessimistic(tree, raising=False).steps.iloc[-1]["subtree"]
        yield {
            **{"T": tree, "E(.)": lambda T, E=expected: E, "U_CF(.,.)": lambda e, N: rate(e, N, 0.25)},
            **{"N_.": at(tree.n, 0), "e_.": at(risk(tree), 0), "each t": leaves(tree)},
        }


@says("15.6", "15.7")
def normal_bound(rng: Generator) -> Iterator[Meanings]:
    """Leaves with errors, and the bound of the normal distribution."""
    for e, N in ((1, 16), (3, 10), (5, 80)):
        yield {"N": N, "w": e + 0.5, "z": quantile(0.25, "normal"), "p": rate(e, N, 0.25, "normal")}


# Chapter 22: slanted lines


@says("22.1")
def staircases(rng: Generator) -> Iterator[Meanings]:
    """The wrong area of the best staircase of L leaves: two for each column, which is of half height."""
    side = 400
    x = (np.arange(side) + 0.5) / side
    for L in (4, 10):
        height = 1 - (np.floor(x / (2 / L)) + 0.5) * (2 / L)
        yield {"L": L, "value": np.abs(height - (1 - x)).mean(), "by": "≈", "nearly": 0.01}


def crossing(outside: np.ndarray, inside: np.ndarray, w: np.ndarray, c: float) -> np.ndarray:
    """Return the point between two others at which the library's weighted sum passes c."""
    for _ in range(60):
        middle = (outside + inside) / 2
        if weighted_sums(middle[None], w)[0] > c:
            outside = middle
        else:
            inside = middle
    return inside


@says("22.2")
def lines(rng: Generator) -> Iterator[Meanings]:
    """Points on the border of a question about a weighted sum."""
    for c in (0.4, 0.9):
        split = Hyperplane(("x", "y"), tuple(rng.uniform(0.5, 2, 2).tolist()), c)
        w = np.array(split.coefficients)
        x = crossing(rng.uniform(5, 9, 2), -rng.uniform(5, 9, 2), w, split.threshold)
        yield {"w_.": at(w), "x_.": at(x), "c": split.threshold}


@says("22.3")
def sums_of_samples(rng: Generator) -> Iterator[Meanings]:
    """Samples, coefficients and their weighted sums."""
    x, w = rng.normal(size=(3, 4)), rng.normal(size=4)
    yield {"w_.": at(w), "x_..": at(x), "d": 4, "z_.": at(weighted_sums(x, w)), "each j": (1, 2, 3)}


@cache
def ways(n: int, d: int) -> int:
    """Return in how many ways a hyperplane parts n points."""
    return parted(np.random.default_rng(n).random((n, d)))


@says("22.4")
def ways_of_lines(rng: Generator) -> Iterator[Meanings]:
    """Points of a plane."""
    yield from ({"n": n, "value": ways(n, 2)} for n in (4, 5))


@says("22.5")
def ways_of_planes(rng: Generator) -> Iterator[Meanings]:
    """Points of spaces."""
    yield from ({"n": n, "d": d, "value": ways(n, d)} for n, d in ((4, 1), (5, 2), (5, 3)))


@says("22.8")
def lucky_planes(rng: Generator) -> Iterator[Meanings]:
    """The share of all classes of n points for which a hyperplane is right, or nothing is to be parted."""
    yield from ({"n": n, "d": d, "value": 2 * (ways(n, d) + 1) / 2**n} for n, d in ((4, 1), (5, 2), (5, 3)))


@says("22.6")
def changed_coefficients(rng: Generator) -> Iterator[Meanings]:
    """A coefficient below, above and at the number from which on a sample is on the other side."""
    for _ in range(3):
        x, w, c = rng.uniform(0.2, 2, 3), rng.normal(size=3), rng.normal()
        other = np.array([w[0], 0.0, w[2]])
        ahead = crossing(np.array([9e3]), np.array([-9e3]), x[1:2], c - weighted_sums(x[None], other)[0])[0]
        for v in (ahead - 1, ahead, ahead + 1):
            above = weighted_sums(x[None], np.array([w[0], v, w[2]]))[0] > c + 1e-9
            yield {
                **{"v": v, "w_.": at(w), "m": 2, "j": 1, "x_..": at(x[None]), "U_.": at([ahead])},
                **{"V_.": at(weighted_sums(x[None], w) - c), "decides": bool(above), "close": 1e-8},
            }


@says("22.7")
def coins(rng: Generator) -> Iterator[Meanings]:
    """As many samples as unknowns, and the hyperplane that fits a toss of coins."""
    x, toss = rng.normal(size=(4, 3)), rng.choice([-1.0, 1.0], 4)
    *w, c = np.linalg.solve(np.column_stack([x, -np.ones(4)]), toss)
    yield {"w_.": at(w), "x_..": at(x), "c": c, "d": 3, "each j": (1, 2, 3, 4), "close": 1e-6}


# Chapters 16, 23 and 24: forests, costs


@says("16.1")
def forests(rng: Generator) -> Iterator[Meanings]:
    """Trees that resemble each other: their mean variance, and the mean covariance of two of them."""
    for B in (3, 5):
        T = rng.normal(size=(B, 200)) + rng.normal(size=200)
        cov = np.cov(T, ddof=0)
        s2 = np.diag(cov).mean()
        between = (cov.sum() - np.diag(cov).sum()) / (B * (B - 1))
        yield {
            **{"B": B, "T_.": at(T), "each b": below(T), "sigma": math.sqrt(s2), "rho": between / s2},
            "Var(.)": lambda x: float(np.var(x)),
        }


@says("16.2")
def left_out(rng: Generator) -> Iterator[Meanings]:
    """Very many samples."""
    yield {"N": 10**8, "e": math.e, "nearly": 1e-6}


def alarms(c: float, **parameters: Any) -> Iterator[Meanings]:
    """Yield whether a leaf says the rare class, share by share: where both cost the same, it does not."""
    for rare in range(1, 20):
        y = np.array([1] * rare + [0] * (20 - rare))
        model = CARTClassifier(max_depth=0, **parameters).fit(np.zeros((20, 1)), y)
        yield {"p": rare / 20, "w": c, "c": c, "decides": bool(model.predict([[0]])[0] == 1)}


@says("20.1")
def weighed(rng: Generator) -> Iterator[Meanings]:
    """A class that counts w times."""
    for w in (1.0, 3.0, 9.0):
        yield from alarms(w, class_weight={0: 1.0, 1: w})


@says("20.4")
def dear(rng: Generator) -> Iterator[Meanings]:
    """A miss that costs c alarms."""
    for c in (1.0, 3.0, 9.0):
        yield from alarms(c, loss=[[0, 1], [c, 0]])


@says("20.2")
def balanced(rng: Generator) -> Iterator[Meanings]:
    """Classes that count the same in total."""
    for n in rng.integers(1, 9, (3, 4)):
        y = np.repeat(np.arange(4), n)
        tree = CARTClassifier(max_depth=0, class_weight="balanced").fit(np.zeros((len(y), 1)), y).tree_
        yield {"N": len(y), "K": 4, "N_.": at(n), "w_.": at(tree.counts[0] / n), "each k": (1, 2, 3, 4)}


@says("11.8")
def outputs(rng: Generator) -> Iterator[Meanings]:
    """One question for three outputs, and what it gains for each."""
    X, y = points(rng)
    Y = np.stack([y, X[:, 0] > 0.3, X[:, 1] > 0.6], 1)
    tree = CARTClassifier(max_depth=1).fit(X, Y).tree_
    side = tree.apply(X) == 1
    gains = [impurity_decrease(pd.crosstab(side, out), gini) for out in Y.T]
    yield {"K": 3, "Delta": tree.gain[0], "Delta_.": at(gains)}


@says("3.7", "26.1")
def rounded(rng: Generator) -> Iterator[Meanings]:
    """Numbers and what they are rounded to; once as far off as can be, both in one way or each in its own."""
    for (x, y), d in (
        (rng.random(2), 3),
        (rng.random(2), 3),
        ((0.1235, 0.4565), 3),
        ((0.1235, 0.4564999), 3),
    ):
        a, b = (0.124, 0.456) if (x, y) == (0.1235, 0.4565) else (round(x, d), round(y, d))
        yield {"x": x, "y": y, "x'": a, "y'": b, "rounded": a - b, "exact": x - y, "d": d}


# Chapter 25: counts of a level


@says("25.1", "25.2", "25.4")
def levels(rng: Generator) -> Iterator[Meanings]:
    """The counts of the open nodes of a level, by value and class; and of two parts of the rows."""
    N, J, V, K = 80, 3, 4, 2
    t, v, k = rng.integers(0, J, N), rng.integers(0, V, N), rng.integers(0, K, N)

    def count(rows: Any, V: int = V, v: np.ndarray = v) -> np.ndarray:
        return count_tables(v[rows], k[rows], (J, V, K), t[rows])

    def left(t: int, k: int, c: int) -> int:
        return at(count(v < c, 1, np.zeros(N, int)))(t, 1, k)

    of_class = count(slice(None), 1, np.zeros(N, int))[:, 0]
    yield {
        **{"n_...": at(count(slice(None))), "n_..": at(of_class), "n_.": at(np.bincount(t))},
        **{"n'_...": at(count(slice(30))), "n''_...": at(count(slice(30, N))), "ell_..(.)": left},
        **{"each t": range(1, J + 1), "each v": range(1, V + 1), "each k": (1, 2), "each c": range(1, V + 1)},
    }


class Listening(logging.Handler):
    """Counts what the library says."""

    said = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Count one message."""
        self.said += 1


@says("25.3")
def passes(rng: Generator) -> Iterator[Meanings]:
    """Trees, and how often the library says that it reads its rows."""
    log = logging.getLogger("dtlib")
    for depth in (1, 3):
        listening, before = Listening(), log.level
        log.addHandler(listening)
        log.setLevel("INFO")
        tree = cart(rng, max_depth=depth)
        log.removeHandler(listening)
        log.setLevel(before)
        asks = {int(tree.depth[t]) for t in inner(tree)}
        yield {"passes": listening.said, "levels that ask": len(asks)}


@says("25.5")
def cells(rng: Generator) -> Iterator[Meanings]:
    """The cells of a level with a sample: few samples, many, and one for each cell."""
    for N, J, sizes in ((5, 3, (4, 9)), (400, 2, (3, 2)), (2, 2, (2, 2)), (3, 2, (20, 30))):
        t, k = np.arange(N) % J, rng.integers(0, 2, N)
        x = [np.arange(N) % V for V in sizes]
        found = sum((count_tables(a, k, (J, V, 2), t) > 0).sum() for a, V in zip(x, sizes, strict=True))
        yield {
            **{"cells of a level": found, "J": J, "K": 2, "N": N, "d": 2, "V_.": at(sizes)},
            "each A": (1, 2),
        }


@says("25.6")
def bounds(rng: Generator) -> Iterator[Meanings]:
    """The bound of the second of three intervals, and what each way to send its classes left gains."""
    for K in (2, 3):
        table = rng.integers(1, 9, (3, K))
        ways = [table[0] + table[1] * way for way in product((0, 1), repeat=K)]
        gains = [impurity_decrease(np.array([left, table.sum(0) - left]), gini) for left in ways]
        found = cut_bounds(table[None], "gini", 1).inside[0, 1] / table.sum()
        yield {"b": found, "Delta_.": at(gains), "each S": below(gains)}


# Chapters 19 and 20: shares and rare classes


def rare_leaves(rng: Generator) -> Iterator[tuple[int, int, np.ndarray, np.ndarray]]:
    """Yield how many of how many samples of a leaf are rare, and the table of which it is the first leaf."""
    for n, k in ((3, 0), (7, 2), (20, 9)):
        X = np.repeat([[0.0], [1.0]], [n, 60], axis=0)
        yield n, k, X, np.repeat([1, 0, 0, 1], [k, n - k, 55, 5]) if k else np.repeat([0, 1], [n, 60])


@says("20.6")
def alarmed(rng: Generator) -> Iterator[Meanings]:
    """Answers of a tree, and of those that say the rare class, how many are right."""
    for seed in (0, 1):
        X, y = points(np.random.default_rng(seed))
        said = CARTClassifier(max_depth=2).fit(X, y).predict(X) == 1
        rare = y == 1
        yield {"r": said[rare].mean(), "f": said[~rare].mean(), "pi": rare.mean(), "value": rare[said].mean()}


@says("20.3")
def undone(rng: Generator) -> Iterator[Meanings]:
    """A leaf of three classes, with the weights in what it says and without."""
    for n in rng.integers(1, 9, (3, 3)):
        y = np.repeat(np.arange(3), n)
        w = rng.uniform(0.2, 5, 3)
        root = CARTClassifier(max_depth=0, class_weight=dict(enumerate(w))).fit(y[:, None] * 0, y)
        q = root.predict_proba([[0]])[0]
        root.set_params(leaf_shares=LeafShares(undo_weights=True)).fit(y[:, None] * 0, y)
        p = root.predict_proba([[0]])[0]
        yield {"p_.": at(p), "q_.": at(q), "w_.": at(w), "each k": (1, 2, 3), "each j": (1, 2, 3)}


@says("19.1")
def laplace(rng: Generator) -> Iterator[Meanings]:
    """What the leaf says with Laplace's correction."""
    for n, k, X, y in rare_leaves(rng):
        model = CARTClassifier(max_depth=1, leaf_shares="laplace").fit(X, y)
        yield {"n": n, "k": k, "value": model.predict_proba([[0]])[0, 1]}


@says("19.2")
def imagined(rng: Generator) -> Iterator[Meanings]:
    """What the leaf says with samples like those of the table beside its own."""
    for m, (n, k, X, y) in zip((0.5, 2.0, 9.0), rare_leaves(rng), strict=True):
        model = CARTClassifier(max_depth=1, leaf_shares=LeafShares("m_estimate", m=m)).fit(X, y)
        yield {"n": n, "k": k, "m": m, "pi": y.mean(), "s": model.predict_proba([[0]])[0, 1]}


@says("11.9")
def two_facts(rng: Generator) -> Iterator[Meanings]:
    """Answers of one tree with two outputs."""
    for seed in (0, 1):
        X, y = points(np.random.default_rng(seed))
        Y = np.stack([y, X[:, 0] > 0.4], axis=1)
        wrong = CARTClassifier(max_depth=2).fit(X, Y).predict(X) != Y
        e = {1: wrong[:, 0].mean(), 2: wrong[:, 1].mean(), 12: wrong.all(axis=1).mean()}
        yield {"e_.": e.get, "value": (~wrong).all(axis=1).mean()}


def told(rng: Generator) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the shares that trees say of fresh samples, and which of these are rare."""
    for depth in (1, 2, 3):
        model = CARTClassifier(max_depth=depth).fit(*points(rng))
        X, rare = points(rng)
        yield model.predict_proba(X)[:, 1], rare


@says("19.3")
def forecasts(rng: Generator) -> Iterator[Meanings]:
    """Shares that are said of groups, and how often they come true."""
    for s, rare in told(rng):
        groups = pd.Series(rare).groupby(s)
        found = groups.transform("mean")
        parts = {"reliability": ((s - found) ** 2).mean(), "resolution": found.var(ddof=0)}
        yield {
            **parts,
            **{
                "uncertainty": rare.var(),
                "B": brier_score_loss(rare, s),
                "N": len(s),
                "pi": rare.mean(),
                "c": rng.random(),
            },
            **{"n_.": at(groups.size()), "f_.": at(groups.mean()), "s_.": at(groups.mean().index)},
            "each g": below(groups.mean()),
        }


@says("19.4")
def logistic(rng: Generator) -> Iterator[Meanings]:
    """A logistic curve of what leaves say."""
    for s, rare in told(rng):
        curve = LogisticRegression().fit(s[:, None], rare)
        a, b = curve.coef_[0, 0], curve.intercept_[0]
        for share, p in zip(s[:3], curve.predict_proba(s[:3, None])[:, 1], strict=True):
            yield {"a": a, "b": b, "s": share, "p": p}


@says("20.5")
def won(rng: Generator) -> Iterator[Meanings]:
    """Pairs of a rare and another sample, some of them in one leaf."""
    for s, rare in told(rng):
        rares, others = s[rare], s[~rare]
        yield {
            **{"AUC": roc_auc_score(rare, s), "N_1": len(rares), "N_0": len(others)},
            **{"s_.": at(rares), "o_.": at(others), "each i": below(rares), "each j": below(others)},
        }


@says("20.7")
def harmonic(rng: Generator) -> Iterator[Meanings]:
    """Rare samples found, and false alarms."""
    for s, rare in told(rng):
        said = s > 0.2
        h, a = (said & rare).sum(), (said & ~rare).sum()
        yield {"F_1": f1_score(rare, said), "h": h, "a": a, "N_1": rare.sum()}


@says("20.8")
def best_answers(rng: Generator) -> Iterator[Meanings]:
    """Leaves, and which of them answer rare where F1 is largest; of ways that are equal, the fewest."""
    drawn = [(n := rng.integers(5, 40, 4), rng.binomial(n, rng.random(4))) for _ in range(4)]
    for n, k in [(np.array([10, 30, 20]), np.array([10, 10, 0])), *drawn]:
        leaf = np.repeat(np.arange(len(n)), n)
        rare = np.arange(len(leaf)) - np.repeat(n.cumsum() - n, n) < k[leaf]
        s = CARTClassifier().fit(leaf[:, None], rare).predict_proba(np.arange(len(n))[:, None])[:, 1]
        ways = [[g for g, yes in enumerate(way) if yes] for way in product((0, 1), repeat=len(n)) if any(way)]
        ways = sorted(ways, key=len)
        scores = [f1_score(rare, np.isin(leaf, way)) for way in ways]
        best, F = ways[int(np.argmax(np.round(scores, 12)))], max(scores)
        for g, A in enumerate([best, *ways[: len(n) - 1]]):
            yield {
                **{"s": s[g], "F*": F, "decides": g in best, "each g": below(n), "A": [1 + g for g in A]},
                **{"n_.": at(n), "s_.": at(s), "N_1": rare.sum(), "f": scores[ways.index(A)]},
            }


# Chapter 18: what a feature is worth


@says("18.1", "18.2", "18.3")
def worth(rng: Generator) -> Iterator[Meanings]:
    """A tree, what each node asks and gains, and how well each feature stands in for it."""
    for depth in (2, 4, None):
        X, y = names(rng)
        tree = CARTClassifier(max_depth=depth, criterion="entropy", missing="surrogate").fit(X, y).tree_
        gained, with_others = (f(tree, False) / 60 for f in (decrease_importances, surrogate_importances))
        agrees = np.zeros((len(tree), 3))
        agrees[tree._active_surrogates.node, tree._active_surrogates.feature] = (
            tree._active_surrogates.adjusted
        )
        features = range(3)
        yield from (
            {
                **{"A": A, "A_.": at(tree.feature, 0), "N": 60, "N_.": at(tree.n, 0), "each t": inner(tree)},
                **{"Delta_.": at(tree.gain, 0), "M(.)": gained.__getitem__, "S(.)": with_others.__getitem__},
                **{"a_.(.)": lambda t, A, agrees=agrees: agrees[t, A], "each A": features},
                **{"H(.)": entropy, "D": tree.counts[0], "D_.": at(tree.counts, 0)},
                "each ell": leaves(tree),
            }
            for A in features
        )


@says("18.4")
def shuffled(rng: Generator) -> Iterator[Meanings]:
    """Five samples, and what a tree of others gets wrong about them, over all orders of one column."""
    tree = cart(rng, max_depth=3)
    label = np.array(tree.classes)[tree.label]
    for A in (0, 0, 1, 1):
        X, y = points(rng, 5)

        def costs(values: np.ndarray, X: np.ndarray = X, y: np.ndarray = y, A: int = A) -> np.ndarray:
            changed = X.copy()
            changed[:, A] = values
            return label[tree.apply(changed)] != y

        c = np.stack([costs(np.full(5, v)) for v in X[:, A]], 1)
        mean = np.mean([costs(X[list(order), A]) for order in permutations(range(5))])
        yield {
            **{"N": 5, "each i": range(1, 6), "each j": range(1, 6), "c_..": at(c)},
            **{"A": A, "P(.)": given(mean - costs(X[:, A]).mean(), A)},
        }


@says("18.5")
def moved(rng: Generator) -> Iterator[Meanings]:
    """A tree, and its answers with one feature set to a value, sample by sample and all at once."""
    for depth in (1, 2, 4):
        X, y = points(rng)
        tree = CARTRegressor(max_depth=depth).fit(X, y + 1.0).tree_
        a, n = rng.random(), 8
        leaf = np.array([tree.apply(np.array([[a, x[1]]]))[0] for x in X[:n]])
        all_at_once = tree.value[tree.apply(np.column_stack([np.full(n, a), X[:n, 1]])), 0].mean()
        yield {
            **{"N": n, "each i": range(1, n + 1), "a": a, "bar f(.)": given(all_at_once, a)},
            "f_.(.)": lambda i, _, leaf=leaf, tree=tree: tree.value[leaf[i - 1], 0],
        }


@says("18.6", "18.7")
def divided(rng: Generator) -> Iterator[Meanings]:
    """A tree of three features, and what it says on average while a sample lends its known values to all.

    A feature's part is found by the weights of the sets that may be known before it, not by orders.
    """
    X = rng.random((40, 3))
    tree = CARTRegressor(max_depth=4).fit(X, X[:, 0] * X[:, 1] + X[:, 2]).tree_
    features, orders = range(3), list(permutations(range(3)))
    for x in X[:4]:

        @cache
        def v(known: frozenset[int], x: np.ndarray = x) -> float:
            mixed = np.where([f in known for f in features], x, X)
            return float(tree.value[tree.apply(mixed), 0].mean())

        def rises(r: int, A: int, v: Callable[[frozenset[int]], float] = v) -> float:
            before = frozenset(orders[r][: orders[r].index(A)])
            return v(before | {A}) - v(before)

        def part(A: int, v: Callable[[frozenset[int]], float] = v) -> float:
            sets = [frozenset(s) for k in range(3) for s in combinations([f for f in features if f != A], k)]
            return sum((v(s | {A}) - v(s)) / 3 / math.comb(2, len(s)) for s in sets)

        says_, mean = tree.value[tree.apply(x[None])[0], 0], tree.value[tree.apply(X), 0].mean()
        for A in features:
            yield {
                **{"d": 3, "A": A, "each A": features, "each r": range(6), "delta_.(.)": rises},
                **{"phi(.)": part, "x": x, "f(.)": given(says_, x), "bar f": mean},
            }


# Chapter 21: the best tree


@says("21.1")
def trees_of_a_depth(rng: Generator) -> Iterator[Meanings]:
    """All trees up to a depth, listed."""
    for Q in (1, 2, 3):
        numbers = [sum(1 for _ in trees_up_to(Q, d)) for d in range(3)]
        yield {"T_.": at(numbers, first=0), "Q": Q, "each d": (1, 2)}


class Searched(NamedTuple):
    """A table of four questions, and what its rows pay at a price."""

    X: np.ndarray
    y: np.ndarray
    price: float

    def alone(self, rows: tuple[int, ...]) -> int:
        """Return the errors of a leaf."""
        return int(min(np.bincount(self.y[list(rows)], minlength=2)))

    def least(self, d: int, rows: tuple[int, ...]) -> float:
        """Return the least loss of a tree up to a depth, as the library finds it."""
        return round(least_loss(self.X, self.y, np.array(rows), d, self.price), 9)


def searched(rng: Generator) -> Iterator[tuple[Searched, Meanings]]:
    """Yield small tables, with the meanings that the formulas of best trees share."""
    for price in (0.5, 0.0, 1.0, 4.0):
        X, y = rng.integers(0, 2, (24, 4)), rng.integers(0, 2, 24)
        y[X[:, 0] > X[:, 1]] = 1
        given_ = Searched(X, y, price)
        yield given_, {"alpha": price, "B_.(.)": given_.least, "C(.)": given_.alone, "D": tuple(range(24))}


@says("21.2")
def best_of_both_sides(rng: Generator) -> Iterator[Meanings]:
    """The least losses of a table and of the two sides of each question."""
    for given_, shared in searched(rng):
        for d in (1, 2):
            sides = [[tuple(np.flatnonzero(given_.X[:, q] == v).tolist()) for q in range(4)] for v in (1, 0)]
            yield {
                **shared, "d": d, "each q": (1, 2, 3, 4), "D_.": at_tuple(sides[0]),
                "bar D_.": at_tuple(sides[1]),
            }  # fmt: skip


def at_tuple(sets: list[tuple[int, ...]]) -> Any:
    """Return a function of an index that counts from 1, to sets of rows."""
    return lambda q: sets[q - 1]


@says("21.3")
def two_leaves(rng: Generator) -> Iterator[Meanings]:
    """Tables whose best tree is a leaf, has two pure leaves, or more."""
    for _, shared in searched(rng):
        yield {**shared, "d": 2}
    pure = Searched(np.eye(4, dtype=int)[[0, 0, 1, 1]], np.array([0, 0, 1, 1]), 0.25)
    yield {
        "alpha": 0.25, "B_.(.)": pure.least, "C(.)": pure.alone, "D": (0, 1, 2, 3), "d": 1,
    }  # fmt: skip


@says("21.4")
def nearly_the_same(rng: Generator) -> Iterator[Meanings]:
    """Tables that lack some rows of others; in one, each of these costs an error."""
    for _, shared in searched(rng):
        for m in (1, 3):
            yield {**shared, "d": 2, "D": tuple(range(24 - m)), "D'": tuple(range(24)), "m": m}
    same = Searched(np.zeros((9, 4), int), np.array([1] * 6 + [0] * 3), 0.5)
    yield {"B_.(.)": same.least, "D": tuple(range(7)), "D'": tuple(range(9)), "d": 1, "m": 2}


@says("21.5")
def corners(rng: Generator) -> Iterator[Meanings]:
    """Two questions and three classes; the counts are those by which two levels are solved."""
    for _ in range(3):
        q, r, y = rng.random(30) < 0.6, rng.random(30) < 0.3, rng.integers(0, 3, 30)
        errors_by_pairs(pd.DataFrame({"q": q, "r": r}), y)
        yield {
            "q": q, "r": r, "bar r": ~r, "each k": (0, 1, 2),
            "N_.(.)": lambda k, q, y=y: int(((y == k) & q).sum()),
            "N_.(.,.)": lambda k, q, r, y=y: int(((y == k) & q & r).sum()),
        }  # fmt: skip


# Chapter 17: boosting


class Round(NamedTuple):
    """Rows and numbers, a rate, what scikit-learn's sum says after each round, and our tree of the fourth."""

    X: np.ndarray
    y: np.ndarray
    rate: float
    F: list[np.ndarray]
    tree: CARTRegressor


def rounds(rng: Generator) -> Iterator[Round]:
    """Yield rounds at several rates."""
    for rate in (0.3, 1.0, 0.7):
        X, y = rng.random((25, 3)), rng.normal(0, 2, 25)
        settings = {"n_estimators": 4, "learning_rate": rate, "max_depth": 2, "random_state": 0}
        theirs = GradientBoostingRegressor(**settings).fit(X, y)
        F = [np.full(len(y), y.mean()), *theirs.staged_predict(X)]
        yield Round(X, y, rate, F, CARTRegressor(max_depth=2).fit(X, y - F[3]))


@says("17.1")
def one_tree_more(rng: Generator) -> Iterator[Meanings]:
    """The sum of scikit-learn before and after the fourth tree, and our tree of what was left."""
    for X, _, rate, F, tree in rounds(rng):
        for i in range(3):
            yield {
                "m": 4, "nu": rate, "x": i, "F_.(.)": lambda m, x, F=F: F[m][x],
                "h_.(.)": lambda m, x, tree=tree, X=X: tree.predict(X)[x],
            }  # fmt: skip


@says("17.2")
def error_of_a_round(rng: Generator) -> Iterator[Meanings]:
    """The squared errors before and after that tree, and its leaves."""
    for _, y, rate, F, tree in rounds(rng):
        ends_ = [node for node in tree.tree_ if node.is_leaf]
        yield {
            "m": 4, "nu": rate, "each t": range(1, len(ends_) + 1),
            "S_.": lambda m, F=F, y=y: ((y - F[m]) ** 2).sum(),
            "N_.": at([node.n for node in ends_]), "bar r_.": at([node.prediction for node in ends_]),
        }  # fmt: skip


@says("17.3")
def surprise_of_a_class(rng: Generator) -> Iterator[Meanings]:
    """Slopes and curvatures of the surprise, by steps so small that only the first order is left."""
    X, target = rng.random((30, 2)), rng.normal(0, 2, 30)
    F = CARTRegressor(max_depth=2).fit(X, target).predict(X)[:6]
    y = np.array([0, 1, 0, 1, 1, 0])

    def slope(F: Any) -> Any:
        step = 1e-40j  # the imaginary part of a function there is the step times its slope
        return (np.log(1 + np.exp(F + step)) - y * (F + step)).imag / 1e-40

    curved = (slope(F + 1e-4) - slope(F - 1e-4)) / 2e-4
    yield {
        "close": 1e-7, "each i": range(1, 7), "y_.": at(y), "F_.": at(F), "u_.": at(-slope(F)),
        "v_.": at(curved), "p_.": at(y + slope(F)),
    }  # fmt: skip


def one_leaf(z: np.ndarray, v: np.ndarray, lam: float) -> CARTRegressor:
    """Return a leaf of numbers with weights; a price of large answers is one more number, 0."""
    rows = np.zeros((len(z) + 1, 1))
    return CARTRegressor(max_depth=0).fit(rows, np.append(z, 0.0), sample_weight=np.append(v, lam))


@says("17.4")
def newton_leaf(rng: Generator) -> Iterator[Meanings]:
    """What a leaf of our own says."""
    for lam in (0.5, 2.0, 0.0):
        u, v = rng.normal(0, 1, 6), rng.uniform(0.05, 0.25, 6)
        found = one_leaf(u / v, v, lam).tree_.root
        yield {"U": u.sum(), "V": v.sum(), "lambda": lam, "c": found.prediction}


@says("17.5")
def gain_with_two_prices(rng: Generator) -> Iterator[Meanings]:
    """How much squared error two leaves of our own leave less than one does."""
    for lam, gamma in ((0.5, 0.3), (2.0, 0.0), (0.0, 1.0)):
        u, v = rng.normal(0, 1, 9), rng.uniform(0.05, 0.25, 9)
        parts = {"": slice(None), "_l": slice(0, 4), "_r": slice(4, None)}
        left = {}
        for name, part in parts.items():
            root = one_leaf(u[part] / v[part], v[part], lam).tree_.root
            left[name] = root.impurity * root.n
        sums = {f"U{name}": u[part].sum() for name, part in parts.items()}
        sums |= {f"V{name}": v[part].sum() for name, part in parts.items()}
        yield {
            **sums, "lambda": lam, "gamma": gamma,
            "Delta": (left[""] - left["_l"] - left["_r"]) / 2 - gamma,
        }  # fmt: skip


def adaptive(rng: Generator, n: int) -> tuple[AdaBoostClassifier, np.ndarray, np.ndarray]:
    """Return scikit-learn's AdaBoost of our trees of one question, with its rows and classes."""
    X = rng.random((n, 2))
    y = np.where(X.sum(axis=1) + rng.normal(0, 0.3, n) > 1, 1, -1)
    return AdaBoostClassifier(CARTClassifier(max_depth=1), n_estimators=5).fit(X, y), X, y


@says("17.6")
def step_of_a_vote(rng: Generator) -> Iterator[Meanings]:
    """The weight of each tree of scikit-learn's, which is twice as large for all of them, and its error."""
    model, _, _ = adaptive(rng, 40)
    for error, weight in zip(model.estimator_errors_, model.estimator_weights_, strict=True):
        yield {"varepsilon": error, "c": weight / 2}


@says("17.7")
def wrong_after_rounds(rng: Generator) -> Iterator[Meanings]:
    """The sums of such trees, and the share they have wrong; before any tree all are wrong."""
    for n in (30, 60):
        model, X, y = adaptive(rng, n)
        F = model.decision_function(X) * model.estimator_weights_.sum() / 2
        errors = model.estimator_errors_
        yield {
            "N": n, "each i": range(1, n + 1), "y_.": at(y), "F_.": at(F), "varepsilon_.": at(errors),
            "each m": range(1, len(errors) + 1),
        }  # fmt: skip
    yield {"N": 3, "each i": (1, 2, 3), "y_.": at([1, -1, 1]), "F_.": at([0, 0, 0]), "each m": ()}


@says("17.8")
def no_interaction(rng: Generator) -> Iterator[Meanings]:
    """A sum of trees of one question, at the corners of a rectangle."""
    X = rng.random((40, 2))
    y = np.floor(3 * X[:, 0]) * X[:, 1]
    left, grown = y - y.mean(), []
    for _ in range(20):
        grown.append(CARTRegressor(max_depth=1).fit(X, left))
        left = left - 0.5 * grown[-1].predict(X)
    a, b, c, d = rng.random(4)
    yield {
        "a": a, "a'": b, "b": c, "b'": d,
        "F(.,.)": lambda a, b: sum(0.5 * h.predict([[a, b]])[0] for h in grown),
    }  # fmt: skip
