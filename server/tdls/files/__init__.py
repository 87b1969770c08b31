"""Which files of the disk are scripts."""
