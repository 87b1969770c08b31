"""Effects that C++ code adds, run for an operation's definition."""
