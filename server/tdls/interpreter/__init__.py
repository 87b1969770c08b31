"""Runs scripts on payloads in separate processes; the only layer that imports MLIR itself."""
