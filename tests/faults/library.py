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
        "dtlib/counting/tables.py",
        "counts",
        ("weights ignored when counting", HIDDEN, "V + 1, K), weight=w)", "V + 1, K))"),
    ),
]

ALGORITHM = [
    *texts(
        "dtlib/growing/by_score.py",
        "grow",
        (
            "> for >= at the threshold",
            HIDDEN,
            "gain < rules.min_gain * n - slack",
            "gain < rules.min_gain * n + slack",
        ),
        ("threshold not looked at", SHOWN, "gain < rules.min_gain * n - slack", "gain < -1"),
        (
            "empty branch called pure",
            SHOWN,
            "(reasons.EMPTY, self.totals.rows == 0)",
            "(reasons.PURE, self.totals.rows == 0)",
        ),
    ),
    *texts(
        "dtlib/growing/nodes.py",
        "grow",
        (
            "last leaves kept, not the best",
            HIDDEN,
            "tree.gain * tree.n",
            "-tree.gain * tree.n",
        ),
    ),
    *texts(
        "dtlib/search/searcher.py",
        "grow",
        (
            "ties to the last feature",
            SHOWN,
            "feature = equal.argmax(0)",
            "feature = len(score) - 1 - equal[::-1].argmax(0)",
        ),
    ),
    *texts(
        "dtlib/search/by_table.py",
        "pairs",
        (
            "a feature stays a candidate below itself",
            HIDDEN,
            "np.where(several, np.add.reduceat(score, start), -np.inf)",
            "np.add.reduceat(score, start)",
        ),
    ),
    *texts(
        "dtlib/search/level.py",
        "level",
        ("gains far apart count as ties", SHOWN, "TIE = 1e-10", "TIE = 0.1"),
    ),
    *texts(
        "dtlib/tree/tree.py",
        "tree",
        (
            "majority of equals to the last class",
            HIDDEN,
            "labels.append((block >= best - 1e-12 * np.abs(best)).argmax(1))",
            "labels.append(block.shape[1] - 1 - (block >= best)[:, ::-1].argmax(1))",
        ),
        (
            "empty branch predicts the majority of all",
            SHOWN,
            "np.arange(self.node_count), self.parent)",
            "np.arange(self.node_count), 0)",
        ),
    ),
    *texts(
        "dtlib/telling/text.py",
        "tree",
        ("rules joined by or", HIDDEN, 'said = say(" and ").join(path)', 'said = say(" or ").join(path)'),
    ),
    *texts(
        "dtlib/tree/node.py",
        "node",
        ("confidence of the rarer class", SHOWN, "block.max() / self.n", "block.min() / self.n"),
    ),
    *texts(
        "dtlib/telling/explain.py",
        "explain",
        (">= for <= in the tie rule", HIDDEN, "<= TIE * node.impurity", ">= TIE * node.impurity"),
        (
            "asked features offered again",
            HIDDEN,
            'if no_split and line["feature"] in node.names_above',
            'if False and line["feature"] in node.names_above',
        ),
        (
            "explain marks another candidate",
            SHOWN,
            '"chosen": own is not None and split == own}',
            '"chosen": own is None and split != own}',
        ),
        (
            "explain counts the whole table",
            SHOWN,
            "*training_parts(tree, node.id)), tree.missing",
            "*training_parts(tree, 0)), tree.missing",
        ),
    ),
    *texts(
        "dtlib/export/json.py",
        "export",
        ("JSON drops a field", HIDDEN, '        "gain": tree.gain.tolist(),\n', ""),
        ("JSON forgets what is missing", HIDDEN, 'missing=data["missing"]', 'missing="stay"'),
    ),
    *texts(
        "dtlib/export/python.py",
        "export",
        ("Python takes the smaller branch", HIDDEN, "first = {part[0] > 0}", "first = {part[0] <= 0}"),
        ("Python parts by the part, not the whole", HIDDEN, "{part} * {factor}", "{factor}"),
    ),
    *texts(
        "dtlib/export/sql.py",
        "export",
        ("SQL forgets that NULL was sent before", HIDDEN, "(old.null * share for", "(share for"),
        ("SQL counts NULL as known", HIDDEN, "if takes_null and not any(shares)", "if not any(shares)"),
    ),
]

