"""Schedules that Python programs build by calls of MLIR's bindings."""
