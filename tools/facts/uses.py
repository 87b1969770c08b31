"""Count how often public scripts use each transform operation: ``python tools/facts/uses.py FOLDER...``.

Each folder is a project. The table in `uses.json`, which `build.py` adds to the shipped facts, orders completion.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "tools"), str(REPOSITORY / "server")]

from tdls.analysis.file.source_file import SourceFile  # noqa: E402
from tdls.catalogue.catalogue import Catalogue  # noqa: E402
from tdls.semantic.transform_dialect import TRANSFORM  # noqa: E402

TABLE = Path(__file__).resolve().parent / "uses.json"
_MOST_OF_A_PROJECT = 20
"""Scripts of one project that count for an operation, so that no project has its way alone."""
_SCRIPTS = "*.mlir"


def main() -> int:
    """Count, and write the table."""
    parser = argparse.ArgumentParser(description="Count how often public scripts use each transform operation.")
    parser.add_argument("projects", type=Path, nargs="+", metavar="FOLDER", help="a checkout of a project with scripts")
    parser.add_argument("--output", type=Path, default=TABLE, metavar="FILE", help="the table to write")
    arguments = parser.parse_args()
    uses = counted(arguments.projects)
    arguments.output.write_text(_written(uses), encoding="utf-8", newline="\n")
    return 0


def counted(projects: list[Path]) -> Counter[str]:
    """Return how many scripts use each operation that LLVM has or had, of each project up to `_MOST_OF_A_PROJECT`."""
    catalogue = Catalogue.shipped()
    uses: Counter[str] = Counter()
    for project in projects:
        texts = {path.read_text(encoding="utf-8", errors="replace") for path in sorted(project.rglob(_SCRIPTS))}
        of_project = Counter(name for text in texts for name in _names(text, catalogue))
        uses.update({name: min(count, _MOST_OF_A_PROJECT) for name, count in of_project.items()})
    return uses


def _names(text: str, catalogue: Catalogue) -> set[str]:
    """Return the operations that a script uses, those with a former name under their present one."""
    if f"{TRANSFORM}." not in text:
        return set()
    file = SourceFile.of(text, catalogue)
    definitions = (operation.definition for context in file.contexts for operation in context.model.walk())
    return {definition.name for definition in definitions if definition and definition.dialect == TRANSFORM}


def _written(uses: Counter[str]) -> str:
    return json.dumps(dict(sorted(uses.items(), key=lambda entry: (-entry[1], entry[0]))), indent=0) + "\n"


if __name__ == "__main__":
    sys.exit(main())
