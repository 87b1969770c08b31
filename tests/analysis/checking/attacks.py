"""Scripts of any size: each function takes a size, and returns a text whose length grows in proportion to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

ANY = "!transform.any_op"
ATTACKS: dict[str, tuple[Callable[[int], str], int]] = {}
"""Functions by name, each with a size at which it is tried, and at twice that."""


def module(members: Iterable[str]) -> str:
    """Return a module with named sequences."""
    return "".join(["module attributes {transform.with_named_sequence} {\n", *members, "}\n"])


def sequence(lines: Iterable[str], name: str = "__transform_main", arguments: str = "%root: !transform.any_op") -> str:
    """Return a named sequence without results."""
    body = "".join(f"    {line}\n" for line in lines)
    return f"  transform.named_sequence @{name}({arguments}) {{\n{body}    transform.yield\n  }}\n"


def function(lines: Iterable[str], name: str, result: str = "%a") -> str:
    """Return a named sequence that reads `%a`, and yields one of its values."""
    head = f"  transform.named_sequence @{name}(%a: {ANY} {{transform.readonly}}) -> {ANY} {{"
    return "\n    ".join([head, *lines, f"transform.yield {result} : {ANY}"]) + "\n  }\n"


def script(lines: Iterable[str]) -> str:
    """Return a module with one named sequence."""
    return module([sequence(lines)])


def match(result: str, name: str = "scf.for", root: str = "%root") -> str:
    return f'{result} = transform.structured.match ops{{["{name}"]}} in {root} : ({ANY}) -> {ANY}'


def consume(value: str) -> str:
    return f"transform.loop.unroll {value} {{factor = 2}} : {ANY}"


def use(value: str) -> str:
    return f'transform.annotate {value} "seen" : {ANY}'


def merge(result: str, *values: str) -> str:
    return f"{result} = transform.merge_handles {', '.join(values)} : {ANY}"


def tile(results: str, value: str) -> str:
    return f"{results}:2 = transform.structured.tile_using_for {value} tile_sizes [8] : ({ANY}) -> ({ANY}, {ANY})"


def include(name: str, values: str = "%root", results: str = "") -> str:
    made = f"{results} = " if results else ""
    types = ", ".join([ANY] * len(values.split(",")))
    return f"{made}transform.include @{name} failures(propagate) ({values}) : ({types}) -> ({ANY if results else ''})"


def each(level: int, target: str) -> str:
    return f"transform.foreach {target} : {ANY} {{ ^bb0(%e{level}: {ANY}):"


def attack(size: int = 5000) -> Callable[[Callable[[int], str]], Callable[[int], str]]:
    """Let a function be one of `ATTACKS`."""

    def enter(make: Callable[[int], str]) -> Callable[[int], str]:
        ATTACKS[make.__name__] = (make, size)
        return make

    return enter


@attack(20)
def nested_loops(depth: int) -> str:
    lines = [match("%e0"), *(each(i + 1, f"%e{i}") for i in range(depth)), use(f"%e{depth}")]
    return script([*lines, *["}"] * depth])


@attack(20)
def nested_loops_with_results(depth: int) -> str:
    head = [f"%r{i + 1} = transform.foreach %e{i} : {ANY} -> {ANY} {{ ^bb0(%e{i + 1}: {ANY}):" for i in range(depth)]
    tail = [
        line
        for i in range(depth, 0, -1)
        for line in (f"transform.yield %{'r' if i < depth else 'e'}{i + 1 if i < depth else i} : {ANY}", "}")
    ]
    return script([match("%e0"), *head, use(f"%e{depth}"), *tail])


@attack(20)
def nested_loops_that_consume(depth: int) -> str:
    head = [line for i in range(depth) for line in (each(i + 1, f"%e{i}"), match(f"%m{i}", root=f"%e{i + 1}"))]
    tail = [line for i in reversed(range(depth)) for line in (consume(f"%m{i}"), "}")]
    return script([match("%e0"), *head, *tail])


@attack(20)
def sequences_in_sequences(depth: int) -> str:
    head = [f"transform.sequence %a{i} : {ANY} failures(propagate) {{ ^bb0(%a{i + 1}: {ANY}):" for i in range(depth)]
    return script([match("%a0"), *head, consume(f"%a{depth}"), *["}"] * depth])


@attack(20)
def alternatives_in_alternatives(depth: int) -> str:
    head = [f"transform.alternatives %a{i} : {ANY} {{ ^bb0(%a{i + 1}: {ANY}):" for i in range(depth)]
    tail = [f"}}, {{ ^bb0(%o{i + 1}: {ANY}):\n{consume(f'%o{i + 1}')}\n}}" for i in reversed(range(depth))]
    return script([match("%a0"), *head, consume(f"%a{depth}"), *tail])


@attack()
def many_alternatives(count: int) -> str:
    regions = ", ".join(f"{{ ^bb0(%a{i}: {ANY}):\n{consume(f'%a{i}')}\n}}" for i in range(count))
    return script([match("%x"), f"transform.alternatives %x : {ANY} {regions}"])


@attack()
def alternatives_after_consumptions(count: int) -> str:
    dead = [line for i in range(count) for line in (match(f"%d{i}", f"my.op{i}"), consume(f"%d{i}"))]
    regions = [
        f"transform.alternatives %x : {ANY} {{ ^bb0(%a{i}: {ANY}):\n{use(f'%a{i}')}\n}}, {{ ^bb0(%b{i}: {ANY}):\n}}"
        for i in range(count)
    ]
    return script([match("%x"), *dead, *regions])


@attack(1000)
def wide_merges(count: int) -> str:
    values = [f"%v{i}" for i in range(20)]
    return script(
        [
            *(match(value, f"my.op{i}") for i, value in enumerate(values)),
            *(merge(f"%m{i}", *values) for i in range(count)),
        ]
    )


@attack()
def chain_of_merges(count: int) -> str:
    lines = [match("%m0")]
    for i in range(count):
        lines += [match(f"%v{i}", f"my.op{i}"), merge(f"%m{i + 1}", f"%m{i}", f"%v{i}")]
    return script(lines)


@attack()
def chain_of_merges_consumed(count: int) -> str:
    lines = [match("%m0")]
    for i in range(count):
        lines += [match(f"%v{i}", f"my.op{i}"), merge(f"%m{i + 1}", f"%m{i}", f"%v{i}")]
    return script([*lines, *(consume(f"%v{i}") for i in range(count)), *(consume(f"%m{i}") for i in range(count))])


@attack()
def doubled_merges(count: int) -> str:
    return script([match("%m0"), *(merge(f"%m{i + 1}", f"%m{i}", f"%m{i}") for i in range(count))])


def on_payload(lines: Iterable[str]) -> str:
    """Return a script with its payload in one file: two functions, to which `%m0` is a handle."""
    functions = "  func.func @f() { return }\n  func.func @g() { return }\n"
    return module([functions, sequence([match("%m0", "func.func"), *lines])])


@attack(40)
def doubled_merges_on_payload(count: int) -> str:
    return on_payload([*(merge(f"%m{i + 1}", f"%m{i}", f"%m{i}") for i in range(count)), use(f"%m{count}")])


@attack(40)
def loops_that_yield_all_on_payload(count: int) -> str:
    loops = [
        f"%m{i + 1} = transform.foreach %m0 : {ANY} -> {ANY} {{ ^bb0(%e{i}: {ANY}):\ntransform.yield %m{i} : {ANY}\n}}"
        for i in range(count)
    ]
    return on_payload([*loops, use(f"%m{count}")])


@attack()
def one_wide_merge(count: int) -> str:
    values = [f"%v{i}" for i in range(count)]
    return script([*(match(value, f"my.op{i}") for i, value in enumerate(values)), merge("%m", *values), consume("%m")])


@attack()
def one_wide_merge_of_same(count: int) -> str:
    return script([match("%v"), merge("%m", *["%v"] * count), consume("%m")])


def split(count: int, result: str = "%s", value: str = "%v") -> str:
    return f"{result}:{count} = transform.split_handle {value} : ({ANY}) -> ({', '.join([ANY] * count)})"


@attack()
def wide_split(count: int) -> str:
    return script([match("%v"), split(count), consume("%s#1")])


@attack()
def wide_split_consumed(count: int) -> str:
    return script([match("%v"), split(count), *(consume(f"%s#{i}") for i in range(count))])


@attack()
def wide_split_merged(count: int) -> str:
    return script([match("%v"), split(count), merge("%m", *(f"%s#{i}" for i in range(count))), consume("%m")])


@attack()
def many_splits_of_one(count: int) -> str:
    return script([match("%v"), *(split(2, f"%s{i}") for i in range(count)), consume("%v")])


@attack()
def many_splits_of_one_consumed(count: int) -> str:
    return script(
        [match("%v"), *(split(2, f"%s{i}") for i in range(count)), *(consume(f"%s{i}#0") for i in range(count))]
    )


@attack()
def chain_of_casts(count: int) -> str:
    casts = [f"%v{i + 1} = transform.cast %v{i} : {ANY} to {ANY}" for i in range(count)]
    return script([match("%v0"), *casts, consume(f"%v{count}")])


@attack()
def chain_of_casts_consumed(count: int) -> str:
    casts = [f"%v{i + 1} = transform.cast %v{i} : {ANY} to {ANY}" for i in range(count)]
    return script([match("%v0"), *casts, *(consume(f"%v{i}") for i in range(count))])


@attack()
def chain_of_parents(count: int) -> str:
    parents = [f"%v{i + 1} = transform.get_parent_op %v{i} : ({ANY}) -> {ANY}" for i in range(count)]
    return script([match("%v0"), *parents, consume("%v0")])


@attack()
def chain_of_parents_consumed(count: int) -> str:
    parents = [f"%v{i + 1} = transform.get_parent_op %v{i} : ({ANY}) -> {ANY}" for i in range(count)]
    return script([match("%v0"), *parents, *(consume(f"%v{i}") for i in range(count))])


@attack()
def chain_of_parents_consumed_backwards(count: int) -> str:
    parents = [f"%v{i + 1} = transform.get_parent_op %v{i} : ({ANY}) -> {ANY}" for i in range(count)]
    return script([match("%v0"), *parents, *(consume(f"%v{i}") for i in reversed(range(count)))])


@attack()
def chain_of_matches(count: int) -> str:
    return script([match("%v0"), *(match(f"%v{i + 1}", f"my.op{i}", f"%v{i}") for i in range(count)), consume("%v0")])


@attack()
def chain_of_matches_consumed(count: int) -> str:
    lines = [match("%v0"), *(match(f"%v{i + 1}", f"my.op{i}", f"%v{i}") for i in range(count))]
    return script([*lines, *(consume(f"%v{i}") for i in range(count))])


@attack()
def matches_of_the_same(count: int) -> str:
    return script([*(match(f"%v{i}") for i in range(count)), *(consume(f"%v{i}") for i in range(count))])


@attack()
def matches_in_many_scopes(count: int) -> str:
    lines = [line for i in range(count) for line in (match(f"%v{i}", f"my.op{i}"), match(f"%w{i}", "my.x", f"%v{i}"))]
    return script(lines)


@attack()
def matches_of_many_names(count: int) -> str:
    names = ", ".join(f'"my.op{i}"' for i in range(count))
    match = f"transform.structured.match ops{{[{names}]}} in %root : ({ANY}) -> {ANY}"
    return script([*(f"%v{i} = {match}" for i in range(4)), consume("%v0"), consume("%v1")])


@attack()
def chain_of_tilings(count: int) -> str:
    return script(
        [
            match("%t0_0", "linalg.generic"),
            "%t0:2 = transform.split_handle %t0_0 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)",
            *(tile(f"%t{i + 1}", f"%t{i}#0") for i in range(count)),
        ]
    )


@attack()
def chain_of_tilings_loops_consumed(count: int) -> str:
    return chain_of_tilings(count).replace(
        "    transform.yield", "".join(f"    {consume(f'%t{i + 1}#1')}\n" for i in range(count)) + "    transform.yield"
    )


@attack()
def fusions(count: int) -> str:
    lines = [match("%f0", "linalg.generic"), match("%l0", "scf.forall")]
    for i in range(count):
        fused = f"%f{i + 1}, %l{i + 1} = transform.structured.fuse_into_containing_op %f{i} into %l{i}"
        lines += [f"{fused} : ({ANY}, {ANY}) -> ({ANY}, {ANY})"]
    return script(lines)


@attack()
def loops_that_yield_one(count: int) -> str:
    loops = [
        f"%r{i} = transform.foreach %v : {ANY} -> {ANY} {{ ^bb0(%e{i}: {ANY}):\ntransform.yield %x : {ANY}\n}}"
        for i in range(count)
    ]
    return script([match("%v"), match("%x", "my.x"), *loops, consume("%x")])


@attack()
def loops_with_findings(count: int) -> str:
    lines = [match("%v")]
    for i in range(count):
        lines += [
            match(f"%x{i}", f"my.op{i}"),
            f"transform.foreach %v : {ANY} {{ ^bb0(%e{i}: {ANY}):",
            consume(f"%x{i}"),
            "}",
        ]
    return script(lines)


@attack(1000)
def calls(count: int) -> str:
    callee = (
        f"  transform.named_sequence @f(%a: {ANY} {{transform.readonly}}) -> {ANY} {{\n"
        + "".join(f"    {use('%a')}\n" for i in range(count))
        + f"    transform.yield %a : {ANY}\n  }}\n"
    )
    return module([callee, sequence([include("f", results=f"%r{i}") for i in range(count)])])


@attack(10)
def calls_of_calls(width: int) -> str:
    members = []
    for level in range(7):
        body = [include(f"f{level + 1}", "%a", f"%r{i}") for i in range(width)] if level < 6 else [use("%a")]
        members += [function(body, f"f{level}")]
    return module([*members, sequence([include("f0", results="%r")])])


@attack()
def chain_of_calls(count: int) -> str:
    members = [sequence([include(f"f{i + 1}", "%a")], f"f{i}", f"%a: {ANY}") for i in range(count)]
    return module([*members, sequence([consume("%a")], f"f{count}", f"%a: {ANY}"), sequence([include("f0")])])


@attack(2500)
def calls_of_unknown_ones(count: int) -> str:
    return script([include(f"f{i}") for i in range(count)])


@attack(1000)
def unknown_calls_of_many(count: int) -> str:
    return module([sequence([include(f"f{i}")], f"g{i}") for i in range(count)])


@attack()
def chain_of_calls_with_attributes(count: int) -> str:
    members = [
        sequence([include(f"f{i + 1}", "%a")], f"f{i}", f"%a: {ANY} {{transform.consumed}}") for i in range(count)
    ]
    last = sequence([consume("%a")], f"f{count}", f"%a: {ANY} {{transform.consumed}}")
    return module([*members, last, sequence([include("f0")])])


@attack()
def chain_of_calls_with_results(count: int) -> str:
    members = [function([include(f"f{i + 1}", "%a", "%r")], f"f{i}", "%r") for i in range(count)]
    return module(
        [
            *members,
            function([], f"f{count}"),
            sequence([include("f0", results="%r")]),
        ]
    )


@attack()
def calls_of_everything(count: int) -> str:
    members = [
        sequence([include(f"f{(i * 7 + j * j * 13 + 1) % count}", "%a") for j in range(8)], f"f{i}", f"%a: {ANY}")
        for i in range(count)
    ]
    return module(members)


@attack()
def ring_of_calls(count: int) -> str:
    return module([sequence([include(f"f{(i + 1) % count}", "%a")], f"f{i}", f"%a: {ANY}") for i in range(count)])


@attack()
def calls_of_nothing(count: int) -> str:
    return module([sequence([include(f"missing{i}", "%a")], f"f{i}", f"%a: {ANY}") for i in range(count)])


@attack()
def calls_of_one(count: int) -> str:
    return module(
        [
            sequence([consume("%a")], "f", f"%a: {ANY}"),
            *(sequence([include("f", "%a")], f"f{i}", f"%a: {ANY}") for i in range(count)),
        ]
    )


@attack()
def private_sequences(count: int) -> str:
    return module([sequence([use("%a")], f"f{i}", f"%a: {ANY} {{transform.consumed}}") for i in range(count)])


@attack()
def inline_payload_of_script(count: int) -> str:
    payload = [f"  func.func @p{i}(%a: f32) -> f32 {{\n    return %a : f32\n  }}\n" for i in range(count)]
    return module([*payload, sequence([match("%v"), consume("%v")])])


@attack()
def inline_payload_of_scripts(count: int) -> str:
    payload = [f"  func.func @p{i}(%a: f32) -> f32 {{\n    return %a : f32\n  }}\n" for i in range(count)]
    return module([*payload, *(sequence([match("%v"), consume("%v")], f"f{i}") for i in range(count))])


@attack()
def payload_mentioning_transform(count: int) -> str:
    payload = [
        f'  func.func @p{i}(%a: f32) -> f32 attributes {{x = "transform.x"}} {{\n    return %a : f32\n  }}\n'
        for i in range(count)
    ]
    return module([*payload, sequence([match("%v"), consume("%v")])])


@attack(1000)
def aliased_types(count: int) -> str:
    lines = ["!a0 = i32\n", *(f"!a{i + 1} = tuple<!a{i}, !a{i}>\n" for i in range(count))]
    return "".join([*lines, f"func.func private @f(%x: !a{count}) -> !a{count}\n"])


@attack(1000)
def aliased_attributes(count: int) -> str:
    lines = ["#a0 = 1 : i32\n", *(f"#a{i + 1} = [#a{i}, #a{i}]\n" for i in range(count))]
    return "".join([*lines, f"func.func private @f() attributes {{x = #a{count}}}\n"])


@attack(1000)
def aliased_attributes_in_types(count: int) -> str:
    lines = ["#a0 = 1 : i32\n", *(f"#a{i + 1} = [#a{i}, #a{i}]\n" for i in range(count))]
    return "".join([*lines, f"func.func private @f(%x: tensor<4xf32, #a{count}>)\n"])


@attack(2000)
def one_long_alias(count: int) -> str:
    inner = ", ".join(["i32"] * count)
    values = [f"func.func private @f{i}(%x: tuple<!a, i{i + 1}>)\n" for i in range(count)]
    return "".join([f"!a = tuple<{inner}>\n", *values])


@attack()
def many_aliases(count: int) -> str:
    return "".join(
        [
            *(f"!a{i} = i{i + 1}\n" for i in range(count)),
            *(f"func.func private @f{i}(%x: !a{i})\n" for i in range(count)),
        ]
    )


@attack()
def chain_of_aliases(count: int) -> str:
    return "".join(
        ["!a0 = i32\n", *(f"!a{i + 1} = !a{i}\n" for i in range(count)), f"func.func private @f(%x: !a{count})\n"]
    )


@attack(3000)
def growing_aliases(count: int) -> str:
    return "".join(
        [
            "!a0 = i32\n",
            *(f"!a{i + 1} = tuple<!a{i}, i1>\n" for i in range(count)),
            f"func.func private @f(%x: !a{count})\n",
        ]
    )


@attack()
def arms(count: int) -> str:
    matcher = function([f'transform.match.operation_name %a ["scf.for"] : {ANY}'], "m")
    action = sequence([use("%a")], "act", f"%a: {ANY} {{transform.readonly}}")
    pairs = ",\n".join(["@m -> @act"] * count)
    return module(
        [matcher, action, sequence([f"%u = transform.foreach_match in %root {pairs} : ({ANY}) -> {ANY}", use("%u")])]
    )


@attack()
def arms_of_their_own(count: int) -> str:
    members = []
    for i in range(count):
        members += [function([f'transform.match.operation_name %a ["my.op{i}"] : {ANY}'], f"m{i}")]
        members += [sequence([use("%a")], f"act{i}", f"%a: {ANY} {{transform.readonly}}")]
    pairs = ",\n".join(f"@m{i} -> @act{i}" for i in range(count))
    return module(
        [*members, sequence([f"%u = transform.foreach_match in %root {pairs} : ({ANY}) -> {ANY}", use("%u")])]
    )


@attack()
def many_arguments(count: int) -> str:
    arguments = ", ".join(f"%a{i}: {ANY}" for i in range(count))
    return module([sequence([consume(f"%a{i}") for i in range(count)], arguments=arguments)])


@attack()
def uses_after_free(count: int) -> str:
    return script([match("%v"), *(consume("%v") for _ in range(count))])


@attack()
def uses_far_after_free(count: int) -> str:
    lines = [line for i in range(count) for line in (match(f"%v{i}", f"my.op{i}"), consume(f"%v{i}"))]
    return script([*lines, *(use(f"%v{i}") for i in range(count))])


@attack()
def uses_before_free(count: int) -> str:
    lines = [match(f"%v{i}", f"my.op{i}") for i in range(count)]
    return script([*lines, *(use(f"%v{i}") for i in range(count)), *(consume(f"%v{i}") for i in range(count))])


def blocks(lines_of_block: Callable[[int], Iterable[str]], targets: Callable[[int], str], count: int) -> str:
    """Return a function with a block a number, each of which ends in a branch."""
    text = ["func.func @f(%c: i1) {\n  cf.br ^b0\n"]
    for i in range(count):
        text += [f"^b{i}:\n", *(f"  {line}\n" for line in lines_of_block(i)), f"  {targets(i)}\n"]
    return "".join([*text, f"^b{count}:\n  return\n}}\n"])


@attack()
def chain_of_blocks(count: int) -> str:
    return blocks(
        lambda i: [f"%v{i} = arith.constant {i} : i32", f"%w{i} = arith.addi %v{max(0, i - 1)}, %v0 : i32"],
        lambda i: f"cf.br ^b{i + 1}",
        count,
    )


@attack()
def ladder_of_blocks(count: int) -> str:
    return blocks(
        lambda i: [f"%v{i} = arith.constant {i} : i32", f"%w{i} = arith.addi %v{max(0, i // 2)}, %v0 : i32"],
        lambda i: f"cf.cond_br %c, ^b{i + 1}, ^b{max(0, i - 3)}",
        count,
    )


@attack()
def blocks_written_backwards(count: int) -> str:
    text = [f"func.func @f(%c: i1) {{\n  cf.br ^b{count}\n"]
    for i in range(count):
        text += [
            f"^b{i}:\n  %v{i} = arith.addi %v{i + 1}, %v{i + 1} : i32\n  {f'cf.br ^b{i - 1}' if i else 'return'}\n"
        ]
    return "".join([*text, f"^b{count}:\n  %v{count} = arith.constant 1 : i32\n  cf.br ^b{count - 1}\n}}\n"])


@attack()
def script_of_blocks(count: int) -> str:
    text = [f"transform.sequence failures(propagate) {{\n^bb0(%root: {ANY}):\n  {match('%v')}\n  cf.br ^b0\n"]
    for i in range(count):
        text += [f"^b{i}:\n  {consume('%v')}\n  {use('%v')}\n  cf.cond_br %c, ^b{i + 1}, ^b{max(0, i - 2)}\n"]
    return "".join([*text, f"^b{count}:\n  transform.yield\n}}\n"])


@attack()
def script_of_blocks_with_own_values(count: int) -> str:
    text = [f"transform.sequence failures(propagate) {{\n^bb0(%root: {ANY}):\n  cf.br ^b0\n"]
    for i in range(count):
        lines = (f"^b{i}:", match(f"%v{i}", f"my.op{i}"), consume(f"%v{i}"), use(f"%v{max(0, i - 1)}"))
        text += ["\n  ".join([*lines, f"cf.cond_br %c, ^b{i + 1}, ^b{max(0, i - 2)}"]), "\n"]
    return "".join([*text, f"^b{count}:\n  transform.yield\n}}\n"])


@attack()
def unknown_names(count: int) -> str:
    return script([f"transform.my.operation{i} %root : {ANY}" for i in range(count)])


@attack()
def misspelled_values(count: int) -> str:
    return script([*(match(f"%value{i}") for i in range(count)), *(use(f"%valeu{i}") for i in range(count))])


@attack(10_000)
def one_unknown_value(count: int) -> str:
    return script([use("%nowhere")] * count)


@attack()
def misspelled_symbols(count: int) -> str:
    return module(
        [
            *(sequence([], f"sequence{i}") for i in range(count)),
            sequence([include(f"sequnce{i}") for i in range(count)]),
        ]
    )


@attack()
def misspelled_operations(count: int) -> str:
    return script([f"transform.structured.matchh{i} %root : {ANY}" for i in range(count)])


@attack()
def misspelled_payload_names(count: int) -> str:
    return script([match(f"%v{i}", f"linalg.matmull{i}") for i in range(count)])


@attack()
def redefinitions(count: int) -> str:
    return script([match("%v") for _ in range(count)])


@attack()
def unused(count: int) -> str:
    return script([match(f"%v{i}") for i in range(count)])


@attack()
def suppressions(count: int) -> str:
    return script([f"{match('%v')} // tdls: ignore[use-after-free]" for _ in range(count)])


@attack(2000)
def nested_suppressions(count: int) -> str:
    return (
        "// tdls: ignore-begin[use-after-free]\n" * count + script([]) + "// tdls: ignore-end[use-after-free]\n" * count
    )


@attack()
def many_scripts(count: int) -> str:
    return "".join(
        f"transform.sequence failures(propagate) {{\n^bb0(%root: {ANY}):\n  {match('%v')}\n  {consume('%v')}\n}}\n"
        for _ in range(count)
    )


@attack()
def scripts_of_one_section(count: int) -> str:
    lines = ['%0 = "my.make"() : () -> !transform.any_op\n']
    lines += [
        f"transform.sequence %0 : {ANY} failures(propagate) {{\n^bb0(%a{i}: {ANY}):\n  {consume(f'%a{i}')}\n}}\n"
        for i in range(count)
    ]
    return "".join([*lines, '"my.end"(%0) : (!transform.any_op) -> ()\n'])


@attack()
def possible_reaches(count: int) -> str:
    lines = [match(f"%v{i}", f"my.op{i}") for i in range(count)]
    return script(
        [
            *lines,
            *(f"%p{i} = transform.get_parent_op %v{i} : ({ANY}) -> {ANY}" for i in range(count)),
            *(consume(f"%v{i}") for i in range(count)),
            *(use(f"%p{i}") for i in range(count)),
        ]
    )


@attack()
def replaced_by_many(count: int) -> str:
    lines = [match(f"%v{i}_0", f"my.op{i}") for i in range(8)]
    for i in range(count):
        lines += [f"%v{k}_{i + 1} = transform.structured.generalize %v{k}_{i} : ({ANY}) -> {ANY}" for k in range(8)]
        lines += [merge(f"%m{i}", *(f"%v{k}_{i + 1}" for k in range(8))), use(f"%m{i}")]
    return script(lines)


@attack(20)
def branches_in_branches(depth: int) -> str:
    head = ["scf.if %c {" for i in range(depth)]
    return script([match("%v"), *head, consume("%v"), *["} else {\n" + consume("%v") + "\n}" for _ in range(depth)]])


@attack()
def replications(count: int) -> str:
    return script(
        [
            match("%v"),
            match("%w", "my.x"),
            *(f"%r{i} = transform.replicate num(%v) %w : {ANY}, {ANY}" for i in range(count)),
            consume("%w"),
        ]
    )


@attack()
def navigation(count: int) -> str:
    lines = [match("%v0")]
    for i in range(count):
        lines += [
            f"%o{i} = transform.get_result %v{i}[0] : ({ANY}) -> !transform.any_value",
            f"%v{i + 1} = transform.get_defining_op %o{i} : (!transform.any_value) -> {ANY}",
        ]
    return script([*lines, consume(f"%v{count}")])


@attack()
def wide_group(count: int) -> str:
    return (
        f'"my.op"() : () -> ()\n%a:{count} = "my.make"() : () -> ({", ".join(["i32"] * count)})\n'
        f'"my.use"({", ".join(f"%a#{i}" for i in range(count))}) : ({", ".join(["i32"] * count)}) -> ()\n'
    )


@attack()
def patterns(count: int) -> str:
    inner = "".join("      transform.apply_patterns.canonicalization\n" for _ in range(count))
    return script([match("%v"), "transform.apply_patterns to %v {\n" + inner + f"    }} : {ANY}", use("%v")])


@attack()
def handles_across_patterns(count: int) -> str:
    names = [match(f"%v{i}", f"my.op{i}") for i in range(count)]
    inner = f"transform.apply_patterns to %root {{\n      transform.apply_patterns.canonicalization\n    }} : {ANY}"
    return script([*names, *(inner for _ in range(count)), *(use(f"%v{i}") for i in range(count))])


@attack()
def parameters_of_one(count: int) -> str:
    parameter = "%p = transform.param.constant 1 : i64 -> !transform.param<i64>"
    sizes, types = ", ".join(["%p"] * count), ", !transform.param<i64>" * count
    tiled = f"%t, %l:{count} = transform.structured.tile_using_for %root tile_sizes [{sizes}]"
    return script([parameter, f"{tiled} : ({ANY}{types}) -> ({ANY})"])


@attack()
def results_that_are_cut_off(count: int) -> str:
    names = ", ".join(f"%r{i}" for i in range(count))
    return script([f"{names} = transform.split_handle %root : ({ANY}) -> ("])


@attack()
def options_of_a_pass(count: int) -> str:
    options = ", ".join(f'"o{i}" = 1' for i in range(count))
    applied = f'transform.apply_registered_pass "cse" with options = {{{options}}} to %root'
    return script([f"%x = {applied} : ({ANY}) -> {ANY}"])


@attack()
def sequences_that_call_the_next(count: int) -> str:
    arguments = f"%a: {ANY} {{transform.consumed}}"
    return module([sequence([include(f"s{i + 1}", "%a")], f"s{i}", arguments) for i in range(count)])


@attack()
def calls_of_large_ones(count: int) -> str:
    body = [use("%a") for _ in range(100)]
    arguments = f"%a: {ANY}"
    members = [sequence(body, f"f{i}", arguments) for i in range(max(1, count // 100))]
    calls_of_all = [include(f"f{i}", "%a") for i in range(len(members))]
    return module(
        [
            *members,
            sequence(body[:1] * 25 * count, "large", arguments),
            sequence([*calls_of_all, include("large", "%a")], "main", arguments),
        ]
    )
