"""The formulas of the book, read from their TeX and computed.

`tokens` takes a formula apart, `grammar` reads it, `evaluate` computes it, `displays` finds it in its
chapter. `scenes` says how letters get their values, `tables` and `trees` give them, `run` compares.
"""
