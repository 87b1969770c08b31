"""Answers of recheck, a tool from npm: whether a regular expression can take more than linear time."""

from __future__ import annotations

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from preparation.node_packages import install_packages
from tools_at_hand import give_up, require_tool

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FOLDER: Final = Path(__file__).parent
_UNBOUNDED: Final = ("*", "+", ",}")
"""Quantifiers; a pattern without them takes a fixed time at each place."""


@dataclass(frozen=True, slots=True)
class Answer:
    """`status` is ``safe``, ``vulnerable`` or ``unknown``; `checker` says how it was found out."""

    status: str
    checker: str
    complexity: str = ""
    pumps: tuple[tuple[str, str], ...] = ()
    """Parts of a text that takes long: a beginning and a repeated part, several times."""
    suffix: str = ""


FIXED: Final = Answer("safe", "nothing repeats")


def ask(questions: Iterable[tuple[str, str]], known: dict[str, Any]) -> dict[tuple[str, str], Answer]:
    """Return the answer for each pattern with its flags; `known` are the answers of former runs, and gets new ones."""
    answers: dict[tuple[str, str], Answer] = {}
    unknown: list[tuple[str, str]] = []
    for question in dict.fromkeys(questions):
        kept = known.get(json.dumps(question))
        if not any(sign in question[0] for sign in _UNBOUNDED):
            answers[question] = FIXED
        elif kept is not None:
            answers[question] = _read(kept)
        else:
            unknown.append(question)
    for question, said in _asked(unknown):
        known[json.dumps(question)] = said
        answers[question] = _read(said)
    return answers


def version() -> str:
    """Return the version of recheck in `package.json`."""
    package: dict[str, Any] = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    return str(package["dependencies"]["recheck"])


def _asked(questions: Sequence[tuple[str, str]]) -> list[tuple[tuple[str, str], Any]]:
    if not questions:
        return []
    node = require_tool("node", "https://nodejs.org")
    problem = install_packages(FOLDER)
    if problem is not None:
        give_up(problem)
    workers = min(os.cpu_count() or 1, 8)
    with ThreadPoolExecutor(workers) as pool:
        parts = [questions[number::workers] for number in range(workers)]
        return [pair for found in pool.map(lambda part: _answers(node, part), parts) for pair in found]


def _answers(node: Path, questions: Sequence[tuple[str, str]]) -> list[tuple[tuple[str, str], Any]]:
    asked = "".join(json.dumps(question) + "\n" for question in questions)
    command = [str(node), str(FOLDER / "recheck.mjs")]
    printed = subprocess.run(command, input=asked, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    return [(question, json.loads(line)) for question, line in zip(questions, printed.splitlines(), strict=True)]


def _read(said: dict[str, Any]) -> Answer:
    pumps = tuple((pump["prefix"], pump["pump"]) for pump in said.get("pumps") or ())
    return Answer(
        said["status"], said.get("checker") or "", said.get("complexity") or "", pumps, said.get("suffix") or ""
    )
