"""The checks that MLIR implements in C++, by operation name; no other module here names operations.

Checks that a definition can express do not belong here, so that projects can use them for their own operations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.verifying import attribute_combinations, bodies, calls, matchers, type_relations
from tdls.semantic.transform_dialect import PATTERN, YIELD
from tdls.structs import Struct

if TYPE_CHECKING:
    from tdls.analysis.verifying.complaint import Check
    from tdls.semantic.model import Operation


class Verifier(Struct, frozen=True):
    """The checks of one operation, by the rule that reports them. They hold in every version that has the operation.

    A check that only some versions make looks up the target itself.
    """

    terminator: tuple[Check, ...] = ()
    body: tuple[Check, ...] = ()
    yielded: tuple[Check, ...] = ()
    attributes: tuple[Check, ...] = ()
    types: tuple[Check, ...] = ()
    calls: tuple[Check, ...] = ()
    consumed: tuple[Check, ...] = ()
    fails: tuple[Check, ...] = ()
    """Values that the interpreter, not the verifier, refuses on any payload."""
    crashes: tuple[Check, ...] = ()
    """Bodies that crash the interpreter, and that the verifier accepts."""
    may_fail: tuple[Check, ...] = ()
    """Operations that the interpreter refuses unless another tool completes them first."""


_NOTHING = Verifier()


def verifier_of(operation: Operation) -> Verifier:
    """Return the checks of an upstream operation that could be read; there may be none."""
    definition = operation.definition
    if definition is None or not definition.versions or operation.syntax.broken:
        return _NOTHING
    return VERIFIERS.get(operation.name, _NOTHING)


_ends_in_yield = bodies.last_is(YIELD)
_STRUCTURED_MATCHER = "transform.match.structured"
_SOLVED = "smt.yield"
_EXECUTABLE = ("TransformOpInterface", "MatchOpInterface")
_VERIFIED = "named-sequences-hold-transforms"
"""The change with which MLIR verifies the operations of named sequences."""
_executable = bodies.children_with(*_EXECUTABLE)
"""Where MLIR does not verify it, the interpreter crashes at an operation without the interface."""
_WITH_PATTERNS = "transform.with_pdl_patterns"
_IRDL = "irdl.dialect"
_COPIES = ("memref.copy", "linalg.copy")
_MATERIALIZE = "bufferization.materialize_in_destination"
_OF_BODIES = ("reduction_position", "passthrough", "contraction")
_OF_OPERANDS = (
    attribute_combinations.at_most_one_of("permutation", "projected_permutation"),
    matchers.binds_one("raw_position_list"),
    matchers.positions("raw_position_list"),
)

VERIFIERS: dict[str, Verifier] = {
    "transform.annotate": Verifier(fails=(attribute_combinations.not_empty("name"),)),
    "transform.include": Verifier(calls=(calls.includes,)),
    "transform.collect_matching": Verifier(calls=(calls.collects,)),
    "transform.foreach_match": Verifier(calls=(calls.matches_each,)),
    "transform.split_handle": Verifier(
        types=(type_relations.results_of_kind("handle"),),
        attributes=(type_relations.counts_results("overflow_result"),),
    ),
    "transform.num_associations": Verifier(
        types=(type_relations.results_hold("!transform.param<i64>", "!transform.any_param"),)
    ),
    "transform.param.constant": Verifier(fails=(type_relations.holds("value"),)),
    "transform.structured.multitile_sizes": Verifier(
        types=(type_relations.results_alike,),
        fails=(
            attribute_combinations.not_zero("target_size", of_parameters=True),
            attribute_combinations.not_zero("divisor", of_parameters=True),
        ),
    ),
    "transform.structured.continuous_tile_sizes": Verifier(
        types=(type_relations.results_alike,),
        fails=(attribute_combinations.not_zero("target_size", of_parameters=True),),
    ),
    "transform.structured.split_reduction": Verifier(fails=(attribute_combinations.at_least("split_factor", 2),)),
    "transform.named_sequence": Verifier(
        terminator=(_ends_in_yield,),
        body=(bodies.arguments_match_signature, bodies.children_with(*_EXECUTABLE, since=_VERIFIED)),
        crashes=(bodies.children_with(*_EXECUTABLE, before=_VERIFIED),),
        yielded=(bodies.yields_signature,),
        attributes=(
            attribute_combinations.one_of("sym_visibility", "public", "private", "nested"),
            calls.marks_each_argument,
        ),
    ),
    "transform.sequence": Verifier(
        terminator=(_ends_in_yield,),
        body=(bodies.top_level_body, bodies.arguments_match_operands, _executable),
        yielded=(bodies.yields_results,),
        attributes=(attribute_combinations.operands_before("root", "extra_bindings"),),
        consumed=(calls.consumed_once,),
    ),
    "transform.pdl_match": Verifier(fails=(bodies.inside(_WITH_PATTERNS),)),
    _WITH_PATTERNS: Verifier(
        body=(bodies.top_level_body, bodies.arguments_match_operands, bodies.one_not_called(PATTERN)),
    ),
    "transform.alternatives": Verifier(
        terminator=(_ends_in_yield,),
        body=(
            bodies.top_level_body,
            bodies.each_takes_operands,
            bodies.arguments_match_operands,
            bodies.arguments_need_operands,
        ),
        crashes=(_executable,),
        yielded=(bodies.yields_results,),
    ),
    "transform.tune.alternatives": Verifier(
        terminator=(_ends_in_yield,),
        crashes=(_executable,),
        yielded=(bodies.yields_results,),
        attributes=(attribute_combinations.below_regions("selected_region_attr"),),
        may_fail=(
            attribute_combinations.selected("selected_region_attr", "selected_region", operand="selected_region_param"),
        ),
    ),
    "transform.foreach": Verifier(
        terminator=(_ends_in_yield,),
        body=(bodies.arguments_like_operands,),
        crashes=(_executable,),
        yielded=(bodies.yields_results,),
    ),
    "transform.apply_patterns": Verifier(body=(bodies.children_with("PatternDescriptorOpInterface"),)),
    "transform.apply_conversion_patterns": Verifier(
        body=(
            bodies.children_with("ConversionPatternDescriptorOpInterface", region=0),
            bodies.children_with("TypeConverterBuilderOpInterface", region=1),
            bodies.one_operation(1),
            bodies.at_most_regions(2),
        ),
    ),
    _STRUCTURED_MATCHER: Verifier(
        terminator=(bodies.last_is("transform.match.structured.yield"),),
        body=(bodies.children_with("MatchOpInterface"), bodies.takes_one_handle),
    ),
    "transform.structured.interchange": Verifier(
        attributes=(attribute_combinations.permutation("iterator_interchange", is_old_check=True),)
    ),
    "transform.structured.pad": Verifier(
        attributes=(
            attribute_combinations.at_least("padding_dimensions", 0),
            attribute_combinations.at_least("nofold_flags", 0, 1),
            attribute_combinations.permutation("transpose_paddings"),
            attribute_combinations.one_of("copy_back_op", "none", _COPIES[1], _MATERIALIZE),
            attribute_combinations.as_long_as("static_pad_to_multiple_of", "padding_dimensions", or_empty=True),
        ),
        fails=(attribute_combinations.not_zero("static_pad_to_multiple_of"),),
    ),
    "transform.structured.hoist_pad": Verifier(attributes=(attribute_combinations.permutation("transpose"),)),
    "transform.structured.hoist_pad.build_packing_loop_nest": Verifier(
        attributes=(attribute_combinations.permutation("transpose"),),
    ),
    "transform.structured.pack_transpose": Verifier(
        attributes=(
            attribute_combinations.permutation("outer_perm"),
            attribute_combinations.permutation("inner_perm"),
            attribute_combinations.some_of(("outer_perm", "inner_perm"), shown="`outer_perm` or `inner_perm`"),
        ),
    ),
    "transform.structured.pack_greedily": Verifier(
        attributes=(
            attribute_combinations.count_is("static_matmul_packed_sizes", 3),
            attribute_combinations.count_is("matmul_padded_sizes_next_multiple_of", 0, 3),
            attribute_combinations.count_is("matmul_inner_dims_order", 3),
            attribute_combinations.permutation("matmul_inner_dims_order"),
            attribute_combinations.one_not_zero("static_matmul_packed_sizes", "matmul_padded_sizes_next_multiple_of"),
        ),
    ),
    "transform.structured.vectorize": Verifier(
        attributes=(attribute_combinations.as_long_as("scalable_sizes", "static_vector_sizes"),),
    ),
    "transform.structured.tile_using_for": Verifier(
        attributes=(attribute_combinations.as_long_as("scalable_sizes", "static_sizes"),),
        fails=(
            attribute_combinations.order_of_loops("interchange"),
            attribute_combinations.order_of_loops("static_interchange"),
        ),
    ),
    "transform.structured.tile_using_forall": Verifier(
        attributes=(
            attribute_combinations.some_of(
                ("static_num_threads", "static_tile_sizes"),
                ("num_threads", "tile_sizes", "packed_num_threads", "packed_tile_sizes"),
                shown="`num_threads` or `tile_sizes`",
            ),
        ),
        fails=(attribute_combinations.one_for_each_nonzero("mapping", ("static_num_threads", "static_tile_sizes")),),
    ),
    "transform.structured.fuse": Verifier(
        attributes=(
            attribute_combinations.places_in("static_tile_interchange", "static_tile_sizes"),
            attribute_combinations.permutation("tile_interchange", is_old_check=True),
        ),
    ),
    "transform.structured.split": Verifier(
        attributes=(
            attribute_combinations.static_or("static_chunk_sizes", "dynamic_chunk_sizes"),
            attribute_combinations.static_or("static_split_point", "dynamic_split_point"),
        ),
    ),
    "transform.structured.bufferize_to_allocation": Verifier(
        attributes=(
            attribute_combinations.one_of("memcpy_op", *_COPIES, _MATERIALIZE),
            attribute_combinations.one_of("alloc_op", "memref.alloc", "memref.alloca"),
        ),
    ),
    "transform.bufferization.one_shot_bufferize": Verifier(
        attributes=(
            attribute_combinations.one_of("memcpy_op", *_COPIES),
            attribute_combinations.needs_flag("dump_alias_sets", "test_analysis_only"),
            attribute_combinations.needs_flag("print_conflicts", "test_analysis_only"),
        ),
    ),
    "transform.structured.replace": Verifier(body=(bodies.one_operation(0),)),
    "transform.affine.simplify_bounded_affine_ops": Verifier(
        attributes=(
            attribute_combinations.as_many_as("lower_bounds", "bounded_values"),
            attribute_combinations.as_many_as("upper_bounds", "bounded_values"),
        ),
    ),
    "transform.func.cast_and_call": Verifier(
        body=(bodies.children_with("TypeConverterBuilderOpInterface"),),
        attributes=(attribute_combinations.operand_or_name("function", "function_name"),),
    ),
    "transform.smt.constrain_params": Verifier(
        terminator=(bodies.last_is(_SOLVED),),
        body=(bodies.arguments_stand_for_parameters, bodies.operations_of_solver),
        yielded=(bodies.yields_to_parameters(_SOLVED),),
        fails=(bodies.assertions_hold,),
        may_fail=(type_relations.parameters_of_known_type,),
    ),
    "transform.apply_registered_pass": Verifier(attributes=(attribute_combinations.options_are_given,)),
    "transform.get_operand": Verifier(attributes=(matchers.positions("raw_position_list"),)),
    "transform.get_result": Verifier(attributes=(matchers.positions("raw_position_list"),)),
    "transform.match.structured.dim": Verifier(
        attributes=(attribute_combinations.at_most_one_of("parallel", "reduction"), matchers.positions("raw_dim_list")),
    ),
    "transform.match.structured.input": Verifier(attributes=_OF_OPERANDS),
    "transform.match.structured.init": Verifier(attributes=_OF_OPERANDS),
    "transform.match.structured.result": Verifier(
        attributes=(attribute_combinations.at_most_one_of("any", "single"), matchers.result_of_users),
    ),
    "transform.match.structured.body": Verifier(
        attributes=(
            attribute_combinations.at_most_one_of(*_OF_BODIES),
            attribute_combinations.at_most_one_of(*_OF_BODIES, "elementwise", since="exclusive-elementwise"),
            attribute_combinations.count_is("contraction", 2),
        ),
    ),
    "transform.payload": Verifier(
        attributes=(attribute_combinations.one_of_each("normal_forms"), type_relations.normal_forms)
    ),
    "transform.irdl.collect_matching": Verifier(body=(bodies.only(_IRDL),)),
    "transform.gpu.map_forall_to_blocks": Verifier(
        attributes=(attribute_combinations.count_is("grid_dims", 0, 3),),
        fails=(attribute_combinations.some_unless("grid_dims", "generate_gpu_launch"),),
    ),
    "transform.gpu.map_nested_forall_to_threads": Verifier(
        fails=(
            attribute_combinations.count_is("block_dims", 3),
            attribute_combinations.launches("block_dims", (1024, 1024, 64), 1024),
        )
    ),
    "transform.tune.knob": Verifier(
        attributes=(attribute_combinations.chosen_from("selected", "options"),),
        fails=(type_relations.holds("selected"),),
        may_fail=(attribute_combinations.selected("selected", "selected"),),
    ),
    "transform.loop.pipeline": Verifier(fails=(attribute_combinations.not_zero("iteration_interval"),)),
    "scf.for": Verifier(body=(bodies.arguments_but(2),)),
    "vector.mask": Verifier(body=(bodies.at_most_one_beside("vector.yield"),)),
}

BY_TRAIT: dict[str, Check] = {"StructuredOpPredicateOpTrait": matchers.stands_in(_STRUCTURED_MATCHER)}
"""The check of the body around operations with a trait."""
