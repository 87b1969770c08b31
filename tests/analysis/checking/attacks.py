"""Scripts of any size: each function takes a size, and returns a text whose length grows in proportion to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

ANY = "!transform.any_op"
ATTACKS: dict[str, Callable[[int], str]] = {}


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


def include(name: str, values: str = "%root", results: str = "") -> str:
    made = f"{results} = " if results else ""
    types = ", ".join([ANY] * len(values.split(",")))
    return f"{made}transform.include @{name} failures(propagate) ({values}) : ({types}) -> ({ANY if results else ''})"


def each(level: int, target: str) -> str:
    return f"transform.foreach {target} : {ANY} {{ ^bb0(%e{level}: {ANY}):"


def attack(make: Callable[[int], str]) -> Callable[[int], str]:
    """Let a function be one of `ATTACKS`."""
    ATTACKS[make.__name__] = make
    return make


@attack
def nested_loops(depth: int) -> str:
    lines = [match("%e0"), *(each(i + 1, f"%e{i}") for i in range(depth)), use(f"%e{depth}")]
    return script([*lines, *["}"] * depth])


@attack
def nested_loops_with_results(depth: int) -> str:
    head = [f"%r{i + 1} = transform.foreach %e{i} : {ANY} -> {ANY} {{ ^bb0(%e{i + 1}: {ANY}):" for i in range(depth)]
    tail = [
        line
        for i in range(depth, 0, -1)
        for line in (f"transform.yield %{'r' if i < depth else 'e'}{i + 1 if i < depth else i} : {ANY}", "}")
    ]
    return script([match("%e0"), *head, use(f"%e{depth}"), *tail])


@attack
def nested_loops_that_consume(depth: int) -> str:
    head = [line for i in range(depth) for line in (each(i + 1, f"%e{i}"), match(f"%m{i}", root=f"%e{i + 1}"))]
    tail = [line for i in reversed(range(depth)) for line in (consume(f"%m{i}"), "}")]
    return script([match("%e0"), *head, *tail])


@attack
def wide_merges(count: int) -> str:
    values = [f"%v{i}" for i in range(20)]
    return script(
        [
            *(match(value, f"my.op{i}") for i, value in enumerate(values)),
            *(merge(f"%m{i}", *values) for i in range(count)),
        ]
    )


def on_payload(lines: Iterable[str]) -> str:
    """Return a script with its payload in one file: two functions, to which `%m0` is a handle."""
    functions = "  func.func @f() { return }\n  func.func @g() { return }\n"
    return module([functions, sequence([match("%m0", "func.func"), *lines])])


@attack
def doubled_merges_on_payload(count: int) -> str:
    return on_payload([*(merge(f"%m{i + 1}", f"%m{i}", f"%m{i}") for i in range(count)), use(f"%m{count}")])


@attack
def loops_that_yield_all_on_payload(count: int) -> str:
    loops = [
        f"%m{i + 1} = transform.foreach %m0 : {ANY} -> {ANY} {{ ^bb0(%e{i}: {ANY}):\ntransform.yield %m{i} : {ANY}\n}}"
        for i in range(count)
    ]
    return on_payload([*loops, use(f"%m{count}")])


def split(count: int, result: str = "%s", value: str = "%v") -> str:
    return f"{result}:{count} = transform.split_handle {value} : ({ANY}) -> ({', '.join([ANY] * count)})"


@attack
def wide_split(count: int) -> str:
    return script([match("%v"), split(count), consume("%s#1")])


@attack
def wide_split_merged(count: int) -> str:
    return script([match("%v"), split(count), merge("%m", *(f"%s#{i}" for i in range(count))), consume("%m")])


@attack
def chain_of_parents_consumed(count: int) -> str:
    parents = [f"%v{i + 1} = transform.get_parent_op %v{i} : ({ANY}) -> {ANY}" for i in range(count)]
    return script([match("%v0"), *parents, *(consume(f"%v{i}") for i in range(count))])


@attack
def loops_that_yield_one(count: int) -> str:
    loops = [
        f"%r{i} = transform.foreach %v : {ANY} -> {ANY} {{ ^bb0(%e{i}: {ANY}):\ntransform.yield %x : {ANY}\n}}"
        for i in range(count)
    ]
    return script([match("%v"), match("%x", "my.x"), *loops, consume("%x")])


@attack
def calls_of_calls(width: int) -> str:
    members = []
    for level in range(7):
        body = [include(f"f{level + 1}", "%a", f"%r{i}") for i in range(width)] if level < 6 else [use("%a")]
        members += [function(body, f"f{level}")]
    return module([*members, sequence([include("f0", results="%r")])])


@attack
def chain_of_calls(count: int) -> str:
    members = [sequence([include(f"f{i + 1}", "%a")], f"f{i}", f"%a: {ANY}") for i in range(count)]
    return module([*members, sequence([consume("%a")], f"f{count}", f"%a: {ANY}"), sequence([include("f0")])])


@attack
def calls_of_unknown_ones(count: int) -> str:
    return script([include(f"f{i}") for i in range(count)])


@attack
def unknown_calls_of_many(count: int) -> str:
    return module([sequence([include(f"f{i}")], f"g{i}") for i in range(count)])


@attack
def aliased_types(count: int) -> str:
    lines = ["!a0 = i32\n", *(f"!a{i + 1} = tuple<!a{i}, !a{i}>\n" for i in range(count))]
    return "".join([*lines, f"func.func private @f(%x: !a{count}) -> !a{count}\n"])


@attack
def arms(count: int) -> str:
    matcher = function([f'transform.match.operation_name %a ["scf.for"] : {ANY}'], "m")
    action = sequence([use("%a")], "act", f"%a: {ANY} {{transform.readonly}}")
    pairs = ",\n".join(["@m -> @act"] * count)
    return module(
        [matcher, action, sequence([f"%u = transform.foreach_match in %root {pairs} : ({ANY}) -> {ANY}", use("%u")])]
    )


def blocks(lines_of_block: Callable[[int], Iterable[str]], targets: Callable[[int], str], count: int) -> str:
    """Return a function with a block a number, each of which ends in a branch."""
    text = ["func.func @f(%c: i1) {\n  cf.br ^b0\n"]
    for i in range(count):
        text += [f"^b{i}:\n", *(f"  {line}\n" for line in lines_of_block(i)), f"  {targets(i)}\n"]
    return "".join([*text, f"^b{count}:\n  return\n}}\n"])


@attack
def chain_of_blocks(count: int) -> str:
    return blocks(
        lambda i: [f"%v{i} = arith.constant {i} : i32", f"%w{i} = arith.addi %v{max(0, i - 1)}, %v0 : i32"],
        lambda i: f"cf.br ^b{i + 1}",
        count,
    )


@attack
def blocks_of_branches(count: int) -> str:
    return blocks(lambda _: [], lambda i: f"cf.br ^b{i + 1}", count)


@attack
def redefinitions_of_one(count: int) -> str:
    return module([sequence([match("%v"), use("%v")] * count, "main")])


@attack
def redefinitions_of_many(count: int) -> str:
    lines = [line for i in range(count) for line in (match(f"%v{i}"), use(f"%v{i}"))]
    return module([sequence([*lines, *lines], "main")])


@attack
def matchers_of_one_operand(count: int) -> str:
    matcher = f'transform.match.operation_name %a ["linalg.matmul"] : {ANY}'
    return module([sequence([matcher] * count, "matcher", f"%a: {ANY} {{transform.readonly}}")])


@attack
def undefined_blocks(count: int) -> str:
    return blocks(lambda _: [], lambda i: f"cf.br ^x{i}", count)


@attack
def uses_before_definitions_in_blocks(count: int) -> str:
    return blocks(
        lambda i: [f"%v{i} = arith.constant {i} : i32", f"%w{i} = arith.addi %v{count - i - 1}, %v{i} : i32"],
        lambda i: f"cf.br ^b{i + 1}",
        count,
    )


@attack
def script_of_blocks(count: int) -> str:
    text = [f"transform.sequence failures(propagate) {{\n^bb0(%root: {ANY}):\n  {match('%v')}\n  cf.br ^b0\n"]
    for i in range(count):
        text += [f"^b{i}:\n  {consume('%v')}\n  {use('%v')}\n  cf.cond_br %c, ^b{i + 1}, ^b{max(0, i - 2)}\n"]
    return "".join([*text, f"^b{count}:\n  transform.yield\n}}\n"])


@attack
def misspelled_values(count: int) -> str:
    return script([*(match(f"%value{i}") for i in range(count)), *(use(f"%valeu{i}") for i in range(count))])


@attack
def misspelled_symbols(count: int) -> str:
    return module(
        [
            *(sequence([], f"sequence{i}") for i in range(count)),
            sequence([include(f"sequnce{i}") for i in range(count)]),
        ]
    )


@attack
def parameters_of_one(count: int) -> str:
    parameter = "%p = transform.param.constant 1 : i64 -> !transform.param<i64>"
    sizes, types = ", ".join(["%p"] * count), ", !transform.param<i64>" * count
    tiled = f"%t, %l:{count} = transform.structured.tile_using_for %root tile_sizes [{sizes}]"
    return script([parameter, f"{tiled} : ({ANY}{types}) -> ({ANY})"])


@attack
def results_that_are_cut_off(count: int) -> str:
    names = ", ".join(f"%r{i}" for i in range(count))
    return script([f"{names} = transform.split_handle %root : ({ANY}) -> ("])


@attack
def options_of_a_pass(count: int) -> str:
    options = ", ".join(f'"o{i}" = 1' for i in range(count))
    applied = f'transform.apply_registered_pass "cse" with options = {{{options}}} to %root'
    return script([f"%x = {applied} : ({ANY}) -> {ANY}"])


@attack
def sequences_that_call_the_next(count: int) -> str:
    arguments = f"%a: {ANY} {{transform.consumed}}"
    return module([sequence([include(f"s{i + 1}", "%a")], f"s{i}", arguments) for i in range(count)])


@attack
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
