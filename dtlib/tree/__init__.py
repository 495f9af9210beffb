"""The tree: its questions, its nodes, why each leaf is one, sending rows down, making leaves of nodes."""
