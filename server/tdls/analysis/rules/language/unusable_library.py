"""The rule `unusable-library`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tdls.analysis.file.file_instructions import instructions_of
from tdls.analysis.file.finding import Finding
from tdls.analysis.meaning.subject import concerns_of
from tdls.analysis.rule import Rule
from tdls.text.diagnostic import Subject
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.text.shell_words import Placed

_DIRECTIVE = "tdls:"


def find(context: Context) -> Iterator[Finding]:
    """Report library comments that name a missing or unreadable file."""
    for written in instructions_of(context.section).libraries:
        files = context.named_libraries.files.get(written.text)
        if files is None:
            continue
        place = Span(written.places[0], written.places[-1] + 1)
        if not files and _leads_from_here(context, written):
            message = f"the library `{written.text}` does not exist"
            yield Finding(RULE.name, RULE.level, message, place, help="correct the path, or add the file")
        for library in files:
            problem = _first_problem(library.file)
            if problem is not None:
                message = f"MLIR cannot read the library `{library.name}`"
                yield Finding(RULE.name, RULE.level, message, place, help=f"see {library.name}:{problem}")


def _leads_from_here(context: Context, written: Placed) -> bool:
    """Whether a path counts from the folder of its file: one without substitutions in a command may not."""
    if written.text.startswith(("%", "/")):
        return True
    line = context.section.text[: written.places[0]].rpartition("\n")[2]
    return _DIRECTIVE in line


def _first_problem(library: SourceFile) -> str | None:
    """Return place and message of the first syntax error in a library for which it is certain."""
    if library.is_template:
        return None
    for context in library.contexts:
        for problem in context.tree.problems():
            if concerns_of(context).at(problem.span, is_certain=problem.is_certain) is not Subject.UNREAD_PAYLOAD:
                position = library.position(context.to_file(problem.span).start)
                return f"{position.line + 1}:{position.column + 1}: {problem.message}"
    return None


RULE: Final = Rule("unusable-library", find=find, rests_on_other_files=True, holds_for_any_definition=True)
