"""The criteria that tests go through: those of the library's registry that an estimator takes.

>>> from dtlib import CARTRegressor
>>> criteria_of(CARTRegressor)
('squared_error', 'absolute_error', 'poisson')
"""

from typing import Any

from dtlib.counting.criteria import CRITERIA


def criteria_of(*estimators: Any) -> tuple[str, ...]:
    """Return the names of the criteria that estimators take, each once, without scikit-learn's others."""
    declared = [name for estimator in estimators for name in estimator._declared["criterion"]]
    return tuple(dict.fromkeys(name for name in declared if name in CRITERIA))
