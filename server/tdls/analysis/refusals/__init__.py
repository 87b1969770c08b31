"""What operations ask of a payload operation that they are applied to, and with which words they refuse it."""
