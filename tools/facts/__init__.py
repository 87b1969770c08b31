"""Builds the catalogue's shipped facts from LLVM's own TableGen files, tools and Python bindings."""
