"""Where the command line meets the terminal, and options that several commands have."""
