"""What runs said, as editors show it."""
