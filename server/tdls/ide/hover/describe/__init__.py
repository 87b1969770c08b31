"""What a hover says: Markdown about operations, values, symbols, attributes and types."""
