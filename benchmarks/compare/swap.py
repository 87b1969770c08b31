"""Measures a server while a definition changes that a large open script uses."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.lsp.documents import script_only
from benchmarks.lsp.measures import type_letter
from benchmarks.lsp.servers import session
from benchmarks.projects.samples import write_project

from rpc.client import ResponseError
from rpc.document import line_and_start

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.lsp.servers import Server, Session

    from rpc.client import Json

_OPERATION = "transform.acme.unit0.step0"
_USE = f"""\
  transform.named_sequence @of_the_project(%target: !transform.any_op {{transform.consumed}}) {{
    %inner = {_OPERATION} %target : (!transform.any_op) -> !transform.any_op
    transform.annotate %inner "seen" : !transform.any_op
    transform.yield
  }}
}}
"""
_BEFORE, _AFTER = "Rewrites the target with strategy 0", "Lowers the target with strategy 0"
_AFTERWARDS = 1.0
"""Seconds of further requests once the server has the new definition: it may read everything else again then."""
_LONGEST_WAIT = 60.0
_CHANGED = 2
_ASK_AGAIN = -32801
"""`ContentModified`."""
_PAUSE = 0.01


class Swap(NamedTuple):
    """Seconds from an edit of TableGen until its operation was known as it is then, and of the slowest answers."""

    known: float
    slowest_hover: float
    slowest_letter: float


def swap_catalogue(server: Server, megabytes: float, folder: Path) -> Swap:
    """Open a script of that size in a project that is made in `folder`, and edit the project's TableGen.

    Raises TimeoutError if hovers never show the project's definition.
    """
    write_project(folder, tablegen_files=2, cpp_files=1)
    sample = script_only(megabytes)
    text = sample.text.removesuffix("}\n") + _USE
    with session(server, text, folder) as opened:
        opened.document.open()
        _wait_for(opened, _BEFORE)
        opened.wait_until_quiet()
        definitions = next(folder.rglob("Unit0Ops.td"))
        definitions.write_text(definitions.read_text(encoding="utf-8").replace(_BEFORE, _AFTER), encoding="utf-8")
        change = {"uri": definitions.as_uri(), "type": _CHANGED}
        began = opened.client.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
        return _ask(opened, sample.script_place, began)


def _ask(opened: Session, place: int, began: float) -> Swap:
    known, slowest_hover, slowest_letter = 0.0, 0.0, 0.0
    while not known or time.perf_counter() - began < known + _AFTERWARDS:
        answer, seconds = _hover(opened)
        slowest_hover = max(slowest_hover, seconds)
        if not known and _AFTER in answer:
            known = time.perf_counter() - began
        slowest_letter = max(slowest_letter, type_letter(opened, place))
        _give_up_after(began)
    return Swap(known, slowest_hover, slowest_letter)


def _wait_for(opened: Session, words: str) -> None:
    began = time.perf_counter()
    while words not in _hover(opened)[0]:
        time.sleep(0.05)
        _give_up_after(began)


def _give_up_after(began: float) -> None:
    if time.perf_counter() - began > _LONGEST_WAIT:
        raise TimeoutError("the project's operation did not become known")


def _hover(opened: Session) -> tuple[str, float]:
    """Ask about the project's operation until there is an answer, and return that and the time of all requests."""
    line, start = line_and_start(opened.document.text, opened.document.text.index(_OPERATION))
    offset = opened.document.text.index(_OPERATION) + 1 - start
    position: Json = {"line": line, "character": offset}
    params: Json = {"textDocument": opened.document.identifier, "position": position}
    began = time.perf_counter()
    while True:
        try:
            return str(opened.client.call("textDocument/hover", params)), time.perf_counter() - began
        except ResponseError as error:  # noqa: PERF203 - it waits for the error
            if error.code != _ASK_AGAIN:
                raise
            time.sleep(_PAUSE)
