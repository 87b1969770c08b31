"""Reads a project's TableGen files without LLVM: parser, evaluator, and conversion of records to definitions."""

from __future__ import annotations

from tdls.catalogue.sources.tablegen.parser import ParsedFile, parse
from tdls.catalogue.sources.tablegen.reading import (
    DialectDefinition,
    TableGenDefinitions,
    TableGenOperation,
    read_parsed,
    read_units,
)

__all__ = [
    "DialectDefinition",
    "ParsedFile",
    "TableGenDefinitions",
    "TableGenOperation",
    "parse",
    "read_parsed",
    "read_units",
]
