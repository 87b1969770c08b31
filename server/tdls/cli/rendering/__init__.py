"""How findings look: one file per output format, all pure functions from findings to text."""
