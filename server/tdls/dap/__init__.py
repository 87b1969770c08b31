"""Debug Adapter Protocol over recorded runs; no process is debugged."""
