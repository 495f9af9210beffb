"""Where counts come from: rows in batches, Arrow and Parquet, databases, clusters (chapter 20)."""
