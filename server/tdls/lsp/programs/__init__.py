"""Programs that build schedules: when they are run, and how the editor gets to know what they built."""
