"""Scripts that ask random matchers for structured operations, most of which accept nothing: run them with ``nothing``.

Payloads are a few operations of many kinds, named and generic, on tensors and buffers. Matchers ask for loops, for
operands, sizes and widths in the body of ``transform.match.structured``.
"""

from __future__ import annotations

from random import Random
from textwrap import indent

_ANY, _VALUE, _NUMBER = "!transform.any_op", "!transform.any_value", "!transform.param<i64>"
_ARGUMENTS = {
    "a": "tensor<8x16xf32>",
    "b": "tensor<16x32xf32>",
    "c": "tensor<8x32xf32>",
    "d": "tensor<2x8x16xf32>",
    "e": "tensor<2x16x32xf32>",
    "g": "tensor<2x8x32xf32>",
    "h": "tensor<8xf32>",
    "i": "tensor<16x8xf32>",
    "j": "tensor<16x2x8xf32>",
    "f": "f32",
    "x": "tensor<?x16xi8>",
    "y": "tensor<16x?xi8>",
    "z": "tensor<?x?xi32>",
    "image": "memref<1x10x12x3xf64>",
    "filter": "memref<3x5x3x7xf64>",
    "output": "memref<1x8x8x7xf64>",
    "u": "memref<4x?xbf16>",
    "v": "memref<4x?xindex>",
}
_PAYLOAD = (
    "%{n} = linalg.matmul ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}",
    "%{n} = linalg.batch_matmul ins(%d, %e : {d}, {e}) outs(%g : {g}) -> {g}",
    "%{n} = linalg.matmul ins(%x, %y : {x}, {y}) outs(%z : {z}) -> {z}",
    "%{n} = linalg.fill ins(%f : f32) outs(%c : {c}) -> {c}",
    "%{n} = linalg.add ins(%a, %a : {a}, {a}) outs(%a : {a}) -> {a}",
    "%{n} = linalg.exp ins(%h : {h}) outs(%h : {h}) -> {h}",
    "linalg.copy ins(%u : {u}) outs(%u : {u})",
    "%{n} = linalg.map {{ arith.addf }} ins(%a, %a : {a}, {a}) outs(%a : {a})",
    (
        "%{n} = linalg.reduce ins(%a : {a}) outs(%h : {h}) dimensions = [1]"
        " (%in: f32, %init: f32) {{ %s = arith.addf %in, %init : f32 linalg.yield %s : f32 }}"
    ),
    "%{n} = linalg.reduce {{ arith.addf }} ins(%d : {d}) outs(%h : {h}) dimensions = [0, 2]",
    "%{n} = linalg.transpose ins(%a : {a}) outs(%i : {i}) permutation = [1, 0]",
    "%{n} = linalg.transpose ins(%d : {d}) outs(%j : {j}) permutation = [2, 0, 1]",
    "%{n} = linalg.broadcast ins(%h : {h}) outs(%a : {a}) dimensions = [1]",
    "linalg.conv_2d_nhwc_hwcf ins(%image, %filter : {image}, {filter}) outs(%output : {output})",
    (
        "%{n} = linalg.generic {{indexing_maps = [#all, #rows], iterator_types = ["
        '"parallel", "reduction"]}} ins(%a : {a}) outs(%h : {h}) {{\n^bb0(%p: f32, %q: f32):\n'
        "%s{n} = arith.addf %p, %q : f32\nlinalg.yield %s{n} : f32\n}} -> {h}"
    ),
    (
        "linalg.generic #copying ins(%v : {v}) outs(%v : {v}) attrs = {{outs}} {{\n"
        "^bb0(%p: index, %q: index):\nlinalg.yield %p : index\n}}"
    ),
    (
        '%{n} = "linalg.generic"(%a, %h) <{{indexing_maps = [#turned, affine_map<(i, j) -> (j)>], iterator_types = ['
        "#linalg.iterator_type<reduction>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}}>"
        ' ({{\n^bb0(%p: f32, %q: f32):\n"linalg.yield"(%p) : (f32) -> ()\n}}) : ({a}, {h}) -> {h}'
    ),
    "%{n} = arith.addf %f, %f : f32",
)
_ALIASES = """\
#all = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>
#turned = affine_map<(i, j) -> (j, i)>
#copying = {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
"""
_INSIDE = (
    f"%r{{n}} = transform.match.structured.rank %s : ({_ANY}) -> {_NUMBER}",
    f"%r{{n}} = transform.match.structured.num_inputs %s : ({_ANY}) -> {_NUMBER}",
    f"%r{{n}} = transform.match.structured.num_inits %s : ({_ANY}) -> {_NUMBER}",
    f"%r{{n}} = transform.match.structured.dim %s[{{at}}] : ({_ANY}) -> {_NUMBER}",
    f"%r{{n}} = transform.match.structured.dim %s[{{at}}] : ({_ANY}) -> {_NUMBER}",
    (
        f"%w{{n}} = transform.match.structured.{{operand}} %s[{{at}}] : ({_ANY}) -> {_VALUE}\n"
        f"%r{{n}} = transform.match.structured.elemental_bitwidth %w{{n}} : ({_VALUE}) -> {_NUMBER}"
    ),
    f"transform.match.structured.dim %s[{{several}}] {{{{{{kind}}}}}} : {_ANY}",
    f"transform.match.structured.{{operand}} %s[{{several}}] {{{{{{map}}}}}} : {_ANY}",
    f"%p{{n}} = transform.match.structured.{{operand}} %s[{{at}}] : ({_ANY}) -> {_ANY}",
    f"transform.match.structured.body %s {{{{{{body}}}}}} : {_ANY}",
    (
        f"%b{{n}}, %m{{n}}, %n{{n}}, %k{{n}} = transform.match.structured.classify_contraction_dims %s"
        f" : ({_ANY}) -> ({_NUMBER}, {_NUMBER}, {_NUMBER}, {_NUMBER})"
    ),
    f"%u{{n}} = transform.match.structured.result %s[{{at}}] any : ({_ANY}) -> {_ANY}",
)
_BODIES = ("elementwise", "passthrough", "reduction_position = 0", 'contraction = ["arith.mulf", "arith.addf"]')
_INDENT = "    "
_NUMBERS = (0, 1, 1, 2, 2, 3, 4, 5, 7, 8, 16, 32, 64)


