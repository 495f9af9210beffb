"""The search for the best split of every open node of a level, for each kind of feature and rule."""
