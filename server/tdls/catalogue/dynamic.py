"""Types and attributes that are registered at run time: by IRDL, or from Python (mlir/lib/IR/ExtensibleDialect.cpp)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.catalogue.model import ParameterDefinition


def assembly_format_of(parameters: Sequence[ParameterDefinition]) -> str | None:
    """How MLIR writes them: all parameters in angle brackets. None where there are no parameters."""
    written = " `,` ".join(f"${parameter.name}" for parameter in parameters)
    return f"`<` {written} `>`" if written else None
