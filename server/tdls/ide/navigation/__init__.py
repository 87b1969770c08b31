"""From a place to others: definitions, references, calls, symbols."""
