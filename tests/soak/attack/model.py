"""Attacks: a name, and the files of a project at a given size."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

SCRIPT = "script.mlir"
"""The file of an attack that is checked and opened."""
Files: TypeAlias = dict[str, str]
"""Texts by path relative to the folder of the project; always one of them is `SCRIPT`."""


class Attack(NamedTuple):
    """One way to make a text large or deep; `files` gives the project of a size."""

    name: str
    files: Callable[[int], Files]
    smallest: int = 16
    """The size to begin with; it is doubled until the work can be measured."""
    largest: int = 1 << 20
    """Beyond this size it is no plausible text, or larger than the files that tdls reads."""


def script(name: str, text: Callable[[int], str], *, smallest: int = 16, largest: int = 1 << 20) -> Attack:
    """Return the attack that is one script."""
    return Attack(name, lambda size: {SCRIPT: text(size)}, smallest, largest)


def in_project(
    path: str, name: str, text: Callable[[int], str], *, smallest: int = 16, largest: int = 1 << 20
) -> Attack:
    """Return the attack that is a file in the project of a plain script."""
    return Attack(name, lambda size: {SCRIPT: PLAIN, path: text(size)}, smallest, largest)


def in_module(*members: str) -> str:
    """Return a module with named sequences that has `members`."""
    body = "\n".join(members)
    return f"module attributes {{transform.with_named_sequence}} {{\n{body}\n}}\n"


def in_sequence(*operations: str, arguments: str = "%root: !transform.any_op", marks: str = "") -> str:
    """Return a module with an entry point that consists of `operations`."""
    body = "".join(f"    {operation}\n" for operation in operations)
    head = f"  transform.named_sequence @__transform_main({arguments}{marks}) {{\n"
    return in_module(f"{head}{body}    transform.yield\n  }}")


def match(result: str, name: str = "linalg.matmul", within: str = "%root") -> str:
    """Return a match of payload operations of one name."""
    return (
        f'{result} = transform.structured.match ops{{["{name}"]}} in {within} '
        ": (!transform.any_op) -> !transform.any_op"
    )


def any_ops(count: int) -> str:
    """Return `count` types of handles, separated by commas."""
    return ", ".join(["!transform.any_op"] * count)


PLAIN = in_sequence(match("%0"), "transform.structured.vectorize %0 : !transform.any_op")
"""A script with nothing in it that takes time."""
