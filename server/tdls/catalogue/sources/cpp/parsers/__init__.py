"""The order in which an operation's own parser in C++ reads its operands, where its calls tell that for certain.

The body of ``parse`` is followed (`following`) as to which operands are read when (`operands`), and in which order they
become those of the operation; `order` compares that with the definition.
"""

from __future__ import annotations

from tdls.catalogue.sources.cpp.parsers.function import ParserFunction, parser_function
from tdls.catalogue.sources.cpp.parsers.order import operand_order

__all__ = ["ParserFunction", "operand_order", "parser_function"]
