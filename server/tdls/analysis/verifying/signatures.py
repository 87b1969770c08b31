"""What functions and named sequences take and return, by their signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.verifying.attributes.values import elements_of
from tdls.syntax.lexing import scanner

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.semantic.model import Operation


class SequenceTypes(NamedTuple):
    """The canonical types of a signature; None for one that is not known."""

    arguments: tuple[str | None, ...]
    results: tuple[str | None, ...]


def signature_of(context: Context, operation: Operation) -> SequenceTypes | None:
    """Return the signature of an operation, as it is spelled or as its attribute has it; None where it is not known."""
    spelled, canonical = operation.syntax.signature, context.model.types.canonical
    if spelled is not None:
        arguments = (canonical(each.type.text) if each.type is not None else None for each in spelled.arguments)
        return SequenceTypes(tuple(arguments), tuple(canonical(each.text) for each in spelled.results))
    text = (operation.spelled("function_type") or "").strip()
    tokens = scanner.scan(text)
    closer = tokens.partners.get(0, -1)
    if not text.startswith("(") or closer < 0:
        return None
    arrow = text[tokens.ends[closer] :].strip()
    if not arrow.startswith("->"):
        return None
    results = arrow[2:].strip()
    inside = results[1:-1] if results.startswith("(") and results.endswith(")") else results
    found = elements_of(f"[{text[1 : tokens.starts[closer]]}]"), elements_of(f"[{inside}]")
    if found[0] is None or found[1] is None:
        return None
    return SequenceTypes(tuple(map(canonical, found[0])), tuple(map(canonical, found[1])))
