"""Which blocks and operations dominate others."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.semantic.model import Block, Operation, Region, Value

    Successors = Sequence[Sequence[int]]


class DominatorTree:
    """The dominator tree of a graph with entry node 0, built in nearly linear time (Lengauer, Tarjan)."""

    def __init__(self, successors: Successors) -> None:
        self._begin: list[int | None] = [None] * len(successors)
        self._end = [0] * len(successors)
        self._number(_immediate_dominators(successors))

    def dominates(self, node: int, other: int) -> bool:
        """Whether every path to `other` goes through `node`; true for every `node` if `other` is unreachable."""
        begin, place = self._begin[node], self._begin[other]
        return place is None or (begin is not None and begin <= place < self._end[node])

    def is_reached(self, node: int) -> bool:
        """Whether a path leads from the entry to `node`."""
        return self._begin[node] is not None

    def _number(self, dominators: dict[int, int]) -> None:
        """Number the tree in preorder: the subtree of a node has the numbers from its `_begin` up to its `_end`."""
        below: dict[int, list[int]] = {}
        for node, dominator in dominators.items():
            if node != dominator:
                below.setdefault(dominator, []).append(node)
        count = 0
        path = [0]
        while path:
            node = path.pop()
            if node < 0:
                self._end[~node] = count
                continue
            self._begin[node] = count
            count += 1
            path.append(~node)
            path.extend(below.get(node, ()))


def _immediate_dominators(successors: Successors) -> dict[int, int]:
    """Return the immediate dominator of each reachable node; that of node 0 is node 0."""
    nodes, parent = _depth_first(successors)
    rank = {node: number for number, node in enumerate(nodes)}
    before: list[list[int]] = [[] for _ in nodes]
    for node in nodes:
        for successor in successors[node]:
            before[rank[successor]].append(rank[node])
    semi = list(range(len(nodes)))
    dominator = [0] * len(nodes)
    forest = _Forest(semi)
    waiting: list[list[int]] = [[] for _ in nodes]
    for index in range(len(nodes) - 1, 0, -1):
        semi[index] = min(semi[forest.lowest(other)] for other in before[index])
        waiting[semi[index]].append(index)
        forest.link(index, parent[index])
        for other in waiting[parent[index]]:
            lowest = forest.lowest(other)
            dominator[other] = lowest if semi[lowest] < semi[other] else parent[index]
        waiting[parent[index]] = []
    for index in range(1, len(nodes)):
        if dominator[index] != semi[index]:
            dominator[index] = dominator[dominator[index]]
    return {nodes[number]: nodes[dominator[number]] for number in range(len(nodes))}


def _depth_first(successors: Successors) -> tuple[list[int], list[int]]:
    """Return the nodes reachable from node 0, in the order of a depth-first search, and the ranks of their parents."""
    nodes: list[int] = []
    parents: list[int] = []
    seen: set[int] = set()
    path = [(0, 0)]
    while path:
        node, parent = path.pop()
        if node in seen:
            continue
        seen.add(node)
        rank = len(nodes)
        nodes.append(node)
        parents.append(parent)
        path.extend((successor, rank) for successor in reversed(successors[node]) if successor not in seen)
    return nodes, parents


class _Forest:
    """A forest that grows by edges and finds the lowest `semi` on the path to a root, with path compression."""

    def __init__(self, semi: list[int]) -> None:
        self._semi = semi
        self._above: list[int | None] = [None] * len(semi)
        self._lowest = list(range(len(semi)))

    def link(self, node: int, above: int) -> None:
        """Make the root `node` a child of `above`."""
        self._above[node] = above

    def lowest(self, node: int) -> int:
        """Return the node with the lowest ``semi`` on the path from `node` to its root, without that; a root itself."""
        way: list[int] = []
        current = node
        while (above := self._above[current]) is not None:
            way.append(current)
            current = above
        root = current
        if not way:
            return node
        best = self._lowest[way[-1]]
        for passed in reversed(way):
            if self._semi[self._lowest[passed]] > self._semi[best]:
                self._lowest[passed] = best
            best = self._lowest[passed]
            self._above[passed] = root
        return self._lowest[node]


_GRAPHS = ("RegionKindInterface", "HasOnlyGraphRegion", "GraphRegionNoTerminator")
"""Prefixes of the traits of operations whose regions may be graph regions."""


class Dominance:
    """Computes whether a definition dominates a use, as `DominanceInfo::properlyDominates` does."""

    def __init__(self) -> None:
        self._trees: dict[int, DominatorTree] = {}

    def properly_dominates(self, value: Value, user: Operation) -> bool:
        """Whether `value` is defined on every path before `user`, which may be in a nested region.

        In a region that may be a graph region, every definition counts as dominating.
        """
        block = value.owner_block
        ancestor = _ancestor_in_region(user, block)
        if ancestor is None:
            return False
        if block is None or ancestor.block is None:
            return True  # the file is a module, whose region is a graph
        if ancestor.block is block and (value.operation is None or value.operation.index < ancestor.index):
            return True
        if may_be_graph_region(block.region):
            return True
        if ancestor.block is block:
            return not self._tree(block.region).is_reached(block.index)  # nothing reaches it, so it has no order
        return self._tree(block.region).dominates(block.index, ancestor.block.index)

    def _tree(self, region: Region) -> DominatorTree:
        tree = self._trees.get(id(region))
        if tree is None:
            after = [[successor.index for successor in inner.successors] for inner in region.blocks]
            tree = self._trees[id(region)] = DominatorTree(after)
        return tree


def _ancestor_in_region(operation: Operation, block: Block | None) -> Operation | None:
    """Return `operation` or its ancestor directly in the region of `block`; None as `block` means the file."""
    current: Operation | None = operation
    while current is not None:
        if current.block is None or block is None:
            if current.block is None and block is None:
                return current
        elif current.block.region is block.region:
            return current
        current = current.parent
    return None


def may_be_graph_region(region: Region) -> bool:
    """Whether the order of operations may be irrelevant (`mayBeGraphRegion` of RegionKindInterface.cpp)."""
    definition = region.parent.definition
    return definition is None or any(trait.startswith(_GRAPHS) for trait in definition.traits)
