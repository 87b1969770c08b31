"""Split declaration and library: the definition of a named sequence moves to a new file, which a comment names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.meaning.sequences import marks_of
from tdls.ide.changes.code_actions import NewFile
from tdls.ide.changes.place import RefusalError, indentation, references, reindented
from tdls.semantic.symbols import is_external, symbol_name
from tdls.semantic.transform_dialect import ENTRY_POINT, NAMED_SEQUENCE, WITH_NAMED_SEQUENCE
from tdls.text.diagnostic import TextEdit
from tdls.text.positions import Position
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.changes.place import Place
    from tdls.semantic.model import Operation

_LONGEST_NAME = 200
"""Maximum length of a name that every file system takes, with a suffix."""


def split_library(place: Place) -> list[TextEdit | NewFile] | None:
    """Return the file with the definition of the named sequence here, and the edits that declare it; None elsewhere.

    The comments above the definition move with it. Raises RefusalError.
    """
    sequence = place.operation(NAMED_SEQUENCE)
    name = symbol_name(sequence) if sequence is not None else None
    if sequence is None or name in (None, ENTRY_POINT) or is_external(sequence):
        return None
    _check(place, sequence)
    context, end = place.context, place.context.to_file(sequence.span).end
    moved = FileSpan(place.start_with_comments(sequence), end)
    place.lines(sequence, sequence)
    indent, symbol = indentation(place.text, sequence), sequence.syntax.symbol_span
    head = place.text[symbol.start if symbol else 0 : sequence.regions[0].syntax.start].rstrip()
    definition = reindented(context.file.slice(moved), indent, "  ")
    aliases = "".join(_aliases(context.file, context.part, definition))
    return [
        NewFile(f"{name}.mlir", f"{aliases}module attributes {{{WITH_NAMED_SEQUENCE}}} {{\n{definition}\n}}\n"),
        _naming(context.file, f"{name}.mlir"),
        TextEdit(moved, f"{indent}{NAMED_SEQUENCE} private {head}"),
    ]


def _check(place: Place, sequence: Operation) -> None:
    """Raise RefusalError if the sequence cannot be defined in another file."""
    name = symbol_name(sequence) or ""
    text = place.text[sequence.span.start : sequence.span.end]
    if sequence.parent is None and place.context.container is None:
        raise RefusalError("there is no module around it")
    if place.context.file.mentions("RUN:"):
        raise RefusalError("the commands in `RUN:` lines of this file would have to load the library")
    signature, symbol = sequence.syntax.signature, sequence.syntax.symbol_span
    if signature is None or symbol is None or place.text[sequence.location.end : symbol.start].strip():
        raise RefusalError("MLIR looks up public sequences only in a library")
    if not all(marks_of(argument) for argument in signature.arguments):
        raise RefusalError("a declaration says what happens to each argument: mark them first")
    if not (name.isidentifier() and name.isascii()) or len(name) > _LONGEST_NAME:
        raise RefusalError(f"`{name}` cannot be the name of a file")
    other = next((word for word in references(text) if word[0] == "@" and word != f"@{name}"), None)
    if other is not None:
        raise RefusalError(f"it refers to `{other}`, which stays in this file")


def _aliases(file: SourceFile, part: int, text: str) -> list[str]:
    """Return the definitions of the aliases that `text` needs, also those that these need."""
    needed, definitions = set(references(text)), list[str]()
    for context in reversed([context for context in file.contexts if context.part == part]):
        for alias in reversed(context.aliases):
            if alias.name in needed:
                definitions.insert(0, f"{alias.name} = {alias.value}\n")
                needed.update(references(alias.value))
    return definitions


def _naming(file: SourceFile, library: str) -> TextEdit:
    """Return the edit that names `library` in a comment behind the first ones."""
    line = 0
    while file.line_text(line).startswith("//"):
        line += 1
    start = file.offset(Position(line, 0))
    return TextEdit(FileSpan(start, start), f"// tdls: library={library}\n")
