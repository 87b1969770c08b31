"""How much of anything a text may ask for: limits, and budgets that are counted against them."""
