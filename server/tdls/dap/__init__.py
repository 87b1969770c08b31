"""A debug adapter over recorded runs: the Debug Adapter Protocol, without a process that is debugged."""
