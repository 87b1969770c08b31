"""Generates programs that build one script each, in ten styles of Python, with or without a mistake."""

from __future__ import annotations

import random
from dataclasses import dataclass
from textwrap import indent
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_HEAD = """\
import contextlib
import functools
from {package} import ir
from {package}.dialects import transform
from {package}.dialects.transform import structured

def in_region(action):
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 1)
    once = transform.ParamConstantOp(transform.ParamType.get(number.type), number).result
    loop = transform.ForeachOp([once.type], [once])
    with ir.InsertionPoint(loop.body):
        action()
        transform.YieldOp([loop.bodyTargets[0]])
"""
_BUILD = """\
def build():
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        module.operation.attributes["transform.with_named_sequence"] = ir.UnitAttr.get()
        consumed = [{"transform.consumed": ir.UnitAttr.get()}]
        with ir.InsertionPoint(module.body):
            main = transform.NamedSequenceOp(
                "__transform_main", [transform.AnyOpType.get()], [], arg_attrs=consumed
            )
        with ir.InsertionPoint(main.body):
            body(main.bodyTarget)
            transform.YieldOp([])
        return module
"""
_CALLS = {
    "match": 'structured.MatchOp.match_op_names(\n    handle, ["linalg.matmul"]\n).result',
    "tile": "structured.TileUsingForOp(handle, sizes=[4, 4]).results[0]",
    "parent": "transform.GetParentOp(transform.AnyOpType.get(), handle)",
    "mark": 'transform.annotate(handle, "mark")',
    "show": "transform.PrintOp(target=handle)",
    "cast": "transform.CastOp(transform.AnyOpType.get(), handle).result",
    "inner": 'structured.MatchOp.match_op_names(handle, ["arith.addf"]).result',
    "outer": "transform.GetParentOp(transform.AnyOpType.get(), handle).result",
    "use": 'transform.annotate(handle, "used")  # use',
    "region": 'in_region(lambda: transform.annotate(handle, "used"))  # region',
    "operand": 'transform.AnnotateOp(handle, "wrong", param=handle)  # operand',
    "result": "transform.GetParentOp(transform.AnyValueType.get(), handle)  # result",
    "count": 'ir.Operation.create("transform.get_parent_op", [transform.AnyOpType.get()] * 2, [handle])  # count',
    "option": (
        "transform.ApplyRegisteredPassOp("
        'transform.AnyOpType.get(), handle, "canonicalize", options={"depth": 1}).result  # option'
    ),
}
"""Statements that make an operation with the operand ``handle``; the line of a mistake ends in its kind."""
_MISTAKES = {
    "use after consume": "use",
    "use in a region": "region",
    "use of a cast": "use",
    "use of an inner handle": "use",
    "consumed by a parent": "use",
    "type of an operand": "operand",
    "type of a result": "result",
    "number of results": "count",
    "pass option": "option",
}
"""The kinds of the wrong steps."""
_DERIVED = {"use of a cast": "cast", "use of an inner handle": "inner", "consumed by a parent": "outer"}
"""Kinds of the steps that derive a handle; it or the one that it is of is used after the other one was consumed."""


class Step(NamedTuple):
    """One operation on the handle ``operand``: its kind, and the name of the handle that it makes, or ""."""

    kind: str
    operand: str
    result: str = ""


@dataclass(frozen=True, slots=True)
class GeneratedProgram:
    """Texts by the names of files; ``build`` of the module `name` returns the built module."""

    name: str
    style: str
    files: Mapping[str, str]
    mistake: str
    """One of `_MISTAKES`, or ""."""

    @property
    def wrong_lines(self) -> set[tuple[str, int]]:
        """The files and lines of the mistake."""
        end = f"# {_MISTAKES.get(self.mistake)}"
        texts = self.files.items()
        return {
            (name, row + 1) for name, text in texts for row, line in enumerate(text.split("\n")) if line.endswith(end)
        }


def programs(count: int, seed: int, package: str) -> list[GeneratedProgram]:
    """Return `count` programs for the bindings in `package`, each style in turn; every second round has mistakes."""
    return [_program(number, random.Random(f"{seed}/{number}"), package) for number in range(count)]


