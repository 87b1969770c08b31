"""The operations of schedules: their operands, spelling and results.

In a text, ``{0}`` stands for an operand, ``<a|b>`` for one of several words, ``{sizes}`` for sizes with zeros among
them, and ``{present}`` for a name that the payload has. A result is `OPERATION`, `VALUE`, `PARAMETER`, or the name of
the one payload operation that its type asks for; `LOOPS` are as many as sizes are not zero.
"""

from __future__ import annotations

from typing import NamedTuple

OPERATION = "op"
VALUE = "value"
PARAMETER = "param"
LOOPS = "loops"

_LINALG = r"linalg\.(?!yield|index).*"
_FOR = r"scf\.for"
_FORALL = r"scf\.forall"
_FUNCTION = r"func\.func"
_AROUND = r"func\.func|scf\.for|scf\.forall|builtin\.module"
_ANY = r".*"


class Form(NamedTuple):
    """One way to write an operation."""

    weight: float
    operands: tuple[str, ...]
    """For each operand a pattern that all names of its payload fit; after ``=`` the one name its type asks for, after
    ``$`` the kind of an operand that is no handle to operations."""
    text: str
    results: tuple[str, ...] = ()
    consumes: tuple[int, ...] = ()
    is_functional: bool = True
    """True if types of operands and results are written as those of a function; else those of the operands are."""


_FOLDING = "apply_patterns.<canonicalization|tensor.merge_consecutive_insert_extract_slice>"
_PATTERN = (
    "<linalg.tiling_canonicalization|scf.for_loop_canonicalization|vector.lower_contraction|vector.lower_transfer"
    "|vector.lower_multi_reduction|vector.reduction_to_contract|vector.transfer_permutation_patterns"
    "|linalg.fold_unit_extent_dims_via_reshapes|tensor.fold_tensor_empty|memref.fold_memref_alias_ops"
    "|tensor.reassociative_reshape_folding>"
)
_PASS = (
    "<canonicalize|cse|loop-invariant-code-motion|linalg-generalize-named-ops|convert-linalg-to-loops"
    "|scf-for-loop-peeling|sccp>"
)
_O, _V, _P = OPERATION, VALUE, PARAMETER

