"""Operations in one line each, as the files ``expected.txt`` of the sample projects have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.source import all_definitions
from tdls.semantic.transform_dialect import is_transform_definition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.model import HandleEffect, OperandDefinition, OperationDefinition, ResultDefinition
    from tdls.project.catalogue import ProjectCatalogue


def summaries(catalogue: ProjectCatalogue) -> list[str]:
    """Return operands and results of each operation, with effects for transform operations, sorted."""
    return sorted(" ".join(_parts(definition)) for definition in all_definitions(catalogue.operations))


def _parts(operation: OperationDefinition) -> Iterator[str]:
    transforms = is_transform_definition(operation)
    yield operation.name
    if operation.operands:
        yield f"({', '.join(_value(operand, transforms) for operand in operation.operands)})"
    if operation.results:
        yield f"-> ({', '.join(_value(result, transforms) for result in operation.results)})"
    if operation.attributes:
        optional = [
            attribute.name + "?" * (attribute.optional or attribute.default is not None)
            for attribute in operation.attributes
        ]
        yield f"[{' '.join(optional)}]"
    if operation.regions:
        yield f"{{{' '.join(region.name for region in operation.regions)}}}"
    if transforms:
        yield operation.payload_effect.value


def _value(value: OperandDefinition | ResultDefinition, has_effects: bool) -> str:
    if not has_effects:
        return value.name
    exceptions = [f", {_effect(exception.effect)} with {exception.attribute}" for exception in value.effect_when]
    return f"{value.name}: {_effect(value.effect)}{''.join(exceptions)}"


def _effect(effect: HandleEffect) -> str:
    return str(effect.value)
