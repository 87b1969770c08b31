"""Schedules that Python programs build by calls."""
