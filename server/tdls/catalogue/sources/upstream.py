"""What a copy of LLVM in a repository adds to the shipped facts: little, so most of it is not read.

A fork may define operations of its own beside those of LLVM, and in LLVM's files.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.catalogue.catalogue import Catalogue

if TYPE_CHECKING:
    from pathlib import PurePath

MARK = "mlir/include/mlir/IR/OpBase.td"
"""A file of every copy, relative to its folder."""
_OF_MLIR = "/mlir/include/mlir/"
_WITHOUT_DIALECTS = (
    "bolt",
    "clang-tools-extra",
    "compiler-rt",
    "libc",
    "libcxx",
    "lld",
    "lldb",
    "llvm",
    "openmp",
    "polly",
)
"""Large folders of a copy that define nothing of MLIR."""
_NAMED = re.compile(
    rb"\bdef\s{1,9}\w{1,99}\s{0,9}:\s{0,9}(?!\w{0,99}(?:Interface|Trait))\w{0,99}(?:Op(?![a-z])|Pass)\w{0,40}<\s{0,9}"
    rb'(?:\w{1,99}\s{0,9},\s{0,9})?"([\w.-]{1,99})"'
)
"""A definition in TableGen of an operation or a pass, by a class with its name as an argument."""
_DOT = re.compile(r"\.")


def is_known(path: PurePath) -> bool:
    """Whether a folder or a source adds nothing to the shipped facts, by its path in a copy.

    C++ adds effects of transform operations, and clang's only dialect is CIR.
    """
    parts, is_source = path.parts, bool(path.suffix)
    if not parts or parts[0] in _WITHOUT_DIALECTS:
        return bool(parts)
    if parts[0] == "mlir":
        return is_source and path.suffix not in (".td", ".py") and not any("Transform" in part for part in parts)
    is_entered = not is_source and parts[1:2] in ((), ("include",), ("lib",))
    return parts[0] == "clang" and not is_entered and "CIR" not in parts


def defines_more(path: PurePath, content: bytes) -> bool:
    """Whether a TableGen file is none of LLVM's, or names an operation or a pass that the shipped facts lack."""
    return _OF_MLIR not in path.as_posix() or not _known_names().issuperset(_NAMED.findall(content))


@lru_cache(maxsize=1)
def _known_names() -> frozenset[bytes]:
    """Return the names of shipped operations and passes, and the ends of these names, which definitions state."""
    shipped = Catalogue.shipped()
    names = shipped.operation_names()
    ends = (name[dot.end() :] for name in names for dot in _DOT.finditer(name))
    return frozenset(name.encode() for name in (*names, *ends, *shipped.pass_names()))
