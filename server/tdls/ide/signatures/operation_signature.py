"""How an operation is written, in lines that are not too long: what stands at the top of a hover."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity
from tdls.ide.signatures.signature_parts import signature_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.catalogue.model import OperationDefinition
    from tdls.ide.signatures.signature_parts import SignatureParts

_WIDTH = 100
"""Lines are broken in front of what would end behind this column."""
_INDENT = "\n    "


def operation_signature(definition: OperationDefinition) -> str:
    """Return how the operation is written, its results included; in the generic form where its own is not known."""
    has_known_form = definition.assembly_format is not None and definition.format_known
    is_function = "FunctionOpInterface" in definition.traits
    signature = signature_parts(definition, generic=not (has_known_form or is_function))
    several = {Arity.ONE: "", Arity.OPTIONAL: ""}
    results = ", ".join(f"%{result.name}{several.get(result.arity, '...')}" for result in definition.results)
    return "".join(_wrapped([*([f"{results} ="] if results else []), *_pieces(signature)]))


def _pieces(signature: SignatureParts) -> Iterator[str]:
    """Yield the signature in pieces: cut at blanks outside of brackets, but not behind a keyword or around ``->``."""
    text = signature.text
    keyword_ends = {literal.span.end for literal in signature.literals}
    depth = start = 0
    for index, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        joined = index in keyword_ends or text[:index].endswith(("->", " :")) or text.startswith("->", index + 1)
        if character == " " and depth == 0 and not joined:
            yield text[start:index]
            start = index + 1
    yield text[start:]


def _wrapped(pieces: Iterable[str]) -> Iterator[str]:
    """Yield pieces with blanks between them, or breaks where a line would get long."""
    width = 0
    for piece in pieces:
        if width:
            fits = width + len(piece) < _WIDTH
            yield " " if fits else _INDENT
            width = width + 1 if fits else len(_INDENT) - 1
        yield piece
        width += len(piece)
