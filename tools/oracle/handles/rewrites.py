"""Changes that transform operations make to the payload, as far as the generator models them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle.handles.payload import Node

if TYPE_CHECKING:
    from collections.abc import Iterable


def erase(node: Node) -> None:
    """Take `node` out of the payload, with its nested operations."""
    if node.parent is not None:
        node.parent.children.remove(node)
    for each in node.walk():
        each.is_gone = True


def replace(old: Node, new: Node, user: Node | None = None) -> None:
    """Replace `old` by `new`. Users of the results of `old` then use those of `user`, by default those of `new`."""
    parent, root = old.parent, old.root
    if parent is not None:
        if new.parent is not None:
            new.parent.children.remove(new)
        parent.children[parent.children.index(old)] = new
        new.parent = parent
    old.is_gone = True
    for node in root.walk():
        node.operands = [(user or new) if operand is old else operand for operand in node.operands]


def renewed(old: Node, name: str = "") -> Node:
    """Replace `old` by another operation, of the same name by default, and return that."""
    new = Node(name or old.name, None, list(old.operands), rank=old.rank, size=old.size, on_tensors=old.on_tensors)
    new.results = old.results
    adopt(new, old)
    replace(old, new)
    return new


def adopt(parent: Node, former: Node) -> None:
    """Move the children of `former` to the end of `parent`."""
    for child in former.children:
        child.parent = parent
    parent.children += former.children
    former.children = []


def tiled(old: Node, count: int, size: int, kind: str = "scf.for") -> tuple[Node, list[Node]]:
    """Put `count` loops around `old`; return its replacement in the innermost, and the loops from outside in."""
    loops: list[Node] = []
    inner = Node(old.name, None, [], rank=old.rank, size=size, on_tensors=old.on_tensors, results=old.results)
    for _ in range(count):
        loop = Node(kind, loops[-1] if loops else None, [None] * 3 if kind == "scf.for" else [], size=-1)
        loop.results = old.results
        loops.append(loop)
    bottom = loops[-1]
    last = len(old.operands) - 1
    for number, operand in enumerate(old.operands):
        sliced = Node("tensor.extract_slice" if old.on_tensors else "memref.subview", bottom)
        sliced.operands = [operand if number != last else None]
        inner.operands.append(sliced)
    inner.parent = bottom
    bottom.children.append(inner)
    adopt(inner, old)
    if old.on_tensors:
        Node("tensor.insert_slice", bottom, [inner, None], results=1)
    replace(old, loops[0])
    if not old.on_tensors:
        return inner, loops
    loops[0].operands = [*loops[0].operands, old.operands[-1]]
    return inner, loops


def copied(node: Node, parent: Node | None) -> Node:
    """Return a copy of `node` and its nested operations, at the end of `parent`."""
    copies: dict[int, Node] = {}
    return _copied(node, parent, copies)


def _copied(node: Node, parent: Node | None, copies: dict[int, Node]) -> Node:
    operands = [copies.get(id(operand), operand) for operand in node.operands]
    copy = Node(node.name, parent, operands, rank=node.rank, size=node.size, on_tensors=node.on_tensors)
    copy.results = node.results
    copies[id(node)] = copy
    for child in node.children:
        _copied(child, copy, copies)
    return copy


def unroll(loop: Node, factor: int) -> Node:
    """Repeat the body of `loop`; return the loop that remains, which is the same one."""
    for child in list(loop.children):
        for _ in range(factor - 1):
            copied(child, loop)
    loop.size = loop.size // factor if loop.size > 0 else loop.size
    return loop


def outermost(nodes: Iterable[Node]) -> list[Node]:
    """Return those of `nodes` that are in no other."""
    found = list(nodes)
    return [node for node in found if not any(node is not other and node.is_in(other) for other in found)]
