"""What imitates one other program: presets, and ways of breaking ties that are its own."""
