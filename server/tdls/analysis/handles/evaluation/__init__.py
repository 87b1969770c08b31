"""Evaluation of scripts on the written payload, as far as the effect of each operation is known."""
