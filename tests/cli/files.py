"""Files of the current folder, with exactly the line ends that are given."""

from __future__ import annotations

from pathlib import Path


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.write_bytes(text.encode())
    return path


def read(path: Path) -> str:
    return path.read_bytes().decode()
