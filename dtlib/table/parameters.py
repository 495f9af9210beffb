"""Declared types and ranges of parameters, which are checked before any data is read."""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from numbers import Integral, Real
from operator import index
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator

from dtlib.numbers import shown

LARGEST_FLOAT = float(np.finfo(float).max)  # larger numbers, also integers, are no floats
SEEDS = 2**32  # seeds of a RandomState are below this


class Number(NamedTuple):
    """The range of a numeric parameter: at least (or above) `low`, at most `high`; integers only, or any."""

    low: float
    whole: bool = False
    above: bool = False
    high: float = np.inf

    def has(self, value: Any) -> bool:
        """Tell whether a value is in the range."""
        is_truth, kind = isinstance(value, bool | np.bool_), Integral if self.whole else Real
        is_number = isinstance(value, kind) and not is_truth
        return is_number and bool(
            (value > self.low if self.above else value >= self.low)
            and value <= self.high
            and is_finite(value)
        )

    def __str__(self) -> str:
        kind = "a whole number" if self.whole else "a number"
        limit = "" if self.high == np.inf else f" and at most {self.high}"
        return f"{kind} {'above' if self.above else 'of at least'} {self.low}{limit}"


def is_finite(value: Any) -> bool:
    """Tell whether a number has a finite float64 near it, which a large integer or fraction has not.

    Examples
    --------
    >>> is_finite(3), is_finite(float("inf")), is_finite(10**400)
    (True, False, False)
    """
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


#: What parameters may be, by their names: values (None, words, truth values), numbers, types.
Declared = Mapping[str, Sequence[Any]]


def check_number(
    name: str, value: Any, low: float, whole: bool = False, above: bool = False, high: float = np.inf
) -> None:
    """Raise ValueError if a parameter is no number, or out of its range.

    Examples
    --------
    >>> check_number("max_depth", -1, 0, whole=True)
    Traceback (most recent call last):
    ValueError: max_depth is -1; wanted a whole number of at least 0
    """
    numbers = Number(low, whole, above, high)
    if not numbers.has(value):
        raise ValueError(f"{name} is {value!r}; wanted {numbers}")


def check_choice(name: str, value: Any, choices: Sequence[Any]) -> None:
    """Raise ValueError if a parameter is none of its choices."""
    if not any(is_allowed(value, choice) for choice in choices):
        raise ValueError(f"{name} is {value!r}; wanted one of {', '.join(map(say_allowed, choices))}")


def check_parameters(given: object, declared: Declared) -> None:
    """Raise ValueError if a parameter of an estimator, or of its settings, is not as declared.

    Examples
    --------
    >>> class Given:
    ...     max_features = 0
    >>> check_parameters(Given, {"max_features": (None, "sqrt", Number(1, whole=True))})
    Traceback (most recent call last):
    ValueError: max_features is 0; wanted one of 'sqrt', a whole number of at least 1
    """
    for name, allowed in declared.items():
        value = getattr(given, name)
        if any(is_allowed(value, what) for what in allowed):
            if isinstance(value, Settings):
                value.check()
            continue
        said = [what for what in allowed if what is not None or not isinstance(allowed[-1], Number)]
        wanted = [say_allowed(what) for what in said]
        raise ValueError(f"{name} is {value!r}; wanted {'one of ' * (len(wanted) > 1)}{', '.join(wanted)}")


def check_text(**given: Any) -> None:
    """Raise TypeError if an argument is no string.

    Examples
    --------
    >>> check_text(title=3)
    Traceback (most recent call last):
    TypeError: title is 3; wanted text
    """
    for name, value in given.items():
        if not isinstance(value, str):
            raise TypeError(f"{name} is {shown(value)}; wanted text")


def whole_number(name: str, value: Any) -> int:
    """Return an argument as an int; raise if it is no integer.

    Examples
    --------
    >>> whole_number("depth", np.int64(3))
    3
    """
    try:
        if isinstance(value, bool | np.bool_):
            raise TypeError
        return index(value)
    except TypeError:
        raise TypeError(f"{name} is {shown(value)}; wanted a whole number") from None


def python_number(value: Any) -> int | float:
    """Return a number that `Number` allows as Python's own, whose sums do not overflow or lose precision.

    Examples
    --------
    >>> python_number(np.int8(3)), python_number(np.float16(0.5))
    (3, 0.5)
    """
    return int(value) if isinstance(value, Integral) else float(value)


def checked_sequence(name: str, given: Any) -> Any:
    """Return a sequence as it is; raise TypeError if it is none, or a string.

    Examples
    --------
    >>> checked_sequence("marks", "ab")
    Traceback (most recent call last):
    TypeError: marks is 'ab'; wanted a sequence
    """
    if isinstance(given, str | bytes) or not (hasattr(given, "__len__") and hasattr(given, "__getitem__")):
        raise TypeError(f"{name} is {shown(given)}; wanted a sequence")
    return given


def check_seed(random_state: Any) -> None:
    """Raise ValueError if this is no random state.

    Examples
    --------
    >>> check_seed("abc")
    Traceback (most recent call last):
    ValueError: random_state is 'abc'; wanted None, a whole number from 0 to 2**32 - 1, or a RandomState
    """
    is_generator = random_state is np.random or isinstance(random_state, np.random.RandomState)
    is_seed = isinstance(random_state, Integral) and 0 <= int(random_state) < SEEDS
    if not (random_state is None or is_generator or is_seed):
        raise ValueError(
            f"random_state is {shown(random_state)}; wanted None, a whole number from 0 to 2**32 - 1, or a "
            f"RandomState"
        )


def check_alone(names: Iterable[str], beside: str | None) -> None:
    """Raise ValueError if options are given beside a parameter that replaces them.

    Examples
    --------
    >>> check_alone(["cp"], "prune")
    Traceback (most recent call last):
    ValueError: cp and prune are given, and both say the same: give cp alone, or say it in prune
    """
    for name in sorted(names) if beside else ():
        raise ValueError(
            f"{name} and {beside} are given, and both say the same: give {name} alone, or say it in {beside}"
        )


def is_allowed(value: Any, what: Any) -> bool:
    """Tell whether a value is in a range, of a type, or equal to a choice; 1 is not True."""
    if isinstance(what, Number):
        return what.has(value)
    if isinstance(what, type):
        return isinstance(value, what)
    value = bool(value) if isinstance(value, np.bool_) else value
    return value is what or (isinstance(value, str) and value == what)


def say_allowed(what: Any) -> str:
    """Describe a range, a type or a choice in words."""
    if isinstance(what, Number):
        return str(what)
    return f"{what.__name__}(...)" if isinstance(what, type) else repr(what)


class Parametrized(BaseEstimator):
    """Objects with parameters like those of scikit-learn's estimators, whose names are cached.

    scikit-learn inspects the signature of ``__init__`` each time, and a forest needs it eight times a tree.
    """

    @classmethod
    @cache
    def _get_param_names(cls) -> list[str]:
        names: list[str] = super()._get_param_names()
        return names


class Settings(Parametrized):
    """Parameters that belong together, as one parameter of an estimator.

    They nest as in a pipeline: ``set_params(prune__folds=5)``.
    """

    #: What each may be.
    _declared: ClassVar[Declared] = {}

    def check(self) -> Self:
        """Return the settings; raise ValueError if one of them is invalid."""
        check_parameters(self, self._declared)
        return self
