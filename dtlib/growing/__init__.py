"""Growing: one loop over the levels of a tree, its rules, and where its counts come from.

**How it goes.** `loop.Growth` grows a tree level by level, breadth first. What comes to a level is
`nodes.NextLevel`: the rows, sorted by node, with the node of each and the branch by which it came. For each
level, in this order:

1. ``describe`` sums over the rows of each node, and returns `nodes.Nodes`: weight, summary, impurity, and
   why a node is a leaf whatever its splits (pure, too deep, too small).
2. ``split`` hands the open nodes to `dtlib.search`, all at once, and writes the split of each into `Nodes`.
3. The rows of nodes that split are routed (`nodes.Routed`): each gets the index of its branch, -1 if its
   value is missing. `missing.route_missing` decides about those.
4. ``nodes.children`` turns what was routed into the next `NextLevel`.

At the end ``nodes.join`` lays the levels one after the other: this is the tree.

**Layout.** Arrays of rows have one entry per row that is still in an open node, and those of a node are
contiguous. ``node`` ascends. An array of nodes has one entry per node of the level (J), or per open node,
where it is taken with ``at``, the positions of the open ones in the level. ``place`` is the position of a
node in its level of the finished tree. It is not ascending: rows are kept grouped by branch first, as that
order comes out of one stable partition; the tree numbers the children of a node one after the other.

>>> import numpy as np
>>> from dtlib.growing.nodes import Routed, children
>>> rows, node, branch = np.array([3, 4, 5, 0, 1]), np.array([0, 0, 0, 1, 1]), np.array([1, 0, 1, 1, 0])
>>> after = children(Routed(rows, node, branch, np.arange(2), np.array([2, 2]), np.arange(2)))
>>> after.rows, after.node  # first all rows that took the first branch, of either node
(array([4, 1, 3, 5, 0]), array([0, 1, 2, 2, 3]))
>>> after.place  # the second group, from node 1, is child 2 of the tree's next level
array([0, 2, 1, 3])

**Invariants.** Rows with weight 0 are in no array, unless the dialect counts them. A node of a level has a
row, but for the empty branches of ID3 and C4.5. Sums are whole numbers (`dtlib.counting.targets`), so no
result depends on the order of rows, nor on which engine adds them up.

**Which engine.** `by_score` grows ID3 and CART, `by_ratio` C4.5; `dtlib.oblique`, `dtlib.optimal` and
`dtlib.out_of_core` have growers of their own, which this room does not know. `depth_first` grows what
`by_score` would, with code that Numba compiles; `depth_first.fallback_reason` lists what it hands back. Both
trees are equal to the last bit, and properties hold them to it.

**Why it is fast.** The work of a level is a fixed number of NumPy calls over all its rows, however many
nodes it has; nothing is recursive, and no node has Python objects of its own.
"""
