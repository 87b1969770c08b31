"""Copies of machines with their payloads, to try things out on."""

from __future__ import annotations

from oracle.handles.machine import Handle, Item, Machine, Scope
from oracle.handles.payload import Node


class Copy:
    """A copy of `machine`, with the handles there that correspond to its own."""

    def __init__(self, machine: Machine) -> None:
        self._nodes: dict[int, Node] = {}
        self.machine = Machine(self._node(machine.payload))
        self.machine.has_failed, self.machine.has_misfired = machine.has_failed, machine.has_misfired
        for scope in machine.scopes:
            handles = {name: self.handle(handle) for name, handle in scope.handles.items()}
            self.machine.scopes.append(Scope(scope.is_isolated, scope.is_sequence, handles))

    def handle(self, handle: Handle) -> Handle:
        """Return a copy of `handle` for the copied machine."""
        nodes = [self._node(node) for node in handle.nodes]
        items = [Item(self._node(item.node), item.number, item.is_argument) for item in handle.items]
        return Handle(handle.name, handle.type, nodes, items, handle.is_stale, handle.is_consumed)

    def _node(self, node: Node) -> Node:
        copy = self._nodes.get(id(node))
        if copy is None:
            copy = Node(node.name, None, [], node.text, node.end, node.rank, node.size, node.on_tensors, node.results)
            copy.is_gone, copy.is_implied, copy.marks = node.is_gone, node.is_implied, node.marks
            self._nodes[id(node)] = copy
            copy.parent = self._node(node.parent) if node.parent is not None else None
            copy.children = [self._node(child) for child in node.children]
            copy.operands = [operand and self._node(operand) for operand in node.operands]
        return copy
