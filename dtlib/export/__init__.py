"""The tree in other languages: plain data, Python, SQL, scikit-learn (chapters 4 and 25).

Examples
--------
>>> from dtlib import ID3Classifier
>>> from dtlib.datasets import load_loan
>>> loan = load_loan()
>>> tree = ID3Classifier().fit(loan.X, loan.y).tree_
>>> to_dict(tree)["feature"], to_python(tree).splitlines()[0], to_sql(tree).splitlines()[0]
([2, 1, -1, -1, -1], 'def predict(sample):', 'CASE')
"""

from dtlib.export.json import from_dict, to_dict
from dtlib.export.python import to_python
from dtlib.export.sklearn_in import from_sklearn
from dtlib.export.sklearn_out import to_sklearn
from dtlib.export.sql import to_sql

__all__ = ["from_dict", "from_sklearn", "to_dict", "to_python", "to_sklearn", "to_sql"]
