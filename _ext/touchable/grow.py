"""The widget *grow it yourself*: a table, and the trees that the three algorithms grow from it."""

from __future__ import annotations

from typing import Any


def data(name: str) -> dict[str, Any]:
    """Return the table."""
    return {"name": name}
