"""The outside tools that tests compare tdls with, and the editors that they drive.

Where a tool is missing, the test that needs it is skipped with the reason; in continuous integration (``CI=true``)
it fails, so that a comparison cannot vanish unnoticed.
"""

from __future__ import annotations

import importlib
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

if TYPE_CHECKING:
    from types import ModuleType


def require_mlir_opt(major: int) -> Path:
    """Return ``mlir-opt`` of LLVM `major`."""
    return require_tool(f"mlir-opt-{major}", f"Debian package mlir-{major}-tools")


def require_editor(program: str, package: str) -> Path:
    """Return an editor's program, which Debian has in `package`."""
    return require_tool(program, f"Debian package {package}")


def require_tool(name: str, origin: str) -> Path:
    """Return the program `name` of the search path; `origin` is the advice for installing it in the message."""
    found = shutil.which(name)
    if found is None:
        give_up(f"{name} is not installed ({origin})")
    return Path(found)


def require_module(name: str) -> ModuleType:
    """Return a module of a Python package of its name."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        give_up(f"{name} is not installed (pip install '.[dev]'): {error}")


def require_bindings() -> ModuleType:
    """Return the package with MLIR's Python bindings (``.ir``, ``.passmanager``, ``.dialects.transform``)."""
    try:
        importlib.import_module("torch_mlir.ir")
    except ImportError as error:
        give_up(f"MLIR's Python bindings are not installed (pip install torch-mlir): {error}")
    return importlib.import_module("torch_mlir")


def give_up(reason: str) -> NoReturn:
    """Skip the running test, or fail it in continuous integration."""
    if os.environ.get("CI", "").lower() in {"1", "true", "yes"}:
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)
