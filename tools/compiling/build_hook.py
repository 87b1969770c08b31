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

from compiling.acyclic import with_acyclic_classes
from compiling.constants import with_final_constants
from compiling.constructors import dataclass_names, with_constructors
from compiling.field_types import missing_types
from compiling.unused_arguments import without_deletions

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
        write_what_is_compiled(folder, self.config)
        _compile(folder, root, self.config)
        compiled = [path for path in folder.rglob("*") if path.suffix in _EXTENSIONS]
        build_data["force_include"].update({str(path): path.relative_to(folder).as_posix() for path in compiled})
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled."""
        del version, build_data, artifact_path
        if self._folder is not None:
            self._folder.cleanup()


def write_what_is_compiled(folder: Path, config: dict[str, Any]) -> None:
    """Rewrite the modules in `folder` that are compiled, by what is said of them in `pyproject.toml`."""
    dataclasses = frozenset[str]().union(*(dataclass_names(_code(path)) for path in folder.rglob("*.py")))
    acyclic = {path for pattern in config.get("acyclic", ()) for path in folder.glob(pattern)}
    for path in modules_in(folder, config):
        code = with_constructors(_code(path), dataclasses)
        declared = with_acyclic_classes(code) if path in acyclic else code
        path.write_text(without_deletions(with_final_constants(declared)), encoding="utf-8")


def modules_in(folder: Path, config: dict[str, Any]) -> list[Path]:
    """Return the modules in `folder` that are compiled. Raises RuntimeError where types of fields are missing."""
    left_out = {path for pattern in config.get("without", ()) for path in folder.glob(pattern)}
    modules = sorted({path for pattern in config["modules"] for path in folder.glob(pattern)} - left_out)
    missing = [f"{path.name}: {field}" for path in modules for field in missing_types(_code(path))]
    if missing:
        raise RuntimeError(f"the types of these fields have to be imported at run time: {', '.join(missing)}")
    return modules


def _compile(folder: Path, root: Path, config: dict[str, Any]) -> None:
    """Put compiled modules beside those in `folder` that are to be compiled."""
    compiler = root / "tools" / "compiling" / _COMPILER
    names = [path.relative_to(folder).as_posix() for path in modules_in(folder, config)]
    command = [sys.executable, str(compiler), str(root / "pyproject.toml"), *names]
    environment = {name: value for name, value in os.environ.items() if name != "MYPYPATH"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"the modules cannot be compiled:\n{done.stdout}{done.stderr}")


def _code(path: Path) -> str:
    return path.read_text(encoding="utf-8")
