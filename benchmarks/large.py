"""Measure payload of the size of models: ``python -m benchmarks.large [--rounds N]``, from the root of a checkout.

The files are generated: layers of a neural network whose weights are blobs, hexadecimal literals or lists of numbers,
and functions of many operations. Each is checked by tdls and read by ``mlir-opt-22`` in turn, as whole processes, with
the processor time and the memory of each; medians count. Exits with 1 when a target was missed.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from benchmarks.lsp.servers import REFERENCE, Server, session, this_tdls
from benchmarks.starting import Times, until_end

from rpc.memory import resident_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MLIR_OPT = "mlir-opt-22"
SIZE = 512
"""Rows and columns of each matrix of weights."""
_SAME = "affine_map<(d0, d1) -> (d0, d1)>"
_SHAPE = f"tensor<{SIZE}x{SIZE}xf32>"
_SMALL_LAYERS, _LARGE_LAYERS, _LISTED_LAYERS = 10, 95, 5
_LAYERS_OF_FUNCTIONS, _FUNCTIONS = 11_000, 110


class Sample(NamedTuple):
    """A file, and how many times the processor time and the memory of `MLIR_OPT` its check may take."""

    name: str
    write: Callable[[], Iterator[str]]
    time: float
    memory: float


def main() -> int:
    """Write the files, measure, print a table, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="how often each is measured (default: %(default)s)")
    parser.add_argument("--only", metavar="WORD", default="", help="only files with this word in their names")
    parser.add_argument("--editor", action="store_true", help="measure servers of editors, not checks")
    parser.add_argument("--folder", type=Path, help="where to keep the files (default: they are deleted)")
    options = parser.parse_args()
    if shutil.which(MLIR_OPT) is None:
        sys.exit(f"{MLIR_OPT} is not installed")
    with tempfile.TemporaryDirectory() as name:
        folder = options.folder or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        measure = _measure_editor if options.editor else _measure
        missed = [
            measure(sample, folder / f"{sample.name.replace(' ', '_')}.mlir", options.rounds)
            for sample in SAMPLES
            if options.only in sample.name
        ]
    print(f"{sum(missed)} targets missed")
    return 1 if any(missed) else 0


def _measure(sample: Sample, file: Path, rounds: int) -> int:
    """Measure one file, print its row, and return the number of targets missed: both if tdls does not check it."""
    _write(sample, file)
    tdls = [sys.executable, "-m", "tdls", "--check", "--payload", "--no-cache", str(file)]
    taken: list[tuple[Times, Times]] = []
    for _ in range(rounds):
        reference = until_end([MLIR_OPT, str(file), "-o", os.devnull])
        try:
            taken.append((reference, until_end(tdls)))
        except SystemExit as error:
            print(f"{sample.name:28}{file.stat().st_size / 1e6:7.1f} MB  not checked: {error}", flush=True)
            return 2
    theirs, ours = (Times(*map(median, zip(*each, strict=True))) for each in zip(*taken, strict=True))
    time, memory = ours.processor / theirs.processor, ours.memory / theirs.memory
    print(
        f"{sample.name:28}{file.stat().st_size / 1e6:7.1f} MB"
        f"{theirs.processor / 1000:8.2f} s{theirs.memory:6.0f} MiB{ours.processor / 1000:8.2f} s{ours.memory:6.0f} MiB"
        f"{time:7.1f} times (at most {sample.time:g}){memory:6.2f} times the memory (at most {sample.memory:g})",
        flush=True,
    )
    return (time > sample.time) + (memory > sample.memory)


def _write(sample: Sample, file: Path) -> None:
    if not file.exists():
        with file.open("w", encoding="utf-8") as stream:
            stream.writelines(sample.write())


def _measure_editor(sample: Sample, file: Path, rounds: int) -> int:
    """Measure the servers of editors on one file, print a row for each, and return the number of targets missed."""
    _write(sample, file)
    text = file.read_text(encoding="utf-8")
    ours, theirs = (_edited(server, text, rounds) for server in (this_tdls(), Server(REFERENCE, (REFERENCE,))))
    for name, edited in (("tdls", ours), (REFERENCE, theirs)):
        print(
            f"{sample.name:28}{name:20}{edited.first:7.2f} s to findings{edited.mistake * 1000:8.0f} ms to a mistake"
            f"{edited.hover * 1000:7.0f} ms hover{edited.completion * 1000:7.0f} ms completion{edited.memory:6.0f} MiB",
            flush=True,
        )
    return (
        (ours.first > FIRST)
        + (ours.mistake > min(MISTAKE, theirs.mistake))
        + (ours.hover > ANSWER)
        + (ours.completion > ANSWER)
    )


FIRST, MISTAKE, ANSWER = 3.0, 0.3, 0.2
"""Most seconds to the first findings, to the finding of a mistake, and to an answer."""


class Edited(NamedTuple):
    """Seconds of a server: to its first findings, to that of a mistake, to answers; `inf` without one; and its MiB."""

    first: float
    mistake: float
    hover: float
    completion: float
    memory: float


