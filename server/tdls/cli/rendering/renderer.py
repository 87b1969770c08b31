"""What a format is: pieces of text for the beginning, for each file, and for the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.cli.rendering.checked import CheckedFile, IdentifiedFinding, RenderOptions, Tally
    from tdls.cli.rendering.source import SourceText


class Renderer:
    """A format that shows finding after finding; others override more than `finding`."""

    is_document = False
    """Whether nobody can read a part of the output."""

    def __init__(self, options: RenderOptions) -> None:
        self.options = options

    def begin(self) -> Iterator[str]:
        """Yield what comes before all files."""
        yield from ()

    def file(self, checked: CheckedFile) -> Iterator[str]:
        """Yield what is said of one file; files come in the order of the output."""
        source = checked.source
        for finding in checked.findings:
            yield self.finding(finding, source)

    def finding(self, finding: IdentifiedFinding, source: SourceText) -> str:
        """Return what is said of one finding."""
        raise NotImplementedError

    def end(self, tally: Tally) -> Iterator[str]:  # noqa: ARG002 - for those that override it
        """Yield what comes after all files."""
        yield from ()
