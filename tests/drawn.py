"""How much is drawn for a test: as much as it asks for in an ordinary run, ten times as much with `--all`."""

from hypothesis import settings

USUAL = 100  # examples of a test that asks for no number, in an ordinary run


def examples(number: int) -> settings:
    """Return a decorator: let Hypothesis draw this many examples."""
    return settings(max_examples=as_many(number))


def seeds(number: int) -> range:
    """Return the seeds of this many random tables."""
    return range(as_many(number))


def as_many(number: int) -> int:
    """Return a number as the profile has it that the run has chosen."""
    return number * settings().max_examples // USUAL
