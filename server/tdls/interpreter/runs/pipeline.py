"""The MLIR passes that run a script, spelled as pass pipelines."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.interpreter.runs.model import RunRequest


def preload_pass(libraries: Sequence[str]) -> tuple[str, str]:
    """Return name and options of the pass that preloads `libraries`: paths without blanks, commas or brackets."""
    return "transform-preload-library", f"transform-library-paths={','.join(libraries)}"


def interpreter_pass(entry_point: str, options: Iterable[Sequence[str]]) -> tuple[str, str]:
    """Return name and options of the pass that interprets the named sequence `entry_point`."""
    spelled = [f"entry-point={entry_point}", *(f"{name}={value}" for name, value in options)]
    return "transform-interpreter", " ".join(spelled)


def module_pipeline(passes: Iterable[tuple[str, str]]) -> str:
    """Return the pipeline that runs `passes`, pairs of name and options, over a module."""
    return f"builtin.module({','.join(f'{name}{{{options}}}' for name, options in passes)})"


def reproduction(request: RunRequest) -> str:
    """Return the ``mlir-opt`` command that corresponds to `request`, provided that its texts are files."""
    libraries = [library.name for library in request.preloaded]
    preload = [preload_pass(libraries)] if libraries else []
    pipeline = module_pipeline([*preload, interpreter_pass(request.entry_point, request.options)])
    split = ["--split-input-file"] if request.part else []
    return shlex.join(
        ["mlir-opt", request.root.name, "--allow-unregistered-dialect", *split, f"--pass-pipeline={pipeline}"]
    )
