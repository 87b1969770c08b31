"""Why operations of a script that look for payload operations found what they found, as a run tells."""
