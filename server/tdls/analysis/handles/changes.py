"""What operations change in the payload, for both runs: kinds of changes by definition, added operations by name.

`Effect.introduced` names the operations that may be added, apart from replacements of the targets. It must hold for
every payload: adding names only reduces findings.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from tdls.catalogue.model import EffectSource, HandleEffect, PayloadEffect
from tdls.payload.tree import ANY_OPERATION, NOTHING, Introduced, bringing
from tdls.semantic.transform_dialect import APPLY_REGISTERED_PASS, is_transform_operation
from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.analysis.file.context import Context
    from tdls.catalogue.model import OperationDefinition
    from tdls.limits import Budget
    from tdls.payload.kinds import PayloadNames
    from tdls.semantic.model import Operation

MOST_CALLS = 6
"""Maximum depth of calls to follow."""


class Becomes(Enum):
    """The effect of an operation on targets that are structured operations."""

    CHANGED = "changed"
    """The targets, and all operations around them, may be kept, moved, changed or erased."""
    GONE = "gone"
    RENAMED = "renamed"
    """The targets have another name, in the same place."""
    TILED = "tiled"
    """The targets are in new loops, which the other results hold."""
    KEPT = "kept"
    """The targets stay, with other operands."""


class Effect(NamedTuple):
    """The effect of an operation on its first operand, the targets, and on the payload as a whole."""

    becomes: Becomes
    introduced: Introduced = NOTHING
    name: str = ""
    """The new name of the targets, or that of the loops around them."""
    lowers: str = ""
    """The dialect whose operations must be gone from the targets."""

    @property
    def added(self) -> Introduced:
        """The operations that may be added, with those in place of the targets."""
        return self.introduced | bringing(self.name) if self.name else self.introduced


PARALLEL_LOOP = "scf.forall"
_GENERIC = "linalg.generic"
_SLICES = bringing("affine", "arith", "complex", "index", "math", "memref", "tensor", "ub")
_LOOPS = _SLICES | bringing("scf")
_VECTORS = _LOOPS | bringing("vector")
_BODIES = bringing("arith", "complex", "math", "linalg.index", "linalg.yield")
"""Operations in the bodies of structured operations."""
_COPIES = bringing("bufferization", "linalg.copy", "linalg.fill", _GENERIC, "linalg.map", "linalg.transpose")
_STRUCTURED_OPERATIONS = _VECTORS | bringing("bufferization", "linalg")
_CLEANED = _VECTORS | _COPIES | bringing("cf", "shape", "linalg.broadcast", "linalg.pack", "linalg.unpack")
"""Operations that canonicalization and similar patterns create."""
_BUFFERS = _LOOPS | _COPIES | bringing("cf", "func")

_GENERALIZED = Effect(Becomes.RENAMED, _BODIES, _GENERIC)
_LOWERED = Effect(Becomes.GONE, _LOOPS)
_STRUCTURED = "transform.structured."
_NOT_IN_STRUCTURED = ("transform.structured.gpu.", "transform.structured.replace")
_BY_PATTERNS = "transform.apply_patterns"
_PASSES = {"canonicalize": _CLEANED, "cse": bringing("arith"), "loop-invariant-code-motion": NOTHING}
"""Operations that passes may add, by registered pass name."""
PASSES_ON_STRUCTURED = {
    "convert-linalg-to-affine-loops": _LOWERED,
    "convert-linalg-to-loops": _LOWERED,
    "convert-linalg-to-parallel-loops": _LOWERED,
    "linalg-generalize-named-ops": _GENERALIZED,
}
"""Passes applied to all structured operations; `_LOWERED` ones erase those on buffers."""
_LOWERING = re.compile(r"(?:convert|lower)-([a-z]+)", re.ASCII)
"""The names of passes that lower a dialect, such as ``convert-scf-to-cf``."""
_CLEANING = ("canonicalization", "linalg.tiling_canonicalization", "scf.", "tensor.", "vector.", "memref.")
"""Prefixes of patterns that add no more operations than canonicalization does."""
_ANY_CHANGE = Effect(Becomes.CHANGED, ANY_OPERATION)
_REWRITES_LOOPS = Effect(Becomes.CHANGED, _LOOPS)
_NO_NEW = Effect(Becomes.CHANGED)
EFFECTS = {
    "transform.annotate": _NO_NEW,
    "transform.affine.super_vectorize": Effect(Becomes.CHANGED, bringing("affine", "arith", "vector")),
    "transform.structured.convert_to_loops": _LOWERED,
    "transform.structured.fuse": _REWRITES_LOOPS,
    "transform.structured.fuse_into_containing_op": _REWRITES_LOOPS,
    "transform.structured.generalize": _GENERALIZED,
    "transform.structured.interchange": Effect(Becomes.KEPT, _BODIES | bringing("affine")),
    "transform.structured.pad": Effect(Becomes.KEPT, _LOOPS | _COPIES),
    "transform.structured.promote": Effect(Becomes.KEPT, _SLICES | _COPIES),
    "transform.structured.tile_using_for": Effect(Becomes.TILED, _SLICES | bringing("scf.yield"), "scf.for"),
    "transform.structured.tile_using_forall": Effect(
        Becomes.TILED, _SLICES | bringing("scf.forall.in_parallel"), PARALLEL_LOOP
    ),
    "transform.structured.vectorize": Effect(Becomes.GONE, _SLICES | bringing("vector")),
    "transform.structured.vectorize_children_and_apply_patterns": Effect(Becomes.CHANGED, _CLEANED, lowers="linalg"),
    "transform.bufferization.empty_tensor_to_alloc_tensor": Effect(
        Becomes.CHANGED, bringing("bufferization.alloc_tensor")
    ),
    "transform.bufferization.eliminate_empty_tensors": Effect(Becomes.CHANGED, _SLICES),
    "transform.bufferization.one_shot_bufferize": Effect(Becomes.CHANGED, _BUFFERS),
    "transform.apply_cse": Effect(Becomes.CHANGED, bringing("arith")),
    "transform.apply_dce": _NO_NEW,
    "transform.apply_licm": _NO_NEW,
    "transform.loop.hoist_loop_invariant_subsets": _REWRITES_LOOPS,
    "transform.loop.coalesce": _REWRITES_LOOPS,
    "transform.loop.forall_to_for": _REWRITES_LOOPS,
    "transform.loop.peel": _REWRITES_LOOPS,
    "transform.loop.pipeline": _REWRITES_LOOPS,
    "transform.loop.unroll": _REWRITES_LOOPS,
    "transform.loop.unroll_and_jam": _REWRITES_LOOPS,
    "transform.loop.promote_if_one_iteration": _REWRITES_LOOPS,
}
"""The effects of operations by name. An operation without an entry may add any operation, unless it is in
`_STRUCTURED`."""


def effect_of(operation: Operation) -> Effect:
    """Return the effect of an operation that changes the payload."""
    known = EFFECTS.get(operation.name)
    if known is not None:
        return known
    if operation.name == _BY_PATTERNS:
        nested = (each.name for block in operation.blocks() for each in block.operations)
        only_cleans = all(name.removeprefix(f"{_BY_PATTERNS}.").startswith(_CLEANING) for name in nested)
        return Effect(Becomes.CHANGED, _CLEANED) if only_cleans else _ANY_CHANGE
    if operation.name == APPLY_REGISTERED_PASS:
        name = pass_name(operation)
        on_structured = PASSES_ON_STRUCTURED.get(name)
        lowered = _LOWERING.match(name)
        introduced = on_structured.added if on_structured is not None else _PASSES.get(name, ANY_OPERATION)
        return Effect(Becomes.CHANGED, introduced, lowers=lowered[1] if lowered is not None else "")
    if operation.name.startswith(_STRUCTURED) and not operation.name.startswith(_NOT_IN_STRUCTURED):
        return Effect(Becomes.CHANGED, _STRUCTURED_OPERATIONS)
    return _ANY_CHANGE


def pass_name(operation: Operation) -> str:
    """Return the name of the pass that a ``transform.apply_registered_pass`` applies."""
    return (operation.spelled("pass_name") or "").strip('"')


# By definition


class Changes(NamedTuple):
    """Kinds of change that may happen to the payload."""

    touches: bool = False
    """It changes in any way."""
    changes: bool = False
    """Operations are added or erased."""
    moves: bool = False
    """Operations are moved."""
    adds_containers: bool = False
    """Functions or other containers are added."""
    introduced: Introduced = NOTHING
    """The operations that may be added, apart from replacements of targets: computed for bodies and callees only."""

    def __or__(self, other: tuple[object, ...]) -> Changes:
        """Return the union of two sets of changes."""
        assert isinstance(other, Changes)
        return Changes(
            self.touches or other.touches,
            self.changes or other.changes,
            self.moves or other.moves,
            self.adds_containers or other.adds_containers,
            self.introduced | other.introduced,
        )


NO_CHANGES = Changes()
ANYTHING = Changes(touches=True, changes=True, moves=True, adds_containers=True, introduced=ANY_OPERATION)


class ChangeAnalysis:
    """Computes the changes by operations and by called named sequences; memoizes by definition and callee."""

    def __init__(self, context: Context, names: PayloadNames, budget: Budget) -> None:
        self._context = context
        self._effects = context.effects
        self._names = names
        self._budget = budget
        self._known: dict[int, Changes] = {}
        self._by_definition: dict[int, Changes] = {}

    def of_operation(self, operation: Operation) -> Changes:
        """Return the changes that an operation itself may make, without its bodies and callees."""
        definition = operation.definition
        if definition is None or (definition.moves_with and operation.has_attribute(definition.moves_with)):
            return ANYTHING
        known = self._by_definition.get(id(definition))
        if known is None:
            known = self._by_definition[id(definition)] = self._of_definition(definition)
        if known.changes or not any(operand.effect_when for operand in definition.operands):
            return known
        return known._replace(changes=any(True for _ in self._effects.consumed_operands(operation)))

    def _of_definition(self, definition: OperationDefinition) -> Changes:
        """Return the changes by operations of a definition, for any attributes."""
        if definition.payload_effect not in (PayloadEffect.MODIFIES, PayloadEffect.UNKNOWN):
            return NO_CHANGES
        if definition.regions or definition.effect_source is EffectSource.CALLEE:
            return Changes(touches=True)
        if not definition.local:
            return ANYTHING
        consumes = any(operand.effect is HandleEffect.CONSUMES for operand in definition.operands)
        adds = any(self._names.include_containers(result.stands_for) for result in definition.results)
        return Changes(touches=True, changes=consumes, adds_containers=adds)

    def of_callee(self, callee: Operation | None, depth: int = 0) -> Changes:
        """Return the changes that a call of a named sequence may make; `ANYTHING` if the callee is not known."""
        if callee is None or callee.body is None or depth >= MOST_CALLS:
            return ANYTHING
        known = self._known.get(id(callee))
        if known is None:
            known = self._known[id(callee)] = self.within(callee.body.operations, depth)
        return known

    def within(self, operations: Iterable[Operation], depth: int = 0) -> Changes:
        """Return the changes that operations may make, in bodies and callees, too, that run any number of times."""
        changes = NO_CHANGES
        for operation in (nested for each in operations for nested in each.walk()):
            if changes == ANYTHING:
                break
            self._budget.spend()
            if operation.has_callee:
                changes |= self.of_callee(self._context.callee(operation), depth + 1)
            elif is_transform_operation(operation) and not _runs_bodies(operation):
                own = self.of_operation(operation)
                changes |= own._replace(introduced=effect_of(operation).added) if own.touches else own
        return changes


def _runs_bodies(operation: Operation) -> bool:
    """Whether an operation changes the payload only by the operations in its bodies."""
    definition = operation.definition
    return definition is not None and (
        definition.effect_source is EffectSource.REGION
        or not definition.traits.isdisjoint(("RegionBranchOpInterface", "IsTerminator"))
    )
