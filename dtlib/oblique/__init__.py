"""Oblique trees: splits on weighted sums of features (chapter 22).

`estimator` is what users call, `by_plane` grows a tree level by level, and `hyperplane` searches for the
split of each node. Only the cutting of lines is compiled (`cutting`, `planes`): random draws and products of
matrices are NumPy's with Numba and without it.
"""
