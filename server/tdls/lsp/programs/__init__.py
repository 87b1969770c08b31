"""Python programs that build schedules: run them on request, and show the scripts that they build."""
