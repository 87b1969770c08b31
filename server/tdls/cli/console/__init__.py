"""Terminal and standard streams, inputs of commands, and options that several commands have."""
