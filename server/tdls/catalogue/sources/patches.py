"""Reads patches of LLVM that a project carries: which operations of LLVM they change or add.

A patch shows a few lines of a definition, never the whole. So of a changed operation only that it is changed is taken
(`is_patched`): the shipped definition stays the best one there is, and nothing that follows from it is certain.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tdls.catalogue.model import OperationDefinition
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.catalogue.catalogue import Catalogue

_SOURCES = (".td", ".cpp")
_FOLDERS = ("mlir/include/mlir/Dialect/", "mlir/lib/Dialect/")
_DEFINITION = re.compile(r"def (\w+)(?:[ \t]*:[ \t]*\w+[ \t]*<(?:[ \t]*\w+[ \t]*,)?[ \t]*\"([\w.]+)\")?", re.ASCII)
_MEMBER = re.compile(r"(?:^|[\s:*&])(\w+Op)::(?:parse|verify\w*|apply\w*)\(", re.ASCII)
_TRANSFORM = "transform"


class PatchedName(NamedTuple):
    """An operation in a patch: its C++ class, and its name without the dialect where a line shows it."""

    dialect: str
    cpp_class: str
    mnemonic: str = ""


def read_patch(text: str) -> tuple[PatchedName, ...]:
    """Return the operations of LLVM in whose definition or C++ members a patch changes lines."""
    found: dict[PatchedName, None] = {}
    dialect, current = "", None
    for line in text.split("\n"):
        if line.startswith("+++ "):
            dialect, current = _dialect_of(line[4:].partition("\t")[0].strip()), None
        elif not dialect or line.startswith(("--- ", "diff ")):
            continue
        elif line.startswith("@@"):
            current = _named(line.rpartition("@@")[2].strip(), dialect)
        elif line.startswith((" ", "+", "-")):
            current = _named(line[1:], dialect) or current
            if line[0] != " " and current is not None:
                found[current] = None
    return tuple(found)


def _dialect_of(path: str) -> str:
    """Return the dialect of a source file of MLIR; "" for other files."""
    below = next((path.partition(folder)[2] for folder in _FOLDERS if folder in path), "")
    if not path.endswith(_SOURCES):
        return ""
    folder, _, rest = below.partition("/")
    return _TRANSFORM if folder == "Transform" or "Transform" in rest else folder.lower()


def _named(line: str, dialect: str) -> PatchedName | None:
    defined = _DEFINITION.match(line)
    if defined is not None:
        return PatchedName(dialect, defined[1], defined[2] or "")
    member = _MEMBER.search(line)
    return PatchedName(dialect, member[1]) if member is not None else None


def patched_operations(names: Iterable[PatchedName], shipped: Catalogue) -> Iterator[OperationDefinition]:
    """Yield the definitions of patched operations: those of LLVM, and of operations that patches add only names."""
    found: dict[str, None] = {}
    for name in names:
        found.update(dict.fromkeys(_full_names(name, shipped)))
    for full_name in found:
        variants = shipped.variants(full_name)
        unknown = OperationDefinition(full_name, custom_assembly=True, format_known=False)
        yield from (replace(variant, is_patched=True) for variant in variants or (unknown,))


def _full_names(name: PatchedName, shipped: Catalogue) -> Iterator[str]:
    """Yield the full names of an operation: `TileUsingForOp` may be any ``tile_using_for`` of the dialect."""
    if name.mnemonic:
        yield f"{name.dialect}.{name.mnemonic}"
        return
    meant = name.cpp_class.removesuffix("Op").casefold()
    for known in shipped.operation_names(name.dialect):
        parts = known.replace("_", "").split(".")[1:]
        if any("".join(parts[start:]) == meant for start in range(len(parts))):
            yield known
