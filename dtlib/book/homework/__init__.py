"""The homework printout: a node or a tree worked out line by line, and answers checked against it."""