def condition_scripts(seed: int, count: int) -> list[tuple[str, str]]:
    """Return scripts with their names."""
    random = Random(seed)
    return [(f"{seed}:{number}", _script(random)) for number in range(count)]


def _script(random: Random) -> str:
    chosen = random.choices(_PAYLOAD, k=random.randint(1, 4))
    payload = "\n".join(text.format(n=f"v{number}", **_ARGUMENTS) for number, text in enumerate(chosen))
    arguments = ", ".join(f"%{name}: {type_}" for name, type_ in _ARGUMENTS.items())
    conditions = "\n".join(_condition(random, number) for number in range(random.randint(1, 3)))
    named = random.choice(("", f'transform.match.operation_name %op ["linalg.generic", "linalg.matmul"] : {_ANY}\n'))
    matcher = (
        f"{named}transform.match.structured %op : {_ANY} {{\n^bb0(%s: {_ANY}):\n{conditions}\n}}\n"
        f"transform.yield %op : {_ANY}"
    )
    script = f"%found = transform.collect_matching @m in %root : ({_ANY}) -> {_ANY}\ntransform.yield"
    return f"""{_ALIASES}
module attributes {{transform.with_named_sequence}} {{
  func.func @f({arguments}) {{
{indent(payload, _INDENT)}
    return
  }}
  transform.named_sequence @m(%op: {_ANY} {{transform.readonly}}) -> {_ANY} {{
{indent(matcher, _INDENT)}
  }}
  transform.named_sequence @__transform_main(%root: {_ANY} {{transform.readonly}}) {{
{indent(script, _INDENT)}
  }}
}}
"""


def _condition(random: Random, number: int) -> str:
    text = random.choice(_INSIDE).format(
        n=number,
        at=random.choice(("0", "1", "-1", "2")),
        several=random.choice(("all", "0", "-1", "0, 1", "except(0)", "except(-1)", "1, -1")),
        operand=random.choice(("input", "init")),
        kind=random.choice(("parallel", "reduction")),
        map=random.choice(("permutation", "projected_permutation")),
        body=random.choice(_BODIES),
    )
    if f"%r{number} =" not in text:
        return text
    predicate = random.choice(("eq", "ne", "lt", "le", "gt", "ge"))
    return (
        f"{text}\n%c{number} = transform.param.constant {random.choice(_NUMBERS)} : i64 -> {_NUMBER}\n"
        f"transform.match.param.cmpi {predicate} %r{number}, %c{number} : {_NUMBER}"
    )
