"""Settings with a constant that no parameter sets: what only the preset of another program does."""

from typing import Any, TypeVar

from dtlib.table.parameters import Settings

Kind = TypeVar("Kind", bound=Settings)


def subclass_with(base: type[Kind], **constants: Any) -> type[Kind]:
    """Return a subclass of settings in which some constants have other values; it can be pickled.

    Examples
    --------
    >>> from dtlib.dialects import CARTDialect
    >>> subclass_with(CARTDialect, strict=True)(samples="rows")
    CARTDialect_strict_True(samples='rows')
    """
    strange = {name for name in constants if name in base._declared or not hasattr(base, name)}
    assert not strange, f"{strange} are no constants of {base.__name__}"
    words = [base.__name__, *(str(x) for pair in constants.items() for x in pair)]
    name = "_".join(words).replace(".", "_")
    return globals().setdefault(name, type(name, (base,), constants))
