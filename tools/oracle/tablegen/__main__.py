"""Compares the records of tdls and llvm-tblgen for MLIR's own TableGen files.

Usage, from the folder `tools`: ``python -m oracle.tablegen`` for the files with transform operations and those of
payload dialects, ``--all`` for each file that llvm-tblgen accepts. The columns: records and how many of them differ in
any field; operations and how many differ, with MLIR's includes and without them.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from oracle.tablegen.comparison import judge
from oracle.tablegen.dump import all_files, include_folder, payload_files, transform_files

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.tablegen.comparison import Judgement

_ROW = "{:<58} {:>8} {:>7} {:>11} {:>8} {:>8}"


def main() -> int:
    """Print the table; return 1 where something differs with MLIR's includes, or more than 1 % without them."""
    parser = argparse.ArgumentParser(prog="python -m oracle.tablegen", description=__doc__)
    parser.add_argument("--all", action="store_true", help="judge each file that llvm-tblgen accepts")
    arguments = parser.parse_args()
    files = all_files() if arguments.all else [*transform_files(), *payload_files()]
    judgements = [judgement for judgement in map(_judged, files) if judgement is not None]
    print(_ROW.format("file", "records", "wrong", "operations", "wrong", "alone"))
    for judgement in judgements:
        print(_row(judgement))
    return _summary(judgements)


def _judged(file: Path) -> Judgement | None:
    """Files of the same folder belong to an extension or dialect; they are read together where includes are missing."""
    return judge(file, sorted(file.parent.glob("*.td")))


def _row(judgement: Judgement) -> str:
    return _ROW.format(
        judgement.file.relative_to(include_folder()).as_posix().removeprefix("mlir/Dialect/"),
        judgement.records,
        len(judgement.wrong_records),
        judgement.operations,
        len(judgement.wrong_operations),
        len(judgement.wrong_alone),
    )


def _summary(judgements: list[Judgement]) -> int:
    transform = [judgement for judgement in judgements if judgement.file in transform_files()]
    total = sum(judgement.operations for judgement in judgements)
    operations = sum(judgement.operations for judgement in transform)
    alone = sum(len(judgement.wrong_alone) for judgement in transform)
    wrong = [name for judgement in judgements for name in (*judgement.wrong_records, *judgement.wrong_operations)]
    print(f"\n{len(judgements)} files, {total} operations, {len(wrong)} differences")
    print(f"transform operations without MLIR's includes: {operations - alone} of {operations} are right")
    for name in [*wrong, *(name for judgement in transform for name in judgement.wrong_alone)][:20]:
        print(f"  {name}")
    return 1 if wrong or alone > operations / 100 else 0


if __name__ == "__main__":
    sys.exit(main())
