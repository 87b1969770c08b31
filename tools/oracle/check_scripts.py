"""Random transform scripts for the comparison with the pass `transform-dialect-check-uses`.

Roughly half of them use a handle after it was consumed. Candidates are made at random; those that MLIR's
verifier rejects are left out by the caller.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

OP = "!transform.any_op"
VALUE = "!transform.any_value"
PARAM = "!transform.param<i64>"

CATEGORIES = ("straight-line", "sequence", "foreach", "alternatives", "branches", "calls", "mixed")
"""Kinds of nesting in a script."""

_TILED = f"({OP}, {PARAM}, {OP}) -> ({OP}, {OP}, {OP})"
_STATEMENTS: tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...] = (
    ((OP,), (OP,), 'transform.structured.match ops{{["linalg.matmul"]}} in {0} : (' + OP + ") -> " + OP),
    ((OP,), (OP,), "transform.get_parent_op {0} {{deduplicate}} : (" + OP + ") -> " + OP),
    ((OP,), (OP,), "transform.get_producer_of_operand {0}[0] : (" + OP + ") -> " + OP),
    ((OP,), (OP,), "transform.cast {0} : " + OP + " to " + OP),
    ((OP,), (VALUE,), "transform.get_result {0}[0] : (" + OP + ") -> " + VALUE),
    ((VALUE,), (OP,), "transform.get_defining_op {0} : (" + VALUE + ") -> " + OP),
    ((OP,), (PARAM,), "transform.num_associations {0} : (" + OP + ") -> " + PARAM),
    ((), (PARAM,), "transform.param.constant 4 : i64 -> " + PARAM),
    ((OP, OP), (OP,), "transform.merge_handles {0}, {1} : " + OP),
    ((OP, OP, OP), (OP,), "transform.merge_handles deduplicate {0}, {1}, {2} : " + OP),
    ((OP,), (OP, OP), "transform.split_handle {0} : (" + OP + ") -> (" + OP + ", " + OP + ")"),
    ((OP,), (), "transform.print {0} : " + OP),
    ((VALUE,), (), 'transform.debug.emit_remark_at {0}, "here" : ' + VALUE),
    ((OP, PARAM), (), 'transform.annotate {0} "tag" = {1} : ' + OP + ", " + PARAM),
    ((OP,), (), "transform.apply_cse to {0} : " + OP),
    (
        (OP,),
        (),
        "transform.apply_patterns to {0} {{\n  transform.apply_patterns.canonicalization\n}} : " + OP,
    ),
    ((OP,), (OP,), "transform.structured.generalize {0} : (" + OP + ") -> " + OP),
    ((OP,), (OP, OP), "transform.structured.tile_using_for {0} tile_sizes [8] : (" + OP + f") -> ({OP}, {OP})"),
    (
        (OP, PARAM, OP),
        (OP, OP, OP),
        f"transform.structured.tile_using_for {{0}} tile_sizes [{{1}}, {{2}}] : {_TILED}",
    ),
    ((OP,), (), "transform.structured.vectorize {0} : " + OP),
    (
        (OP, OP),
        (OP, OP),
        f"transform.structured.fuse_into_containing_op {{0}} into {{1}} : ({OP}, {OP}) -> ({OP}, {OP})",
    ),
    ((OP,), (), "transform.loop.unroll {0} {{factor = 2}} : " + OP),
    ((OP, OP), (OP,), f"transform.loop.fuse_sibling {{0}} into {{1}} : ({OP}, {OP}) -> {OP}"),
    ((OP,), (), "transform.test_consume_operand {0} : " + OP),
    ((VALUE,), (), "transform.test_consume_operand {0} : " + VALUE),
    ((), (OP,), "transform.test_produce_null_payload : " + OP),
)

_NESTED: dict[str, tuple[str, ...]] = {
    "straight-line": (),
    "sequence": ("sequence",),
    "foreach": ("foreach",),
    "alternatives": ("alternatives",),
    "branches": ("branches",),
    "calls": ("include", "foreach_match"),
    "mixed": ("sequence", "foreach", "alternatives", "branches", "include", "foreach_match"),
}

_LIBRARY = f"""
transform.named_sequence @reads(%op: {OP} {{transform.readonly}}) {{
  transform.print %op : {OP}
  transform.yield
}}
transform.named_sequence @rewrites(%op: {OP} {{transform.consumed}}, %other: {OP} {{transform.readonly}}) -> {OP} {{
  %new = transform.structured.generalize %op : ({OP}) -> {OP}
  transform.yield %new : {OP}
}}
transform.named_sequence @matches(%op: {OP} {{transform.readonly}}) -> {OP} {{
  transform.match.operation_name %op ["linalg.matmul"] : {OP}
  transform.yield %op : {OP}
}}
transform.named_sequence @acts(%op: {OP} {{transform.consumed}}) {{
  transform.test_consume_operand %op : {OP}
  transform.yield
}}
"""


@dataclass(frozen=True)
class CheckScript:
    """One script; `category` says which operations its body may have."""

    text: str
    category: str


@dataclass
class _Scope:
    """Values that can be named at a place, outer ones included, and which of them something consumed."""

    values: dict[str, str]
    consumed: set[str] = field(default_factory=set)

    def inner(self, **arguments: str) -> _Scope:
        """Return the scope of a region: handles consumed in it are not consumed outside."""
        return _Scope({**self.values, **arguments}, set(self.consumed))


def check_scripts(count: int, seed: int = 0) -> list[CheckScript]:
    """Return `count` different candidates, all categories alike."""
    random = Random(seed)
    return [_Writer(random, CATEGORIES[number % len(CATEGORIES)]).script() for number in range(count)]


class _Writer:
    def __init__(self, random: Random, category: str) -> None:
        self.random = random
        self.category = category
        self.staleness = random.choice((0.0, 0.05, 0.1, 0.3))
        self.names = 0

    def script(self) -> CheckScript:
        """Write a module around a named sequence, a sequence or a function, as real scripts and tests do."""
        self.names = 1
        scope = _Scope({"%0": OP})
        kind = self.random.choice(("named", "named", "sequence", "function"))
        body = self.body(scope, depth=0, length=self.random.randrange(3, 12))
        if kind == "named":
            header = f"transform.named_sequence @__transform_main(%0: {OP} {{transform.consumed}}) {{"
            lines = [header, *_indented([*body, "transform.yield"]), "}"]
        elif kind == "sequence":
            lines = ["transform.sequence failures(propagate) {", f"^bb0(%0: {OP}):", *_indented(body), "}"]
        else:
            first = f"%0 = transform.test_produce_null_payload : {OP}"
            lines = ["func.func @script() {", *_indented([first, *body, "return"]), "}"]
        module = ["module attributes {transform.with_named_sequence} {"]
        text = "\n".join([*module, *_indented([*_LIBRARY.strip().splitlines(), *lines]), "}", ""])
        return CheckScript(text, self.category)

    def body(self, scope: _Scope, depth: int, length: int) -> list[str]:
        lines: list[str] = []
        nested = _NESTED[self.category] if depth < 3 else ()
        for _ in range(length):
            if nested and self.random.random() < 0.35:
                lines += getattr(self, f"_{self.random.choice(nested)}")(scope, depth)
            else:
                lines += self._statement(scope)
        return lines

    def _statement(self, scope: _Scope) -> list[str]:
        operands, results, form = self.random.choice(_STATEMENTS)
        names = [self._pick(scope, type_) for type_ in operands]
        if any(name is None for name in names):
            return []
        text = form.format(*names)
        if "structured.match" not in form:
            self._note_consumed(scope, form, [name for name in names if name])
        return (self._define(scope, results) + text).splitlines()

    def _note_consumed(self, scope: _Scope, form: str, names: list[str]) -> None:
        """Keep rough account of consumed handles; MLIR has the last word."""
        if form.startswith(("transform.structured.", "transform.test_consume", "transform.split_handle")):
            scope.consumed.add(names[0])
        elif form.startswith(("transform.loop.", "transform.merge_handles", "transform.cast")):
            scope.consumed.update(names)

    def _pick(self, scope: _Scope, type_: str) -> str | None:
        known = [name for name, of_type in scope.values.items() if of_type == type_]
        stale = [name for name in known if name in scope.consumed]
        fresh = [name for name in known if name not in scope.consumed]
        if stale and (self.random.random() < self.staleness or (not fresh and self.staleness)):
            return self.random.choice(stale)
        return self.random.choice(fresh[-4:]) if fresh else None

    def _define(self, scope: _Scope, types: tuple[str, ...]) -> str:
        names = [self._name() for _ in types]
        scope.values.update(zip(names, types, strict=True))
        return f"{', '.join(names)} = " if names else ""

    def _name(self) -> str:
        self.names += 1
        return f"%{self.names}"

    def _sequence(self, scope: _Scope, depth: int) -> list[str]:
        root = self._pick(scope, OP)
        if root is None:
            return []
        argument = self._name()
        inner = scope.inner(**{argument: OP})
        body = self.body(inner, depth + 1, self.random.randrange(0, 5))
        given = self._pick(inner, OP) if self.random.random() < 0.4 else None
        mode = self.random.choice(("propagate", "suppress"))
        result = self._define(scope, (OP,)) if given else ""
        type_ = f" -> {OP}" if given else ""
        end = [f"transform.yield {given} : {OP}"] if given else []
        return [
            f"{result}transform.sequence {root} : {OP}{type_} failures({mode}) {{",
            f"^bb0({argument}: {OP}):",
            *_indented([*body, *end]),
            "}",
        ]

    def _foreach(self, scope: _Scope, depth: int) -> list[str]:
        targets = [name for name in (self._pick(scope, OP), self._pick(scope, OP)) if name]
        targets = targets[: self.random.randrange(1, 3)]
        if not targets:
            return []
        arguments = [self._name() for _ in targets]
        inner = scope.inner(**dict.fromkeys(arguments, OP))
        body = self.body(inner, depth + 1, self.random.randrange(1, 5))
        given = self._pick(inner, OP) if self.random.random() < 0.4 else None
        result = self._define(scope, (OP,)) if given else ""
        types = ", ".join(OP for _ in targets) + (f" -> {OP}" if given else "")
        end = [f"transform.yield {given} : {OP}"] if given else []
        block = ", ".join(f"{argument}: {OP}" for argument in arguments)
        return [
            f"{result}transform.foreach {', '.join(targets)} : {types} {{",
            f"^bb0({block}):",
            *_indented([*body, *end]),
            "}",
        ]

    def _alternatives(self, scope: _Scope, depth: int) -> list[str]:
        target = self._pick(scope, OP)
        if target is None:
            return []
        scope.consumed.add(target)
        regions = []
        for _ in range(self.random.randrange(1, 4)):
            argument = self._name()
            body = self.body(_Scope({argument: OP}), depth + 1, self.random.randrange(0, 4))
            regions.append([f"^bb0({argument}: {OP}):", *_indented(body)])
        lines = [f"transform.alternatives {target} : {OP} {{"]
        for number, region in enumerate(regions):
            lines += [*region, "}, {" if number + 1 < len(regions) else "}"]
        return lines

    def _branches(self, scope: _Scope, depth: int) -> list[str]:
        """Write blocks with random edges between them, loops included."""
        count = self.random.randrange(1, 5)
        lines = ["transform.test_transform_op_with_regions {", f"  {_terminator([])}", "}, {"]
        inner = scope.inner()
        for number in range(count):
            if number:
                lines.append(f"^bb{depth}_{number}:")
            block = inner.inner()
            lines += _indented(self.body(block, depth + 1, self.random.randrange(0, 4)))
            inner.consumed |= block.consumed & set(inner.values)
            targets = [f"^bb{depth}_{self.random.randrange(1, count)}" for _ in range(2)] if count > 1 else []
            if number == count - 1:
                targets = targets[: self.random.randrange(2)]
            lines.append(f"  {_terminator(targets)}")
        return [*lines, "}"]

    def _include(self, scope: _Scope, _depth: int) -> list[str]:
        first, second = self._pick(scope, OP), self._pick(scope, OP)
        if first is None or second is None:
            return []
        if self.random.random() < 0.5:
            return [f"transform.include @reads failures(propagate) ({first}) : ({OP}) -> ()"]
        scope.consumed.add(first)
        result = self._define(scope, (OP,))
        call = f"transform.include @rewrites failures(suppress) ({first}, {second})"
        return [f"{result}{call} : ({OP}, {OP}) -> {OP}"]

    def _foreach_match(self, scope: _Scope, _depth: int) -> list[str]:
        root = self._pick(scope, OP)
        if root is None:
            return []
        scope.consumed.add(root)
        result = self._define(scope, (OP,))
        return [f"{result}transform.foreach_match in {root} @matches -> @acts : ({OP}) -> {OP}"]


def _terminator(targets: list[str]) -> str:
    successors = f"[{', '.join(targets)}]" if targets else ""
    return f'"transform.test_branching_transform_op_terminator"(){successors} : () -> ()'


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]
