"""Prints, one JSON a line, every regular expression that is made while tdls is imported and its makers are called.

A program of its own, so that nothing is imported yet: ``python -m patterns.recording``.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import sys
from pathlib import Path
from typing import Any, Final

from patterns.sites import PACKAGE

_SOURCE: Final = str(PACKAGE)
_RE: Final = str(Path(re.__file__).parent) if Path(re.__file__).name == "__init__.py" else re.__file__
_seen: set[tuple[str, bool, int, str, int]] = set()


def main() -> None:
    """Record while everything is imported and every maker of patterns is called."""
    original = re._compile  # type: ignore[attr-defined]

    def recorded(pattern: Any, flags: Any) -> Any:
        compiled = original(pattern, flags)
        frame = sys._getframe(1)
        while frame.f_back is not None and frame.f_code.co_filename.startswith(_RE):
            frame = frame.f_back
        if frame.f_code.co_filename.startswith(_SOURCE):
            text = compiled.pattern
            source = text.decode("latin-1") if isinstance(text, bytes) else text
            _seen.add((source, isinstance(text, bytes), compiled.flags, frame.f_code.co_filename, frame.f_lineno))
        return compiled

    re._compile = recorded  # type: ignore[attr-defined]
    import tdls

    for module in pkgutil.walk_packages(tdls.__path__, "tdls."):
        if not module.name.endswith("__main__"):
            _import(module.name)
    from patterns.makers import MAKERS

    for make in MAKERS:
        make()
    for source, is_bytes, flags, file, line in sorted(_seen):
        print(json.dumps({"pattern": source, "bytes": is_bytes, "flags": flags, "file": file, "line": line}))


def _import(name: str) -> None:
    try:
        importlib.import_module(name)
    except ImportError as error:
        print(f"{name}: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
