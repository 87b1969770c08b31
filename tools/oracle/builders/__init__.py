"""Programs that build scripts, generated, and who made their operations by Python's own account."""
