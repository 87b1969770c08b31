"""The formats by name, each imported when it is asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from tdls.cli.rendering.checked import RenderOptions
    from tdls.cli.rendering.renderer import Renderer

_CLASSES = {
    "full": ("full", "FullFormat"),
    "concise": ("concise", "ConciseFormat"),
    "json": ("json_document", "JsonFormat"),
    "jsonl": ("json_lines", "JsonLinesFormat"),
    "sarif": ("sarif", "SarifFormat"),
    "github": ("github", "GithubFormat"),
    "gitlab": ("gitlab", "GitlabFormat"),
    "junit": ("junit", "JunitFormat"),
    "statistics": ("statistics", "StatisticsFormat"),
}
FORMATS = tuple(name for name in _CLASSES if name != "statistics")
"""What ``--format`` takes; ``--statistics`` has an option of its own."""


def renderer(name: str, options: RenderOptions) -> Renderer:
    """Return a renderer of the format `name`; it is good for one document."""
    module, class_name = _CLASSES[name]
    format_class = getattr(importlib.import_module(f"tdls.cli.rendering.formats.{module}"), class_name)
    return cast("Renderer", format_class(options))
