"""The ``concise`` format: one line per finding, for editors and ``grep``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.cli.rendering.renderer import Renderer
from tdls.text.printable import printable

if TYPE_CHECKING:
    from tdls.cli.rendering.checked import FingerprintedFinding, SourceText
    from tdls.text.diagnostic import Diagnostic


class ConciseFormat(Renderer):
    """The format ``concise``."""

    def finding(self, finding: FingerprintedFinding, source: SourceText) -> str:
        """Return the finding's line."""
        return render(finding.diagnostic, source)


def render(diagnostic: Diagnostic, source: SourceText) -> str:
    """Return ``PATH:LINE:COLUMN: LEVEL: MESSAGE [RULE]`` and a line break; 1-based, columns in characters."""
    message = printable(" ".join(diagnostic.message.split()))
    return f"{source.place(diagnostic.span.start)}: {diagnostic.level.value}: {message} [{diagnostic.rule}]\n"
