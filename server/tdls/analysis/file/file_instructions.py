"""Instructions in the comments of a file on how it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.semantic.run_lines import Instructions, instructions, libraries_of, run_lines
from tdls.syntax.sections.facts import Fact
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.syntax.sections.sections import Section
    from tdls.text.shell_words import Placed


def file_instructions(file: SourceFile) -> Instructions:
    """Return the instructions of `file`, with offsets in the file. Sections are read again only when they change."""
    sections = (piece.section for piece in file.sections.pieces if piece.begins_section)
    given = [(section, own) for section in sections if (own := instructions_of(section)) is not _NOTHING]
    own_by_context = [(file.context_of(section), own) for section, own in given]
    return Instructions(
        libraries=_placed(((context, own.libraries) for context, own in own_by_context)),
        payloads=_placed(((context, own.payloads) for context, own in own_by_context)),
        entry_points=_placed(((context, own.entry_points) for context, own in own_by_context)),
        files=_placed(((context, own.files) for context, own in own_by_context)),
        splits_input=any(own.splits_input for _, own in own_by_context),
        verifies_diagnostics=any(own.verifies_diagnostics for _, own in own_by_context),
    )


def libraries_together(file: SourceFile) -> frozenset[frozenset[str]]:
    """Return the libraries, as they are written, that each command in `file` reads.

    All comments for tdls count as one command.
    """
    groups: set[frozenset[str]] = set()
    directives: set[str] = set()
    for section in (piece.section for piece in file.sections.pieces if piece.begins_section):
        named = {library.text for library in instructions_of(section).libraries}
        if not named:
            continue
        commands = [command for line in run_lines(section.text) for command in line.commands]
        read = [frozenset(named & {item.text for item in libraries_of(command)}) for command in commands]
        groups.update(filter(None, read))
        directives |= named.difference(*read)
    return frozenset(groups | ({frozenset(directives)} if directives else set()))


def may_say_otherwise(file: SourceFile) -> bool:
    """Whether the instructions of `file` may differ from those of the version before its last edit."""
    replaced = file.sections.replaced
    if replaced is None:
        return True
    return any(sign in piece.section.text for piece in (*replaced.before, *replaced.after) for sign in _SIGNS)


_SIGNS = ("RUN:", "tdls:")
_NOTHING = Instructions()


@Fact
def instructions_of(section: Section) -> Instructions:
    """Return the instructions in a section, with offsets in its text."""
    own = instructions(section.text)
    return own if own != _NOTHING else _NOTHING


def _placed(parts: Iterable[tuple[Context, tuple[Placed, ...]]]) -> tuple[Placed, ...]:
    from tdls.text.shell_words import Placed

    return tuple(
        Placed(item.text, tuple(context.to_file(Span(place, place + 1)).start for place in item.places))
        for context, items in parts
        for item in items
    )
