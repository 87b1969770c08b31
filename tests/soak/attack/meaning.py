"""Attacks on the stages after reading: aliases, symbols, values and the analysis of handles."""

from __future__ import annotations

from soak.attack.model import Attack, any_ops, in_module, in_sequence, match, script


def _sequence(name: str, body: str, arguments: str = "%arg0: !transform.any_op {transform.consumed}") -> str:
    return f"  transform.named_sequence @{name}({arguments}) {{\n{body}    transform.yield\n  }}"


def _include(name: str, value: str = "%arg0") -> str:
    return f"    transform.include @{name} failures(propagate) ({value}) : (!transform.any_op) -> ()\n"


def _chain(size: int, calls: int = 1) -> str:
    """Return named sequences of which each includes the next one `calls` times."""
    sequences = [_sequence(f"s{i}", _include(f"s{i + 1}") * calls) for i in range(size)]
    last = _sequence(f"s{size}", "    transform.loop.unroll %arg0 {factor = 2} : !transform.any_op\n")
    return in_module(*sequences, last)


def _nested_foreach(size: int) -> str:
    heads = "".join(
        f"transform.foreach %v{i} : !transform.any_op {{\n^bb0(%v{i + 1}: !transform.any_op):\n" for i in range(size)
    )
    innermost = f"transform.loop.unroll %v{size} {{factor = 2}} : !transform.any_op\n"
    return in_sequence(f"{match('%v0')}\n{heads}{innermost}{'transform.yield }' * size}")


def _nested_alternatives(size: int) -> str:
    heads = "".join(
        f"transform.alternatives %v{i} : !transform.any_op {{\n^bb0(%v{i + 1}: !transform.any_op):\n"
        for i in range(size)
    )
    tails = "transform.yield }, { ^bb0(%x: !transform.any_op): transform.yield }" * size
    return in_sequence(f"{match('%v0')}\n{heads}{tails}")


def _merges(size: int) -> str:
    operands = ", ".join(["%m"] * 20)
    lines = [match("%m")]
    for number in range(size):
        lines.append(f"%m{number} = transform.merge_handles {operands} : !transform.any_op")
        operands = ", ".join([f"%m{number}"] * 20)
    return in_sequence(*lines, f"transform.loop.unroll %m{size - 1} {{factor = 2}} : !transform.any_op")


def _split(size: int) -> str:
    return in_sequence(
        match("%m"),
        f"%s:{size} = transform.split_handle %m : (!transform.any_op) -> ({any_ops(size)})",
        "transform.loop.unroll %s#0 {factor = 2} : !transform.any_op",
        "transform.loop.unroll %m {factor = 2} : !transform.any_op",
    )


def _casts(size: int) -> str:
    lines = [f"%c{i + 1} = transform.cast %c{i} : !transform.any_op to !transform.any_op" for i in range(size)]
    return in_sequence(match("%c0"), *lines, f"transform.loop.unroll %c{size} {{factor = 2}} : !transform.any_op")


def _parents(size: int) -> str:
    lines = [
        f"%c{i + 1} = transform.get_parent_op %c{i} : (!transform.any_op) -> !transform.any_op" for i in range(size)
    ]
    return in_sequence(
        match("%c0"),
        *lines,
        f"transform.loop.unroll %c{size} {{factor = 2}} : !transform.any_op",
        f'transform.debug.emit_remark_at %c{size - 1}, "x" : !transform.any_op',
    )


def _consumed(size: int) -> str:
    lines = [match(f"%m{i}") for i in range(size)]
    lines += [f"transform.loop.unroll %m{i} {{factor = 2}} : !transform.any_op" for i in range(size)]
    return in_sequence(*lines)


def _unrolled_again(size: int) -> str:
    return in_sequence(match("%m"), *["transform.loop.unroll %m {factor = 2} : !transform.any_op"] * size)


def _arms(size: int) -> str:
    matchers = [_matcher(number) for number in range(size)]
    action = _sequence("act", "", "%a: !transform.any_op {transform.readonly}")
    arms = ", ".join(f"@m{number} -> @act" for number in range(size))
    entry = f"    %0 = transform.foreach_match in %r {arms} : (!transform.any_op) -> !transform.any_op\n"
    main = _sequence("__transform_main", entry, "%r: !transform.any_op {transform.consumed}")
    return in_module(*matchers, action, main)


