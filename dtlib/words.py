"""One catalogue of the words in pictures, tables and generated sentences.

The English template is the key, so code reads as what it says: ``say("entropy of {name}", name="color")``.
`use_language` switches the whole library to another language; the names and values of a data set are
translated by the data set itself (`dtlib.datasets.Dataset.in_chinese`).
"""

LANGUAGES = ("en", "zh")

# English template -> Chinese template, in the order of the English alphabet.
CHINESE = {
    "entropy of {name}": "{name}的熵",
}

_language = "en"


def use_language(language: str) -> None:
    """Say everything in this language from now on.

    Parameters
    ----------
    language : {"en", "zh"}
        English or Chinese.

    Raises
    ------
    ValueError
        If the language is not in the catalogue.

    Examples
    --------
    >>> use_language("zh")
    >>> say("entropy of {name}", name="色泽")
    '色泽的熵'
    >>> use_language("en")
    """
    global _language
    if language not in LANGUAGES:
        raise ValueError(f"language is {language!r}; the catalogue has {' and '.join(map(repr, LANGUAGES))}")
    _language = language


def say(template: str, /, **values: object) -> str:
    """Return a template in the language in use, with its places filled.

    Parameters
    ----------
    template : str
        The English text, places to fill in braces (format specifications are allowed: ``{gain:.3f}``).
    **values
        What goes into the places.

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
    if _language == "zh" and template not in CHINESE:
        raise ValueError(f"no Chinese for {template!r}; add it to CHINESE in dtlib/words.py")
    text = template if _language == "en" else CHINESE[template]
    return text.format(**values)
