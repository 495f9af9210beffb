"""The search for the best split of every open node of a level, for each kind of feature and rule.

**How it goes.** `searcher.Searcher` (for scores) and `ratio.measure_all` (for C4.5) are given a level
(`level.Level`): the rows of its open nodes, grouped by node, and the sums over each node. For each feature
they return an array over nodes: the score of its best split, and the codes on both sides of the cut, or the
branch of each category. The best feature of each node is then the first whose score is within ``slack`` of
the largest: scores so close are equal, and the first column wins.

**Three ways to score a numeric or ordered feature**, all with the same result:

- few values: `by_table` counts a table of values and classes, one row per node and value that occur
  (an AVC set), and takes running sums over its rows;
- many values: `by_order` keeps the rows of the feature sorted within each node, from level to level, and
  takes running sums along them;
- absolute error, which is no function of sums: `absolute_error` finds medians in a wavelet matrix.

A nominal feature is always counted, then divided: `two_groups`, `merging`, or a branch for each category.

Where splits are drawn, `by_chance` divides the rows by one split of each feature, and scores only these. A
monotonic constraint (`monotone`) forbids cuts of lines that are scored: its features are kept sorted.

**Layout.** A *code* is the position of a value among the sorted values of its feature, -1 if missing.
``level.node`` says for each row which node it is in, ``level.start`` where the rows of each node begin.
Scores of cuts have one entry per row (or per row of the table): that of the cut right after it, -inf where
no cut is allowed, such as between equal values, and after the last row of a node.

>>> import numpy as np
>>> from dtlib.counting.targets import ClassificationTarget
>>> from dtlib.search.by_order import Scan
>>> from dtlib.search.level import Level, Limits
>>> from dtlib.table.reading import class_targets
>>> target = ClassificationTarget(class_targets(["a", "a", "b", "b", "a"], 5), None, "gini")
>>> node = np.array([0, 0, 0, 1, 1])  # rows 0, 1, 2 are in node 0, and 3, 4 in node 1
>>> totals = target.totals(target.gather(np.arange(5)), node, 2)
>>> totals.n, totals.channels  # the weight of each node, and that of the second class in it
(array([3, 2]), [array([1, 1])])
>>> level = Level(target, np.arange(5), totals, np.zeros(2))
>>> order, code = np.array([[1, 0, 2, 4, 3]]), np.array([[0, 1, 2, 0, 3]])  # sorted within each node
>>> Scan(level, target.scorer, Limits()).scores(order, code).round(2)  # N times the decrease
array([[0.33, 1.33, -inf, 1.  , -inf]])

**Invariants.** A score is the impurity decrease times the weight of the node, from exact sums, so the same
split has the same score whichever of the ways finds it. Nothing here knows which rows a node had on the
level above; what is kept from level to level is the sorted order alone.
"""
