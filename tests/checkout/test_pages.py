"""Pages whose examples are executed: each command prints what the page says.

A block ``mlir NAME`` is a file. A block ``console`` has commands behind `$`, each with its output; a line `...` stands
for any lines, and times may differ, as may the blanks before what stands below them.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from command_line import tdls
from tools_at_hand import require_bindings

DOCUMENTATION = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(?P<kind>\w+) ?(?P<name>\S*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
TIME = re.compile(r" *[\d.]+ ms|^ {20,}", re.MULTILINE)


@pytest.mark.parametrize("page", ["tutorial.md", "limits.md", "troubleshooting.md"])
def test_examples(page: str, tmp_path: Path) -> None:
    require_bindings()
    (tmp_path / ".git").mkdir()
    commands = 0
    for block in BLOCK.finditer((DOCUMENTATION / page).read_text(encoding="utf-8")):
        if block["name"]:
            (tmp_path / block["name"]).write_text(block["text"], encoding="utf-8")
        elif block["kind"] == "console":
            for command, expected in executions(block["text"]):
                done = tdls(*shlex.split(command)[1:], folder=tmp_path)
                printed = TIME.sub(" N ms", done.stderr + done.stdout)
                assert re.fullmatch(pattern(expected), printed), f"{command}\n{printed}"
                commands += 1
    assert commands >= 4


def executions(text: str) -> list[tuple[str, str]]:
    """Return the commands of a block with the output behind each."""
    _, *parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts)]


def pattern(expected: str) -> str:
    lines = TIME.sub(" N ms", expected).splitlines()
    return "".join("(?:.*\n)*" if line == "..." else f"{re.escape(line)}\n" for line in lines)
