"""Optimal trees: one that costs least among all trees of the same splits and depth, with the proof.

`estimator` is what users call. `by_proof` begins with CART's trees (`greedy_start`) and searches for a better
one by one recursion (`best_tree`), of which the two lowest levels alone are compiled (`below_two`).
"""
