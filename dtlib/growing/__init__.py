"""Growing: one loop over the levels of a tree, its rules, and where its counts come from."""
