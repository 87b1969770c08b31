"""How true `tdls --check` is on other people's repositories."""