ESTIMATORS = [
    *texts(
        "dtlib/base.py",
        "base",
        (
            "a failed fit leaves the old tree",
            HIDDEN,
            "            delattr(self, name)",
            "            getattr(self, name)",
        ),
    ),
    *texts(
        "dtlib/cart.py",
        "cart",
        ("shares are of the rows", HIDDEN, 'n if dialect.samples == "rows" else total', "n"),
        ("half as many features drawn", HIDDEN, "int(max_features * d)", "int(max_features * d / 2)"),
    ),
    *texts(
        "dtlib/dialects/rpart_and_sklearn.py",
        "cart",
        ("scikit-learn's tree in double precision", HIDDEN, '"precision": "single"', '"precision": "double"'),
    ),
    *texts(
        "dtlib/table/weights.py",
        "cart",
        ("class weights replace those of the rows", HIDDEN, "else of_class * weight", "else of_class"),
    ),
    *texts(
        "dtlib/table/columns.py",
        "columns",
        (
            "declared order of names forgotten",
            SHOWN,
            "return found if isinstance(column.dtype, pd.CategoricalDtype) else sorted(found)",
            "return sorted(found)",
        ),
        ("whole numbers without a float are rounded", HIDDEN, "abs(int(extreme)) > EXACT", "False"),
        ("texts of NumPy are no texts", HIDDEN, "np.str_ | np.number", "np.number"),
    ),
    *texts(
        "dtlib/table/training.py",
        "columns",
        ("cut at a value, not between two", HIDDEN, "middle = a / 2 + b / 2", "middle = a"),
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
        "dtlib/book/datasets.py",
        "datasets",
        ("order of two values swapped", SHOWN, '("clear", "slightly blurry"', '("slightly blurry", "clear"'),
        ("classes in another order", SHOWN, '...] = ("no", "yes")', '...] = ("yes", "no")'),
    ),
    *texts(
        "data/watermelon_2_missing.csv",
        "data",
        (
            "a hole is filled",
            SHOWN,
            "8,dark,slightly curled,muffled,,",
            "8,dark,slightly curled,muffled,clear,",
        ),
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
        ("bar of a node too wide", HIDDEN, "width=wide, height=7", "width=width, height=7"),
        (
            "classes painted by their place",
            HIDDEN,
            "colors.get(name, class_color(k))",
            "class_color(k)",
        ),
    ),
    *texts(
        "dtlib/draw/axes.py",
        "draw",
        ("names of samples above each other", HIDDEN, "MARK - 3", "MARK - 17"),
    ),
    *texts(
        "dtlib/book/pictures/entropies.py",
        "draw",
        ("circles overlap not to scale", HIDDEN, "d = distance(r, s, parts[1].bits * scale)", "d = r"),
    ),
    *texts(
        "dtlib/draw/bars.py",
        "draw",
        (
            "bars not to scale",
            HIDDEN,
            "0 if math.isnan(value) else room * (value / largest)",
            "room / (i + 1)",
        ),
    ),
    *texts(
        "dtlib/book/pictures/parts.py",
        "draw",
        ("streams not to scale", HIDDEN, "max(THIN, THICK * part)", "THICK"),
    ),
]

GUARDS = [
    *texts(
        "dtlib/book/checks.py",
        "checks",
        ("check no longer fails", HIDDEN, "if not _agree(value, right):", "if False:"),
        ("check agrees with what is near", HIDDEN, "scaleb(-_places(printed) - 1)", "scaleb(1)"),
    ),
]

