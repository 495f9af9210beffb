"""What Numba compiles, where it is installed: the same trees as with NumPy, in less time (chapter 9).

A tree grows here depth first, from the rows of each feature in the order of its values. Each number is made
by the same operations in the same order as in `dtlib.search`, from sums of whole numbers: so both engines
grow the same tree, to the last bit.
"""
