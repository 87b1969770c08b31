"""Editor features: one file each, pure functions from a snapshot to plain data. Knows no protocol."""
