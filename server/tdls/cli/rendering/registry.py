"""The formats by name, each imported when it is asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from tdls.cli.rendering.checked import Look
    from tdls.cli.rendering.renderer import Renderer

_MODULES = {
    "full": "full",
    "concise": "concise",
    "json": "json_document",
    "jsonl": "json_lines",
    "sarif": "sarif",
    "github": "github",
    "gitlab": "gitlab",
    "junit": "junit",
    "statistics": "statistics",
}
FORMATS = tuple(name for name in _MODULES if name != "statistics")
"""What ``--format`` takes; ``--statistics`` has an option of its own."""


def renderer(name: str, look: Look) -> Renderer:
    """Return a renderer of the format `name`; it is good for one document."""
    module = importlib.import_module(f"tdls.cli.rendering.formats.{_MODULES[name]}")
    return cast("Renderer", module.Format(look))
