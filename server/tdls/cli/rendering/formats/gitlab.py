"""The ``gitlab`` format: a Code Quality report.

https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tdls.cli.rendering.in_repository import repository_path, with_fingerprints
from tdls.cli.rendering.json_text import json_text
from tdls.cli.rendering.renderer import Renderer
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.cli.rendering.checked import CheckedFile, RenderOptions, SourceText, Tally
    from tdls.text.diagnostic import Diagnostic

_SEVERITIES = {Level.ERROR: "critical", Level.WARNING: "major", Level.REMARK: "minor", Level.HINT: "info"}


class GitlabFormat(Renderer):
    """The format ``gitlab``: a list of objects."""

    is_document = True

    def __init__(self, options: RenderOptions) -> None:
        super().__init__(options)
        self._separator = "[\n  "

    def file(self, checked: CheckedFile) -> Iterator[str]:
        """Yield the objects for the findings of a file."""
        source, path = checked.source, repository_path(checked.name, "CI_PROJECT_DIR")
        findings = with_fingerprints(checked, path)
        issues = [json_text(_issue(finding.diagnostic, source, path, fingerprint)) for finding, fingerprint in findings]
        for issue in issues:
            yield self._separator + issue
            self._separator = ",\n  "

    def end(self, tally: Tally) -> Iterator[str]:  # noqa: ARG002 - signature of the renderer
        yield "[]\n" if self._separator.startswith("[") else "\n]\n"


def _issue(diagnostic: Diagnostic, source: SourceText, path: str, fingerprint: str) -> dict[str, Any]:
    return {
        "description": diagnostic.message,
        "check_name": diagnostic.rule,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[diagnostic.level],
        "location": {
            "path": path,
            "positions": {
                "begin": _position(source, diagnostic.span.start),
                "end": _position(source, max(diagnostic.span.start, diagnostic.span.end - 1)),
            },
        },
    }


def _position(source: SourceText, offset: int) -> dict[str, int]:
    line, column = source.lines.position(offset)
    return {"line": line + 1, "column": column + 1}
