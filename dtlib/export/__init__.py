"""The tree in other languages: plain data, Python, SQL (chapters 4 and 20)."""

from dtlib.export.json import from_dict, to_dict
from dtlib.export.python import to_python
from dtlib.export.sql import to_sql

__all__ = ["from_dict", "to_dict", "to_python", "to_sql"]
