"""`tdls check`: what is checked, by whom, and where it goes."""
