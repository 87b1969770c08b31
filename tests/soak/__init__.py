"""Random work on a running server, whose answers must be those of a fresh one."""
