"""What a class gets, made of the chapters by their tags: handouts, graded homework, slides.

    python -m tools.teaching handout|graded|slides [chapters/NN_name.ipynb ...] [--to FOLDER]

Without names it is all chapters. What is made lies in ``class/``, which git ignores; `make handout graded
slides` is the same. Links lead to the website where the variable BOOK_URL says its address.
"""
