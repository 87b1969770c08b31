"""Control flow between the blocks of a region: reachability and dominance."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tdls.bounds.limits import BLOCKS
from tdls.semantic.graphs import DominatorTree, reached_from

if TYPE_CHECKING:
    from tdls.bounds.limits import Limit
    from tdls.semantic.model import Block, Operation, Region, Value


_GRAPHS = ("RegionKindInterface", "HasOnlyGraphRegion", "GraphRegionNoTerminator")
"""Beginnings of the traits of operations whose regions may be graphs."""

BlockSet: TypeAlias = int
"""Blocks of a region: the bit of a block's index is set if it is one of them."""


class _Paths(NamedTuple):
    """For each block of a region, those that it reaches, and those that reach it."""

    forward: list[BlockSet]
    backward: list[BlockSet]


class Reachability:
    """Blocks reachable over at least one edge; a block reaches itself only through a cycle."""

    def __init__(self) -> None:
        self._known: dict[int, _Paths | None] = {}
        self.given_up: Limit | None = None
        """The limit that a region has more blocks than: nothing is said of paths in it then."""

    def between(self, start: Block, end: Block) -> BlockSet:
        """Return the blocks that `start` reaches and that reach `end`, both of one region."""
        paths = self._paths(start.region)
        return paths.forward[start.index] & paths.backward[end.index] if paths is not None else 0

    def reaches(self, start: Block, end: Block) -> bool:
        """Tell whether `start` reaches `end`, both of one region."""
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


class Dominance:
    """Answers whether a definition dominates a use, as `DominanceInfo::properlyDominates` does."""

    def __init__(self) -> None:
        self._trees: dict[int, DominatorTree] = {}

    def properly_dominates(self, value: Value, user: Operation) -> bool:
        """Tell whether `value` is defined before `user` on every path, its regions included.

        Where a region may be a graph region every definition in it counts as dominating.
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
        return ancestor.block is not block and self._dominates(block, ancestor.block)

    def _dominates(self, block: Block, other: Block) -> bool:
        region = block.region
        tree = self._trees.get(id(region))
        if tree is None:
            after = [[successor.index for successor in inner.successors] for inner in region.blocks]
            tree = self._trees[id(region)] = DominatorTree(after)
        return tree.dominates(block.index, other.index)


def _ancestor_in_region(operation: Operation, block: Block | None) -> Operation | None:
    """Return `operation` or the ancestor of it that stands in the region of `block` (None: the file)."""
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
    """Tell whether order may mean nothing in `region` (`mayBeGraphRegion` of RegionKindInterface.cpp)."""
    definition = region.parent.definition
    if definition is None:
        return True
    return any(trait.startswith(_GRAPHS) for trait in definition.traits)
