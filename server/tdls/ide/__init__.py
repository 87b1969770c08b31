"""Editor features: one module each, pure functions from a snapshot to plain data, independent of any protocol."""
