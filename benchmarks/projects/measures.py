"""Measurements of a project: scans in a process, and the start of a server."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.stopwatch import seconds

from lsp.workbench import Workbench
from tdls.catalogue.source import all_definitions
from tdls.project.catalogue import ProjectCatalogue
from tdls.project.inputs import projects_for
from tdls.project.scanning.scanner import Scanner
from tdls.settings.model import Settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rpc.client import Json

_OPERATION = "transform.acme.unit0.step0"
_SCRIPT = f"""\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op) {{
    %inner = {_OPERATION} %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }}
}}
"""
_LONGEST_WAIT = 60.0


class Scans(NamedTuple):
    """Seconds that scans took, and how many operations were found."""

    cold: float
    warm: float
    leaf: float
    base: float
    operations: int


class Start(NamedTuple):
    """Seconds until a server knew the operations of the project, and until the slowest request was answered."""

    known: float
    longest_answer: float


def of_scans(root: Path) -> Scans:
    """Scan the project in the folder `root`, of which nothing is kept: at first, again, and after edits."""
    (project,) = (project for project in projects_for(root, Settings()) if project.root is not None)
    cold = seconds(lambda: Scanner(project).scan())
    _let_time_pass(lambda: Scanner(project).scan())
    warm = seconds(lambda: Scanner(project).known())
    scanner = Scanner(project)
    scanner.scan()
    _edit(root / "include" / "acme" / "group0" / "Unit0Ops.td")
    scanner.scan()  # earlier results are unpickled once
    _edit(root / "include" / "acme" / "group0" / "Unit0Ops.td")
    leaf = seconds(scanner.scan)
    _edit(root / "include" / "acme" / "AcmeBase.td")
    base = seconds(scanner.scan)
    found = ProjectCatalogue(root, scanner.scan())
    return Scans(cold, warm, leaf, base, sum(1 for _ in all_definitions(found.operations)))


def of_server(root: Path) -> Start:
    """Start a server in the folder `root` and ask it about an operation of the project until it knows it."""
    file = root / "script.mlir"
    with Workbench(folders=[root]) as workbench:
        begin = time.perf_counter()
        document = workbench.open(_SCRIPT, uri=file.as_uri())
        position = document.position(_SCRIPT.index(_OPERATION) + 1)
        params: Json = {"textDocument": {"uri": document.uri}, "position": position}
        longest = 0.0
        while time.perf_counter() - begin < _LONGEST_WAIT:
            sent = time.perf_counter()
            answer = workbench.client.call("textDocument/hover", params)
            longest = max(longest, time.perf_counter() - sent)
            if "Rewrites the target" in str(answer):
                break
            time.sleep(0.005)
        return Start(time.perf_counter() - begin, longest)


def _let_time_pass(scan: Callable[[], object]) -> None:
    """Scan when all files are so old that they are known to be as they were read."""
    time.sleep(2.1)
    scan()


def _edit(file: Path) -> None:
    file.write_text(file.read_text(encoding="utf-8") + "// edited\n", encoding="utf-8")
