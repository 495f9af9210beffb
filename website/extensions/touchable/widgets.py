"""The widgets by their names: what computes the data of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from touchable import (
    angle,
    boost,
    depth,
    grow,
    halvings,
    impurities,
    luck,
    nervous,
    price,
    rows,
    threshold,
)

if TYPE_CHECKING:
    from collections.abc import Callable

#: The name in a tag -> what computes the data, given the arguments of the tag.
WIDGETS: dict[str, Callable[..., dict[str, Any]]] = {
    "angle": angle.data,
    "boost": boost.data,
    "depth": depth.data,
    "grow": grow.data,
    "halvings": halvings.data,
    "impurities": impurities.data,
    "luck": luck.data,
    "nervous": nervous.data,
    "price": price.data,
    "rows": rows.data,
    "threshold": threshold.data,
}
