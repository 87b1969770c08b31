"""Runs scripts on payloads, in other processes; the only floor that MLIR itself is imported by."""
