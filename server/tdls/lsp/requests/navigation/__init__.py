"""Requests that lead somewhere else."""
