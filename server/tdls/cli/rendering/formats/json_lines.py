"""The ``jsonl`` format: each finding of the ``json`` format on a line of its own, for tools that read a stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.cli.rendering.formats import json_document
from tdls.cli.rendering.renderer import Renderer

if TYPE_CHECKING:
    from tdls.cli.rendering.checked import Finding
    from tdls.cli.rendering.source import Source


class Format(Renderer):
    """The format ``jsonl``."""

    def finding(self, finding: Finding, source: Source) -> str:
        """Return the finding's line."""
        return json_document.render(finding.diagnostic, source, self.look.open_source) + "\n"
