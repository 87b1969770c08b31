"""Explains the results of operations that search for payload: matchers, searches, and empty handles of a run."""
