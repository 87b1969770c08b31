"""Signatures of operations from the generated modules of MLIR's Python bindings, read without importing them.

They tell names and arities, not constraints of values, and no assembly formats.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity, AttributeSpelling
from tdls.catalogue.sources.python_modules.generated import (
    generated_classes,
    generated_operation,
    mended,
    named_constraint,
)
from tdls.structs import replace

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.catalogue.model import OperationDefinition

_ARITIES = {Arity.VARIADIC_OF_VARIADIC: Arity.VARIADIC}
"""Arities that the bindings do not distinguish."""

_ARGUMENT = re.compile(r"_get_op_result_or_value\((\w+)\).*")
"""How modules of LLVM 18 pass optional operands on."""
_FOREIGN_MODULES = ("_torch_ops_gen.py",)
"""Modules of the wheel's own dialects, which are not upstream."""


@dataclass(frozen=True)
class Signature:
    """The part of an operation that bindings and ODS both define; names that Python mangles are restored."""

    operands: tuple[tuple[str, Arity], ...]
    results: tuple[str, ...]
    attributes: frozenset[tuple[str, str, bool]]
    """Name, constraint (empty where it has no name), and whether the attribute must be given."""
    regions: tuple[tuple[str, bool], ...]
    successors: tuple[tuple[str, bool], ...]


def read_bindings(folder: Path) -> dict[str, OperationDefinition]:
    """Definitions by name from all generated modules of a ``dialects`` folder; their formats are not known."""
    definitions = {}
    for path in sorted(folder.glob("_*_ops_gen.py")):
        if path.name not in _FOREIGN_MODULES:
            for generated in generated_classes(path.read_text(encoding="utf-8")):
                definition = generated_operation(path, generated)
                if definition is not None:
                    operands = tuple(
                        replace(each, name=_ARGUMENT.sub(r"\1", each.name)) for each in definition.operands
                    )
                    definitions[definition.name] = replace(
                        definition, operands=operands, description="", defined_at=None
                    )
    return definitions


def signature(definition: OperationDefinition) -> Signature:
    """The signature of a definition from any source."""
    return Signature(
        tuple((mended(operand.name), _ARITIES.get(operand.arity, operand.arity)) for operand in definition.operands),
        tuple(mended(result.name) for result in definition.results if result.name),
        frozenset(
            (
                attribute.name,
                named_constraint(attribute.constraint),
                not attribute.optional and attribute.default is None,
            )
            for attribute in definition.attributes
            if attribute.spelling is not AttributeSpelling.PROPERTY
        ),
        tuple((mended(region.name), region.variadic) for region in definition.regions if region.name),
        tuple((mended(successor.name), successor.variadic) for successor in definition.successors),
    )


def same_signature(signature: Signature, other: Signature) -> bool:
    """Equality, where an attribute without a named constraint may be any."""
    names = {attribute[0] for attribute in signature.attributes if not attribute[1]} | {
        attribute[0] for attribute in other.attributes if not attribute[1]
    }
    return (signature.operands, signature.results, signature.regions, signature.successors) == (
        other.operands,
        other.results,
        other.regions,
        other.successors,
    ) and _without_constraints(signature, names) == _without_constraints(other, names)


def _without_constraints(signature: Signature, names: set[str]) -> set[tuple[str, str, bool]]:
    return {(name, "" if name in names else constraint, given) for name, constraint, given in signature.attributes}