def _program(number: int, choice: random.Random, package: str) -> GeneratedProgram:
    style, render = list(_STYLES.items())[number % len(_STYLES)]
    turn, is_wrong = divmod(number // len(_STYLES), 2)
    mistake = list(_MISTAKES)[(turn + number) % len(_MISTAKES)] if is_wrong else ""
    name = f"plan_{number}"
    blank = "\n" * choice.randrange(3)
    helpers, body = render(_steps(choice, mistake), name)
    head = _HEAD.format(package=package)
    if style != "several files":
        text = f"{head}{blank}\n{helpers}{blank}\ndef body(root):\n{indent(body, '    ')}{blank}\n{_BUILD}"
        return GeneratedProgram(name, style, {f"{name}.py": text}, mistake)
    other = f"{head}{blank}\n{helpers}"
    text = f"{head}import {name}_steps as steps\n{blank}\ndef body(root):\n{indent(body, '    ')}\n{_BUILD}"
    return GeneratedProgram(name, style, {f"{name}.py": text, f"{name}_steps.py": other}, mistake)


def _steps(choice: random.Random, mistake: str) -> list[Step]:
    """Return steps that are right, and those of `mistake` behind or between them."""
    steps = [Step("match", "root", "h0")]
    live, made, stale = ["h0"], 1, []
    for _ in range(choice.randrange(3, 9)):
        kind = choice.choice(["tile", "mark", "show", "parent"])
        operand = choice.choice(live)
        result = f"h{made}" if kind == "tile" else ""
        made += bool(result)
        steps.append(Step(kind, operand, result))
        if kind == "tile":
            live.remove(operand)
            stale.append(operand)
        live += [result] if result else []
    wrong = _MISTAKES.get(mistake, "")
    if mistake in _DERIVED:
        handle = choice.choice(live)
        steps.append(Step(_DERIVED[mistake], handle, "derived"))
        consumed, used = ("derived", handle) if mistake == "consumed by a parent" else (handle, "derived")
        return [*steps, Step("tile", consumed, "last"), Step(wrong, used)]
    if wrong in ("use", "region"):
        victim = choice.choice(stale) if stale else choice.choice(live)
        if not stale:
            steps.append(Step("tile", victim, "last"))
        number = next(number for number, step in enumerate(steps) if step.kind == "tile" and step.operand == victim)
        steps.insert(choice.randrange(number, len(steps)) + 1, Step(wrong, victim))
    elif wrong:
        steps.append(Step(wrong, choice.choice(live), "last" if wrong == "option" else ""))
    return steps


def _lines(steps: list[Step], call: Callable[[Step], str]) -> str:
    """Return a line for each step: its `call`, assigned to a name if it makes a handle."""
    return "".join(f"{f'{step.result} = ' if step.result else ''}{call(step)}\n" for step in steps)


def _functions(head: str = "def {kind}(handle):", before: str = "") -> str:
    """Return a function for each kind of step."""
    return "".join(
        f"{before}{head.format(kind=kind)}\n    return {indent(call, '    ').lstrip()}\n\n"
        for kind, call in _CALLS.items()
    )


def _helpers(steps: list[Step], _name: str) -> tuple[str, str]:
    outer = "".join(f"def {kind}(handle):\n    return _{kind}(handle)\n\n" for kind in _CALLS)
    return _functions("def _{kind}(handle):") + outer, _lines(steps, lambda step: f"{step.kind}({step.operand})")


def _loops(steps: list[Step], _name: str) -> tuple[str, str]:
    """Keep handles in a dictionary, and repeat steps that make none."""
    lines = ['handles = {"root": root}']
    for step in steps:
        call = f'{step.kind}(handles["{step.operand}"])'
        lines += [f'handles["{step.result}"] = {call}'] if step.result else ["for _ in range(2):", f"    {call}"]
    return _functions(), "\n".join(lines) + "\n"


def _comprehensions(steps: list[Step], _name: str) -> tuple[str, str]:
    def call(step: Step) -> str:
        inner = _CALLS[step.kind].replace("handle", "each")
        return f"[\n    {indent(inner, '    ').lstrip()}\n    for each in [{step.operand}]\n][0]"

    return "", _lines(steps, call)


def _decorators(steps: list[Step], _name: str) -> tuple[str, str]:
    wrapper = (
        "def step(function):\n    @functools.wraps(function)\n    def called(*arguments):\n"
        "        return function(*arguments)\n    return called\n\n"
    )
    return wrapper + _functions(before="@step\n"), _lines(steps, lambda step: f"{step.kind}({step.operand})")


def _classes(steps: list[Step], _name: str) -> tuple[str, str]:
    methods = indent(_functions("def {kind}(self, handle):"), "    ")
    body = _lines(steps, lambda step: f"plan.{step.kind}({step.operand})")
    return f"class Plan:\n{methods}\n", f"plan = Plan()\n{body}"


def _context_managers(steps: list[Step], _name: str) -> tuple[str, str]:
    helpers = "".join(
        f"@contextlib.contextmanager\ndef {kind}(handle):\n    yield {indent(call, '    ').lstrip()}\n\n"
        for kind, call in _CALLS.items()
    )
    lines = (f"with {step.kind}({step.operand}) as {step.result or 'nothing'}:\n    pass\n" for step in steps)
    return helpers, "".join(lines)


def _generators(steps: list[Step], _name: str) -> tuple[str, str]:
    helpers = "".join(
        f"def {kind}(handle):\n    yield {indent(call, '    ').lstrip()}\n\n" for kind, call in _CALLS.items()
    )
    return helpers, _lines(steps, lambda step: f"next({step.kind}({step.operand}))")


def _several_files(steps: list[Step], _name: str) -> tuple[str, str]:
    return _functions(), _lines(steps, lambda step: f"steps.{step.kind}({step.operand})")


def _lambdas(steps: list[Step], _name: str) -> tuple[str, str]:
    helpers = "".join(f"{kind} = lambda handle: {call}\n\n" for kind, call in _CALLS.items())
    return helpers, _lines(steps, lambda step: f"{step.kind}({step.operand})")


def _partials(steps: list[Step], _name: str) -> tuple[str, str]:
    made = _functions("def _{kind}(more, handle):")
    helpers = "".join(f"{kind} = functools.partial(_{kind}, None)\n" for kind in _CALLS)
    return made + helpers, _lines(steps, lambda step: f"{step.kind}({step.operand})")


_STYLES: dict[str, Callable[[list[Step], str], tuple[str, str]]] = {
    "helpers": _helpers,
    "loops": _loops,
    "comprehensions": _comprehensions,
    "decorators": _decorators,
    "classes": _classes,
    "context managers": _context_managers,
    "generators": _generators,
    "several files": _several_files,
    "lambdas": _lambdas,
    "partial": _partials,
}
