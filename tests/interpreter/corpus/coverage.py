"""Which operations the corpus has, and which cannot be run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.catalogue.catalogue import Catalogue

if TYPE_CHECKING:
    from interpreter.corpus.scripts import Script

LLVM_VERSION = 22
_NAME = re.compile(r"\btransform(?:\.[a-z_][a-z_0-9]*)+")

NOT_EXECUTABLE: dict[str, str] = {}
"""Operations that no script can execute with ``mlir-opt-22``, and why."""


def upstream_operations() -> frozenset[str]:
    """Return the transform operations of LLVM 22, by the catalogue."""
    catalogue = Catalogue.shipped()
    return frozenset(
        name
        for name in catalogue.operation_names("transform")
        if any(LLVM_VERSION in variant.versions for variant in catalogue.variants(name))
    )


def operations_in(script: Script) -> frozenset[str]:
    """Return the names of operations that are written in `script`."""
    return upstream_operations() & _names(script)


def _names(script: Script) -> set[str]:
    texts = [script.text, script.payload or "", *script.libraries]
    return {name for text in texts for name in _NAME.findall(text)}
