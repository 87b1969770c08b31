"""What processes need of the operating system: how they begin and end, and what they share."""
