"""``tdls run`` over a file of many parts prints the diagnostics of ``mlir-opt --split-input-file``."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import pytest

from oracle.mlir_opt_runs import ERASE_SCRIPTS, SCRIPT, without_mark
from oracle.run_corpus.coverage import sample
from oracle.run_corpus.differences import NONE, difference_of
from samples import some
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.run_corpus.scripts import Script

MARKER = "// -----\n"
COUNT = some(60)
SHOWN = re.compile(
    r"(?P<severity>error|warning|remark|note)(\[(?P<code>[a-z-]+)\])?: ?"
    r"((?P<file>\S+):(?P<line>\d+):(?P<column>\d+): )?(?P<message>.*)"
)
ARROW = re.compile(r" *--> (?P<file>.+):(?P<line>\d+):(?P<column>\d+)")
PRINTED = re.compile(
    r"((?P<file>[^:]+):(?P<line>\d+):(?P<column>\d+)|<unknown>:0): "
    r"(?P<severity>error|warning|remark|note): ?(?P<message>.*)"
)


OUR_OWN = ("executed by this operation", "'tdls trace ", "script.mlir: nothing changed", "with --until-unknown ")
"""Beginnings of notes that tdls adds to failures and to runs without an effect."""


class Said(NamedTuple):
    """The first line of a diagnostic, and its place as it is written; "" where there is none."""

    place: str
    severity: str
    message: str


def chosen(count: int) -> list[Script]:
    """Scripts that need nothing but themselves, with the same outcome in all versions."""
    found = [script for script in sample() if is_plain(script) and difference_of(script.name) is NONE]
    return found[:: len(found) // count][:count]


def is_plain(script: Script) -> bool:
    standard = not script.libraries and not script.options and script.entry_point == "__transform_main"
    standard &= "@__transform_main" in script.text  # without one, tdls says so in place of MLIR
    return standard and script.payload is None and script.text.isascii() and "transform.print" not in script.text


@pytest.fixture(params=["bindings", "mlir-opt-22"])
def parts(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A backend; there is a file with scripts for it in the folder."""
    backend = str(request.param)
    require_bindings()
    text = MARKER.join(script.text for script in chosen(COUNT))
    (tmp_path / SCRIPT).write_text(text, encoding="utf-8", newline="")
    return backend


def test_command_repeats_messages_of_the_tool(parts: str, tmp_path: Path) -> None:
    options = ["--split-input-file", "--allow-unregistered-dialect", "--transform-interpreter", f"--{ERASE_SCRIPTS}"]
    tdls = [sys.executable, "-m", "tdls", "run", "--backend", parts, "--no-names", "--entry-point", "__transform_main"]
    commands: tuple[list[str], ...] = ([str(require_mlir_opt(22)), SCRIPT, *options], [*tdls, SCRIPT])
    theirs, ours = (
        subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False) for command in commands
    )
    assert modules(ours.stdout) == modules(without_mark(theirs.stdout))
    assert len(modules(ours.stdout)) > COUNT / 2
    printed = [said_by(line) for line in map(PRINTED.match, theirs.stderr.splitlines()) if line is not None]
    assert once(shown(ours.stderr)) == once(printed)
    assert (ours.returncode == 0) == (theirs.returncode == 0)


def modules(text: str) -> list[str]:
    return [part.strip() for part in text.split(MARKER) if part.strip()]


def shown(text: str) -> list[Said]:
    """Messages of MLIR; those of tdls have another code, and notes without one behind them."""
    said: list[Said] = []
    of_tdls = False
    for line in text.splitlines():
        head, arrow = SHOWN.fullmatch(line), ARROW.fullmatch(line)
        if head is not None:
            of_tdls = head["code"] not in (None, "mlir") or (of_tdls and head["severity"] == "note")
            if not of_tdls:
                said.append(said_by(head))
        elif arrow is not None and not of_tdls and not said[-1].place:
            said[-1] = said[-1]._replace(place=place_in(arrow))
    return [each for each in said if not each.message.startswith(OUR_OWN)]


REPEATED = re.compile(r" \(\d+ times\)$")
"""tdls prints a repeated message once, with its count."""


def said_by(found: re.Match[str]) -> Said:
    message = REPEATED.sub("", " ".join(found["message"].split()))
    return Said(place_in(found), found["severity"], message)


def place_in(found: re.Match[str]) -> str:
    return f"{found['file']}:{found['line']}:{found['column']}" if found["file"] else ""


def once(said: list[Said]) -> list[Said]:
    """The number of equal warnings depends on how often MLIR verifies a module."""
    return [first for first, _ in groupby(said)]
