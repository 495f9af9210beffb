"""Counting: count tables, and the sums over the rows of a branch from which every split is judged."""
