"""Packages that requirements.txt does not have, as only a few tests need them."""

from types import ModuleType

import pytest


def needed(package: str) -> ModuleType:
    """Import a package, or skip the tests of the module that asks for it where it is not installed."""
    reason = f"{package} is not installed: make test-all installs it (requirements-all.txt)"
    return pytest.importorskip(package, reason=reason)
