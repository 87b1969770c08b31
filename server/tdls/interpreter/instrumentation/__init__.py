"""What a run tells beyond its texts: instrumentation of scripts, and how what it tells is read."""
