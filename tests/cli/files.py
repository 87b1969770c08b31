"""Files of the current folder, with exactly the line ends that are given."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.write_bytes(text.encode())
    return path


def read(path: Path) -> str:
    return path.read_bytes().decode()


def with_line_edits(text: str, edits: list[dict[str, Any]]) -> str:
    """Apply edits of whole lines, or from a column on, which say what they replace."""
    for edit in reversed(edits):
        before = text.split("\n")[: edit["line"] - 1]
        begin = len("".join(f"{line}\n" for line in before)) + edit.get("column", 1) - 1
        assert text.startswith(edit["old"], begin)
        text = text[:begin] + edit["new"] + text[begin + len(edit["old"]) :]
    return text
