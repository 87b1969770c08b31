"""Collect the names of upstream's passes and pipelines: ``python tools/facts/passes.py``.

The table in the shipped facts says for each name which LLVM versions have it: those that ``mlir-opt --help`` of LLVM 22
and 19 lists, and which of them the bindings of LLVM 24 take. Passes that are new in 24 cannot be listed this way.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "tools"), str(REPOSITORY / "server")]

from facts.bindings_oracle import Bindings  # noqa: E402
from facts.records import FactsError  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Mapping

TABLE = REPOSITORY / "server" / "tdls" / "catalogue" / "facts" / "_passes.json"
_LISTED = (22, 19)
_HEADING = "Compiler passes to run"
_ENTRY = re.compile(r"^ {6}--([\w.-]+)", re.MULTILINE)
"""An option of a pass stands further right, one of the tool itself further left."""


def main() -> int:
    """Collect, and write the table; the exit code is 2 where there is no ``mlir-opt`` or no bindings."""
    parser = argparse.ArgumentParser(description="Collect the names of upstream's passes and pipelines.")
    parser.add_argument("--output", type=Path, default=TABLE, metavar="FILE", help="the table to write")
    parser.add_argument("--python", default=sys.executable, help="Python that has MLIR's bindings of LLVM 24")
    parser.add_argument("--bindings", default="torch_mlir", metavar="PACKAGE", help="their package")
    arguments = parser.parse_args()
    try:
        found = {version: _listed(f"mlir-opt-{version}") for version in _LISTED}
        found[24] = Bindings(arguments.python, arguments.bindings).registered_passes(
            sorted(set().union(*found.values()))
        )
    except (FactsError, OSError) as error:
        print(f"passes.py: {error}", file=sys.stderr)
        return 2
    arguments.output.write_text(_table(found), encoding="utf-8")
    return 0


def _listed(tool: str) -> set[str]:
    """Return the passes and pipelines that `tool` lists."""
    output = subprocess.run([tool, "--help"], capture_output=True, text=True, check=False)
    names = set(_ENTRY.findall(output.stdout.partition(_HEADING)[2]))
    if not names:
        raise FactsError(f"{tool} lists no passes")
    return names


def _table(found: Mapping[int, set[str]]) -> str:
    """Return one line a name, with the versions that have it."""
    names = sorted(set().union(*found.values()))
    versions = {name: sorted(version for version, known in found.items() if name in known) for name in names}
    lines = (f"{json.dumps(name)}: {json.dumps(known)}" for name, known in versions.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    sys.exit(main())