def _matcher(number: int) -> str:
    return (
        f"  transform.named_sequence @m{number}(%a: !transform.any_op {{transform.readonly}}) -> !transform.any_op {{\n"
        f'    transform.match.operation_name %a ["x.y{number}"] : !transform.any_op\n'
        "    transform.yield %a : !transform.any_op\n  }"
    )


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


def _alias_bomb(size: int) -> str:
    lines = [f"!a{i + 1} = tuple<!a{i}, !a{i}>" for i in range(size)]
    return "\n".join(["!a0 = tuple<i32, i32>", *lines, f'"test.op"() : () -> !a{size}\n'])


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


def _ladder(size: int) -> str:
    """Return control flow in which every block may go to the next two."""
    blocks = "".join(f"  ^b{i}:\n    cf.cond_br %c, ^b{i + 1}, ^b{i + 2}\n" for i in range(size))
    end = f"  ^b{size}:\n    cf.br ^b{size + 1}\n  ^b{size + 1}:\n    return\n}}\n"
    return f"func.func @f(%c: i1) {{\n    cf.br ^b0\n{blocks}{end}"


def _ladder_of_handles(size: int) -> str:
    branch = '    "test.cond_br"()[^b{}, ^b{}] : () -> ()\n'
    blocks = "".join(f"  ^b{i}:\n{branch.format(i + 1, i + 2)}" for i in range(1, size))
    body = f"{branch.format(1, 2)}{blocks}  ^b{size}:\n    transform.yield\n  ^b{size + 1}:\n    transform.yield\n"
    return in_module(f"  transform.named_sequence @__transform_main(%r: !transform.any_op) {{\n{body}  }}")


MEANING: tuple[Attack, ...] = (
    script("nested foreach", _nested_foreach, smallest=4, largest=1 << 10),
    script("nested alternatives", _nested_alternatives, smallest=4, largest=1 << 10),
    script("merges of twenty", _merges, largest=1 << 12),
    script("split into many", _split, largest=1 << 15),
    script("chain of casts", _casts, largest=1 << 13),
    script("chain of parents", _parents, largest=1 << 13),
    script("many matches, all consumed", _consumed, largest=1 << 12),
    script("one handle consumed again and again", _unrolled_again, largest=1 << 12),
    script("chain of includes", lambda n: _chain(n), largest=1 << 13),
    script("includes that call twice", lambda n: _chain(n, calls=2), smallest=4, largest=1 << 13),
    script("includes of itself", lambda n: in_module(_sequence("s", _include("s") * n)), largest=1 << 13),
    script(
        "many includes of one",
        lambda n: in_module(_sequence("a", ""), _sequence("s", _include("a") * n)),
        largest=1 << 13,
    ),
    script("many arms", _arms, largest=1 << 12),
    script("many functions of payload", _payload, largest=1 << 13),
    script("many loops of one tiling", _tiled, largest=1 << 12),
    script("bomb of type aliases", _alias_bomb, smallest=4, largest=1 << 14),
    script("bomb of attribute aliases", _attribute_bomb, smallest=4, largest=1 << 14),
    script(
        "chain of type aliases",
        lambda n: "!a0 = i32\n" + "".join(f"!a{i + 1} = !a{i}\n" for i in range(n)),
        largest=1 << 15,
    ),
    script("alias of itself", lambda n: "!a = tuple<!a, !a>\n" * n, largest=1 << 14),
    script("chain of values", _values, largest=1 << 15),
    script("switch with many cases", _switch, largest=1 << 14),
    script("ladder of blocks", _ladder, largest=1 << 13),
    script("ladder of blocks in a sequence", _ladder_of_handles, largest=1 << 13),
    script(
        "many uses of one value",
        lambda n: "func.func @f(%0: i32) {\n" + '  "test.op"(%0) : (i32) -> ()\n' * n + "  return\n}\n",
        largest=1 << 15,
    ),
    script("many symbols of one name", lambda n: in_module(*[_sequence("s", "")] * n), largest=1 << 13),
    script(
        "many unknown symbols",
        lambda n: in_module(_sequence("s", "".join(_include(f"x{i}") for i in range(n)))),
        largest=1 << 12,
    ),
    script(
        "many arguments of a sequence",
        lambda n: in_module(
            _sequence("s", "", ", ".join(f"%a{i}: !transform.any_op {{transform.readonly}}" for i in range(n)))
        ),
        largest=1 << 14,
    ),
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
