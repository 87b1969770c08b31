"""Bodies of scripts for the matrix multiplication of `scripts.PAYLOAD`: what succeeds, and what fails in which way."""

from __future__ import annotations

from interpreter.scripts import MATCH, TILE

_ANY = "!transform.any_op"
_FUNCTION = f'    %func = transform.structured.match ops{{["func.func"]}} in %root : ({_ANY}) -> {_ANY}\n'

SUCCEEDING = {
    "nothing": "",
    "match": MATCH,
    "tile": MATCH + TILE,
    "tile_all": MATCH
    + f"""\
    %t, %l:3 = transform.structured.tile_using_for %matmul tile_sizes [4, 2, 8] interchange = [1, 0, 2]
      : ({_ANY}) -> ({_ANY}, {_ANY}, {_ANY}, {_ANY})
""",
    "tile_forall": MATCH
    + f"""\
    %t, %l = transform.structured.tile_using_forall %matmul num_threads [2, 4]
      (mapping = [#gpu.thread<y>, #gpu.thread<x>]) : ({_ANY}) -> ({_ANY}, {_ANY})
""",
    "generalize": MATCH + f"    %g = transform.structured.generalize %matmul : ({_ANY}) -> {_ANY}\n",
    "interchange": MATCH
    + f"""\
    %g = transform.structured.generalize %matmul : ({_ANY}) -> {_ANY}
    %i = transform.structured.interchange %g iterator_interchange = [2, 0, 1] : ({_ANY}) -> {_ANY}
""",
    "split": MATCH
    + f"""\
    %low = transform.structured.split %matmul after 3 {{dimension = 0}} : {_ANY}
    %a, %b = transform.split_handle %low : ({_ANY}) -> ({_ANY}, {_ANY})
""",
    "vectorize": _FUNCTION
    + f"    %v = transform.structured.vectorize_children_and_apply_patterns %func : ({_ANY}) -> {_ANY}\n",
    "peel": MATCH
    + f"""\
    %t, %loop = transform.structured.tile_using_for %matmul tile_sizes [3] : ({_ANY}) -> ({_ANY}, {_ANY})
    %for = transform.cast %loop : {_ANY} to !transform.op<"scf.for">
    %main, %rest = transform.loop.peel %for : (!transform.op<"scf.for">) -> ({_ANY}, {_ANY})
""",
    "unroll": MATCH + TILE + f"    transform.loop.unroll %loop {{factor = 2}} : {_ANY}\n",
    "patterns": MATCH
    + TILE
    + _FUNCTION
    + f"""\
    transform.apply_patterns to %func {{
      transform.apply_patterns.canonicalization
      transform.apply_patterns.linalg.tiling_canonicalization
    }} : {_ANY}
    transform.apply_cse to %func : {_ANY}
""",
    "passes": _FUNCTION
    + f"""\
    %c = transform.apply_registered_pass "canonicalize" to %func : ({_ANY}) -> {_ANY}
    %l = transform.apply_registered_pass "convert-linalg-to-loops" to %c : ({_ANY}) -> {_ANY}
""",
    "bufferize": _FUNCTION
    + f"    %b = transform.bufferization.one_shot_bufferize layout{{IdentityLayoutMap}} %func : ({_ANY}) -> {_ANY}\n",
    "pad": MATCH
    + f"""\
    %padded, %pad, %copy = transform.structured.pad %matmul pad_to_multiple_of [3, 3, 3]
      {{padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2]}}
      : ({_ANY}) -> ({_ANY}, {_ANY}, {_ANY})
""",
    "pack": MATCH
    + f"""\
    %p = transform.structured.pack %matmul packed_sizes = [2, 4, 2]
      : ({_ANY}) -> !transform.op<"linalg.generic">
""",
    "fuse": MATCH
    + f"    %f, %l:2 = transform.structured.fuse %matmul tile_sizes [4, 4] : ({_ANY}) -> ({_ANY}, {_ANY}, {_ANY})\n",
    "outline": MATCH
    + TILE
    + f"""\
    %f, %c = transform.loop.outline %loop {{func_name = "outlined"}} : ({_ANY}) -> ({_ANY}, {_ANY})
""",
    "transpose": MATCH + f"    %t = transform.structured.transpose_matmul %matmul <lhs> : ({_ANY}) -> {_ANY}\n",
    "split_reduction": MATCH
    + f"""\
    %i, %f, %s, %c = transform.structured.split_reduction %matmul
      {{split_factor = 2, insert_split_dimension = 1}} : ({_ANY}) -> ({_ANY}, {_ANY}, {_ANY}, {_ANY})
""",
    "multitile": MATCH
    + f"""\
    %low, %high, %at = transform.structured.multitile_sizes %matmul {{dimension = 0, target_size = 3}}
      : ({_ANY}) -> !transform.param<i64>
    %both = transform.structured.split %matmul after %at {{dimension = 0}} : {_ANY}, !transform.param<i64>
""",
    "count": MATCH
    + f"""\
    %n = transform.num_associations %matmul : ({_ANY}) -> !transform.param<i64>
    transform.debug.emit_param_as_remark %n, "count" : !transform.param<i64>
""",
    "values": MATCH
    + f"""\
    %value = transform.get_operand %matmul[0] : ({_ANY}) -> !transform.any_value
    transform.debug.emit_remark_at %value, "operand" : !transform.any_value
    %result = transform.get_result %matmul[0] : ({_ANY}) -> !transform.any_value
    transform.debug.emit_remark_at %result, "result" : !transform.any_value
""",
    "hoist": MATCH + TILE + _FUNCTION + f"    transform.apply_licm to %loop : {_ANY}\n",
    "coalesce": MATCH
    + f"""\
    %t, %l:2 = transform.structured.tile_using_for %matmul tile_sizes [4, 4] : ({_ANY}) -> ({_ANY}, {_ANY}, {_ANY})
    %f = transform.cast %l#0 : {_ANY} to !transform.op<"scf.for">
    %c = transform.loop.coalesce %f : (!transform.op<"scf.for">) -> !transform.op<"scf.for">
""",
    "clone": MATCH
    + f"""\
    %parent = transform.get_parent_op %matmul {{isolated_from_above}} : ({_ANY}) -> {_ANY}
    %same = transform.get_parent_op %matmul {{op_name = "func.func", deduplicate}} : ({_ANY}) -> {_ANY}
    %both = transform.merge_handles deduplicate %parent, %same : {_ANY}
    transform.print %both : {_ANY}
""",
    "annotate": MATCH
    + f"""\
    %p = transform.param.constant 42 : i64 -> !transform.param<i64>
    transform.annotate %matmul "my.mark" = %p : {_ANY}, !transform.param<i64>
""",
    "foreach": MATCH
    + f"""\
    transform.foreach %matmul : {_ANY} {{
    ^bb0(%each: {_ANY}):
      %parent = transform.get_parent_op %each {{op_name = "func.func"}} : ({_ANY}) -> {_ANY}
      transform.debug.emit_remark_at %parent, "parent" : {_ANY}
    }}
""",
    "alternatives": _FUNCTION
    + f"""\
    transform.alternatives %func : {_ANY} {{
    ^bb0(%f: {_ANY}):
      %m = transform.structured.match ops{{["linalg.matmul"]}} in %f : ({_ANY}) -> {_ANY}
      transform.loop.unroll %m {{factor = 2}} : {_ANY}
    }}, {{
    ^bb0(%f: {_ANY}):
    }}
""",
    "print": MATCH
    + f"""\
    transform.print %matmul {{name = "handle"}} : {_ANY}
    %p = transform.param.constant 1 : i32 -> !transform.param<i32>
    transform.debug.emit_param_as_remark %p, "parameter" : !transform.param<i32>
""",
}
FAILING = {
    "use after free": MATCH + TILE + f'    transform.annotate %matmul "a" : {_ANY}\n',
    "not a loop": MATCH + f"    transform.loop.unroll %matmul {{factor = 2}} : {_ANY}\n",
    "wrong count": MATCH + f"    %a, %b = transform.split_handle %matmul : ({_ANY}) -> ({_ANY}, {_ANY})\n",
    "no parent": MATCH + f'    %p = transform.get_parent_op %matmul {{op_name = "scf.for"}} : ({_ANY}) -> {_ANY}\n',
    "wrong cast": MATCH + f'    %c = transform.cast %matmul : {_ANY} to !transform.op<"scf.for">\n',
    "unknown pass": _FUNCTION
    + f'    %p = transform.apply_registered_pass "no-such-pass" to %func : ({_ANY}) -> {_ANY}\n',
    "wrong sizes": MATCH + f"    transform.structured.vectorize %matmul vector_sizes [2, 2, 2] : {_ANY}\n",
    "repeated handle": MATCH
    + f"""\
    %both = transform.merge_handles %matmul, %matmul : {_ANY}
    %t, %l = transform.structured.tile_using_for %both tile_sizes [4] : ({_ANY}) -> ({_ANY}, {_ANY})
""",
    "no such operand": MATCH + f"    %v = transform.get_operand %matmul[9] : ({_ANY}) -> !transform.any_value\n",
    "unroll of no loop": MATCH + TILE + f"    transform.loop.unroll %tiled {{factor = 2}} : {_ANY}\n",
    "loops over tensors": MATCH + f"    %l = transform.structured.convert_to_loops %matmul : ({_ANY}) -> {_ANY}\n",
    "too many tiles": MATCH
    + f"""\
    %t, %l:4 = transform.structured.tile_using_for %matmul tile_sizes [1, 1, 1, 1]
      : ({_ANY}) -> ({_ANY}, {_ANY}, {_ANY}, {_ANY}, {_ANY})
""",
    "silenced nothing": f"""\
    transform.sequence %root : {_ANY} failures(propagate) {{
    ^bb0(%r: {_ANY}):
      %m = transform.structured.match ops{{["linalg.matmul"]}} in %r : ({_ANY}) -> {_ANY}
      transform.loop.unroll %m {{factor = 2}} : {_ANY}
    }}
""",
}
