"""What a process that runs scripts may do to the system: where it may write, and what it may not reach."""
