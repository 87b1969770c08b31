"""How tdls reads TableGen."""
