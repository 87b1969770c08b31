"""Runs of scripts for the editor: what is run, when, and how what comes out of it is shown."""
