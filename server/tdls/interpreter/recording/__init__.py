"""Runs that can be asked for any of their steps: what the payload and every handle was, before it and after it."""
