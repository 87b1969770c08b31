"""The entity at a position, its definition and occurrences, and navigation between them."""
