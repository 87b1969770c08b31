"""The tolerant parser: tokens and catalogue to a tree and its problems."""
