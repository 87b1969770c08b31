"""Rules about runs and about checking itself (TD4xx, TD9xx)."""
