"""The grammars of `grammar/`: where they are, and the parsers lark makes of them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tdls
from tdls.user_cache import cache_file

if TYPE_CHECKING:
    from lark import Lark

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
"""What a text can be parsed as, for each grammar."""


def grammar_text(name: str) -> str:
    """Return the text of the grammar `name` (without ``.lark``), from the wheel or from the checkout.

    Raises FileNotFoundError if the installation is incomplete.
    """
    package = Path(tdls.__file__).resolve().parent
    packaged = package / "grammar" / f"{name}.lark"
    checkout = package.parents[1] / "grammar" / f"{name}.lark"
    return (packaged if packaged.is_file() else checkout).read_text(encoding="utf-8")


@cache
def parser(name: str) -> Lark:
    """Return the LALR parser of the grammar `name` of `START_SYMBOLS`."""
    return load(name, list(START_SYMBOLS[name]), maybe_placeholders=False, g_regex_flags=re.ASCII)


def load(name: str, start: list[str], **options: Any) -> Lark:
    """Make the LALR parser of the grammar `name` with `options` of lark.

    Building its tables takes longer than loading them, so they are kept in the user's cache folder. A folder that
    cannot be read or written only costs time.
    """
    import lark

    text = grammar_text(name)
    cache = cache_file(f"{name}.tables", text, lark.__version__)
    return lark.Lark(text, parser="lalr", start=start, cache=str(cache) if cache is not None else False, **options)
