"""Tests of programs that build scripts."""
