"""Attacks on the stages after reading: aliases, symbols, values and the analysis of handles."""

from __future__ import annotations

from analysis.checking.attacks import ATTACKS
from soak.attack.model import Attack, any_ops, in_module, in_sequence, match, script


def _sequence(name: str, body: str, arguments: str = "%arg0: !transform.any_op {transform.consumed}") -> str:
    return f"  transform.named_sequence @{name}({arguments}) {{\n{body}    transform.yield\n  }}"


def _include(name: str, value: str = "%arg0") -> str:
    return f"    transform.include @{name} failures(propagate) ({value}) : (!transform.any_op) -> ()\n"


def _nested_alternatives(size: int) -> str:
    heads = "".join(
        f"transform.alternatives %v{i} : !transform.any_op {{\n^bb0(%v{i + 1}: !transform.any_op):\n"
        for i in range(size)
    )
    tails = "transform.yield }, { ^bb0(%x: !transform.any_op): transform.yield }" * size
    return in_sequence(f"{match('%v0')}\n{heads}{tails}")


def _payload(size: int) -> str:
    functions = "\n".join(f"func.func @f{i}(%a: tensor<4xf32>) {{\n  return\n}}" for i in range(size))
    return in_sequence(match("%m", "func.func"), match("%n", "func.return")).replace("{\n", f"{{\n{functions}\n", 1)


def _tiled(size: int) -> str:
    sizes = ", ".join(["2"] * size)
    return in_sequence(
        match("%m"),
        f"%t, %l:{size} = transform.structured.tile_using_for %m tile_sizes [{sizes}] "
        f": (!transform.any_op) -> ({any_ops(size + 1)})",
        *[f"transform.loop.unroll %l#{i} {{factor = 2}} : !transform.any_op" for i in range(size)],
    )


def _attribute_bomb(size: int) -> str:
    lines = [f"#a{i + 1} = [#a{i}, #a{i}]" for i in range(size)]
    return "\n".join(["#a0 = 1", *lines, f'"test.op"() {{a = #a{size}}} : () -> ()\n'])


def _values(size: int) -> str:
    lines = "".join(f'  %{i + 1} = "test.op"(%{i}) : (i32) -> i32\n' for i in range(size))
    return f"func.func @f(%0: i32) {{\n{lines}  return\n}}\n"


def _switch(size: int) -> str:
    cases = ",\n".join(f"    {number}: ^b{number}" for number in range(size))
    blocks = "".join(f"  ^b{number}:\n    cf.br ^end\n" for number in range(size))
    head = "func.func @f(%a: i32) {\n  cf.switch %a : i32, [\n    default: ^end,\n"
    return f"{head}{cases}\n  ]\n{blocks}  ^end:\n    return\n}}\n"


MEANING: tuple[Attack, ...] = (
    *(script(name.replace("_", " "), make, smallest=4, largest=1 << 11) for name, make in ATTACKS.items()),
    script("nested alternatives", _nested_alternatives, smallest=4, largest=1 << 10),
    script("includes of itself", lambda n: in_module(_sequence("s", _include("s") * n)), largest=1 << 13),
    script("many functions of payload", _payload, largest=1 << 13),
    script("many loops of one tiling", _tiled, largest=1 << 12),
    script("bomb of attribute aliases", _attribute_bomb, smallest=4, largest=1 << 14),
    script("alias of itself", lambda n: "!a = tuple<!a, !a>\n" * n, largest=1 << 14),
    script("chain of values", _values, largest=1 << 15),
    script("switch with many cases", _switch, largest=1 << 14),
    script(
        "many uses of one value",
        lambda n: "func.func @f(%0: i32) {\n" + '  "test.op"(%0) : (i32) -> ()\n' * n + "  return\n}\n",
        largest=1 << 15,
    ),
    script("many symbols of one name", lambda n: in_module(*[_sequence("s", "")] * n), largest=1 << 13),
    script(
        "many patterns",
        lambda n: in_sequence(
            "transform.apply_patterns to %root {",
            *["transform.apply_patterns.canonicalization"] * n,
            "} : !transform.any_op",
        ),
        largest=1 << 14,
    ),
    script(
        "many names of one match",
        lambda n: in_sequence(match("%0", '", "'.join(f"linalg.x{i}" for i in range(n)))),
        largest=1 << 14,
    ),
)
