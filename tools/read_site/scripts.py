"""Scripts: nothing in them stops the oldest browsers that the book promises to work in.

These are Safari 15.4, Firefox 115 and Chromium 109. What a browser cannot parse stops a whole file; the list
holds what such a file must not have, with the first Safari, Firefox and Chromium that know it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tools.read_site.faults import Fault

TOO_NEW = {
    "a regular expression that looks behind (Safari 16.4)": re.compile(r"\(\?<[=!]"),
    "a regular expression with the flag v (Safari 17, Firefox 116, Chromium 112)": re.compile(
        r"(?<=[=(,:] )/(?:\\.|[^/\\\n])+/[a-z]*v[a-z]*\b|RegExp\([^)]*,\s*[\"'][a-z]*v"
    ),
    "a static block (Safari 16.4)": re.compile(r"\bstatic\s*\{"),
    "a copy of a sorted or turned list (Safari 16)": re.compile(r"\.to(?:Sorted|Reversed|Spliced)\("),
    "a grouped list (Safari 17.4, Firefox 119, Chromium 117)": re.compile(r"\b(?:Object|Map)\.groupBy\b"),
    "Promise.withResolvers (Safari 17.4, Firefox 121, Chromium 119)": re.compile(r"\.withResolvers\("),
    "checkVisibility (Safari 17.4)": re.compile(r"\.checkVisibility\("),
}


def too_new(name: str, text: str) -> Iterator[Fault]:
    """Yield what a script has that the oldest browsers do not know.

    >>> [fault.words for fault in too_new("a.js", "words.split(/(?<=-)/)")]
    ['it has a regular expression that looks behind (Safari 16.4): (?<=']
    >>> list(too_new("a.js", "words.split(/-/)"))
    []
    """
    for what, pattern in TOO_NEW.items():
        if match := pattern.search(text):
            yield Fault(name, "", f"it has {what}: {match[0]}")
