"""What a script finds in a page: data as JSON, and the box of a widget around its data."""

from __future__ import annotations

import json
from typing import Any


def as_json(data: Any) -> str:
    """Write data so that they may stand in a script element.

    >>> as_json({"a": "</script>"})
    '{"a":"<\\\\/script>"}'
    """
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("</", r"<\/")


def widget_box(name: str, data: Any) -> str:
    """Return the place of a widget, with its data; a script fills it.

    >>> widget_box("guess", [1])[:52]
    '<div class="touch no-print" data-touch="guess" hidde'
    """
    script = f'<script type="application/json">{as_json(data)}</script>'
    return f'<div class="touch no-print" data-touch="{name}" hidden>{script}</div>'
