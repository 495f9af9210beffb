"""The tree: its splits, its nodes, the reasons of its leaves, routing of rows, collapsing of nodes."""
