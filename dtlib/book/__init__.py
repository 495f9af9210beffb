"""What only the book needs: numbers checked against their sources, data sets, one-chapter pictures."""
