"""Sources with parts of the same data, whose counts are added up, as those of partitions are."""

from dtlib.out_of_core.cells import add, join_columns


class Together:
    """Several sources with the same columns in the same order."""

    def __init__(self, *sources):
        self.sources, self.target = sources, sources[0].target

    def columns(self):
        """Tell what is in the columns: one pass over each part."""
        return join_columns([source.columns() for source in self.sources])

    def count(self, tree, nodes, features):
        """Count features at some leaves of a tree, and add up what each source has."""
        counted = (source.count(tree, nodes, features) for source in self.sources)
        for parts in zip(*counted, strict=True):
            yield parts[0][0], add(*(cells for _, cells in parts))
