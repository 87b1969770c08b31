"""Edits scripts with payload at random in a server that runs them by itself, and counts the leftovers of these runs.

Usage, from the folder `tests`: ``python -m soak.live --minutes 30``. Bursts of edits cancel runs at any moment; after
each burst there is a pause in which a run begins, and sometimes one in which it ends. At checkpoints, with all
documents closed, the server may have no more processes, descriptors and temporary files than at the first three;
after its end, none. Exits with 1 where something is left, or the server writes errors to standard error.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

import psutil

sys.path.append(str(Path(__file__).resolve().parents[2] / "tools"))

from oracle.failures import script_of
from rpc.client import LanguageClient
from rpc.document import Document, Inbox
from soak.edits import Editor
from soak.session import CAPABILITIES, WITHOUT_PROJECT

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARK = "TDLS_LIVE_SOAK"
"""The environment variable that every process of the server inherits."""
_DOCUMENTS = 3
_BURSTS = 40
"""Number of bursts of edits between two checkpoints."""
_WARM = 3
"""Number of first checkpoints whose maxima are not to be exceeded."""
_REST = 8.0
"""Seconds after which nothing may be left of a run: runs of the server last at most five."""


class Left(NamedTuple):
    """Resources of a server at a moment."""

    processes: int
    descriptors: int
    files: int
    memory: int


class LiveSession:
    """A server, and documents in a trusted folder; a context manager."""

    def __init__(self, folder: Path, random: Random) -> None:
        self.problems: list[str] = []
        self.edits = 0
        self.runs = 0
        """Publications with a finding of a run, which are fewer than the runs."""
        self._random = random
        self._mark = str(uuid4())
        self._temporary = folder / "temporary"
        self._workspace = folder / "workspace"
        for path in (self._temporary, self._workspace):
            path.mkdir()
        environment = {**os.environ, _MARK: self._mark, "TMPDIR": str(self._temporary)}
        command = [sys.executable, "-m", "tdls", "server"]
        self._client = LanguageClient(command, folder=self._workspace, environment=environment)
        self._inbox = Inbox(self._client)
        self._client.settings = WITHOUT_PROJECT
        folders = [{"uri": self._workspace.as_uri(), "name": "workspace"}]
        options = {"tdls": {"trust-workspace": True}}
        self._client.initialize(CAPABILITIES, workspaceFolders=folders, initializationOptions=options)

    def __enter__(self) -> LiveSession:
        return self

    def __exit__(self, *_: object) -> None:
        with self._client:
            if self._client.process.poll() is None:
                self._client.shut_down()
        time.sleep(2)
        for process in self._processes():
            self.problems.append(f"left after the end: process {process.pid} {' '.join(process.cmdline())[:200]}")
        self.problems += [f"left after the end: {path}" for path in self._temporary.iterdir()]
        complaints = self._client.stderr.decode()
        if "Traceback" in complaints or "ERROR" in complaints:
            self.problems.append(f"standard error: {complaints[-4000:]}")

    def work(self) -> None:
        """Open documents, edit them in bursts, and close them."""
        documents = []
        for number in range(_DOCUMENTS):
            uri = (self._workspace / f"script{number}.mlir").as_uri()
            documents.append(Document(self._client, uri, script_of(self._random.randrange(1 << 30))))
            documents[-1].open()
        editors = {
            document.uri: Editor(self._random, [document.text for document in documents]) for document in documents
        }
        first = {document.uri: document.text for document in documents}
        known = {document.uri: len(self._inbox.publications(document.uri)) for document in documents}
        for _ in range(_BURSTS):
            document = self._random.choice(documents)
            for _ in range(self._random.choice((1, 1, 2, 5))):
                document.change([editors[document.uri].next_edit(document.text)])
                self.edits += 1
                time.sleep(self._random.choice((0.0, 0.05, 0.1)))
            if self._random.random() < 0.5:
                while (undone := editors[document.uri].undo()) is not None:
                    document.change([undone])
                if document.text != first[document.uri]:
                    document.replace(0, len(document.text), first[document.uri])
            time.sleep(self._random.choice((0.3, 0.42, 0.45, 0.5, 0.6, 1.5)))
        for document in documents:
            published = self._inbox.publications(document.uri)[known[document.uri] :]
            self.runs += sum(any(each.get("source") == "tdls run" for each in it.diagnostics) for it in published)
            document.close()

    def left(self) -> Left:
        """Return the server's resources after a rest."""
        time.sleep(_REST)
        processes = list(self._processes())
        server = psutil.Process(self._client.process.pid)
        files = sum(1 for _ in self._temporary.rglob("*"))
        return Left(len(processes), server.num_fds(), files, server.memory_info().rss)

    def _processes(self) -> Iterator[psutil.Process]:
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                if process.environ().get(_MARK) == self._mark and process.status() != psutil.STATUS_ZOMBIE:
                    yield process


def main() -> int:
    """Work for the given time, and print the server's resources at each checkpoint."""
    parser = argparse.ArgumentParser(prog="python -m soak.live", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, LiveSession(Path(folder), Random(options.seed)) as session:
        most: dict[str, int] = {}
        for checkpoint in itertools.count():
            session.work()
            left = session.left()
            seconds = time.monotonic() - began
            print(f"{seconds:6.0f} s, {session.edits} edits, {session.runs} publications of runs: {left}", flush=True)
            for name, count in left._asdict().items():
                if checkpoint < _WARM:
                    most[name] = max(count, most.get(name, 0))
                elif name != "memory" and count > most[name]:
                    session.problems.append(f"{count} {name} instead of {most[name]}")
            if seconds > 60 * options.minutes:
                break
    print(f"{session.edits} edits, {session.runs} publications of runs")
    for problem in session.problems:
        print(f"problem: {problem}")
    return 1 if session.problems else 0


if __name__ == "__main__":
    sys.exit(main())
