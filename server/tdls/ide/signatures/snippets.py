"""Operations as they are written, with tab stops: made from the definition's assembly format."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from tdls.ide.signatures.snippet_parts import OperandSlot, Stop, TypeSlot
from tdls.ide.signatures.snippet_templates import TemplateWriter
from tdls.syntax.parser.assembly import format as ods

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.catalogue.model import OperandDefinition, OperationDefinition, ResultDefinition
    from tdls.ide.signatures.snippet_parts import SnippetPart, TemplatePart


class Suggestions(Protocol):
    """What a snippet's tab stops are filled with."""

    def operand(self, definition: OperandDefinition) -> str:
        """Return the name of a value for the operand."""

    def type_of(self, definition: OperandDefinition | ResultDefinition) -> str:
        """Return a type for the value that was suggested, or for a result."""

    def fresh(self, base: str) -> str:
        """Return an SSA name made of `base` that is not in use; a new one with each call."""

    def arguments(self, definition: OperationDefinition) -> str:
        """Return the arguments of a new function-like operation."""

    def terminator(self, definition: OperationDefinition) -> str:
        """Return the operation that has to end the body of a function-like operation; empty if none is known."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """Text with tab stops."""

    parts: tuple[SnippetPart, ...]

    @property
    def plain(self) -> str:
        """The text without tab stops, as they are filled at first."""
        return "".join(_first(part) for part in self.parts)

    @property
    def snippet(self) -> str:
        """The text in the snippet syntax of LSP; the cursor ends up behind it, or at a last stop without text."""
        pieces: list[str] = []
        number = 0
        for part in self.parts:
            if isinstance(part, str):
                pieces.append(escaped(part))
                continue
            number += 1
            pieces.append(_rendered(part, number))
        return "".join(pieces)


def escaped(text: str) -> str:
    """Return `text` as plain text of a snippet."""
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


def _first(part: SnippetPart) -> str:
    if isinstance(part, str):
        return part
    return part.choices[0] if part.choices else part.text


def _rendered(stop: Stop, number: int) -> str:
    if stop.choices:
        choices = ",".join(
            choice.replace("\\", "\\\\").replace(",", "\\,").replace("|", "\\|") for choice in stop.choices
        )
        return f"${{{number}|{choices}|}}"
    return f"${{{number}:{escaped(stop.text)}}}" if stop.text else f"${number}"


def operation_snippet(
    definition: OperationDefinition, suggestions: Suggestions, *, name: str = "", results: int | None = None
) -> Snippet | None:
    """Return the operation with its name, or with `name` for it; None where how it is written is not known.

    `results` is the number of results that are named already; where None are, names are part of the snippet.
    """
    if definition.assembly_format is None and "FunctionOpInterface" in definition.traits:
        return _function_snippet(definition, suggestions)
    template = _template(_Request(definition, name or definition.name, results))
    return _filled(template, suggestions) if template is not None else None


def with_attributes(snippet: Snippet, attributes: Iterable[str]) -> Snippet:
    """Return `snippet`, which has none, with a dictionary of attributes in front of its types."""
    parts = list(snippet.parts)
    place = next((n for n, part in enumerate(parts) if isinstance(part, str) and part.startswith(" :")), len(parts))
    return Snippet((*parts[:place], f" {{{', '.join(attributes)}}}", *parts[place:]))


def group_snippet(
    elements: Iterable[ods.Element], definition: OperationDefinition, suggestions: Suggestions
) -> Snippet:
    """Return the elements of one group of the format of `definition`."""
    writer = TemplateWriter(definition, None)
    writer.write(elements)
    return _filled(tuple(writer.parts), suggestions)


def _function_snippet(definition: OperationDefinition, suggestions: Suggestions) -> Snippet:
    """Return a function-like operation with a body."""
    arguments, terminator = suggestions.arguments(definition), suggestions.terminator(definition)
    end = f"\n  {terminator}\n}}" if terminator else "\n}"
    return Snippet((f"{definition.name} @", Stop("name"), "(", Stop(arguments), ") {\n  ", Stop(), end))


@dataclass(frozen=True, slots=True, eq=False)
class _Request:
    """What a template is made of; equal if the definition is the same object, which is cheap to tell."""

    definition: OperationDefinition
    name: str
    results: int | None

    def __hash__(self) -> int:
        return hash((id(self.definition), self.name, self.results))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Request):
            return NotImplemented
        return self.definition is other.definition and (self.name, self.results) == (other.name, other.results)


@lru_cache(maxsize=4096)
def _template(request: _Request) -> tuple[TemplatePart, ...] | None:
    definition = request.definition
    if definition.assembly_format is None or not definition.format_known:
        return None
    try:
        elements = ods.parse_format(definition.assembly_format).elements
    except ValueError:
        return None
    writer = TemplateWriter(definition, request.results)
    writer.write_operation(request.name, elements)
    return tuple(writer.parts)


def _filled(template: tuple[TemplatePart, ...], suggestions: Suggestions) -> Snippet:
    return Snippet(tuple(_fill(part, suggestions) for part in template))


def _fill(part: TemplatePart, suggestions: Suggestions) -> SnippetPart:
    if isinstance(part, (str, Stop)):
        return part
    if isinstance(part, OperandSlot):
        return Stop(suggestions.operand(part.definition))
    if isinstance(part, TypeSlot):
        return Stop(suggestions.type_of(part.definition))
    name = suggestions.fresh(part.base)
    return Stop(name[1:]) if part.is_stop else name
