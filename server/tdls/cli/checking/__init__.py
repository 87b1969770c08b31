"""``tdls check``: selects files, checks or fixes them in worker processes, and writes reports."""
