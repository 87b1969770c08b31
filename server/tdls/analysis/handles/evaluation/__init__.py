"""Runs scripts on the payload that is written beside them, as far as it is known what each operation makes of it."""
