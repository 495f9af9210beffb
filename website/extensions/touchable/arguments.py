"""What a tag asks for: the widget of that name with the arguments it takes, or a word about what is wrong."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


class Unusable(ValueError):
    """A tag that names no widget, or arguments unknown to a widget; the message says what is known."""


def check(argument: str, known: Iterable[str], what: str) -> None:
    """Raise `Unusable` unless an argument is one of those that are known.

    >>> check("mellon", ["golf", "loan"], "table")
    Traceback (most recent call last):
    touchable.arguments.Unusable: "mellon" is no table; there are golf, loan
    """
    known = list(known)
    if argument not in known:
        raise Unusable(f'"{argument}" is no {what}; there are {", ".join(known)}')


def computed(widgets: Mapping[str, Callable[..., Any]], name: str, arguments: list[str]) -> Any:
    """Return the data of a widget, or raise `Unusable`.

    >>> computed({"depth": lambda start: {"start": start}}, "depth", ["3"])
    {'start': '3'}
    """
    check(name, widgets, "widget")
    compute = widgets[name]
    try:
        inspect.signature(compute).bind(*arguments)
    except TypeError as error:
        raise Unusable(f"{error}; the tag is {pattern(name, compute)}") from error
    return compute(*arguments)


def pattern(name: str, compute: Callable[..., Any]) -> str:
    """Return what a tag looks like.

    >>> pattern("threshold", lambda feature, *measures: None)
    'touch:threshold:FEATURE[:MEASURES...]'
    """
    parts = ["touch", f":{name}"]
    for parameter in inspect.signature(compute).parameters.values():
        dots = "..." if parameter.kind is parameter.VAR_POSITIONAL else ""
        required = parameter.default is parameter.empty and not dots
        word = f":{parameter.name.upper()}{dots}"
        parts.append(word if required else f"[{word}]")
    return "".join(parts)