def _edited(server: Server, text: str, rounds: int) -> Edited:
    place = text.rindex("%positive : f32") + len("%positive")
    line = text.count("\n", 0, place)
    with session(server, text) as opened:
        document, inbox, client = opened.document, opened.inbox, opened.client
        began = document.open()
        first = inbox.wait_for(document.uri, lambda _: True, timeout=600).received_at - began
        opened.wait_until_quiet()
        answers = []
        for method in ("textDocument/hover", "textDocument/completion"):
            pending = client.request(method, document.at(place - 1))
            answers.append(pending.seconds if pending.result(600) else math.inf)
        mistakes: list[float] = []
        try:
            for number in range(2 * rounds):
                is_mistake = number % 2 == 0
                began = document.replace(place, place + (not is_mistake), "x" if is_mistake else "")
                found = opened.found(document.version, partial(_is_settled, line, is_mistake))
                mistakes.append(found.received_at - began)
        except TimeoutError:
            mistakes = [math.inf]
        return Edited(first, median(mistakes), answers[0], answers[1], resident_bytes(client.process.pid) / 2**20)


def _is_settled(line: int, is_mistake: bool, lines: set[int]) -> bool:
    return (line in lines) is is_mistake


def blobs(layers: int) -> Iterator[str]:
    """Write weights as blobs at the end of the file."""
    yield from network(layers, lambda number: f"dense_resource<weights_{number}>")
    generator = random.Random(72)
    yield "\n{-#\n  dialect_resources: {\n    builtin: {\n"
    for number in range(layers):
        yield f'      weights_{number}: "0x04000000{_hexadecimal(generator)}"{"," * (number < layers - 1)}\n'
    yield "    }\n  }\n#-}\n"


def hexadecimal(layers: int) -> Iterator[str]:
    """Write weights as strings of hexadecimal digits."""
    generator = random.Random(72)
    yield from network(layers, lambda _: f'dense<"0x{_hexadecimal(generator)}">')


def lists(layers: int) -> Iterator[str]:
    """Write weights as lists of numbers."""
    generator = random.Random(72)

    def weights(_: int) -> str:
        rows = (", ".join(f"{generator.uniform(-1, 1):e}" for _ in range(SIZE)) for _ in range(SIZE))
        return f"dense<[{', '.join(f'[{row}]' for row in rows)}]>"

    yield from network(layers, weights)


def functions(count: int) -> Iterator[str]:
    """Write 99,000 operations in `count` functions."""
    for number in range(count):
        yield from network(_LAYERS_OF_FUNCTIONS // count, lambda layer: f"dense<{layer}.5>", f"network_{number}")


def everything() -> Iterator[str]:
    """Write functions of 100,000 operations, and a network with blobs."""
    yield from functions(_FUNCTIONS)
    yield from blobs(_LARGE_LAYERS)


def network(layers: int, weights: Callable[[int], str], name: str = "network") -> Iterator[str]:
    """Write a function that multiplies its input with the weights of each layer in turn: nine operations a layer."""
    yield f"func.func @{name}(%layer_0: {_SHAPE}) -> {_SHAPE} {{\n"
    for number in range(layers):
        yield f"  %weights_{number} = arith.constant {weights(number)} : {_SHAPE}\n"
        ins, outs = f"%layer_{number}, %weights_{number} : {_SHAPE}, {_SHAPE}", f"%filled_{number} : {_SHAPE}"
        maps = f'{{indexing_maps = [{_SAME}, {_SAME}], iterator_types = ["parallel", "parallel"]}}'
        generic = f"{maps} ins(%product_{number} : {_SHAPE}) outs(%out_{number} : {_SHAPE})"
        yield f"""\
  %zero_{number} = arith.constant 0.000000e+00 : f32
  %empty_{number} = tensor.empty() : {_SHAPE}
  %filled_{number} = linalg.fill ins(%zero_{number} : f32) outs(%empty_{number} : {_SHAPE}) -> {_SHAPE}
  %product_{number} = linalg.matmul ins({ins}) outs({outs}) -> {_SHAPE}
  %out_{number} = tensor.empty() : {_SHAPE}
  %layer_{number + 1} = linalg.generic {generic} {{
  ^bb0(%in: f32, %before: f32):
    %positive = arith.maximumf %in, %zero_{number} : f32
    linalg.yield %positive : f32
  }} -> {_SHAPE}
"""
    yield f"  return %layer_{layers} : {_SHAPE}\n}}\n"


def _hexadecimal(generator: random.Random) -> str:
    """Return the bytes of a matrix as digits; the two highest bits of each number are clear, so that none is a NaN."""
    words = memoryview(generator.randbytes(4 * SIZE * SIZE)).cast("I")
    return b"".join((word & 0x3FFFFFFF).to_bytes(4, "little") for word in words).hex().upper()


SAMPLES = (
    Sample("blobs", lambda: blobs(_SMALL_LAYERS), 6, 1.2),
    Sample("hexadecimal literals", lambda: hexadecimal(_SMALL_LAYERS), 6, 1.2),
    Sample("lists of numbers", lambda: lists(_LISTED_LAYERS), 3, 1.5),
    Sample(f"{_FUNCTIONS} functions", lambda: functions(_FUNCTIONS), 6, 1.5),
    Sample("one function", lambda: functions(1), 6, 1.5),
    Sample("large blobs", lambda: blobs(_LARGE_LAYERS), 3, 1.2),
    Sample("large hexadecimal literals", lambda: hexadecimal(_LARGE_LAYERS), 3, 1.2),
    Sample("large, all kinds", everything, 6, 1.5),
)


if __name__ == "__main__":
    sys.exit(main())
