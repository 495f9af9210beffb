"""What only the book needs: numbers checked against their sources, studies, one-chapter pictures."""
