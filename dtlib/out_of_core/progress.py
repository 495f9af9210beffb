"""Progress of passes over the data, and what was being done when one fails (chapter 25)."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Part = TypeVar("Part")


@contextmanager
def while_doing(source: Any, doing: str) -> Iterator[None]:
    """Add a note of what was being done to an error, and to the progress bar.

    Examples
    --------
    >>> try:
    ...     with while_doing(None, "level 2"):
    ...         raise OSError("the disk is gone")
    ... except OSError as error:
    ...     error.__notes__
    ['while level 2: the tree was not finished, the estimator is as it was']
    """
    if isinstance(source, Passes):
        source.doing = doing
    try:
        yield
    except Exception as error:
        error.add_note(f"while {doing}: the tree was not finished, the estimator is as it was")
        raise


class Passes:
    """A source that reads all its rows in each pass.

    Attributes
    ----------
    doing : str
        The purpose of the pass.
    bar : type, optional
        tqdm, or a class with its interface, which shows the progress; default: none is shown.
    known_rows : int, optional
        The number of rows, once it is known.
    """

    doing = "counting"
    bar: Any = None
    known_rows: int | None = None

    def watched(self, parts: Iterable[tuple[Part, int]]) -> Iterator[Part]:
        """Yield parts of the data, each given with its number of rows, and show the progress."""
        if self.bar is None:
            yield from (part for part, _ in parts)
            return
        with self.bar(total=self.known_rows, desc=self.doing, unit=" rows", unit_scale=True) as bar:
            for part, rows in parts:
                yield part
                bar.update(rows)


@contextmanager
def shown_progress(wanted: bool, *sources: Any) -> Iterator[None]:
    """Let sources show their progress, if that is wanted."""
    if not isinstance(wanted, bool):
        raise TypeError(f"progress is {wanted!r}; wanted True or False")
    if not wanted:
        yield
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise ImportError("progress=True needs tqdm: pip install 'trees-by-counting[large]'") from None
    some = [source for source in sources if isinstance(source, Passes)]
    for source in some:
        source.bar = tqdm
    try:
        yield
    finally:
        for source in some:
            source.bar = None