C45 = [
    *texts(
        "dtlib/search/ratio.py",
        "ratio",
        ("missing is no branch of the split information", HIDDEN, "- xlogx(missing) - sum", "- sum"),
        (
            "charge by natural logarithm",
            HIDDEN,
            "np.log2(np.maximum(tries, 1)) / n",
            "np.log(np.maximum(tries, 1)) / n",
        ),
        (
            "at least one large branch",
            HIDDEN,
            "np.where(large >= 2, ASKABLE, TOO_FEW)",
            "np.where(large >= 1, ASKABLE, TOO_FEW)",
        ),
        (
            "numeric minimum not limited",
            HIDDEN,
            "np.minimum(0.1 * n_known / K, LARGEST_MINIMUM)",
            "0.1 * n_known / K",
        ),
        (
            "average over all features",
            HIDDEN,
            "(found.status == ASKABLE) & counts[:, None]",
            "counts[:, None] | (found.gain < 9)",
        ),
        ("ratio of later columns wins ties", HIDDEN, "worth[f] > best + rules.tie", "worth[f] >= best"),
        ("the last of equal names", HIDDEN, "worth, rules.tie, J)", "worth + 1e-12 * at, 0.0, J)"),
        (
            "the highest of equal cuts",
            HIDDEN,
            "found.gain, rules.tie, J)",
            "found.gain + 1e-12 * np.arange(len(found.gain)), 0.0, J)",
        ),
    ),
    *texts(
        "dtlib/search/merging.py",
        "grouping",
        ("the first of equal merges", HIDDEN, "or w >= best_worth - tie", "or w > best_worth + tie"),
        ("merging goes on for nothing", HIDDEN, "worth[best] < before + BETTER", "worth[best] < before - 1"),
        ("the largest group is merged too", HIDDEN, "(a != largest) & (b != largest)", "a < b"),
        ("values of one class stay apart", HIDDEN, "    found.merge_pure()\n", ""),
    ),
    *texts(
        "dtlib/tree/descend.py",
        "missing",
        ("equal parts for all branches", HIDDEN, "weight[place] / total[asks][part]", "1 / times[part]"),
        (
            "majority to the last of equals",
            HIDDEN,
            "first_hits(owner, largest, len(start))",
            "first_hits(owner, largest[::-1], len(start))",
        ),
    ),
    *texts(
        "dtlib/growing/by_ratio.py",
        "fractional",
        (
            "parts below two rows are parted",
            HIDDEN,
            "2 * max(rules.min_leaf, data.least_weight)",
            "2 * rules.min_leaf",
        ),
        (
            "errors of the whole subtree forgotten",
            HIDDEN,
            "(tree.feature >= 0) & (errors >= leaf - slack)",
            "(tree.feature >= 0) & (errors > leaf)",
        ),
    ),
    *texts(
        "dtlib/search/ratio.py",
        "ratio",
        (
            "gain of the known rows in full",
            SHOWN,
            "spread(pairs.sums), J)) / n\n",
            "spread(pairs.sums), J)) / n_known\n",
        ),
    ),
]

CART_HOLES = [
    *texts(
        "dtlib/search/surrogates.py",
        "surrogate",
        ("a surrogate sends one row to a side", HIDDEN, "EACH_WAY = 2", "EACH_WAY = 1"),
        ("surrogates by column", HIDDEN, "columns = node, -agreement,", "columns = node, 0 * agreement,"),
        (
            "adjusted agreement not adjusted",
            HIDDEN,
            "adjusted = (agreement - share) / (1 - share)",
            "adjusted = agreement",
        ),
        ("surrogates never upside down", HIDDEN, "(other[place] > same[place])", "(other[place] > 1e9)"),
        (
            "rpart's slip mended",
            HIDDEN,
            'if rule == "disagree":',
            'if rule == "nobody":',
        ),
        (
            "surrogates asked from the last",
            HIDDEN,
            "place = first[row] + rank",
            "place = first[row] + number[row] - 1 - rank",
        ),
    ),
    *texts(
        "dtlib/growing/by_score.py",
        "grow",
        ("holes go left", HIDDEN, "        branch[code < 0] = -1", "        branch[code < 0] = 0"),
    ),
    *texts(
        "dtlib/search/searcher.py",
        "grow",
        (
            "the gain of the known counts in full",
            HIDDEN,
            "score[present] = at * level.unit",
            "score[present] = at * level.unit * 2",
        ),
    ),
    *texts(
        "dtlib/prune/loss.py",
        "prune",
        ("a leaf costs nothing", HIDDEN, "as_leaf = risk(tree, kind) + alpha", "as_leaf = risk(tree, kind)"),
        ("of equal subtrees the larger", HIDDEN, "below[inner] + slack", "below[inner] - slack"),
    ),
    *texts(
        "dtlib/prune/reduced_error_and_pre_pruning.py",
        "prune",
        ("a tie is cut although it is kept", HIDDEN, "as_leaf < kept - slack", "as_leaf <= kept + slack"),
        (
            "reduced error compares with what was below before",
            HIDDEN,
            "np.where(cut[here], held.cost[here], below[here])",
            "below[here]",
        ),
    ),
    *texts(
        "dtlib/prune/reduced_error_and_pre_pruning.py",
        "prune",
        ("a split need not help", HIDDEN, "split < held.cost - SAME_COST", "split <= held.cost + SAME_COST"),
        ("rows that stay cost nothing", HIDDEN, "split = held.staying.copy()", "split = 0 * held.staying"),
    ),
    *texts(
        "dtlib/prune/held_out.py",
        "prune",
        ("rows are held out and grown from", HIDDEN, "np.setdiff1d(counts, held)", "counts"),
        ("the draw forgets the classes", HIDDEN, "stratify=codes", "stratify=None"),
    ),
    *texts(
        "dtlib/table/weights.py",
        "cart",
        (
            "priors are not altered by losses",
            HIDDEN,
            "wanted = wanted * loss.sum(1)",
            "wanted = wanted * 1.0",
        ),
    ),
    *texts(
        "dtlib/search/surrogates.py",
        "surrogate",
        ("agreement of the rows that know both", SHOWN, 'if how.agreement == "known":', "if True:"),
    ),
]

