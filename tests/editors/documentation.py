"""The snippets of `docs/editors.md`, which people copy and tests run."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "editors.md"


def snippet(heading: str, language: str) -> str:
    """Return the first block of `language` under a heading of any level; raises ValueError where there is none."""
    text = PAGE.read_text(encoding="utf-8")
    section = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#+ |\Z)", _without_blocks(text), re.DOTALL | re.MULTILINE)
    if section is None:
        raise ValueError(f"{PAGE.name} has no heading {heading!r}")
    block = re.search(rf"^```{language}\n(.*?)^```$", text[section.start() : section.end()], re.DOTALL | re.MULTILINE)
    if block is None:
        raise ValueError(f"{heading!r} in {PAGE.name} has no block of {language}")
    return block.group(1)


def _without_blocks(text: str) -> str:
    """Blank out code, in which `#` begins comments; every offset stays."""
    return re.sub(r"^```.*?^```$", lambda block: " " * len(block.group()), text, flags=re.DOTALL | re.MULTILINE)
