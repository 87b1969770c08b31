"""Which blocks and operations are reached from others."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from tdls.limits import BLOCKS
from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.limits import Limit
    from tdls.semantic.model import Block, Region

    Successors = Sequence[Sequence[int]]


def reached_from(successors: Successors) -> list[int]:
    """Return, for each node, the bit set of the nodes that it reaches over at least one edge.

    Takes steps in proportion to the edges, and one bit operation for each pair of nodes.
    """
    reached = [0] * len(successors)
    component_of = [-1] * len(successors)
    for number, component in enumerate(_components(successors)):
        members = set(component)
        bits = 0
        for node in component:
            component_of[node] = number
            for successor in successors[node]:
                bits |= 1 << successor
                if successor not in members:
                    bits |= reached[successor]
        if len(component) > 1:
            bits |= sum(1 << node for node in component)
        for node in component:
            reached[node] = bits
    return reached


def _components(successors: Successors) -> list[list[int]]:
    """Return the strongly connected components in reverse topological order (Tarjan)."""
    components: list[list[int]] = []
    order: dict[int, int] = {}
    lowest: dict[int, int] = {}
    waiting: list[int] = []
    is_waiting: set[int] = set()
    for start in range(len(successors)):
        path = [(start, 0)] if start not in order else []
        while path:
            node, edge = path.pop()
            if not edge:
                order[node] = lowest[node] = len(order)
                waiting.append(node)
                is_waiting.add(node)
            if edge < len(successors[node]):
                path.append((node, edge + 1))
                successor = successors[node][edge]
                if successor not in order:
                    path.append((successor, 0))
                elif successor in is_waiting:
                    lowest[node] = min(lowest[node], order[successor])
                continue
            if lowest[node] == order[node]:
                component = [waiting.pop()]
                while component[-1] != node:
                    component.append(waiting.pop())
                is_waiting.difference_update(component)
                components.append(component)
            if path:
                above = path[-1][0]
                lowest[above] = min(lowest[above], lowest[node])
    return components


BlockSet: TypeAlias = int
"""A set of blocks of a region: bit `i` stands for the block with index `i`."""


class _Paths(NamedTuple):
    """For each block of a region, the blocks that it reaches, and the blocks that reach it."""

    forward: list[BlockSet]
    backward: list[BlockSet]


class Reachability:
    """Blocks reachable over at least one edge; a block reaches itself only through a cycle."""

    def __init__(self) -> None:
        self._known: dict[int, _Paths | None] = {}
        self.given_up: Limit | None = None
        """The limit that a region's number of blocks exceeds, if any; its paths are not computed then."""

    def between(self, start: Block, end: Block) -> BlockSet:
        """Return the blocks that `start` reaches and that reach `end`, both of one region."""
        paths = self._paths(start.region)
        return paths.forward[start.index] & paths.backward[end.index] if paths is not None else 0

    def reaches(self, start: Block, end: Block) -> bool:
        """Whether `start` reaches `end`, both of one region."""
        paths = self._paths(start.region)
        return paths is not None and bool(paths.forward[start.index] >> end.index & 1)

    def _paths(self, region: Region) -> _Paths | None:
        if id(region) not in self._known:
            self._known[id(region)] = self._find_paths(region)
        return self._known[id(region)]

    def _find_paths(self, region: Region) -> _Paths | None:
        if len(region.blocks) > BLOCKS.most:
            self.given_up = BLOCKS
            return None
        after = [[successor.index for successor in block.successors] for block in region.blocks]
        before: list[list[int]] = [[] for _ in region.blocks]
        for index, successors in enumerate(after):
            for successor in successors:
                before[successor].append(index)
        return _Paths(reached_from(after), reached_from(before))