RATIO = [
    *texts(
        "dtlib/search/ratio.py",
        "ratio",
        (
            "the average itself is not enough",
            SHOWN,
            "found.gain >= average_gain(found, counts) - rules.dialect.average_slack - TIE",
            "found.gain > average_gain(found, counts) + rules.dialect.average_slack + TIE",
        ),
        ("the average asked for by nobody", SHOWN, "        if rules.average_gain:", "        if False:"),
    ),
    *texts(
        "dtlib/measures.py",
        "measures",
        (
            "split information in nats",
            SHOWN,
            "_in_base(_bits(_checked(table, 2).sum(-1)), base)",
            "_in_base(_bits(_checked(table, 2).sum(-1)), math.e)",
        ),
    ),
    *texts(
        "dtlib/book/pictures/panels.py",
        "draw",
        ("bars of all panels to the first one's scale", SHOWN, "room * value / best", "room * value"),
    ),
    *texts(
        "dtlib/book/pictures/holes.py",
        "draw",
        ("a hole drawn as a known value", SHOWN, 'fill if known[i, j] else ""', "fill"),
    ),
]

NUMBERS = [
    *texts(
        "dtlib/book/pictures/numeric.py",
        "draw",
        (
            "every cut a boundary",
            SHOWN,
            "tables[1:] > 0).sum(1) > 1",
            "tables[1:] > 0).sum(1) > 0",
        ),
        ("cuts off the middle", SHOWN, "(found[1:] - found[:-1]) / 2", "(found[1:] - found[:-1]) / 3"),
    ),
    *texts(
        "dtlib/book/pictures/planes.py",
        "draw",
        (
            "regions swapped",
            SHOWN,
            "below, above = node.children\n    yield from boxes",
            "above, below = node.children\n    yield from boxes",
        ),
    ),
    *texts(
        "dtlib/search/ratio.py",
        "ratio",
        (
            "no average gain",
            SHOWN,
            "found.gain >= average_gain(found, counts) - rules.dialect.average_slack - TIE",
            "found.gain >= 0",
        ),
        (
            "the first cut as the best",
            SHOWN,
            "found.gain, rules.tie, J)",
            "0 * found.gain, rules.tie, J)",
        ),
    ),
    *texts(
        "dtlib/dialects/release8_and_j48.py",
        "c45",
        ("Release 8 wants three rows", SHOWN, '"min_samples_leaf": 2,', '"min_samples_leaf": 3,'),
    ),
]

