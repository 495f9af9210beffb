"""What Numba compiles, where it is installed: the same trees as with NumPy, in less time (chapter 8).

A tree grows here depth first, from the rows of each feature in the order of its values. Each number is made
by the same operations in the same order as in `dtlib.search`, from sums of whole numbers: so both engines
grow the same tree, to the last bit.

**How it goes.** `grow.grow_lines` takes a node from a stack (`state.Waiting`), and calls in this order
``seek.best_node_split`` (each feature is scanned by ``scans``), ``grow.take_sides`` (which rows go left),
``grow.open_node`` for both children (``describe``: sums, impurity, whether it is a leaf), ``grow.part_all``
(each line is parted). The larger child is pushed first: so the stack has at most log2 n entries. At the end
``grow.level_by_level`` renumbers the nodes.

**Layout.** `state.Table.lines` is one array, int64 of shape (lines, rows). A line is a presorted column, as
in SLIQ: an entry for each row, in the order of the feature's values. One entry is one whole number::

    bits 32 and up   the code of the value: its position among the distinct values
    bit 31           NEAR: the next value is too close for a cut between the two (scikit-learn's 1e-7)
    bit 30           whether the row is of the second of two classes
    bits 0 to 29     the row

So a scan reads value, class and row with a single load, from one stretch of memory, and branches on nothing.
A node is the same stretch ``start:end`` of every line; a split parts each line in place, and stably, so the
lines of both children are sorted again. A feature with two values needs no line, as it has one cut: its codes
are a column of `Table.twos`, and all such features are counted in one pass over the node's rows. The last
line has the rows of the node in an order that depends on their content alone.

>>> import numpy as np
>>> from dtlib.compiled.state import CODE, ROW
>>> from dtlib.counting.targets import ClassificationTarget
>>> from dtlib.growing.depth_first import compiled_criterion
>>> from dtlib.growing.table_in_lines import table_of
>>> from dtlib.table.reading import class_targets
>>> from dtlib.table.training import read_training
>>> X = np.array([[5.0, 1], [2, 1], [9, 0], [2, 0], [7, 1]])
>>> data = read_training(X, class_targets(["b", "a", "b", "a", "b"], 5))
>>> target = ClassificationTarget(data.targets, None, "gini")
>>> table = table_of(data, target, compiled_criterion(target), np.float32(0))
>>> table.lines[0] >> CODE, table.lines[0] & ROW  # of the first feature: codes of 2, 2, 5, 7, 9; their rows
(array([0, 0, 1, 2, 3]), array([1, 3, 0, 4, 2]))
>>> table.place, table.twos[:, 0]  # line 0; column 0 of those with two values
(array([ 0, -1]), array([1, 1, 0, 0, 1], dtype=uint8))

**Invariants.** Each line has the rows of a node in the same stretch. Lines of features that are constant in
a node are no longer parted below it (``active``). Rows that miss a value come last in its line, with a code
of their own. Branches that lie apart have no row in common, so threads grow them without locks.

**Why it is fast.** One sort per feature at the start (`line_up`: a radix sort of the bits of the floats),
none later; memory is read in order; the squares of class counts that two classes need are looked up by the
number of rows; memory for one node is made once (`state.Work`).
"""
