"""Where MLIR's own documentation speaks of an operation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import quote

if TYPE_CHECKING:
    from tdls.catalogue.model import OperationDefinition

_ROOT: Final = "https://mlir.llvm.org/docs/Dialects/"
_PAGES: Final = {
    "affine": "Affine",
    "arith": "ArithOps",
    "bufferization": "BufferizationOps",
    "builtin": "Builtin",
    "cf": "ControlFlowDialect",
    "complex": "ComplexOps",
    "func": "Func",
    "gpu": "GPU",
    "index": "IndexOps",
    "linalg": "Linalg",
    "llvm": "LLVM",
    "math": "MathOps",
    "memref": "MemRef",
    "pdl": "PDLOps",
    "scf": "SCFDialect",
    "tensor": "TensorOps",
    "tosa": "TOSA",
    "transform": "Transform",
    "ub": "UBOps",
    "vector": "Vector",
}
"""The names of the pages follow no rule; dialects that nobody looked up have no link."""


def documentation_address(definition: OperationDefinition) -> str | None:
    """Return the official page of an upstream operation, at its heading; None for others.

    The page's anchors have C++ class names in them, so the heading is found by its text: the name and, in
    parentheses, the class.
    """
    page = _PAGES.get(definition.dialect)
    if page is None or not definition.versions:
        return None
    return f"{_ROOT}{page}/#:~:text={quote(f'{definition.name} (')}"
