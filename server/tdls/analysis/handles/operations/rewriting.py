"""Operations that change the payload, on a known one, by their effects."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tdls.analysis.file.effects import leaves_payload_alone
from tdls.analysis.handles.changes import EFFECTS, PASSES_ON_STRUCTURED, Becomes, effect_of, pass_name
from tdls.analysis.handles.operations.row import Meaning
from tdls.analysis.handles.shortfalls import Shortfall, ShortfallKind
from tdls.payload.kinds import STRUCTURED
from tdls.payload.operations import PayloadOperation, is_on_buffers, result_count, result_type
from tdls.payload.tree import ANY_OPERATION
from tdls.semantic.transform_dialect import APPLY_REGISTERED_PASS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tdls.analysis.handles.changes import Effect
    from tdls.analysis.handles.payload_run import Held, PayloadRun
    from tdls.semantic.model import Operation, Value

_FOR_EACH = "TransformEachOpTrait"
_CONTAINER = "IsIsolatedFromAbove"


def rewrite(run: PayloadRun, operation: Operation) -> None:
    """Evaluate an operation without a function of its own by its effect on the payload."""
    held = run.held(operation.first_operand)
    if held == () and (operation.has_trait(_FOR_EACH) or operation.name in EFFECTS):
        for result in operation.results:
            run.hold(result, ())
        return
    if leaves_payload_alone(operation):
        return
    effect = effect_of(operation)
    if effect.becomes is Becomes.CHANGED:
        _change(run, operation, effect, held)
    elif held is None or not _can_be_followed(run, operation, held, effect):
        is_structured = held is None or _are_structured(run, held)
        run.disturb(effect.added if is_structured else ANY_OPERATION)
    else:
        _in_place(run, operation, effect, held)
        run.restructure()
        run.introduced = run.introduced | effect.introduced


def disturb_by(run: PayloadRun, operations: Sequence[Operation]) -> None:
    """Disturb the payload by `operations`, in bodies and callees, too, that may be executed any number of times."""
    changes = run.changes.within(operations)
    if changes.touches:
        run.disturb(changes.introduced)


def _change(run: PayloadRun, operation: Operation, effect: Effect, held: Held | None) -> None:
    """Disturb the functions or other containers that are, or contain, the targets."""

    def is_container(outer: PayloadOperation) -> bool:
        """Whether changes in `outer` stay in it."""
        return outer.has_trait(_CONTAINER, run.context.catalogue)

    scopes = [next(filter(is_container, (each, *each.ancestors())), None) for each in held or ()]
    known = [scope for scope in scopes if scope is not None]
    is_local = held is not None and len(known) == len(scopes)
    within = list(dict.fromkeys(payload for scope in known for payload in scope.walk())) if is_local else []
    run.disturb(effect.introduced, known if is_local else None)
    if operation.name == APPLY_REGISTERED_PASS:
        _pass_over(run, operation, within)
        run.restructure()
    keeps_targets = operation.name == APPLY_REGISTERED_PASS or effect.introduced != ANY_OPERATION
    if keeps_targets and is_local and held is not None and operation.results and list(held) == known:
        run.hold(operation.results[0], held)


def _pass_over(run: PayloadRun, operation: Operation, within: Sequence[PayloadOperation]) -> None:
    """Apply a pass to all structured operations `within`; renamed ones are unsure, since passes erase unused ones."""
    effect = PASSES_ON_STRUCTURED.get(pass_name(operation))
    for payload in within if effect is not None else ():
        is_structured = payload.has_trait(STRUCTURED, run.context.catalogue)
        if effect is None or not is_structured or payload.name == effect.name:
            continue
        if effect.becomes is Becomes.RENAMED:
            new = PayloadOperation(effect.name, payload.parent, is_sure=False, is_as_written=False)
            new.put_in_place_of(payload, operation)
            payload.successor = new
        elif is_on_buffers(payload):
            payload.remove(operation)


def _are_structured(run: PayloadRun, held: Held) -> bool:
    return all(payload.has_trait(STRUCTURED, run.context.catalogue) for payload in held)


def _can_be_followed(run: PayloadRun, operation: Operation, held: Held, effect: Effect) -> bool:
    """Whether the replacement of each target is known: targets are structured, and held once each."""
    if not _are_structured(run, held) or len(set(held)) != len(held):
        return False
    if effect.becomes is not Becomes.TILED:
        return True
    definition = operation.definition
    has_one_loop = definition is not None and any(known.name == _THREADS for known in definition.attributes)
    sizes = [operation.integers(name) for name in (_SIZES, _THREADS)]
    return not has_one_loop or any(size != 0 for several in sizes for size in several or ())


_SIZES, _THREADS = "static_tile_sizes", "static_num_threads"


def _annotate(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.annotate``, which takes one value, or one for each target."""
    held = run.held(operation.first_operand)
    name = (operation.spelled("name") or "").strip('"')
    for payload in run.payload.root.walk() if held is None else held:
        payload.annotated.add(name)
    parameter = next(iter(operation.group("param")), None)
    values = run.parameters(parameter)
    if parameter is not None and values is not None and held is not None and len(values) not in (1, len(held)):
        targets = f"{len(held) or 'no'} payload operation{'' if len(held) == 1 else 's'}"
        message = (
            f"`{parameter.shown}` holds {len(values) or 'no'} values for {targets}: one is needed, or one for each"
        )
        run.refuse(operation, message)