IMPURITIES = [
    *texts(
        "dtlib/measures.py",
        "measures",
        (
            "branches of Gini_index not weighted",
            SHOWN,
            "_plain(_mean(gini(n), n))",
            "_plain(gini(n).mean(-1))",
        ),
        (
            "one value against all instead of the rest",
            SHOWN,
            "rest = np.delete(n, row, axis=-2).sum(-2)",
            "rest = n.sum(-2)",
        ),
        (
            "error of the rarest class",
            SHOWN,
            "p.sum(-1) - p.max(-1, initial=0)",
            "p.sum(-1) - p.min(-1, initial=1)",
        ),
    ),
    *texts(
        "data/customers.csv",
        "data",
        ("a customer with another car", SHOWN, "1,M,family,small,C0\n2,", "1,M,sports,small,C0\n2,"),
    ),
    *texts(
        "dtlib/book/pictures/entropies.py",
        "draw",
        (
            "two draws turned round",
            SHOWN,
            "SIDE * p[column], SIDE * p[row]",
            "SIDE * p[row], SIDE * p[column]",
        ),
    ),
]

BINARY = [
    *texts(
        "dtlib/measures.py",
        "measures",
        ("the rest of a binary split is the whole", SHOWN, "np.delete(n, row, axis=-2).sum(-2)", "n.sum(-2)"),
    ),
    *texts(
        "dtlib/search/by_table.py",
        "pairs",
        ("names ordered by count, not by share", SHOWN, "sums.channels[0] / n", "sums.channels[0] * n"),
    ),
    *texts(
        "dtlib/growing/by_score.py",
        "grow",
        (
            "a decrease counts in full where few rows see it",
            SHOWN,
            "gain < rules.min_decrease * self.levels[0].n[0] - slack",
            "gain < rules.min_decrease * n - slack",
        ),
    ),
    *texts(
        "dtlib/book/pictures/shares.py",
        "draw",
        ("border of two groups not halfway", SHOWN, "(low + high) / 2", "(low + high) / 3"),
    ),
]

REGRESSION = [
    *texts(
        "dtlib/book/pictures/planes.py",
        "steps",
        ("steps end at the cut above", SHOWN, "np.where(here, np.minimum(cut, high), high)", "high"),
    ),
    *texts(
        "dtlib/book/pictures/steps.py",
        "steps",
        ("terraces count no rows", SHOWN, "[len(rows)]", "[len(leaves)]"),
    ),
    *texts(
        "dtlib/measures.py",
        "measures",
        ("middle numbers not halved", SHOWN, "high, -1) / 2\n", "high, -1) / 3\n"),
    ),
    *texts(
        "data/regression_points.csv",
        "data",
        ("two digits swapped in a point", SHOWN, "8,8.23", "8,8.32"),
    ),
]

OBLIQUE = [
    *texts(
        "dtlib/search/hyperplane.py",
        "oblique",
        (
            "points of a negative step on the wrong side",
            HIDDEN,
            "np.sign(step).take(flat)",
            "np.abs(step).take(flat)",
        ),
        ("no question about one feature", HIDDEN, "found.score <= axis.score + points.slack", "False"),
    ),
    *texts(
        "dtlib/tree/edit.py",
        "oblique",
        (
            "pruned sums of the wrong nodes",
            HIDDEN,
            "tree.normals, 0.0)[kept]",
            "tree.normals, 0.0)[: kept.sum()]",
        ),
    ),
    *texts(
        "dtlib/book/pictures/planes.py",
        "draw",
        ("the line on the wrong side of a corner", HIDDEN, "* (a / (a - b))", "* (b / (b - a))"),
    ),
    *texts(
        "dtlib/book/pictures/numeric.py",
        "draw",
        (
            "the sides of a linear test swapped",
            SHOWN,
            "for side in (~over, over)",
            "for side in (over, ~over)",
        ),
    ),
    *texts(
        "dtlib/search/hyperplane.py",
        "oblique",
        ("coefficients of scaled features", SHOWN, "(span.min() / span)", "(span / span.max())"),
    ),
]

