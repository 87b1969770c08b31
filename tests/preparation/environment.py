"""The Python environment ``.venv`` of the checkout, which all tests use."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from preparation.commands import ROOT, answer, run, say

ENVIRONMENT = ROOT / ".venv"
LOCK = ROOT / ".venv.lock"
_PROBE = """\
import importlib.util, json, tdls
print(json.dumps([tdls.__file__, importlib.util.find_spec("torch_mlir") is not None]))
"""


@dataclass(frozen=True)
class Environment:
    """A virtual environment for a checkout of tdls; `folder` need not exist yet."""

    folder: Path
    checkout: Path

    @property
    def scripts(self) -> Path:
        """The folder with its programs."""
        return self.folder / ("Scripts" if os.name == "nt" else "bin")

    @property
    def python(self) -> str:
        """Its Python."""
        return str(self.scripts / ("python.exe" if os.name == "nt" else "python"))

    @property
    def _stamp(self) -> Path:
        return self.folder / "tdls-set-up.txt"

    @property
    def fingerprint(self) -> str:
        """Version of its Python and hash of the checkout's requirements: another one needs a new environment."""
        return f"{sys.version} {hashlib.sha256((self.checkout / 'pyproject.toml').read_bytes()).hexdigest()}"

    def prepare(self, *, needs_mlir: bool) -> str | None:
        """Prepare the environment, and return the problem, if there is one.

        The stamp that says so is written last: an interrupted installation begins anew. Without `needs_mlir`, an
        environment without MLIR's bindings will do where none can be installed.
        """
        has_mlir = self.has_mlir()
        if has_mlir is None:
            problem = self._create() or self._install_project(needs_mlir=needs_mlir)
        elif needs_mlir and not has_mlir:
            problem = self._install_project(needs_mlir=True)
        else:
            say(f"{self.folder} is up to date (delete it to start afresh)")
            return None
        if problem is None:
            self._stamp.write_text(self.fingerprint, encoding="utf-8")
        return problem

    def has_mlir(self) -> bool | None:
        """Whether it has MLIR's bindings, None where it is not complete, or not for this checkout and Python."""
        try:
            if self._stamp.read_text(encoding="utf-8") != self.fingerprint:
                return None
        except OSError:
            return None
        probed = answer([self.python, "-I", "-c", _PROBE])
        if probed is None:
            return None
        place, has_mlir = json.loads(probed)
        ours = self.checkout / "server" / "tdls" / "__init__.py"
        return bool(has_mlir) if Path(place).resolve() == ours.resolve() else None

    def _create(self) -> str | None:
        self._stamp.unlink(missing_ok=True)
        if run([sys.executable, "-m", "venv", "--clear", str(self.folder)]) == 0:
            return None
        return how_to_get_venv()

    def _install_project(self, *, needs_mlir: bool) -> str | None:
        """Install tdls, editable, with every extra."""
        if self._install(".[dev,mlir]"):
            return None
        if needs_mlir:
            return "pip could not install .[dev,mlir]; see its message above"
        say("no MLIR wheel could be installed here: tests that ask MLIR's Python bindings will be skipped")
        return None if self._install(".[dev]") else "pip could not install .[dev]; see its message above"

    def _install(self, requirement: str) -> bool:
        command = [self.python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        return any(run([*command, "-e", requirement]) == 0 for _ in range(2))


def how_to_get_venv() -> str:
    """Return advice for a Python that cannot create environments."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return (
        f"{sys.executable} cannot create environments; on Debian or Ubuntu install python{version}-venv "
        "(apt-get install python3-venv), elsewhere use a Python from https://www.python.org/downloads/"
    )
