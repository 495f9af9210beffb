"""Decision trees from count tables."""
