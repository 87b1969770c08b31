"""Compares a run by tdls with one by ``mlir-opt`` on the command line."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from oracle.mlir_opt_runs import (
    ERASE_SCRIPTS,
    PAYLOAD,
    SCRIPT,
    Said,
    as_printed,
    files_of,
    library_name,
    mlir_opt,
    without_mark,
)
from oracle.run_corpus.differences import Pair
from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.observing.likely_reasons import without_likely_reasons
from tdls.interpreter.runs.model import Emit, Limits, RunRequest, Status, TextFile
from tdls.interpreter.runs.script import Script as TdlsScript
from tdls.structs import replace

if TYPE_CHECKING:
    from oracle.bindings_runs import Ran
    from oracle.run_corpus.scripts import Script
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.runs.model import RunResult

_PRINTED_OPERATION = re.compile(
    r"^\S+: note: see current operation:.*\n(?:(?!\S+:\d+:\d+: |<unknown>:).*\n)*", re.MULTILINE
)
_REPEATED_WARNING = re.compile(r"^(.*: warning: .*\n(?:(?!.*: (?:error|warning|remark|note): ).*\n)*)\1+", re.MULTILINE)
_MORE_PASSES: dict[Emit, tuple[str, ...]] = {Emit.PAYLOAD: (ERASE_SCRIPTS,), Emit.MODULE: ()}
LIMITS = Limits(seconds=60.0, memory=2 << 30, output=64 << 20)


class Expected(NamedTuple):
    """The output of ``mlir-opt`` for a script, and the texts that it emitted, none of them if it failed."""

    said: Said
    texts: dict[Emit, str]


def expected(script: Script, *emits: Emit) -> Expected:
    """Run `script` with ``mlir-opt``, once for each text that is wanted."""
    with tempfile.TemporaryDirectory() as folder:
        runs = {emit: mlir_opt(script, Path(folder), *_MORE_PASSES[emit]) for emit in emits}
    texts = {emit: run.module.rstrip("\n") for emit, run in runs.items()}
    if Emit.PAYLOAD in texts:
        texts[Emit.PAYLOAD] = without_mark(texts[Emit.PAYLOAD])
    return Expected(runs[emits[-1]], texts)


def request_of(script: Script, *emits: Emit) -> RunRequest:
    """Return the request with the effect of `oracle.mlir_opt_runs.mlir_opt`."""
    return RunRequest(
        script=_tdls_script(SCRIPT, script.text),
        payload=None if script.payload is None else TextFile(PAYLOAD, script.payload),
        entry_point=script.entry_point,
        libraries=tuple(_tdls_script(library_name(number), text) for number, text in enumerate(script.libraries)),
        options=script.options,
        emits=frozenset(emits),
        keeps_names=False,
        limits=LIMITS,
    )


def _tdls_script(name: str, text: str) -> TdlsScript:
    return TdlsScript(name, text, Catalogue.shipped())


def differences(script: Script, backend: Backend, wanted: Expected) -> dict[str, Pair]:
    """Run `script` with `backend` and return, by name, the unexpected results."""
    result = backend.run(request_of(script, *wanted.texts))
    said, of_mlir = wanted.said, without_likely_reasons(result.diagnostics)
    pairs = {
        "status": Pair(_verdict(result), "success" if said.code == 0 else "failure"),
        **{emit.value: Pair(result.texts.get(emit, "").rstrip("\n"), text) for emit, text in wanted.texts.items()},
        "printed": Pair(result.printed, said.printed),
        "diagnostics": Pair(*map(_plain, (as_printed(of_mlir, files_of(script)), said.diagnostics))),
    }
    return {name: pair for name, pair in pairs.items() if pair.ours != pair.theirs}


def differences_from_python(script: Script, backend: Backend, wanted: Ran | None) -> dict[str, Pair]:
    """Do the same with the result of a program in Python for `script`; None is for a crash."""
    result = backend.run(request_of(script, Emit.MODULE))
    if wanted is None:
        return {} if result.status is Status.CRASH else {"status": Pair(_verdict(result), "crash")}
    files = files_of(script)
    pairs = {
        "module": Pair(result.texts.get(Emit.MODULE, "").rstrip("\n"), wanted.module.rstrip("\n")),
        "diagnostics": Pair(
            _plain(as_printed(without_likely_reasons(result.diagnostics), files)),
            _plain(as_printed(wanted.diagnostics, files)),
        ),
    }
    return {name: pair for name, pair in pairs.items() if pair.ours != pair.theirs}


def differences_when_observed(script: Script, backend: Backend) -> dict[str, Pair]:
    """Run `script` with `backend` with and without collecting the payload of handles, and do the same with the two."""
    request = request_of(script, Emit.MODULE, Emit.PAYLOAD)
    plain, observed = backend.run(request), backend.run(replace(request, observe=True))
    pairs = {
        "status": Pair(observed.status.value, plain.status.value),
        "texts": Pair("".join(observed.texts.values()), "".join(plain.texts.values())),
        "printed": Pair(observed.printed, plain.printed),
        "diagnostics": Pair("\n".join(map(str, observed.diagnostics)), "\n".join(map(str, plain.diagnostics))),
    }
    return {name: pair for name, pair in pairs.items() if pair.ours != pair.theirs}


def _verdict(result: RunResult) -> str:
    return "failure" if result.status is Status.INVALID else result.status.value


def _plain(text: str) -> str:
    """Leave out the blanks that some messages end with, repetitions of warnings, and printed operations.

    How often MLIR repeats a warning depends on how often it verifies a module. tdls leaves out operations that repeat
    the text.
    """
    lines = "".join(f"{line.rstrip()}\n" for line in text.splitlines() if line.strip())
    return _REPEATED_WARNING.sub(r"\1", _PRINTED_OPERATION.sub("", lines))
