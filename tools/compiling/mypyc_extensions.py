"""Compiles modules in the current folder: ``mypyc_extensions.py PYPROJECT MODULE.py...``.

``TDLS_OPTIMIZATION`` says how much the C compiler does for speed, from 0 to 3.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from mypyc.build import mypycify
from setuptools import Distribution
from setuptools.command.build_ext import build_ext

from compiling.acyclic import without_putting_off

_C_CODE = "build"
_GROUP = "tdls"
"""Names the library that has the code of all modules, ``tdls__mypyc``."""


def main(settings: str, modules: list[str]) -> None:
    """Compile the modules with the settings for mypy in a file, and leave the libraries beside them."""
    extensions = mypycify(
        [f"--config-file={settings}", "--no-warn-unused-ignores", *modules],
        group_name=_GROUP,
        opt_level=os.environ.get("TDLS_OPTIMIZATION", "3"),
        debug_level="0",
        multi_file=True,
        target_dir=_C_CODE,
    )
    for path in Path(_C_CODE).glob("*.c"):
        path.write_text(without_putting_off(path.read_text(encoding="utf-8")), encoding="utf-8")
    command = build_ext(Distribution({"name": _GROUP, "ext_modules": extensions, "packages": [], "py_modules": []}))
    command.build_lib = "."
    command.build_temp = _C_CODE
    command.ensure_finalized()
    command.run()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
