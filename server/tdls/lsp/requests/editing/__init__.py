"""Requests that change documents."""