FORESTS = [
    *texts(
        "dtlib/search/searcher.py",
        "grow",
        (
            "one draw of features for a level",
            HIDDEN,
            "self.random.random(score.shape)",
            "self.random.random((len(score), 1))",
        ),
    ),
    *texts(
        "dtlib/table/frames.py",
        "frames",
        (
            "missing truth is truth",
            HIDDEN,
            "return column.astype(object)  # a bool has no place",
            "return column.astype(dtype)  # a bool has no place",
        ),
        ("categories lose their order", HIDDEN, "*new], dtype.ordered", "*new], False"),
    ),
    *texts(
        "dtlib/tree/tree.py",
        "tree",
        (
            "what was computed is pickled",
            HIDDEN,
            "kept = {field.name: getattr(self, field.name) for field in fields(self)}",
            "kept = dict(self.__dict__)",
        ),
    ),
]

OVERFITTING = [
    *texts(
        "dtlib/book/pictures/side_by_side.py",
        "draw",
        (
            "the area of one leaf only",
            SHOWN,
            "shares[tree.label[leaf.id]] +=",
            "shares[tree.label[leaf.id]] =",
        ),
    ),
    *texts(
        "dtlib/prune/reduced_error_and_pre_pruning.py",
        "prune",
        ("a split without the costs of its children", SHOWN, "held.cost[1:])", "held.staying[1:])"),
    ),
]

PESSIMISTIC = [
    *texts(
        "dtlib/prune/error_bounds.py",
        "prune",
        (
            "bound on the other side",
            SHOWN,
            "np.where(rest > 0, rest, 1), 1 - confidence)",
            "np.where(rest > 0, rest, 1), confidence)",
        ),
        ("no correction for continuity", SHOWN, "np.minimum(e + 0.5, n)", "np.minimum(e, n)"),
    ),
    *texts(
        "dtlib/prune/pessimistic.py",
        "prune",
        (
            "no allowance for a leaf",
            SHOWN,
            "cut = leaf < np.fmin(below, branch) + self.slack + SAME_ERRORS",
            "cut = leaf < np.fmin(below, branch) + SAME_ERRORS",
        ),
        (
            "raised branch keeps its own rows only",
            SHOWN,
            "errors = errors + np.bincount(owner[top]",
            "_ = errors + np.bincount(owner[top]",
        ),
    ),
    *texts(
        "data/votes.csv",
        "data",
        (
            "a vote mistyped",
            SHOWN,
            "no,yes,no,yes,yes,yes,no,no,no,yes,,yes",
            "no,yes,no,no,yes,yes,no,no,no,yes,,yes",
        ),
    ),
]

PRICES = [
    *texts(
        "dtlib/prune/cost_complexity.py",
        "prune",
        (
            "g for each leaf, not for each leaf saved",
            SHOWN,
            "(alone - branch)[inner] / np.maximum(leaves[inner] - 1, 1)",
            "(alone - branch)[inner] / leaves[inner]",
        ),
        ("price per sample without the sample", SHOWN, '"mean": 1 / float(tree.n[0])', '"mean": 1.0'),
    ),
    *texts(
        "dtlib/prune/cross_validation.py",
        "prune",
        (
            "arithmetic mean of two prices",
            SHOWN,
            "np.sqrt(alphas[:-1]) * np.sqrt(alphas[1:])",
            "(alphas[:-1] + alphas[1:]) / 2",
        ),
    ),
    *texts(
        "dtlib/book/pictures/pruning.py",
        "draw",
        ("what was cut is drawn as if it were there", SHOWN, "FAINT_DOT if gone else 1", "1"),
    ),
]

LEAF_PRICE = [
    *texts(
        "dtlib/book/pictures/pruning.py",
        "draw",
        (
            "border of the lines turns late",
            SHOWN,
            "start.append(float(at.min()))",
            "start.append(float(at.max()))",
        ),
    ),
]

VOTES = [
    *texts(
        "dtlib/book/pictures/side_by_side.py",
        "draw",
        ("votes of the other class", SHOWN, "lattice, names))[:, 1]", "lattice, names))[:, 0]"),
    ),
    *texts(
        "dtlib/table/weights.py",
        "cart",
        (
            "class weights squared",
            SHOWN,
            "labels[:, 0] if len(targets) == 1 else labels)",
            "labels[:, 0] if len(targets) == 1 else labels) ** 2",
        ),
    ),
]

