"""Effects on handles and payload, found by asking MLIR about instances of every operation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from facts.instances import Instance, instances

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.catalogue.model import HandleEffect, OperationDefinition, PayloadEffect

_MOST_DEVIATIONS = 3


@dataclass(frozen=True)
class Observation:
    """Effects of one instance that verifies, by MLIR: on each operand, each result and the payload.

    `reported` is false where MLIR's pass keeps silent about the operation.
    """

    instance: Instance
    operands: tuple[HandleEffect, ...]
    results: tuple[HandleEffect, ...]
    payload: PayloadEffect
    reported: bool = True


class Oracle(Protocol):
    """Some MLIR of one version."""

    def ask(self, candidates: Sequence[Instance]) -> list[Observation]:
        """Observations of those candidates that verify."""
        ...


def observe(
    oracle: Oracle, definitions: Iterable[OperationDefinition], *, attributes: bool = True
) -> dict[str, list[Observation]]:
    """Observations of many instances of each operation, by its name.

    Instances get stranger until every operand and result occurs in one that verifies, and within reason every
    attribute, unless `attributes` is false.
    """
    incomplete = {definition.name: definition for definition in definitions}
    observations: dict[str, list[Observation]] = {name: [] for name in incomplete}
    for deviations in range(_MOST_DEVIATIONS + 1):
        candidates = [instance for definition in incomplete.values() for instance in instances(definition, deviations)]
        for observation in oracle.ask(candidates):
            observations[observation.instance.definition.name].append(observation)
        if deviations == 0 and attributes:
            continue
        incomplete = {
            name: definition
            for name, definition in incomplete.items()
            if not _is_complete(
                definition,
                [observation.instance for observation in observations[name]],
                with_attributes=attributes and deviations < 2,
            )
        }
    return observations


def _is_complete(definition: OperationDefinition, seen: Sequence[Instance], *, with_attributes: bool) -> bool:
    operands = all(
        any(observation.operand_counts[index] for observation in seen) for index in range(len(definition.operands))
    )
    results = all(
        any(observation.result_counts[index] for observation in seen) for index in range(len(definition.results))
    )
    names = {name for observation in seen for name, _ in observation.attributes}
    consumed = {place for observation in seen for place in observation.consumed_places}
    regions = not definition.regions or consumed >= {0, -1}
    attributes = not with_attributes or len(names) == len(definition.attributes)
    return bool(seen) and operands and results and regions and attributes and _has_consuming_callee(definition, seen)


def _has_consuming_callee(definition: OperationDefinition, seen: Sequence[Instance]) -> bool:
    callees = {attribute.name for attribute in definition.attributes if attribute.constraint.startswith("SymbolRef")}
    return not callees or any(
        "consumes" in value for observation in seen for name, value in observation.attributes if name in callees
    )
