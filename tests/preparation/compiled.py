"""tdls as a wheel with compiled modules has it, which tests find ahead of the checkout's."""

from __future__ import annotations

import hashlib
import os
import shutil
from typing import TYPE_CHECKING

from preparation.commands import ROOT, run, say
from preparation.environment import ENVIRONMENT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from preparation.environment import Environment

INSTALLED = ENVIRONMENT / "compiled"
_WHEELS = ENVIRONMENT / "wheels"
_STAMP = INSTALLED / "tdls-made-of.txt"
_ASKED_FOR = "HATCH_BUILD_HOOK_ENABLE_CUSTOM"


def prepare_compiled(environment: Environment) -> str | None:
    """Build the wheel and install it where tests look first, unless that is done; return what went wrong."""
    made_of = _fingerprint()
    if _STAMP.exists() and _STAMP.read_text(encoding="utf-8") == made_of:
        say(f"{INSTALLED} is up to date")
        return None
    for folder in (INSTALLED, _WHEELS):
        shutil.rmtree(folder, ignore_errors=True)
    pip = [environment.python, "-m", "pip", "-q", "--disable-pip-version-check"]
    if run([*pip, "wheel", "--no-deps", "-w", str(_WHEELS), str(ROOT)], {**os.environ, _ASKED_FOR: "1"}) != 0:
        return "the compiled wheel could not be built; see pip's message above"
    wheels = [str(path) for path in _WHEELS.glob("*.whl")]
    if run([*pip, "install", "--no-deps", "--target", str(INSTALLED), *wheels]) != 0:
        return "the compiled wheel could not be installed; see pip's message above"
    _STAMP.write_text(made_of, encoding="utf-8")
    return None


def variables() -> dict[str, str]:
    """Return the variables with which Python finds the compiled tdls first."""
    return {"PYTHONPATH": str(INSTALLED)}


def _fingerprint() -> str:
    """Return what stands for all that the wheel is made of."""
    content = hashlib.sha256()
    for path in sorted(_sources()):
        content.update(f"{path.relative_to(ROOT).as_posix()}\0".encode())
        content.update(path.read_bytes())
    return content.hexdigest()


def _sources() -> Iterator[Path]:
    yield ROOT / "pyproject.toml"
    for folder in ("server", "grammar", "tools/compiling"):
        yield from (path for path in (ROOT / folder).rglob("*") if path.is_file() and path.suffix != ".pyc")
