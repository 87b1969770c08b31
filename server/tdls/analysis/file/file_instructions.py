"""What the comments of a file say of how it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.semantic.run_lines import Instructions, instructions
from tdls.syntax.sections.section_facts import SectionFact
from tdls.text.shell_words import Placed
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.syntax.sections.sections import Section


def file_instructions(file: SourceFile) -> Instructions:
    """Return the instructions of `file`, with places in the file. Sections are read again only when they change."""
    sections = (piece.section for piece in file.sections.pieces if piece.begins_section)
    saying = [(section, said) for section in sections if (said := _instructions_of(section)) is not _NOTHING]
    found = [(file.context_of(section), said) for section, said in saying]
    return Instructions(
        libraries=_placed(((context, said.libraries) for context, said in found)),
        payloads=_placed(((context, said.payloads) for context, said in found)),
        entry_points=_placed(((context, said.entry_points) for context, said in found)),
        files=_placed(((context, said.files) for context, said in found)),
        splits_input=any(said.splits_input for _, said in found),
        verifies_diagnostics=any(said.verifies_diagnostics for _, said in found),
    )


def may_say_otherwise(file: SourceFile) -> bool:
    """Tell whether `file` may have other instructions than the version it was made from by an edit."""
    replaced = file.sections.replaced
    if replaced is None:
        return True
    return any(sign in piece.section.text for piece in (*replaced.before, *replaced.after) for sign in _SIGNS)


_SIGNS = ("RUN:", "tdls:")
_NOTHING = Instructions()


@SectionFact
def _instructions_of(section: Section) -> Instructions:
    found = instructions(section.text)
    return found if found != _NOTHING else _NOTHING


def _placed(parts: Iterable[tuple[Context, tuple[Placed, ...]]]) -> tuple[Placed, ...]:
    return tuple(
        Placed(item.text, tuple(context.to_file(Span(place, place + 1)).start for place in item.places))
        for context, items in parts
        for item in items
    )
