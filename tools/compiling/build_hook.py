"""Puts compiled modules into a wheel where ``HATCH_BUILD_HOOK_ENABLE_CUSTOM=1`` asks for that.

`pyproject.toml` says which modules. They are the same source, and stay in the wheel beside what mypyc makes of them.
All happens in a copy of the source, so that nothing compiled is ever left in a checkout. Without the variable, this is
not even read.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.append(str(Path(__file__).parents[1]))

from compiling.constants import with_final_constants
from compiling.field_types import missing_types

_SOURCE = "server"
_COMPILER = "mypyc_extensions.py"
_EXTENSIONS = (".so", ".pyd")


class CompilingHook(BuildHookInterface):  # type: ignore[type-arg]
    """What hatchling calls before it makes a wheel, and after that."""

    PLUGIN_NAME = "custom"
    _folder: tempfile.TemporaryDirectory[str] | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and say what is to go into the wheel; an editable installation has nothing compiled in it."""
        if version == "editable":
            return
        root = Path(self.root)
        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name).resolve()
        shutil.copytree(root / _SOURCE, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        _compile(folder, root, self.config["modules"], self.config.get("without", ()))
        compiled = [path for path in folder.rglob("*") if path.suffix in _EXTENSIONS]
        build_data["force_include"].update({str(path): path.relative_to(folder).as_posix() for path in compiled})
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled."""
        del version, build_data, artifact_path
        if self._folder is not None:
            self._folder.cleanup()


def _compile(folder: Path, root: Path, included: list[str], excluded: list[str]) -> None:
    """Put compiled modules beside those of the patterns `included` in `folder`."""
    left_out = {path for pattern in excluded for path in folder.glob(pattern)}
    modules = sorted({path for pattern in included for path in folder.glob(pattern)} - left_out)
    missing = [f"{path.name}: {field}" for path in modules for field in missing_types(path.read_text("utf-8"))]
    if missing:
        raise RuntimeError(f"the types of these fields have to be imported at run time: {', '.join(missing)}")
    for path in modules:
        path.write_text(with_final_constants(path.read_text("utf-8")), encoding="utf-8")
    compiler = root / "tools" / "compiling" / _COMPILER
    names = [path.relative_to(folder).as_posix() for path in modules]
    command = [sys.executable, str(compiler), str(root / "pyproject.toml"), *names]
    environment = {name: value for name, value in os.environ.items() if name != "MYPYPATH"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"the modules cannot be compiled:\n{done.stdout}{done.stderr}")
