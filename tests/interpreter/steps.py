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
    "silenced nothing": f"""\
    transform.sequence %root : {_ANY} failures(propagate) {{
    ^bb0(%r: {_ANY}):
      %m = transform.structured.match ops{{["linalg.matmul"]}} in %r : ({_ANY}) -> {_ANY}
      transform.loop.unroll %m {{factor = 2}} : {_ANY}
    }}
""",
}
