"""Read the built website, without a browser, and say what is wrong with it: the last step of `make book`.

What a page shows is held against its source: numbered formulas, pictures and what they say to those who
cannot see them, widgets, titles. Links and the places of the search lead somewhere, nothing comes from
another site, no rule of the style sheets hides a picture, and no Markdown or TeX is left among the words.

`page.py` reads a page into plain data; each other module looks at these data for faults of one kind.
"""
