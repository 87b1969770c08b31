"""Loads the grammars of `grammar/` and builds lark parsers from them, with their tables cached between runs."""

from __future__ import annotations

import io
import os
import pickle
import re
from functools import cache
from typing import TYPE_CHECKING, Any

from tdls.caching.basis import Basis, own_file
from tdls.caching.plain_data import dumps, loads
from tdls.caching.user_cache import Cache

if TYPE_CHECKING:
    from lark import Lark

_LEXER = "contextual"
"""The lexer that lark builds unless the options of a parser name another."""

_LEFT_OUT = ("parser", "lexer", "start", "transformer", "maybe_placeholders", "g_regex_flags")
"""The options of lark that are given anew when tables are loaded."""
MAKERS = ("caching", "files", "grammars.py", "limits.py", "structs.py", "system.py")
"""The parts of tdls that determine the content of cached tables, for `Basis`."""

START_SYMBOLS: dict[str, tuple[str, ...]] = {
    "assembly_format": ("start",),
    "mlir": (
        "affine_expression",
        "affine_map",
        "alias_definition",
        "attribute",
        "attribute_dictionary",
        "block_label",
        "file_metadata",
        "generic_operation",
        "integer_set",
        "location",
        "operation_results",
        "properties",
        "string_literal",
        "successor",
        "successor_list",
        "symbol_reference",
        "type",
        "type_list",
    ),
}
"""The start symbols of each grammar."""


def grammar_text(name: str) -> str:
    """Return the text of the grammar `name` (without ``.lark``), from the wheel or from the checkout.

    Raises FileNotFoundError if the installation is incomplete.
    """
    return own_file(part_of(name)).read_text(encoding="utf-8")


def part_of(name: str) -> str:
    """Return the path of the grammar `name` within tdls, for `Basis`."""
    return f"grammar/{name}.lark"


@cache
def parser(name: str) -> Lark:
    """Return the LALR parser of the grammar `name` of `START_SYMBOLS`."""
    return load(name, list(START_SYMBOLS[name]), maybe_placeholders=False, g_regex_flags=re.ASCII)


def load(name: str, start: list[str], **options: Any) -> Lark:
    """Build the LALR parser of the grammar `name` with `options` of lark.

    Building its tables takes longer than loading them, so the wheel has them, and others are kept in the user's cache
    folder. A folder that cannot be read or written only costs time.
    """
    import lark

    all_options = {"parser": "lalr", "lexer": _LEXER, "start": start, **options}
    known = _with_tables(_shipped(name, start), all_options)
    if known is not None:
        return known
    basis = Basis(f"{name}.tables", (*MAKERS, part_of(name)))
    cache, entry = Cache.of_user(), basis.name(*start)
    known = _with_tables(loads(cache.get(entry)), all_options)
    if known is not None:
        return known
    made = lark.Lark(grammar_text(name), **all_options)
    cache.put(entry, dumps(_tables_of(made)))
    return made


def packed(name: str, parser: Lark) -> bytes | None:
    """Return the tables of the grammar `name` as the wheel has them, with what they rest on."""
    return dumps((_inputs(name, parser.options.start), _tables_of(parser)))


def _shipped(name: str, start: list[str]) -> Any:
    """Return the tables of the wheel; None without them, and if they are those of another grammar or another lark."""
    file = own_file(f"grammar/{name}.tables")
    if not os.path.exists(file):
        return None
    inputs, tables = loads(file.read_bytes()) or (None, None)
    return tables if inputs == _inputs(name, start) else None


def _inputs(name: str, start: list[str]) -> tuple[str, ...]:
    import lark

    return lark.__version__, grammar_text(name), *start


def _tables_of(parser: Lark) -> dict[str, Any]:
    """Return the tables of a parser as plain data, without those options that may be functions and classes."""
    content = io.BytesIO()
    parser.save(content, _LEFT_OUT)
    tables: dict[str, Any] = pickle.loads(content.getvalue())  # written a line above
    del tables["data"]["parser"]["lexer_conf"]["lexer_type"]
    return tables


def _with_tables(tables: Any, options: dict[str, Any]) -> Lark | None:
    """Return the parser with `tables` and `options`, or None if the tables are missing or damaged."""
    import lark

    try:
        data = tables["data"]
        data["options"].update(options)
        data["parser"]["lexer_conf"]["lexer_type"] = options["lexer"]
        loaded: Lark = lark.Lark._load_from_dict(data, tables["memo"])  # type: ignore[no-untyped-call]
        return loaded
    except (AttributeError, KeyError, TypeError, ValueError, AssertionError, lark.LarkError):
        return None
