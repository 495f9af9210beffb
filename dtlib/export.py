"""The tree in other languages: plain data, Python, SQL."""

from __future__ import annotations

from typing import Any

import numpy as np

FORMAT = "dtlib.tree/2"


def to_dict(tree: Any) -> dict[str, Any]:
    """Return a tree as plain lists, numbers and strings."""
    raise NotImplementedError


def from_dict(cls: Any, data: dict[str, Any]) -> Any:
    """Build a tree from what `to_dict` returned."""
    raise NotImplementedError
