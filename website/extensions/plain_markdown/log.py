"""Warnings of this extension: all of one kind, so that a build can name or silence them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx.util import logging

if TYPE_CHECKING:
    from docutils import nodes

logger = logging.getLogger("plain_markdown")


def warn(message: str, location: str | nodes.Node) -> None:
    """Warn about a place in the book."""
    logger.warning(message, location=location, type="plain_markdown")
