"""What the package's page on an index says that the repository does not know: where the repository is.

A build in a workflow of GitHub knows it. Elsewhere the page has no addresses, and the links of README.md are
those of a file beside others.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PAGES = {"Source": "", "Changes": "/blob/main/CHANGELOG.md", "Issues": "/issues"}
INSIDE = re.compile(r"(!?\[[^\]]*\]\()(?!https?:|#)([^)]+\))")


class Addresses(MetadataHookInterface):
    """Adds the addresses, and the text of README.md with links that lead somewhere from anywhere."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add what pyproject.toml calls dynamic."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        url = repository(os.environ)
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": text if url is None else absolute(text, url),
        }
        metadata["urls"] = {} if url is None else {name: url + page for name, page in PAGES.items()}


def repository(environ: Any) -> str | None:
    """Return the address of the repository from which a workflow builds, or None.

    Examples
    --------
    >>> repository({"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "someone/trees"})
    'https://github.com/someone/trees'
    """
    parts = [environ.get(name) for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY")]
    return "/".join(parts) if all(parts) else None


def absolute(text: str, url: str) -> str:
    """Return Markdown whose links to files lead into the repository, and whose pictures come from it.

    Examples
    --------
    >>> absolute("[a](b.md#c) [d](https://e) [f](#g) ![h](i.png)", "U")
    '[a](U/blob/main/b.md#c) [d](https://e) [f](#g) ![h](U/raw/main/i.png)'
    """

    def there(found: re.Match[str]) -> str:
        return f"{found[1]}{url}/{'raw' if found[1].startswith('!') else 'blob'}/main/{found[2]}"

    return INSIDE.sub(there, text)
