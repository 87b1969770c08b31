"""Measurements of runs: in this process with a backend, as a process of a tool, and with a language server."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rpc.client import LanguageClient
from rpc.document import Document
from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.runs.model import RunRequest, Status
from tdls.interpreter.runs.script import Script

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.runs.samples import Sample

    from tdls.interpreter.backend import Backend

CAPABILITIES = {
    "workspace": {"textDocumentContent": {}},
    "window": {"showDocument": {"support": True}},
}
_TIMEOUT = 60.0


def of_backend(backend: Backend, sample: Sample, *, observe: bool = False) -> Callable[[], float]:
    """Return a function that runs `sample` once with `backend` and returns the seconds from request to payload."""
    request = RunRequest(Script("input.mlir", sample.text, Catalogue.shipped()), observe=observe)

    def measure() -> float:
        began = time.perf_counter()
        result = backend.run(request)
        seconds = time.perf_counter() - began
        if result.status is not Status.SUCCESS:
            raise RuntimeError(f"{sample.name}: {result.status.value} {result.diagnostics[:1]}")
        return seconds

    return measure


def of_process(program: str, folder: Path, sample: Sample) -> Callable[[], float]:
    """Return a function that runs `sample` once with a tool's process, and returns its wall time."""
    file = folder / f"{sample.name.replace(' ', '_')}.mlir"
    file.write_text(sample.text, encoding="utf-8")
    command = [program, str(file), "--transform-interpreter"]

    def measure() -> float:
        began = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
        return time.perf_counter() - began

    return measure


@contextlib.contextmanager
def of_server(sample: Sample) -> Iterator[Callable[[], float]]:
    """Yield a function that edits and runs `sample` in a language server, and returns the seconds from command to
    payload."""
    with tempfile.TemporaryDirectory() as folder, LanguageClient((sys.executable, "-m", "tdls", "server")) as client:
        file = Path(folder).resolve() / "input.mlir"
        file.write_text(sample.text, encoding="utf-8")
        client.initialize(CAPABILITIES)
        document = Document(client, file.as_uri(), sample.text)
        document.open()

        def measure() -> float:
            place = document.text.index("    transform.yield")
            document.replace(place, place, "    // one more line\n")
            return _shown(client, document.uri)

        yield measure
        client.shut_down(_TIMEOUT)


def _shown(client: LanguageClient, uri: str) -> float:
    """Run a script and ask for the payload, as an editor does that shows it."""
    began = time.perf_counter()
    command = {"command": "tdls.run", "arguments": [{"uri": uri}]}
    outcome = client.call("workspace/executeCommand", command, timeout=_TIMEOUT)
    answer = client.call("workspace/textDocumentContent", {"uri": outcome["payloadUri"]}, timeout=_TIMEOUT)
    seconds = time.perf_counter() - began
    if outcome["status"] != "success" or "tiled" not in answer["text"]:
        raise RuntimeError(f"the server ran nothing: {outcome}")
    return seconds


def alternately(count: int, *measures: Callable[[], float]) -> list[list[float]]:
    """Measure by turns, after each has warmed up, so that other load on the machine slows all."""
    for measure in measures:
        measure()
    rounds = [[measure() for measure in measures] for _ in range(count)]
    return [list(seconds) for seconds in zip(*rounds, strict=True)]
