"""Instruments scripts, so that runs report handle contents and executing operations, and reads these reports."""
