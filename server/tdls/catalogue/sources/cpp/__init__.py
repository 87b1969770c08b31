"""Computes effects of operations, and the places of their implementations, from a project's C++ without a compiler.

Comments, literals and excluded branches are blanked (`tokens`), functions are found by braces (`functions`), bodies
that add effects are split into statements (`statements`) and executed abstractly (`evaluation`, `joining`).
"""

from __future__ import annotations

from tdls.catalogue.sources.cpp.facts import CppClassFacts, CppFacts, merge, read_sources
from tdls.catalogue.sources.cpp.joining import joined, with_effects
from tdls.catalogue.sources.cpp.reading import FileFacts, read_source

__all__ = [
    "CppClassFacts",
    "CppFacts",
    "FileFacts",
    "joined",
    "merge",
    "read_source",
    "read_sources",
    "with_effects",
]
