"""The meanings of formulas about counts, shares and features: chapters 2 to 8, 10 and 11."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from numpy.random import Generator
from scipy.optimize import minimize_scalar

from dtlib import C45Classifier, CARTClassifier
from dtlib.book.pictures import surprise_curve
from dtlib.measures import (
    classification_error,
    conditional_entropy,
    entropy,
    gain_ratio,
    gini,
    gini_split,
    impurity_decrease,
    information_gain,
    joint_entropy,
    mutual_information,
    split_information,
    squared_error,
    variance,
)
from dtlib.plain import at_cut, choose_c45, choose_cart, choose_id3, choose_regression, divide, tabulate
from dtlib.prune import risk
from tests.book.formulas.evaluate import Meanings, Unknown
from tests.book.formulas.scenes import at, below, given, says, shares, table

IMPURITIES = (entropy, gini, classification_error)
UNRELATED = np.outer([1, 2, 3], [2, 4])
DECIDED = np.array([[3, 0], [0, 2], [4, 0]])


# Chapter 2: surprise and entropy


@says("2.1", "2.2")
def surprises(rng: Generator) -> Iterator[Meanings]:
    """What the curve marks; of powers of a half it says all digits."""
    chances = [0.5**k for k in range(1, 6)]
    shown = re.findall(r"p = ([\d.]+): ([\d.]+) bits", surprise_curve(chances).description)
    s = {float(p): float(bits) for p, bits in shown}
    yield from ({"p": p, "q": q, "s(.)": s.__getitem__} for p in (0.5, 0.25) for q in (0.125, 0.25))


@says("2.4")
def bases(rng: Generator) -> Iterator[Meanings]:
    """The logarithm to any base is the entropy of equally frequent classes."""
    for x, b in ((5, 3), (12, math.e), (7, 10)):
        yield {"x": x, "b": b, "log_b": lambda x, b=b: entropy(np.ones(x), base=b)}


@says("2.5")
def tangent(rng: Generator) -> Iterator[Meanings]:
    """Any number above 0; at 1 they touch."""
    yield from ({"x": x} for x in (1.0, 1.5, *rng.exponential(2, 5)))


@says("2.3", "2.6", "2.7")
def one_variable(rng: Generator) -> Iterator[Meanings]:
    """Counts, and other shares; once all in one class, once all alike."""
    for X in (
        *(rng.integers(0, 9, (6, 4)) + np.eye(4, dtype=int)[0]),
        np.array([5, 0, 0]),
        np.array([2, 2, 2]),
    ):
        p, K = X / X.sum(), len(X)
        q = p if K == 3 and p.all() else shares(rng, K)
        yield {
            **{"X": X, "K": K, "p_.": at(p), "q_.": at(q), "each k": below(p)},
            **{"H(.)": entropy, "s(.)": lambda p: -math.log2(p) if p else math.inf},
        }


@says("2.8", "2.9", "2.10", "2.11", "3.5")
def two_variables(rng: Generator) -> Iterator[Meanings]:
    """A table of X by Y; each of the two is an axis of it."""
    for n in (table(rng, 3, 2), table(rng, 2, 4), UNRELATED):
        share, X, Y = n / n.sum(), 0, 1
        turned = {(X, Y): n, (Y, X): n.T}  # the first one is what the rows say
        yield {
            **{"X": X, "Y": Y, "each x": below(n), "each y": below(n.T), "p(.,.)": at(share)},
            **{"p(.)": at(share.sum(1)), "H(.)": lambda axis, n=n: entropy(n.sum(1 - axis))},
            "H(.,.)": lambda a, b, turned=turned: joint_entropy(turned[a, b]),
            "H(.|.)": lambda a, b, turned=turned: conditional_entropy(turned[b, a]),
            "H(.|.=.)": lambda a, b, x, turned=turned: entropy(turned[b, a][x - 1]),
            "I(.;.)": lambda a, b, turned=turned: mutual_information(turned[a, b]),
        }


# Chapters 3 to 5 and 7: a feature and a class


def of_table(n: np.ndarray, impurity: Callable[..., Any] = gini) -> Meanings:
    """Return what all letters mean that are about one count table: D its classes, A the table itself."""
    N, D = n.sum().item(), n.sum(0)
    return {
        **{
            "N": N,
            "V": len(n),
            "K": len(D),
            "D": D,
            "A": n,
            "D_.": at(n),
            "N_.": at(n.sum(1)),
            "N_..": at(n),
        },
        **{"p_.": at(D / N), "p_.|.": lambda k, i: at(n / n.sum(1, keepdims=True))(i, k)},
        **{
            "each i": below(n),
            "each k": below(D),
            "H(.)": entropy,
            "H(.|.)": given(conditional_entropy(n), D, n),
        },
        **{"g(.,.)": given(information_gain(n), D, n), "H_A(.)": given(split_information(n), D)},
        **{"g_R(.,.)": given(gain_ratio(n), D, n), "I(.)": impurity, "Gini(.)": gini},
        "Delta I(.,.)": given(impurity_decrease(n, impurity), D, n),
        "error(.)": classification_error,
    }


@says("3.1", "3.2", "3.3", "3.4", "3.6", "3.8", "4.2", "5.7", "5.8", "7.1", "7.3", "7.6", "7.10")
def one_table(rng: Generator) -> Iterator[Meanings]:
    """Tables with other numbers of values than of classes; a useless feature, and one that decides."""
    drawn = [table(rng, V, K) for V, K in ((4, 3), (2, 3), (3, 2), (3, 5))]
    for i, n in enumerate([*drawn, UNRELATED, DECIDED]):
        yield of_table(n, IMPURITIES[i % 3])


@says("7.2")
def two_classes(rng: Generator) -> Iterator[Meanings]:
    """Two classes, and the share of one of them."""
    for D in rng.integers(1, 30, (5, 2)):
        yield {"D": D, "Gini(.)": gini, "p": D[0] / D.sum()}


@says("7.4")
def bounds(rng: Generator) -> Iterator[Meanings]:
    """Counts; once all in one class, once all alike."""
    for D in (*rng.integers(1, 30, (3, 4)), np.array([4, 0, 0]), np.array([3, 3, 3, 3, 3])):
        yield of_table(D[None])


@says("7.11")
def one_value(rng: Generator) -> Iterator[Meanings]:
    """One value against the rest."""
    for n in (table(rng, 4, 3), table(rng, 3, 2)):
        sides = np.stack([n[1], n.sum(0) - n[1]])
        m = of_table(sides)
        yield {**m, "A": n, "a": "the first", "Gini(.,.=.)": given(gini_split(n, 1), m["D"], n, "the first")}


@says("7.13", "7.14")
def two_branches(rng: Generator) -> Iterator[Meanings]:
    """Two classes and two branches; m is the more frequent class, p and q the shares of one of them."""
    for _ in range(8):
        n = table(rng, 2, 2)
        p, q = n[:, 0] / n.sum(1)
        lost = {
            "Delta error": impurity_decrease(n, classification_error),
            "Delta Gini": impurity_decrease(n, gini),
        }
        yield {**of_table(n), **lost, "m": 1 + int(n.sum(0).argmax()), "p": p, "q": q}


def of_shares(impurity: Callable[..., Any]) -> Callable[..., Any]:
    """Return an impurity that takes shares only: what does not sum to 1 is no mix."""

    def measured(p: np.ndarray) -> Any:
        if not np.isclose(sum(p), 1):
            raise Unknown("these are no shares")
        return impurity(p)

    return measured


@says("7.7", "7.8")
def mixtures(rng: Generator) -> Iterator[Meanings]:
    """Two nodes and their mix; once both are the same."""
    for i in range(7):
        p, x = shares(rng, 4), rng.random()
        q = shares(rng, 4) if i else p
        m = np.average([p, q], axis=0, weights=[x, 1 - x])
        yield {
            **{"p": p, "q": q, "lambda": x, "m": m, "p_.": at(p), "q_.": at(q), "each k": below(p)},
            **{"I(.)": of_shares(IMPURITIES[i % 3]), "Gini(.)": of_shares(gini)},
        }


@says("7.9")
def many_mixed(rng: Generator) -> Iterator[Meanings]:
    """Several nodes with their weights; once all are the same."""
    for i in range(7):
        nodes, w = np.stack([shares(rng, 3) for _ in range(4)]), shares(rng, 4)
        nodes = nodes if i else nodes[[0] * 4]
        yield {"w_.": at(w), "p^(.)": at(nodes), "each i": below(w), "I(.)": of_shares(IMPURITIES[i % 3])}


@says("7.12")
def widest_gap(rng: Generator) -> Iterator[Meanings]:
    """Where half the entropy and the Gini index are farthest apart: on both sides of a half, and there."""
    found = minimize_scalar(
        lambda p: gini([p, 1 - p]) - entropy([p, 1 - p]) / 2,
        bounds=(0.01, 0.4),
        method="bounded",
        options={"xatol": 1e-9},
    ).x
    yield from ({"p": p, "close": 1e-5} for p in (found, 1 - found, 0.5))


@says("7.5")
def squares(rng: Generator) -> Iterator[Meanings]:
    """Shares and a forecast; the squares of a forecast that is right are the Gini index."""
    for i in range(4):
        p, q = shares(rng, 3), shares(rng, 3)
        value = {} if i else {"value": gini(p)}
        yield {**value, "p_.": at(p), "q_.": at(q if i else p), "each k": below(p), "each j": below(p)}


# Chapter 5: what chance does


@says("5.2", "5.3")
def small_deviations(rng: Generator) -> Iterator[Meanings]:
    """Drawn shares near the true ones."""
    for _ in range(4):
        p = shares(rng, 4)
        f = p * (1 + rng.normal(0, 0.005, 4))
        f /= f.sum()
        yield {
            **{"K": 4, "p_.": at(p), "f_.": at(f), "f": f, "x_.": at(f / p - 1), "each k": below(p)},
            **{"H(.)": entropy, "nearly": 0.02},
        }


@says("5.4", "5.5")
def all_draws(rng: Generator) -> Iterator[Meanings]:
    """Every possible draw of n samples, with its chance."""
    for n, p in ((30, np.array([0.25, 0.3, 0.45])), (20, np.array([0.3, 0.3, 0.4]))):
        draws = []
        for a, b in product(range(n + 1), repeat=2):
            if a + b <= n:
                f = np.array([a, b, n - a - b])
                ways = math.comb(n, a) * math.comb(n - a, b)
                draws.append((ways * float(np.prod(p**f)), {"f": f, "f_.": at(f / n)}))
        yield {
            **{"draws": draws, "n": n, "K": 3, "p": p, "p_.": at(p), "each k": below(p), "H(.)": entropy},
            "nearly": 2e-3,
        }


def useless(rng: Generator, values: np.ndarray, p: np.ndarray, N: int, times: int) -> np.ndarray:
    """Draw tables whose feature has nothing to do with the class."""
    return rng.multinomial(N, np.outer(values, p).ravel(), size=times).reshape(times, len(values), len(p))


ALIKE, UNLIKE, CLASSES = np.full(3, 1 / 3), np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.2, 0.3, 0.5])
FOUR_CLASSES = np.array([0.2, 0.2, 0.25, 0.35])


@says("5.1")
def chance_gains(rng: Generator) -> Iterator[Meanings]:
    """The gains of many useless features."""
    gains = information_gain(useless(rng, ALIKE, FOUR_CLASSES, 400, 8000))
    draws = [(1 / len(gains), {"g": g}) for g in gains.tolist()]
    yield {"V": 3, "K": 4, "N": 400, "draws": draws, "nearly": 0.03}


@says("5.9")
def chance_ratios(rng: Generator) -> Iterator[Meanings]:
    """The mean gain ratio of many useless features."""
    mean = gain_ratio(useless(rng, ALIKE, FOUR_CLASSES, 400, 8000)).mean()
    yield {"V": 3, "K": 4, "N": 400, "value": mean, "by": "≈", "nearly": 0.03}


@says("5.6")
def pearson(rng: Generator) -> Iterator[Meanings]:
    """Useless features of many samples."""
    for n in useless(rng, UNLIKE, CLASSES, 10**6, 3):
        yield {**of_table(n), "g": information_gain(n), "nearly": 0.02}


@says("5.11")
def one_against_the_rest(rng: Generator) -> Iterator[Meanings]:
    """One sample against a million."""
    N = 10**6
    for p in (0.25, 0.1):
        ratio = gain_ratio([[1, 0], [p * N - 1, (1 - p) * N]])
        yield {"N": N, "p": p, "e": math.e, "g_R": ratio, "nearly": 1e-3}


# Chapters 4 to 6: which feature, which threshold


def frames(rng: Generator) -> Iterator[pd.DataFrame]:
    """Draw data: features with two to nine values, the last one twice; in the end two that are alike."""
    for _ in range(8):
        y = rng.choice(["n", "y"], 20)
        x = {f"x{V}": rng.integers(0, V, 20) for V in (2, 3, 9)}
        x["x2"] = np.where(rng.random(20) < 0.3, x["x2"], y == "y")
        yield pd.DataFrame(x).astype(str).assign(y=y)
    yield pd.DataFrame({"a": list("uuvv"), "b": list("uuvv"), "y": list("nnyy")})


def choices(rng: Generator) -> Iterator[Meanings]:
    """The features of drawn data, and what they gain."""
    for D in frames(rng):
        features = list(D.columns[:-1])
        gain = {A: float(information_gain(tabulate(D, A, "y"))) for A in features}
        yield {
            **{
                "D": D,
                "cal A": features,
                "each A": features,
                "g(.,.)": lambda D, A, here=D, g=gain: given(g[A], here)(D),
            },
            **{
                "g_R(.,.)": lambda D, A: gain_ratio(tabulate(D, A, "y")),
                "bar g": np.mean(list(gain.values())),
            },
        }


@says("4.1")
def choices_of_id3(rng: Generator) -> Iterator[Meanings]:
    """The same, and what ID3 asks."""
    yield from ({**m, "A*": choose_id3(m["D"], m["cal A"], "y").split.feature} for m in choices(rng))


@says("5.10")
def choices_of_c45(rng: Generator) -> Iterator[Meanings]:
    """The same, and what C4.5 asks."""
    yield from ({**m, "A*": choose_c45(m["D"], m["cal A"], "y").split.feature} for m in choices(rng))


@says("6.1", "6.2", "6.6")
def thresholds(rng: Generator) -> Iterator[Meanings]:
    """A number that says much about the class: its values, its thresholds, and its gain before the charge."""
    for _ in range(4):
        x = rng.choice(rng.random(9).round(3), 40)
        D = pd.DataFrame({"x": x, "y": np.where((x > np.median(x)) ^ (rng.random(40) < 0.1), "y", "n")})
        n = tabulate(D, "x", "y")
        a, t = n.index.to_numpy(), [at_cut(n, place).threshold for place in range(len(n) - 1)]
        charged = C45Classifier(mdl_correction=True).fit(D[["x"]], D["y"]).tree_
        gain = charged.explain(0)["gain"].iloc[0]
        yield {
            **{"a_.": at(a), "t_.": at(t), "V": len(a), "each i": below(t), "D": D, "A": "x", "N": 40},
            **{"T": len(charged.explain(0, "x")), "g'(.,.)": given(gain, D, "x")},
            "g(.,.)": lambda D, A: choose_c45(D, [A], "y").gain,
            "g(.,.,.)": lambda D, A, t: information_gain(pd.crosstab(D[A] <= t, D["y"])),
        }


def total_bits(*counts: float) -> float:
    """Return the bits of a group of samples, as the pruning of trees counts them."""
    y = np.repeat(np.arange(len(counts)), counts)
    tree = CARTClassifier(max_depth=0).fit(np.zeros((len(y), 1)), y).tree_
    return float(risk(tree, "entropy")[0])


@says("6.3")
def groups_of_samples(rng: Generator) -> Iterator[Meanings]:
    """Counts of classes."""
    for n in rng.integers(1, 9, (4, 4)):
        yield {"n": n.sum().item(), "n_.": at(n), "K": 4, "each k": below(n), "varphi(...)": total_bits}


@says("6.4")
def runs(rng: Generator) -> Iterator[Meanings]:
    """A cut that travels through a run of m samples of class k."""
    for k in (1, 2, 3):
        low, high, m, s = *rng.integers(1, 9, (2, 3)), 5, int(rng.integers(0, 6))
        here = np.arange(3) == k - 1
        sides = np.stack([low + s * here, high + (m - s) * here])
        left = sides.sum() * conditional_entropy(sides)
        yield {
            **{"k": k, "m": m, "s": s, "l_.": at(low), "r_.": at(high), "each j": (1, 2, 3)},
            **{"F(.)": lambda s, left=left: left, "varphi(...)": total_bits},
        }


@says("6.5")
def bends(rng: Generator) -> Iterator[Meanings]:
    """How the slope of what a group costs changes with its samples of a class; in a pure group, it is 0."""
    for c, x in ((0.0, 3.0), (2.0, 5.0), (7.0, 4.0)):
        bits = [(c + z) * entropy([c, z]) if c else 0.0 for z in (x - 1e-3, x, x + 1e-3)]
        yield {"c": c, "x": x, "close": 1e-5, "value": float(np.diff(bits, 2)[0] / 1e-6)}


# Chapter 10: holes


@says("10.2", "10.3")
def holes(rng: Generator) -> Iterator[Meanings]:
    """A feature with holes: C4.5 explains what it is worth."""
    for _ in range(3):
        y = rng.choice(list("ny"), 40)
        x = pd.Series(rng.choice(list("abc"), 40)).where((rng.random(40) < 0.7) | (y == "n"))
        D = pd.DataFrame({"A": x, "A?": x.fillna("?"), "known": x.notna().astype(str), "y": y})
        line = C45Classifier().fit(D[["A"]], y).tree_.explain(0).iloc[0]
        n = D["A"].value_counts()
        yield {
            **{
                "D": D,
                "tilde D": D[x.notna()],
                "A": "A",
                "A?": "A?",
                "known": "known",
                "F": x.notna().mean(),
                "N": 40,
            },
            **{"N_.": n.__getitem__, "each v": list(n.index), "worth": line["gain"]},
            "g(.,.)": lambda D, A: information_gain(pd.crosstab(D[A], D["y"])),
            "H_A?(.)": given(line["split_information"], D),
        }


@says("10.1")
def worth_of_holes(rng: Generator) -> Iterator[Meanings]:
    """The same, beside the gain that C4.5 explains."""
    yield from ({**m, "value": m["worth"]} for m in holes(rng))


# Chapter 8: groups of values


@says("8.2")
def questions_of_cart(rng: Generator) -> Iterator[Meanings]:
    """The question that CART asks about a feature."""
    for D in list(frames(rng))[:3]:
        asked = choose_cart(D, ["x9"], "y")
        parts = divide(D, asked.split)
        left = gini(D["y"].value_counts()) - asked.gain
        yield {
            **{"D": D, "A": "x9", "a": "in the first group", "D_.": lambda i, parts=parts: parts[i - 1]},
            **{"N_.": at([len(part) for part in parts]), "N": len(D)},
            "Gini(.)": lambda D: gini(D["y"].value_counts()),
            "Gini(.,.=.)": given(left, D, "x9", "in the first group"),
        }


@says("9.1")
def numbers_of_groups(rng: Generator) -> Iterator[Meanings]:
    """How many groups CART lists for a feature of V names."""
    for V in (2, 3, 5):
        x = np.array(list("abcde"))[np.arange(60) % V]
        tree = CARTClassifier().fit(pd.DataFrame({"x": x}), rng.choice(list("ny"), 60)).tree_
        yield {"V": V, "value": len(tree.explain(0, "x"))}


@says("9.2", "9.3", "9.4", "9.5")
def groups_of_values(rng: Generator) -> Iterator[Meanings]:
    """Two groups of values, and those of which each value is nearer to the mean; once these are the same."""
    for L in ([1, 4], [2], [1, 2, 3, 6], None):
        n = table(rng, 6, 2)
        size, p = n.sum(1), n[:, 1] / n.sum(1)
        L = L or (1 + np.argsort(p)[:1]).tolist()
        while True:
            R = [v for v in range(1, 7) if v not in L]
            counts = {name: n[np.array(group) - 1].sum(0) for name, group in (("L", L), ("R", R))}
            mean = {name: float(c[1] / c.sum()) for name, c in counts.items()}
            near = [v for v in range(1, 7) if abs(p[v - 1] - mean["L"]) <= abs(p[v - 1] - mean["R"])]
            inside = sum(gini(n[v]) * size[v] for v in range(6))
            spread = (sum(c.sum() * gini(c) for c in counts.values()) - inside) / 2
            moved = n[np.array(near) - 1].sum(0)
            yield {
                **{"L": L, "R": R, "L'": near, "R'": [v for v in range(1, 7) if v not in near]},
                **{"n_.": at(size), "p_.": at(p), "c": rng.random(), "G(.)": lambda p: gini([p, 1 - p])},
                **{
                    "p_L": mean["L"],
                    "p_R": mean["R"],
                    "N_L": counts["L"].sum(),
                    "W(.,.)": given(spread, L, R),
                },
                **{"p_L'": moved[1] / moved.sum(), "N_L'": moved.sum()},
                **({"reached": True} if near == L else {}),
            }
            if near == L:
                break
            L = near


# Chapter 11: numbers


@says("11.1", "11.3", "11.4")
def one_cut(rng: Generator) -> Iterator[Meanings]:
    """Numbers to be predicted, and the best cut of them; once none is better than another."""
    for i in range(4):
        y = rng.normal(0, 3, 7) if i else np.array([1.0, 3.0, 1.0, 3.0])
        x = np.arange(len(y)) if i else np.array([1, 1, 2, 2])
        D = pd.DataFrame({"x": x, "y": y})
        asked = choose_regression(D, ["x"], "y")
        left, right = (part["y"].to_numpy() for part in divide(D, asked.split))
        yield {
            **{"D": y, "D_l": left, "D_r": right, "N": len(y), "N_l": len(left), "N_r": len(right)},
            **{"bar y": y.mean(), "bar y_l": left.mean(), "bar y_r": right.mean(), "c": rng.normal()},
            **{"S(.)": squared_error, "Var(.)": variance, "Delta": asked.gain, "best": asked.gain},
            **{"x": x, "x_.": at(x), "y_.": at(y), "each i": below(y)},
            **{"within": squared_error(left) + squared_error(right), "between": len(y) * asked.gain},
        }


@says("11.5")
def running_sums(rng: Generator) -> Iterator[Meanings]:
    """What the cut takes, and the sum of the distances from the mean on its left."""
    for m in list(one_cut(rng))[1:]:
        yield {**m, "between": m["best"] * m["N"], "t": (m["D_l"] - m["bar y"]).sum()}


def near(side: Callable[..., Any]) -> Callable[[Meanings], list[float]]:
    """Return what a branch may say at a cut: its mean, and numbers beside it."""
    return lambda m: [m["D"][side(m["x"], m["s"])].mean() + off for off in (-0.3, 0, 0.2)]


@says("11.2")
def best_of_all_cuts(rng: Generator) -> Iterator[Meanings]:
    """All cuts and, beside the means, other numbers that their branches may say."""
    for m in one_cut(rng):
        x = np.unique(m["x"])
        yield {
            **m,
            **{
                "each s": [*x[:-1], *(x[:-1] + x[1:]) / 2],
                "value": squared_error(m["D"]) - m["N"] * m["best"],
            },
            **{"each c_l": near(np.less_equal), "each c_r": near(np.greater)},
        }


@says("11.7")
def many_predictions(rng: Generator) -> Iterator[Meanings]:
    """What several trees say of a point, and the truth."""
    for B in (3, 8):
        p, truth = rng.normal(0, 1, B), rng.normal()
        value = variance(np.array([*p, *(2 * truth - p)]))  # the squares about the truth
        yield {
            **{"B": B, "p_.": at(p), "bar p": p.mean(), "each b": below(p), "x": 0, "f(.)": given(truth, 0)},
            **{"value": value, "variance": variance(p), "squared bias": (np.mean(p) - truth) ** 2},
        }
