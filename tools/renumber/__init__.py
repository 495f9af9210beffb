"""Chapters in a new order: `python -m tools.renumber`, after their lines in `_toc.yml` were put in order.

- `moves`: from the table of contents and the notebooks, which number becomes which;
- `rules`: where a text has a number of a chapter, formula, figure or exercise, and what it becomes;
- `files`: the rules for each kind of file: notebooks, Python, tables, everything else that is text;
- `report`: what was changed, and what a human has to read.
"""
