"""Tables as a tree reads them: columns as codes, numbers by rank, targets and weights, each checked."""