HEART = [
    *texts(
        "data/heart.csv",
        "data",
        (
            "a clear patient narrowed",
            SHOWN,
            "63,male,typical angina,145,233,yes,hypertrophy,150,no,2.3,down,0,fixed,0",
            "63,male,typical angina,145,233,yes,hypertrophy,150,no,2.3,down,0,fixed,1",
        ),
    ),
    *texts(
        "dtlib/book/datasets.py",
        "data",
        (
            "order of the thallium scan",
            SHOWN,
            '"thallium": ("normal", "fixed", "reversible")',
            '"thallium": ("normal", "reversible", "fixed")',
        ),
    ),
    *texts(
        "dtlib/book/pictures/shares.py",
        "draw",
        ("full where the data are empty", SHOWN, "width=width * share", "width=width * (1 - share)"),
        (
            "shares of the leaves upside down",
            SHOWN,
            "errorbar(x, y, error,",
            "errorbar(y, x, error,",
        ),
    ),
]

SOURCES = [
    *texts(
        "dtlib/growing/sources.py",
        "sources",
        (
            "parts are not added up",
            SHOWN,
            "np.add.reduceat(count[order], first) if len(first) else count[:0]",
            "count[order][first]",
        ),
        ("nodes are not told apart", SHOWN, 'by = f"{node}, {x}, {y}"', 'by = f"1, {x}, {y}"'),
        (
            "a column called NODE taken for the node",
            HIDDEN,
            "in (feature.lower(), self.target.lower()):",
            "in (feature, self.target):",
        ),
        ("a pass for each feature", SHOWN, "self.together or max(1, len(features))", "self.together or 1"),
    ),
    *texts(
        "dtlib/growing/from_counts.py",
        "outside",
        (
            "a number below the cut goes above",
            SHOWN,
            "(code > low[cells.node]).astype(np.intp))\n    return add(",
            "(code >= low[cells.node]).astype(np.intp))\n    return add(",
        ),
        (
            "every cell counts one",
            SHOWN,
            "weight = cells.rows.astype(float)\n        return Training((feature,)",
            "weight = None\n        return Training((feature,)",
        ),
        (
            "the counts need not add up",
            SHOWN,
            "if not np.array_equal(table, nodes.summary[at]):",
            "if False:",
        ),
    ),
]

SEARCH = [
    *texts(
        "dtlib/search/score.py",
        "search",
        ("of two classes only one counts", HIDDEN, "(2 if self.binary else 1)", "1"),
        ("entropy of the right side only", HIDDEN, "self.convex(below, n_left) + self", "self"),
        ("a class without a channel forgotten", HIDDEN, "if self.has_rest and not self.binary:", "if False:"),
    ),
    *texts(
        "dtlib/search/by_order.py",
        "search",
        ("cuts between equal numbers", HIDDEN, "code[..., 1:] == code[..., :-1]", "code[..., 1:] < 0"),
        (
            "sorted rows are not parted again",
            HIDDEN,
            "        self.m = m\n",
            "        pass\n",
        ),
    ),
    *texts(
        "dtlib/search/absolute_error.py",
        "search",
        ("the median's own rows are lost", HIDDEN, "(S - 2 * below_s)", "(S - below_s)"),
    ),
    *texts(
        "dtlib/counting/pairs.py",
        "search",
        (
            "rows of large tables in the wrong cell",
            HIDDEN,
            "cell[order] = numbered(is_new)",
            "cell = numbered(is_new)",
        ),
    ),
    *texts(
        "dtlib/telling/explain_ratio.py",
        "search",
        (
            "told as if the average did not count",
            HIDDEN,
            "if ratio and rules.average_gain and gain",
            "if False and gain",
        ),
    ),
]

LIBRARY = [
    *FORMULAS,
    *SEARCH,
    *C45,
    *CART_HOLES,
    *ALGORITHM,
    *ESTIMATORS,
    *DATA,
    *PICTURES,
    *GUARDS,
    *RATIO,
    *NUMBERS,
    *IMPURITIES,
    *BINARY,
    *REGRESSION,
    *OBLIQUE,
    *FORESTS,
    *OVERFITTING,
    *PESSIMISTIC,
    *PRICES,
    *LEAF_PRICE,
    *VOTES,
    *HEART,
    *SOURCES,
]
