"""TableGen records of one MLIR installation, as ``llvm-tblgen --dump-json`` prints them."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

Record = dict[str, Any]

_ROOTS = ("mlir/Dialect", "mlir/IR", "mlir/Interfaces")


class FactsError(Exception):
    """The facts cannot be built; the message names the missing input and its source."""


@dataclass(frozen=True)
class Records:
    """All records that one ``.td`` file and its includes define. `file` is relative to the include
    folder."""

    file: str
    by_name: dict[str, Any]

    def instances(self, class_name: str) -> Iterator[Record]:
        """The records that derive from a TableGen class, in the order llvm-tblgen gives them."""
        for name in self.by_name["!instanceof"].get(class_name, []):
            yield self.by_name[name]

    def follow(self, value: Any) -> Record | None:
        """The record a field refers to; None where the field is unset."""
        if not isinstance(value, dict) or value.get("kind") != "def":
            return None
        record: Record = self.by_name[value["def"]]
        return record

    def arguments(self, dag: Any) -> list[tuple[Any, str]]:
        """Pairs of value and name of a dag such as ``(ins A:$a, B:$b)``; values are records, strings, or
        numbers."""
        pairs = []
        for value, name in dag["args"]:
            record = self.follow(value)
            pairs.append((record if record is not None else value, name or ""))
        return pairs


def dump(include: Path, tblgen: str, extra_includes: Sequence[Path] = ()) -> Iterator[Records]:
    """Read every self-contained ``.td`` file of the dialects below `include`.

    Fragments, which only make sense where another file includes them, are skipped: their records come with
    that file.
    """
    if not include.is_dir():
        raise FactsError(f"{include}: no such folder; give the include folder of an MLIR development package")
    for file in sorted(path for root in _ROOTS for path in (include / root).rglob("*.td")):
        records = _dump_file(file, [include, file.parent, *extra_includes], tblgen)
        if records is not None:
            yield Records(file.relative_to(include).as_posix(), records)


def _dump_file(file: Path, includes: Sequence[Path], tblgen: str) -> dict[str, Any] | None:
    command = [tblgen, "--dump-json", *(f"-I{folder}" for folder in includes), str(file)]
    try:
        process = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    except OSError as error:
        raise FactsError(f"{tblgen}: cannot be started ({error}); install LLVM's tools") from error
    if process.returncode != 0:
        return None
    records: dict[str, Any] = json.loads(process.stdout)
    return records
