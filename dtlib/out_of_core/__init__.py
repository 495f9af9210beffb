"""Growing a tree from counts: the rows stay in their file, database or cluster (chapter 25).

**How it goes.** Users call `grow_from`. A source (`cells.Source`) answers two questions. Once: what is in its
columns, that is their types, the categories, and for numeric features with many values a sketch of where they
lie (`spread.QuantileSketch`). Then, for each level of the tree: how often each value meets each
class at the open nodes. The answer is `cells.Cells`, a sparse count table (the AVC groups of RainForest).
`counter` asks, and `from_counts` grows from the answers: splits are searched as for trees in memory, with the
cells as rows whose weight is their count, so the tree is the same to the last bit. Rows never leave the
source, except those of small nodes, which may be fetched once (`small_nodes`).

**Layout.** Cells are four arrays of the same length: node, value (a number, or the code of a category; of a
missing one NaN or -1), label (the code of the class, or of the number to be predicted), and how many rows
have the three in common. They are sorted by node, then value,
then label, and none has 0 rows.

>>> import pandas as pd
>>> from dtlib import CARTClassifier
>>> from dtlib.out_of_core import Batches, grow_from
>>> halves = [pd.DataFrame({"x": [1, 2], "y": ["a", "b"]}), pd.DataFrame({"x": [1, 2], "y": ["a", "a"]})]
>>> print(grow_from(Batches(halves, "y"), CARTClassifier()).tree_)
root (a 3, b 1)
├── x ≤ 1.5 (a 2, b 0) → a
└── x > 1.5 (a 1, b 1) → a

**Two kinds.** `streams` pass all rows by, block after block, and count in this process (`Arrow`, `DuckDB`,
`Batches`; `Spark` runs the same code on each partition and adds up). `database.Database` counts by SQL. A
stream knows the tree so far and routes each row to its node; a database is sent the route as a query.

**Invariants.** The counts of a level add up to those of the level above, else the data changed between two
passes, and that is an error. Sums are of whole numbers: so a tree does not depend on how rows are divided
into batches or partitions, and equals the one of the same rows in memory.

**Why it scales.** Memory holds counts, never rows. Numbers with many values are counted in intervals first,
and one by one in a second pass only where the best cut can lie (`dtlib.out_of_core.intervals`). Of numeric
targets with many values, whole-number sums are counted in the same way (`dtlib.out_of_core.sums`).
"""

from dtlib.out_of_core.arrow import Arrow
from dtlib.out_of_core.batches import Batches
from dtlib.out_of_core.cells import add
from dtlib.out_of_core.database import Database
from dtlib.out_of_core.duck import DuckDB
from dtlib.out_of_core.growing import grow_from
from dtlib.out_of_core.intervals import cut_bounds
from dtlib.out_of_core.spark import Spark

__all__ = ["Arrow", "Batches", "Database", "DuckDB", "Spark", "add", "cut_bounds", "grow_from"]
