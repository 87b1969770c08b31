"""The interface of output formats, which yield text for the beginning, each file and the end, and formats by name."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.cli.rendering.checked import CheckedFile, FingerprintedFinding, RenderOptions, SourceText, Tally


class Renderer:
    """A format that prints finding after finding; other formats override more than `finding`."""

    is_document = False
    """Whether the output can only be read as a whole."""

    def __init__(self, options: RenderOptions) -> None:
        self.options = options

    def begin(self) -> Iterator[str]:
        """Yield the text before all files."""
        yield from ()

    def file(self, checked: CheckedFile) -> Iterator[str]:
        """Yield the text for one file; files come in the order of the output."""
        source = checked.source
        for finding in checked.findings:
            yield self.finding(finding, source)

    def finding(self, finding: FingerprintedFinding, source: SourceText) -> str:
        raise NotImplementedError

    def end(self, tally: Tally) -> Iterator[str]:  # noqa: ARG002 - for overriding methods
        """Yield the text after all files."""
        yield from ()


_CLASSES = {
    "full": ("full", "FullFormat"),
    "concise": ("concise", "ConciseFormat"),
    "json": ("json_document", "JsonFormat"),
    "jsonl": ("json_document", "JsonLinesFormat"),
    "sarif": ("sarif", "SarifFormat"),
    "github": ("github", "GithubFormat"),
    "gitlab": ("gitlab", "GitlabFormat"),
}
FORMATS = tuple(_CLASSES)
"""Values of ``--format``."""


def renderer(name: str, options: RenderOptions) -> Renderer:
    """Return a renderer of the format `name` for one document."""
    module, class_name = _CLASSES[name]
    format_class = getattr(importlib.import_module(f"tdls.cli.rendering.formats.{module}"), class_name)
    return cast("Renderer", format_class(options))
