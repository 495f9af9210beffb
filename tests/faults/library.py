"""Faults in the library and its data: a wrong formula, a wrong rule, a wrong row."""

from __future__ import annotations

from tests.faults.edits import HIDDEN, SHOWN, texts

FORMULAS = [
    *texts(
        "dtlib/measures.py",
        "measures",
        ("natural logarithm for log2", SHOWN, "np.log2(p, out", "np.log(p, out"),
        ("0 log 0 gives nan", SHOWN, "np.log2(p, out=np.zeros_like(p), where=p > 0)", "np.log2(p)"),
        (
            "conditional entropy not weighted",
            SHOWN,
            "return _in_base(_mean(_bits(n), n), base)",
            "return _in_base(_bits(n).mean(-1), base)",
        ),
        (
            "mean of the branches not weighted",
            SHOWN,
            "(_shares(n.sum(-1)) * values).sum(-1)",
            "np.mean(values, axis=-1)",
        ),
        ("small gains rounded to 0", SHOWN, "np.abs(drop) > ROUNDING", "np.abs(drop) > 0.01"),
        (
            "gain ratio divided by H(D)",
            HIDDEN,
            "np.asarray(split_information(table))",
            "np.asarray(entropy(np.sum(table, axis=-2)))",
        ),
        (
            "split information of the columns",
            HIDDEN,
            "_bits(_checked(table, 2).sum(-1))",
            "_bits(_checked(table, 2).sum(-2))",
        ),
        ("Gini without the square", HIDDEN, "(p * (1 - p)).sum(-1)", "(1 - p).sum(-1)"),
    ),
    *texts(
        "dtlib/counts.py",
        "counts",
        ("weights ignored when counting", HIDDEN, "V + 1, K), weight=w)", "V + 1, K))"),
    ),
]

ALGORITHM = [
    *texts(
        "dtlib/grow.py",
        "grow",
        ("> for >= at the threshold", HIDDEN, "best >= min_gain - slack", "best > min_gain + slack"),
        (
            "ties to the last feature",
            SHOWN,
            "feature = (gain >= (best - slack)[:, None]).argmax(axis=1)",
            "feature = gain.shape[1] - 1 - (gain >= (best - slack)[:, None])[:, ::-1].argmax(axis=1)",
        ),
        ("threshold not looked at", SHOWN, "split = candidate & gains & enough", "split = candidate & gains"),
        (
            "a feature stays a candidate below itself",
            HIDDEN,
            "((tables.sum(2) > 0).sum(1) > 1) & ~asked[open_][block, f]",
            "np.ones(len(tables), bool)",
        ),
        ("empty branch called pure", SHOWN, "REASONS.index(EMPTY))", "REASONS.index(PURE))"),
    ),
    *texts(
        "dtlib/tree.py",
        "tree",
        ("gains far apart count as ties", SHOWN, "TIE = 1e-10", "TIE = 0.1"),
        (">= for <= in the tie rule", HIDDEN, "<= TIE * node.impurity", ">= TIE * node.impurity"),
        (
            "majority of equals to the last class",
            HIDDEN,
            "return self.counts[self.evidence].argmax(1)",
            "return len(self.classes) - 1 - self.counts[self.evidence][:, ::-1].argmax(1)",
        ),
        ("asked features offered again", HIDDEN, "if f in asked_above:", "if False:"),
        (
            "empty branch predicts the majority of all",
            SHOWN,
            "np.arange(self.node_count), self.parent)",
            "np.arange(self.node_count), 0)",
        ),
        (
            "explain marks another candidate",
            SHOWN,
            '"chosen": bool(self.feature[node] == f)',
            '"chosen": bool(self.feature[node] == f + 1)',
        ),
        ("explain counts the whole table", SHOWN, "rows &= self", "rows |= self"),
        ("rules joined by or", HIDDEN, 'conditions=say(" and ")', 'conditions=say(" or ")'),
        ("confidence of the rarer class", SHOWN, "leaf.counts.max() / leaf.n", "leaf.counts.min() / leaf.n"),
        ("JSON drops a field", HIDDEN, '            "gain": self.gain.tolist(),\n', ""),
    ),
]

DATA = [
    *texts(
        "data/watermelon_2.csv",
        "data",
        ("label of one melon flipped", SHOWN, "flat,soft and sticky,no\n11", "flat,soft and sticky,yes\n11"),
    ),
    *texts(
        "data/loan.csv",
        "data",
        ("one value of the loan table changed", SHOWN, "8,middle-aged,yes,yes,good", "8,old,yes,yes,good"),
    ),
    *texts(
        "dtlib/datasets.py",
        "datasets",
        ("order of two values swapped", SHOWN, '("clear", "slightly blurry"', '("slightly blurry", "clear"'),
        ("classes in another order", SHOWN, 'NO_YES = ("no", "yes")', 'NO_YES = ("yes", "no")'),
    ),
]

PICTURES = [
    *texts(
        "dtlib/draw/svg.py",
        "draw",
        ("class colors swapped", HIDDEN, 'f"class-{index % CLASSES}"', 'f"class-{1 - index % 2}"'),
        ("pictures without alt text", HIDDEN, "        aria_label=title,\n", ""),
        ("pictures say nothing of their data", SHOWN, "description=self.description)", 'description="")'),
    ),
    *texts(
        "dtlib/draw/tree.py",
        "draw",
        ("bar of a node too wide", HIDDEN, "width=share * width, height=7", "width=width, height=7"),
    ),
    *texts(
        "dtlib/draw/venn.py",
        "draw",
        ("circles overlap not to scale", HIDDEN, "d = distance(r, s, parts[1].bits * scale)", "d = r"),
    ),
    *texts(
        "dtlib/draw/bars.py",
        "draw",
        ("bars not to scale", HIDDEN, "0 if math.isnan(value) else value * scale", "room / (i + 1)"),
    ),
]

GUARDS = [
    *texts(
        "dtlib/checks.py",
        "checks",
        ("check no longer fails", HIDDEN, "if not _agree(value, right):", "if False:"),
        ("check agrees with what is near", HIDDEN, "scaleb(-_places(printed) - 1)", "scaleb(1)"),
    ),
]

LIBRARY = [*FORMULAS, *ALGORITHM, *DATA, *PICTURES, *GUARDS]
