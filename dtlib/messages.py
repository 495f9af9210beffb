"""What the library says: the words in pictures, tables and generated sentences, in two languages.

The English template is the key, so code reads as what it says: ``say("entropy of {name}", name="color")``.
`use_language` switches the whole library to another language; the catalogues of the others are files beside
the book's own code (``dtlib/book/messages_zh.json``). The names and values of a data set are translated by
the data set itself (`dtlib.datasets.Dataset.in_chinese`).
"""

import json
from functools import cache
from pathlib import Path

__all__ = ["say", "use_language"]

LANGUAGES = ("en", "zh")

_language = "en"


@cache
def catalogue(language: str) -> dict[str, str]:
    """Return the translations into a language, by their English templates.

    Examples
    --------
    >>> catalogue("zh")["mean"]
    '均值'
    """
    path = Path(__file__).parent / "book" / f"messages_{language}.json"
    return json.loads(path.read_text(encoding="utf-8"))


def use_language(language: str) -> None:
    """Set the language of all texts that the library generates.

    Parameters
    ----------
    language : {"en", "zh"}
        English or Chinese.

    Raises
    ------
    ValueError
        If there is no catalogue for the language.

    Examples
    --------
    >>> use_language("zh")
    >>> say("entropy of {name}", name="色泽")
    '色泽的熵'
    >>> use_language("en")
    """
    global _language
    if language not in LANGUAGES:
        raise ValueError(f"language is {language!r}; wanted one of {', '.join(map(repr, LANGUAGES))}")
    _language = language


def say(template: str, /, **values: object) -> str:
    """Return a template in the language in use, with its fields filled in.

    Parameters
    ----------
    template : str
        The English text, with fields in braces (format specifications are allowed: ``{gain:.3f}``).
    **values
        The values of the fields.

    Returns
    -------
    str
        The filled text.

    Raises
    ------
    ValueError
        If the catalogue has no translation of the template.

    Examples
    --------
    >>> say("entropy of {name}", name="color")
    'entropy of color'
    """
    if _language == "en":
        return template.format(**values)
    if template not in catalogue(_language):
        raise ValueError(f"no translation of {template!r}; add it to dtlib/book/messages_{_language}.json")
    return catalogue(_language)[template].format(**values)