FORMS: tuple[Form, ...] = (
    # Finding
    Form(16, (_AROUND,), 'structured.match ops{{["{present}"]}} in {0}', (_O,)),
    Form(3, (_AROUND,), 'structured.match ops{{["{present}", "{present}"]}} in {0}', (_O,)),
    Form(3, (_AROUND,), "structured.match interface{{<LinalgOp|TilingInterface|LoopLikeInterface>}} in {0}", (_O,)),
    Form(4, (_AROUND,), 'structured.match ops{{["scf.for"]}} in {0}', ("scf.for",)),
    Form(1, (_AROUND,), 'structured.match ops{{["linalg.pack"]}} in {0}', ("linalg.pack",)),
    Form(1, (_AROUND,), 'structured.match ops{{["linalg.unpack"]}} in {0}', ("linalg.unpack",)),
    Form(1, (_AROUND,), 'structured.match ops{{["linalg.generic"]}} in {0}', ("linalg.generic",)),
    Form(1, (_AROUND,), 'structured.match ops{{["memref.alloc"]}} in {0}', ("memref.alloc",)),
    Form(1, (_AROUND,), 'structured.match ops{{["memref.alloca"]}} in {0}', ("memref.alloca",)),
    Form(1, (_AROUND,), 'structured.match ops{{["tensor.empty"]}} in {0}', ("tensor.empty",)),
    Form(1, (_AROUND,), 'structured.match ops{{["tensor.pad"]}} in {0}', ("tensor.pad",)),
    # Navigation
    Form(3, (_ANY,), 'get_parent_op {0} {{<isolated_from_above|op_name = "func.func"|op_name = "scf.for">}}', (_O,)),
    Form(2, (_ANY,), 'get_parent_op {0} {{deduplicate, op_name = "<func.func|scf.for|scf.forall>"}}', (_O,)),
    Form(2, (_LINALG,), "get_producer_of_operand {0}[<0|1|2>]", (_O,)),
    Form(2, (_LINALG,), "get_consumers_of_result {0}[0]", (_O,)),
    Form(1, (_LINALG,), "get_result {0}[<0|all>]", (_V,)),
    Form(1, (_LINALG,), "get_operand {0}[<0|1|all>]", (_V,)),
    Form(1, ("$value",), "get_defining_op {0}", (_O,)),
    Form(1, ("$value",), "get_type elemental {0}", ("type",)),
    Form(3, (_ANY,), "split_handle {0}", (_O, _O)),
    Form(1, (_ANY,), "split_handle {0} {{overflow_result = 1, fail_on_payload_too_small = false}}", (_O, _O)),
    Form(1, (_ANY,), 'select "{present}" in {0}', (_O,)),
    Form(1, (_ANY,), "num_associations {0}", (_P,)),
    # Tiling and fusion
    Form(9, (_LINALG,), "structured.tile_using_for {0} tile_sizes {sizes}", (_O, LOOPS), (0,)),
    Form(5, (_LINALG,), "structured.tile_using_forall {0} tile_sizes {sizes}", (_O, _O), (0,)),
    Form(2, (_LINALG,), "structured.tile_using_forall {0} num_threads <[2]|[2, 4]>", (_O, _O), (0,)),
    Form(
        1, (_LINALG,), "structured.tile_using_forall {0} num_threads [4] (mapping = [#gpu.thread<x>])", (_O, _O), (0,)
    ),
    Form(5, (_LINALG,), "structured.fuse {0} tile_sizes {sizes}", (_O, LOOPS), (0,)),
    Form(1, (_LINALG,), "structured.fuse {0} tile_sizes {sizes} {{apply_cleanup}}", (_O, LOOPS), (0,)),
    Form(1, (_LINALG,), "structured.fuse {0} tile_sizes {sizes} {{use_forall}}", (_O, _O), (0,)),
    Form(7, (_LINALG, r"scf\.for|scf\.forall"), "structured.fuse_into_containing_op {0} into {1}", (_O, _O), (0, 1)),
    Form(
        1.5,
        (_LINALG,),
        "structured.tile_reduction_using_for {0} by tile_sizes = <[0, 5]|[0, 0, 8]>",
        (_O, _O, _O, _O),
        (0,),
    ),
    Form(
        1.5,
        (_LINALG,),
        "structured.tile_reduction_using_forall {0} by num_threads = [0, 4] tile_sizes = []",
        (_O, _O, _O, _O),
        (0,),
    ),
    Form(
        1,
        (_LINALG,),
        "structured.split_reduction {0} {{split_factor = 4, insert_split_dimension = 1}}",
        (_O, _O, _O, _O),
        (0,),
    ),
    Form(2, (_LINALG,), "structured.multitile_sizes {0} {{dimension = 0, target_size = 3}}", (_P, _P, _P), ()),
    Form(2, (_LINALG,), "structured.split {0} after <4|8> {{dimension = <0|1>}}", (_O,), (0,)),
    # Rewriting
    Form(4, (_LINALG,), "structured.generalize {0}", (_O,), (0,)),
    Form(2, (r"linalg\.generic",), "structured.specialize {0}", (_O,), (0,)),
    Form(2, (r"linalg\.generic",), "structured.interchange {0} iterator_interchange = <[1, 0]|[2, 0, 1]>", (_O,), (0,)),
    Form(
        3,
        (_LINALG,),
        "structured.pad {0} pad_to_multiple_of <[8, 8, 8]|[4, 4]> {{padding_dimensions = [0, 1, 2]}}",
        (_O, _O, _O),
        (0,),
    ),
    Form(
        3,
        (_LINALG,),
        "structured.pad {0} {{padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2]}}",
        (_O, _O, _O),
        (0,),
    ),
    Form(
        1,
        (_LINALG,),
        "structured.pad_tiling_interface {0} to padding_sizes [32, 32, 32] pad_to_multiple_of",
        (_O, _O),
        (0,),
    ),
    Form(2, (r"tensor\.pad",), "structured.hoist_pad {0} by <1|2> loops", (_O,)),
    Form(4, (_LINALG,), "structured.vectorize {0}", (), (0,), is_functional=False),
    Form(3, (_FUNCTION,), "structured.vectorize_children_and_apply_patterns {0}", (_O,), (0,)),
    Form(2, (_LINALG,), "structured.decompose {0}", (_O,), (0,)),
    Form(2, (_LINALG,), "structured.decompose_interface {0}", (_O,), (0,)),
    Form(1, (_LINALG,), "structured.scalarize {0}", (_O,), (0,)),
    Form(2, (_LINALG,), "structured.convert_to_loops {0}", (LOOPS,), (0,)),
    Form(2, (_LINALG,), "structured.pack {0} packed_sizes = <[4, 4, 4]|[8, 0, 4]|[4, 4]>", ("linalg.generic",), (0,)),
    Form(
        1,
        ("=linalg.generic",),
        "structured.pack_greedily {0} matmul_packed_sizes = [8, 8, 8] matmul_inner_dims_order = [0, 1, 2]",
        ("linalg.generic",),
        (0,),
    ),
    Form(
        2,
        ("=linalg.pack",),
        "structured.lower_pack {0}",
        ("tensor.pad", "tensor.expand_shape", "linalg.transpose"),
        (0,),
    ),
    Form(
        2,
        ("=linalg.unpack",),
        "structured.lower_unpack {0}",
        ("tensor.empty", "linalg.transpose", "tensor.collapse_shape", "tensor.extract_slice"),
        (0,),
    ),
    Form(2, (_LINALG,), "structured.promote {0} {{use_full_tiles_by_default}}", (_O,), (0,)),
    Form(1, ("$value",), "structured.promote_tensor {0}", (_V,), (), is_functional=False),
    Form(1, (r"tensor\.(pad|generate)",), "structured.rewrite_in_destination_passing_style {0}", (_O,), (0,)),
    Form(
        2,
        (r"tensor\..*|linalg\..*",),
        'structured.bufferize_to_allocation {0} {{memory_space = 3, alloc_op = "memref.<alloc|alloca>"}}',
        (_V, _O),
        (0,),
        is_functional=False,
    ),
    Form(1, (_FUNCTION,), "structured.hoist_redundant_vector_transfers {0}", (_O,), (0,)),
    Form(1, (_FUNCTION,), "structured.hoist_redundant_vector_broadcasts {0}", (_O,), (0,)),
    Form(1, (r"linalg\.(conv|generic).*",), "structured.convert_conv2d_to_img2col {0}", (_O, _O), (0,)),
    Form(1, (r"linalg\.conv.*",), "structured.transpose_conv2d {0}", (_O,), (0,)),
    Form(1, (r"linalg\.conv.*",), "structured.winograd_conv2d {0} {{fmr = 0 : i32}}", (_O,), (0,)),
    Form(2, (r"linalg\.winograd.*",), "structured.decompose_winograd_op {0}", (_O,), (0,)),
    Form(1, (r"linalg\.(batch_)?matmul",), "structured.transpose_matmul {0} <lhs>", (_O,), (0,)),
    Form(2, (_LINALG,), "structured.flatten_elementwise {0}", (_O,), (0,)),
    Form(
        1, (r"tensor\.insert_slice|tensor\.parallel_insert_slice",), "structured.insert_slice_to_copy {0}", (_O,), (0,)
    ),
    Form(1, (r"linalg\.copy",), "structured.linalg_copy_to_memref {0}", (_O,), (0,)),
    Form(
        1,
        (r"linalg\.copy",),
        "structured.gpu.map_copy_to_threads {0} total_num_threads = 32 desired_bit_alignment = 128",
        (_O, _O),
        (0,),
    ),
    # Loops
    Form(4, (_FOR,), "loop.unroll {0} {{factor = <2|4>}}", (), (0,), is_functional=False),
    Form(3, ("=scf.for",), "loop.peel {0}", (_O, _O), (0,)),
    Form(2, ("=scf.for",), "loop.pipeline {0}", (_O,), (0,)),
    Form(3, (_FOR,), "loop.coalesce {0}", (_O,), (0,)),
    Form(4, (_FOR,), 'loop.outline {0} {{func_name = "outlined"}}', (_O, _O), (0,)),
    Form(2, (_FOR,), "loop.promote_if_one_iteration {0}", (), (0,), is_functional=False),
    Form(1, (_FOR,), "loop.unroll_and_jam {0} {{factor = 2}}", (), (0,), is_functional=False),
    Form(3, (_FOR,), "loop.hoist_loop_invariant_subsets {0}", (), (), is_functional=False),
    Form(3, (_FORALL,), "loop.forall_to_for {0}", (_O,), (0,)),
    Form(1, (_FORALL,), "loop.forall_to_for {0}", (_O, _O), (0,)),
    Form(2, (_FORALL,), "loop.forall_to_parallel {0}", (_O,), (0,)),
    Form(2, (r"scf\.parallel",), "loop.parallel_for_to_nested_fors {0}", (_O,), (0,)),
    Form(2, (r"scf\.for|scf\.forall", r"scf\.for|scf\.forall"), "loop.fuse_sibling {0} into {1}", (_O,), (0, 1)),
    # Patterns, passes, and other changes of the whole payload
    Form(
        4,
        (_FUNCTION,),
        f"apply_patterns to {{0}} {{{{\n transform.{_FOLDING}\n transform.apply_patterns.{_PATTERN}\n}}}}",
        (),
        (),
        is_functional=False,
    ),
    Form(2, (_FUNCTION,), "apply_cse to {0}", (), (), is_functional=False),
    Form(1, (_FUNCTION,), "apply_dce to {0}", (), (), is_functional=False),
    Form(2, (_FOR,), "apply_licm to {0}", (), (), is_functional=False),
    Form(
        3,
        (_FUNCTION,),
        f'apply_registered_pass "{_PASS}" to {{0}}',
        (_O,),
        (0,),
    ),
    Form(2, (_FUNCTION,), "bufferization.one_shot_bufferize {0}", (_O,), (0,)),
    Form(
        1,
        (r"builtin\.module",),
        "bufferization.one_shot_bufferize {0} {{bufferize_function_boundaries = true}}",
        (_O,),
        (0,),
    ),
    Form(1, (_FUNCTION,), "bufferization.eliminate_empty_tensors {0}", (), (), is_functional=False),
    Form(
        1, ("=tensor.empty",), "bufferization.empty_tensor_to_alloc_tensor {0}", ("bufferization.alloc_tensor",), (0,)
    ),
    Form(1, (_FUNCTION,), "bufferization.buffer_loop_hoisting {0}", (), (), is_functional=False),
    Form(1, (_FUNCTION,), "memref.erase_dead_alloc_and_stores {0}", (), ()),
    Form(1, ("=memref.alloc",), "memref.multibuffer {0} {{factor = 2 : i64, skip_analysis}}", (_O,), (0,)),
    Form(1, ("=memref.alloca",), "memref.alloca_to_global {0}", (_O, _O), (0,)),
    Form(2, (_FUNCTION,), "gpu.map_forall_to_blocks {0} generate_gpu_launch", (_O,), ()),
    Form(2, (r"gpu\.launch",), "gpu.map_nested_forall_to_threads {0} block_dims = [16, 1, 1]", (_O,), ()),
    # Only reading
    Form(2, (_ANY,), 'annotate {0} "seen"', (), (), is_functional=False),
    Form(1, (_ANY,), "verify {0}", (), (), is_functional=False),
    Form(2, (_ANY,), 'debug.emit_remark_at {0}, "here"', (), (), is_functional=False),
    Form(1, ("$param",), "debug.emit_param_as_remark {0}", (), (), is_functional=False),
    Form(1, ("$param", "$param"), "match.param.cmpi <le|eq|ge> {0}, {1}", (), (), is_functional=False),
)
"""All forms but those that bring together and cast handles, and those with a body."""
