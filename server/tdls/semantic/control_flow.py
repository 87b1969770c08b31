"""Control flow between the blocks of a region: reachability and dominance."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tdls.semantic.model import Block, Operation, Region, Value


class Reachability:
    """Blocks reachable over at least one edge; a block reaches itself only through a cycle."""

    def __init__(self) -> None:
        self._forward: dict[int, dict[int, Block]] = {}
        self._backward: dict[int, dict[int, Block]] = {}
        self._predecessors: dict[int, dict[int, list[Block]]] = {}

    def from_block(self, block: Block) -> dict[int, Block]:
        """Return the blocks that `block` reaches, by identity."""
        return _closure(block, lambda current: current.successors, self._forward)

    def to_block(self, block: Block) -> dict[int, Block]:
        """Return the blocks that reach `block`, by identity."""
        return _closure(block, self._predecessors_of, self._backward)

    def _predecessors_of(self, block: Block) -> list[Block]:
        region = block.region
        table = self._predecessors.get(id(region))
        if table is None:
            table = self._predecessors[id(region)] = predecessors(region)
        return table.get(id(block), [])


def _closure(
    block: Block, following: Callable[[Block], Iterable[Block]], cache: dict[int, dict[int, Block]]
) -> dict[int, Block]:
    known = cache.get(id(block))
    if known is not None:
        return known
    reached = cache[id(block)] = {}
    pending = [block]
    while pending:
        for other in following(pending.pop()):
            if id(other) not in reached:
                reached[id(other)] = other
                pending.append(other)
    return reached


def predecessors(region: Region) -> dict[int, list[Block]]:
    """Return the predecessors of each block of `region`, by the block's identity."""
    table: dict[int, list[Block]] = {}
    for block in region.blocks:
        for successor in block.successors:
            table.setdefault(id(successor), []).append(block)
    return table


class Dominance:
    """Answers whether a definition dominates a use, as `DominanceInfo::properlyDominates` does."""

    def __init__(self) -> None:
        self._dominators: dict[int, dict[int, set[int]]] = {}

    def properly_dominates(self, value: Value, user: Operation) -> bool:
        """Tell whether `value` is defined before `user` on every path, its regions included.

        Where a region may be a graph region every definition in it counts as dominating.
        """
        block = value.owner_block
        ancestor = _ancestor_in_region(user, block)
        if ancestor is None:
            return False
        if block is None or ancestor.block is None:
            return value.operation is None or value.operation.index < ancestor.index
        if ancestor.block is block and (value.operation is None or value.operation.index < ancestor.index):
            return True
        if may_be_graph_region(block.region):
            return True
        return ancestor.block is not block and self._dominates(block, ancestor.block)

    def _dominates(self, block: Block, other: Block) -> bool:
        region = block.region
        table = self._dominators.get(id(region))
        if table is None:
            table = self._dominators[id(region)] = _dominators(region)
        return id(other) not in table or id(block) in table[id(other)]


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


def _dominators(region: Region) -> dict[int, set[int]]:
    """Return the identities of the dominators of each reachable block, by the block's identity."""
    entry = region.blocks[0]
    reached = {id(entry): entry}
    order = [entry]
    for block in order:
        for successor in block.successors:
            if id(successor) not in reached:
                reached[id(successor)] = successor
                order.append(successor)
    before = predecessors(region)
    table = {key: set(reached) for key in reached}
    table[id(entry)] = {id(entry)}
    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            inputs = [table[id(p)] for p in before.get(id(block), ()) if id(p) in table]
            updated = set.intersection(*inputs) | {id(block)}
            if updated != table[id(block)]:
                table[id(block)] = updated
                changed = True
    return table


def may_be_graph_region(region: Region) -> bool:
    """Tell whether order may mean nothing in `region` (`mayBeGraphRegion` of RegionKindInterface.cpp)."""
    definition = region.parent.definition
    if definition is None:
        return True
    return any(trait.startswith(("RegionKindInterface", "HasOnlyGraphRegion")) for trait in definition.traits)
