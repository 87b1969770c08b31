"""What MLIR verifies in C++, by the name of the operation: the only names of operations that verifying knows.

What a definition can say of an operation, so that a project can say it of its own, does not belong here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tdls.analysis.verifying import arrangements, bodies
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
    attributes: tuple[Check, ...] = ()


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
        body=(bodies.arguments_match_signature,),
        yielded=(bodies.yields_signature,),
        attributes=(arrangements.one_of("sym_visibility", "public", "private", "nested"),),
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
    "transform.with_pdl_patterns": Verifier(
        body=(bodies.top_level_body, bodies.arguments_match_operands, bodies.one_beside("pdl.pattern")),
    ),
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
            bodies.one_operation(1),
        ),
    ),
    "transform.match.structured": Verifier(
        terminator=(bodies.last_is("transform.match.structured.yield"),),
        body=(bodies.children_with("MatchOpInterface"), bodies.takes_one_handle),
    ),
    "transform.structured.interchange": Verifier(attributes=(arrangements.permutation("iterator_interchange"),)),
    "transform.structured.pad": Verifier(
        attributes=(
            arrangements.at_least("padding_dimensions", 0),
            arrangements.at_least("nofold_flags", 0, 1),
            arrangements.permutation("transpose_paddings"),
        ),
    ),
    "transform.structured.hoist_pad": Verifier(attributes=(arrangements.permutation("transpose"),)),
    "transform.structured.hoist_pad.build_packing_loop_nest": Verifier(
        attributes=(arrangements.permutation("transpose"),),
    ),
    "transform.structured.pack_transpose": Verifier(
        attributes=(arrangements.permutation("outer_perm"), arrangements.permutation("inner_perm")),
    ),
    "transform.structured.pack_greedily": Verifier(
        attributes=(
            arrangements.count_is("static_matmul_packed_sizes", 3),
            arrangements.count_is("matmul_padded_sizes_next_multiple_of", 0, 3),
            arrangements.count_is("matmul_inner_dims_order", 3),
            arrangements.permutation("matmul_inner_dims_order"),
        ),
    ),
    "transform.structured.vectorize": Verifier(
        attributes=(arrangements.spelled_like("scalable_sizes", "static_vector_sizes"),),
    ),
    "transform.gpu.map_forall_to_blocks": Verifier(attributes=(arrangements.count_is("grid_dims", 0, 3),)),
    "transform.tune.knob": Verifier(attributes=(arrangements.chosen_from("selected", "options"),)),
}
