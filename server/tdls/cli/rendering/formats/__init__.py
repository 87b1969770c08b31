"""The output formats, a module for each or for two that share their parts."""
