"""The ``jsonl`` format: each finding of the ``json`` format on a line of its own, for tools that read a stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.cli.rendering.formats import json_document
from tdls.cli.rendering.renderer import Renderer

if TYPE_CHECKING:
    from tdls.cli.rendering.checked import IdentifiedFinding
    from tdls.cli.rendering.source import SourceText


class JsonLinesFormat(Renderer):
    """The format ``jsonl``."""

    def finding(self, finding: IdentifiedFinding, source: SourceText) -> str:
        """Return the finding's line."""
        return json_document.render(finding.diagnostic, source, self.options.open_source) + "\n"
