"""What MLIR verifies in C++, by the name of the operation: the only names of operations that verifying knows.

What a definition can say of an operation, so that a project can say it of its own, does not belong here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tdls.analysis.verifying import bodies
from tdls.semantic.transform_dialect import YIELD

if TYPE_CHECKING:
    from tdls.analysis.verifying.complaint import Check
    from tdls.semantic.model import Operation


@dataclass(frozen=True, slots=True)
class Verifier:
    """The checks of one operation, by what they are about. They hold in every version that has the operation."""

    terminator: tuple[Check, ...] = ()
    body: tuple[Check, ...] = ()
    yielded: tuple[Check, ...] = ()


def verifier_of(operation: Operation) -> Verifier | None:
    """Return what is checked of an operation of upstream that could be read; None if there is nothing."""
    definition = operation.definition
    if definition is None or not definition.versions or operation.syntax.broken:
        return None
    return VERIFIERS.get(operation.name)


_ends_in_yield = bodies.last_is(YIELD)

VERIFIERS: dict[str, Verifier] = {
    "transform.named_sequence": Verifier(
        terminator=(_ends_in_yield,),
        yielded=(bodies.yields_signature,),
    ),
    "transform.sequence": Verifier(
        terminator=(_ends_in_yield,),
        body=(
            bodies.top_level_body,
            bodies.arguments_match_operands,
            bodies.children_with("TransformOpInterface", "MatchOpInterface"),
        ),
        yielded=(bodies.yields_results,),
    ),
    "transform.with_pdl_patterns": Verifier(body=(bodies.top_level_body, bodies.arguments_match_operands)),
    "transform.alternatives": Verifier(
        terminator=(_ends_in_yield,), body=(bodies.top_level_body,), yielded=(bodies.yields_results,)
    ),
    "transform.tune.alternatives": Verifier(terminator=(_ends_in_yield,), yielded=(bodies.yields_results,)),
    "transform.foreach": Verifier(
        terminator=(_ends_in_yield,),
        body=(bodies.arguments_like_operands,),
        yielded=(bodies.yields_like_results,),
    ),
    "transform.apply_patterns": Verifier(body=(bodies.children_with("PatternDescriptorOpInterface"),)),
    "transform.apply_conversion_patterns": Verifier(
        body=(
            bodies.children_with("ConversionPatternDescriptorOpInterface", region=0),
            bodies.children_with("TypeConverterBuilderOpInterface", region=1),
        ),
    ),
    "transform.match.structured": Verifier(
        terminator=(bodies.last_is("transform.match.structured.yield"),),
        body=(bodies.children_with("MatchOpInterface"),),
    ),
}