def _in_place(run: PayloadRun, operation: Operation, effect: Effect, held: Held) -> None:
    """Replace or erase the structured targets by the known effect, and bind the results."""
    made: list[PayloadOperation] = []
    loops: list[list[PayloadOperation]] = [[] for _ in operation.results[1:]]
    for payload in held:
        if effect.becomes is Becomes.GONE:
            payload.remove(operation)
        elif effect.becomes is Becomes.TILED:
            made.append(_tile(operation, effect, payload, loops))
        elif payload.name == effect.name or effect.becomes is Becomes.KEPT:
            payload.is_as_written = payload.name == effect.name
            made.append(payload)
        else:
            new = PayloadOperation(effect.name, payload.parent, is_as_written=False, made_from=payload)
            new.put_in_place_of(payload, operation)
            payload.successor = new
            made.append(new)
    if effect.becomes is Becomes.GONE or not operation.results:
        return
    run.hold(operation.results[0], made)
    if effect.becomes is Becomes.TILED:
        for result, own in zip(operation.results[1:], loops, strict=True):
            run.hold(result, own)


def _tile(
    operation: Operation, effect: Effect, payload: PayloadOperation, loops: list[list[PayloadOperation]]
) -> PayloadOperation:
    """Put a structured operation into new nested loops, one for each result but the first; return the tiled one."""
    around: PayloadOperation | None = None
    for own in loops:
        loop = PayloadOperation(effect.name, around, is_as_written=False, made_by=operation, made_from=payload)
        if around is None:
            loop.put_in_place_of(payload, operation)
            payload.successor = loop
        else:
            around.children.append(loop)
        own.append(loop)
        around = loop
    tiled = payload.copy(around)
    if around is None:
        tiled.put_in_place_of(payload, operation)
        payload.successor = tiled
    else:
        around.children.append(tiled)
    return tiled


def _multibuffer(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.memref.multibuffer``, which skips each buffer with a use outside of all loops."""
    from tdls.analysis.refusals.loops import loops_around
    from tdls.analysis.refusals.target import Target

    skipped: list[str] = []
    for payload in run.held(operation.first_operand) or ():
        at = Target(run, operation, payload)
        users = (
            [user for result in payload.written.results for user in at.users(result) or ()] if payload.written else []
        )
        outer = next((user for user in users if not loops_around(user)), None)
        if outer is None:
            rewrite(run, operation)
            return
        skipped.append(f"{outer.shown} uses {at.shown} outside of all loops")
    if not skipped:
        rewrite(run, operation)
        return
    message = f"{skipped[0]}, so that it is left as it is"
    help_text = "only a buffer all of whose uses are in loops gets more buffers: move that use into the loop"
    run.finds_nothing(Shortfall(operation, ShortfallKind.EMPTY, message, help=help_text))
    for result in operation.results:
        run.hold(result, ())


# Sizes that payload operations compute


class _Each(Enum):
    """The unit that needs one operation with a size."""

    HANDLE = "handle"
    TARGET = "target"
    SIZE = "size"


def _with_sizes(**groups: _Each) -> Callable[[PayloadRun, Operation], None]:
    """Return the check of an operation that takes sizes from payload operations with an index as only result.

    `groups` are the operand groups with handles of these operations.
    """

    def check(run: PayloadRun, operation: Operation) -> None:
        targets = run.held(operation.first_operand)
        for group, count in groups.items() if targets != () else ():
            wanted = 1 if count is _Each.HANDLE else len(targets) if count is _Each.TARGET and targets else None
            for handle in operation.group(group):
                if handle is not None:
                    _check_size(run, operation, handle, wanted, count)

    return check


def _check_size(run: PayloadRun, operation: Operation, handle: Value, wanted: int | None, count: _Each) -> None:
    held, parameters = run.held(handle), run.parameters(handle)
    given = len(held) if held is not None else len(parameters) if parameters is not None else wanted
    if given != wanted and wanted is not None:
        noun = "payload operation" if held is not None else "value"
        message = f"`{handle.shown}` holds {given or 'no'} {noun}{'' if given == 1 else 's'}, but "
        message += "one" if count is _Each.HANDLE else f"one for each of the {wanted} targets" if wanted > 1 else "one"
        run.refuse(operation, f"{message} is needed here")
    for size in held or ():
        results, kind = result_count(size), result_type(size)
        if results not in (None, 1) or (kind is not None and kind != "index"):
            has = f"a result of the type `{kind}`" if results == 1 else f"{results or 'no'} results"
            noun = "a point to split at" if operation.name == _SPLIT else "a size"
            message = f"{size.shown} has {has}: {noun} is an operation with one result, an `index`"
            run.refuse(operation, message)


_SPLIT = "transform.structured.split"
MEANINGS = {
    "transform.annotate": Meaning(evaluates=_annotate),
    "transform.memref.multibuffer": Meaning(evaluates=_multibuffer),
    "transform.structured.fuse": Meaning(refuses=_with_sizes(tile_sizes=_Each.HANDLE)),
    "transform.structured.pack": Meaning(refuses=_with_sizes(packed_sizes=_Each.HANDLE)),
    _SPLIT: Meaning(refuses=_with_sizes(dynamic_chunk_sizes=_Each.TARGET)),
    "transform.structured.tile_using_for": Meaning(refuses=_with_sizes(dynamic_sizes=_Each.TARGET)),
    "transform.structured.tile_using_forall": Meaning(
        refuses=_with_sizes(
            num_threads=_Each.HANDLE,
            tile_sizes=_Each.HANDLE,
            packed_num_threads=_Each.SIZE,
            packed_tile_sizes=_Each.SIZE,
        )
    ),
    "transform.structured.vectorize": Meaning(refuses=_with_sizes(vector_sizes=_Each.HANDLE)),
}
