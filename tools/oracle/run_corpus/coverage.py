"""Which operations the corpus has, and which cannot be run."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from oracle.run_corpus.scripts import scripts
from tdls.catalogue.catalogue import Catalogue

if TYPE_CHECKING:
    from oracle.run_corpus.scripts import Script

LLVM_VERSION = 22
NOT_EXECUTABLE = {"transform.smt.constrain_params": "op does not have interpreted semantics yet"}
"""Operations that no script can execute with ``mlir-opt-22``, and its errors for them."""
_NAME = re.compile(r"\btransform(?:\.[a-z_][a-z_0-9]*)+")


@cache
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
    texts = [script.text, script.payload or "", *script.libraries]
    return upstream_operations() & {name for text in texts for name in _NAME.findall(text)}


def sample() -> list[Script]:
    """Return some scripts that have all operations of the corpus, and all those that are about failures and files."""
    missing = set(upstream_operations())
    chosen: list[Script] = []
    for script in scripts():
        operations = operations_in(script)
        is_special = script.name.startswith(("failures: ", "files: "))
        if is_special or operations & missing:
            chosen.append(script)
        if not is_special:
            missing -= operations
    return chosen
