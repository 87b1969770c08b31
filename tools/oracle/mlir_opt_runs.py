"""Runs scripts with ``mlir-opt`` as people do on the command line, and writes diagnostics as it does."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle.tools import mlir_opt as tool_of_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from oracle.run_corpus.scripts import Script
    from tdls.interpreter.runs.model import RunDiagnostic

SCRIPT = "script.mlir"
PAYLOAD = "payload.mlir"
ERASE_SCRIPTS = "test-transform-dialect-erase-schedule"
"""A pass that only the tests of MLIR have: it erases transform operations."""
_UNREGISTERED = "--allow-unregistered-dialect"
_MARK = re.compile(r"transform\.with_named_sequence(, )?")
_EMPTY_ATTRIBUTES = re.compile(r"^(\s*module.*) attributes \{\}", re.MULTILINE)
_LLVM = 22
_TIME_LIMIT = 30.0
_TAB = 8


@dataclass(frozen=True)
class Said:
    """The output of ``mlir-opt``: `module` is "" unless it succeeded, `diagnostics` are as it printed them."""

    code: int
    module: str
    printed: str
    diagnostics: str


def files_of(script: Script) -> dict[str, str]:
    """Return the texts of `script` by the names of their files."""
    files = {SCRIPT: script.text}
    if script.payload is not None:
        files[PAYLOAD] = script.payload
    return {**files, **{library_name(number): text for number, text in enumerate(script.libraries)}}


def library_name(number: int) -> str:
    """Return the name of the file of a library."""
    return f"library{number}.mlir"


def mlir_opt(script: Script, folder: Path, *more_passes: str) -> Said:
    """Run `script` in the empty or used `folder`, then other passes."""
    return _run(script, folder, [*_arguments(script), *(f"--{name}" for name in more_passes)])


def payload_before(script: Script, folder: Path) -> str:
    """Return the payload of `script`, without scripts, as ``mlir-opt`` prints it."""
    return without_mark(_run(script, folder, [_root(script), _UNREGISTERED, f"--{ERASE_SCRIPTS}"]).module)


def _run(script: Script, folder: Path, arguments: Sequence[str]) -> Said:
    for name, text in files_of(script).items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    output = folder / "output.mlir"
    output.unlink(missing_ok=True)
    done = subprocess.run(
        [_tool(), *arguments, "-o", output.name],
        capture_output=True,
        check=False,
        cwd=folder,
        timeout=_TIME_LIMIT,
    )
    return Said(
        code=done.returncode,
        module=output.read_text(encoding="utf-8") if output.exists() else "",
        printed=done.stdout.decode(),
        diagnostics=done.stderr.decode(),
    )


def _tool() -> Path:
    found = tool_of_version(_LLVM)
    if found is None:
        raise FileNotFoundError(f"no mlir-opt-{_LLVM} found: install Debian's mlir-{_LLVM}-tools")
    return found


def _root(script: Script) -> str:
    return SCRIPT if script.payload is None else PAYLOAD


def _arguments(script: Script) -> list[str]:
    libraries = [library_name(number) for number in range(len(script.libraries))]
    if script.payload is not None:
        libraries.insert(0, SCRIPT)
    options = " ".join([f"entry-point={script.entry_point}", *(f"{key}={value}" for key, value in script.options)])
    return [
        _root(script),
        _UNREGISTERED,
        *([f"--transform-preload-library=transform-library-paths={','.join(libraries)}"] if libraries else []),
        f"--transform-interpreter={options}",
    ]


def without_mark(module: str) -> str:
    """Return `module` as it is printed where nothing says that it holds scripts."""
    return _EMPTY_ATTRIBUTES.sub(r"\1", _MARK.sub("", module))


def as_printed(diagnostics: Iterable[RunDiagnostic], texts: Mapping[str, str]) -> str:
    """Write `diagnostics` with lines of `texts`, as SourceMgrDiagnosticHandler of mlir/lib/IR/Diagnostics.cpp does."""
    pieces: list[str] = []
    for diagnostic in diagnostics:
        pieces += _one(diagnostic, texts, shows_source=True)
        place = _place(diagnostic)
        for note in diagnostic.notes:
            pieces += _one(note, texts, shows_source=_place(note) != place)
            place = _place(note)
    return "".join(pieces)


def _place(diagnostic: RunDiagnostic) -> tuple[str | None, int, int]:
    return diagnostic.file, diagnostic.line, diagnostic.column


def _one(diagnostic: RunDiagnostic, texts: Mapping[str, str], *, shows_source: bool) -> list[str]:
    message = f"{diagnostic.level.value}: {diagnostic.message}\n"
    if diagnostic.file is None:
        return [f"<unknown>:0: {message}"]
    head = f"{diagnostic.file}:{diagnostic.line}:{diagnostic.column}: {message}"
    lines = texts[diagnostic.file].split("\n") if diagnostic.file in texts else []
    if not shows_source or not 0 < diagnostic.line <= len(lines):
        return [head]
    source = lines[diagnostic.line - 1]
    if not source.isascii():
        return [head, f"{source}\n"]
    before = source[: diagnostic.column - 1].expandtabs(_TAB)
    return [head, f"{source.expandtabs(_TAB)}\n", f"{' ' * len(before)}^\n"]
