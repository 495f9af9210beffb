"""The whole book as one PDF, made of the built website (`make pdf`).

- `pages` reads the pages of the site, in the order of `_toc.yml`, and makes their ids and links those of one
  document;
- `folds` decides what becomes of things that fold on the screen: code, checks, quizzes, solutions;
- `book` puts a title page and a table of contents before them and the solutions after the chapters;
- `printing` prints that with Chromium, twice: the second time with the numbers of the pages; then come the
  bookmarks;
- `white` measures how much of each page is white;
- `offer` shows the link to the PDF on all pages of the site.
"""
