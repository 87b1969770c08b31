"""The ``github`` format: workflow commands, which GitHub Actions turns into annotations of changed files.

https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.cli.rendering.in_repository import repository_path
from tdls.cli.rendering.renderer import Renderer
from tdls.text.level import Level
from tdls.text.printable import printable, printable_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.cli.rendering.checked import FingerprintedFinding, SourceText
    from tdls.text.diagnostic import Diagnostic

_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.REMARK: "notice", Level.HINT: "notice"}
_IN_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTIES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


class GithubFormat(Renderer):
    """The format ``github``."""

    def finding(self, finding: FingerprintedFinding, source: SourceText) -> str:
        """Return the workflow command for the finding; notes and help are part of its text."""
        diagnostic = finding.diagnostic
        properties = ",".join(f"{name}={value.translate(_IN_PROPERTIES)}" for name, value in _place(diagnostic, source))
        text = printable_lines("\n".join(_lines(diagnostic, source))).translate(_IN_DATA)
        return f"::{_COMMANDS[diagnostic.level]} title=tdls ({diagnostic.rule}),{properties}::{text}\n"


def _place(diagnostic: Diagnostic, source: SourceText) -> Iterator[tuple[str, str]]:
    """Yield the place as GitHub reads it: columns only within one line, and the last character as the end."""
    start = source.lines.position(diagnostic.span.start)
    end = source.lines.position(max(diagnostic.span.end - 1, diagnostic.span.start))
    yield "file", printable_lines(repository_path(source.name, "GITHUB_WORKSPACE"))
    yield "line", str(start.line + 1)
    yield "endLine", str(end.line + 1)
    if start.line == end.line:
        yield "col", str(start.column + 1)
        yield "endColumn", str(end.column + 1)


def _lines(diagnostic: Diagnostic, source: SourceText) -> Iterator[str]:
    yield diagnostic.message
    if diagnostic.help is not None:
        yield f"help: {diagnostic.help}"
    for note in diagnostic.notes:
        place = source.place(note.span.start) if note.path is None else printable(source.name_of(note.path))
        yield f"note: {place}: {note.message}"
