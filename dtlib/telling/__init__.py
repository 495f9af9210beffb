"""A tree in words: why each split was chosen, its outline, its growth, its rules."""
