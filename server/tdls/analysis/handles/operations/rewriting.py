"""Operations that change the payload, on a known one: by their effects, or by functions in the table at the end."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from tdls.analysis.file.effects import leaves_payload_alone
from tdls.analysis.handles.changes import EFFECTS, PARALLEL_LOOP, PASSES_ON_STRUCTURED, Becomes, effect_of, pass_name
from tdls.analysis.handles.operations.row import Meaning
from tdls.analysis.handles.operations.vectorizing import check_vector_sizes
from tdls.analysis.handles.payload_run import Shortfall, ShortfallKind
from tdls.payload.attributes import split
from tdls.payload.kinds import STRUCTURED
from tdls.payload.loops import DYNAMIC, REDUCTION, Loops, element_of
from tdls.payload.operations import PayloadOperation, is_on_buffers, operands_of, result_count, result_type, type_of
from tdls.payload.tree import ANY_OPERATION
from tdls.semantic.transform_dialect import APPLY_REGISTERED_PASS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tdls.analysis.handles.changes import Effect
    from tdls.analysis.handles.payload_run import Held, PayloadRun
    from tdls.semantic.model import Operation, Value

_FOR_EACH = "TransformEachOpTrait"
_INDEX = "index"
_CONTAINER = "IsIsolatedFromAbove"


def rewrite(run: PayloadRun, operation: Operation) -> None:
    """Evaluate an operation without a function of its own by its effect on the payload."""
    is_each = operation.has_trait(_FOR_EACH) or operation.name in EFFECTS
    if is_each and _nothing_of_nothing(run, operation, operation.operands[:1]):
        return
    if leaves_payload_alone(operation):
        return
    held = run.held(operation.first_operand)
    effect = effect_of(operation)
    if effect.name == PARALLEL_LOOP:
        _note_race(run, operation, held or ())
    if effect.becomes is Becomes.CHANGED:
        _change(run, operation, effect, held)
    elif held is None or not _can_be_followed(run, operation, held, effect):
        is_structured = held is None or _are_structured(run, held)
        run.disturb(effect.added if is_structured else ANY_OPERATION)
    else:
        _in_place(run, operation, effect, held)
        run.restructure()
        run.introduced = run.introduced | effect.introduced


def _nothing_of_nothing(run: PayloadRun, operation: Operation, handles: Sequence[Value | None]) -> bool:
    """Bind all results to empty lists and return True if one of `handles` is empty.

    For operations that are applied to one payload operation after the other.
    """
    if not any(run.held(handle) == () for handle in handles):
        return False
    for result in operation.results:
        run.hold(result, ())
    return True


def disturb_by(run: PayloadRun, operations: Sequence[Operation]) -> None:
    """Disturb the payload by `operations`, in bodies and callees, too, that may be executed any number of times."""
    changes = run.changes.within(operations)
    if changes.touches:
        run.disturb(changes.introduced)


def _change(run: PayloadRun, operation: Operation, effect: Effect, held: Held | None) -> None:
    """Disturb the functions or other containers that are, or contain, the targets."""
    scopes = [_container(run, payload) for payload in held] if held is not None else []
    known = [scope for scope in scopes if scope is not None]
    is_local = held is not None and len(known) == len(scopes)
    within = list(dict.fromkeys(payload for scope in known for payload in scope.walk())) if is_local else []
    run.disturb(effect.introduced, known if is_local else None)
    if operation.name == APPLY_REGISTERED_PASS:
        _pass_over(run, operation, within)
        run.restructure()
    if is_local and held is not None and operation.results and list(held) == known:
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


def _container(run: PayloadRun, payload: PayloadOperation) -> PayloadOperation | None:
    """Return the innermost operation isolated from above that is, or is around, `payload`: changes stay in it."""
    for outer in (payload, *payload.ancestors()):
        if outer.has_trait(_CONTAINER, run.context.catalogue):
            return outer
    return None


def _are_structured(run: PayloadRun, held: Held) -> bool:
    return all(payload.has_trait(STRUCTURED, run.context.catalogue) for payload in held)


def _can_be_followed(run: PayloadRun, operation: Operation, held: Held, effect: Effect) -> bool:
    """Tell whether the replacement of each target is known: targets are structured, and held once each."""
    if not _are_structured(run, held) or len(set(held)) != len(held):
        return False
    if effect.becomes is not Becomes.TILED:
        return True
    definition = operation.definition
    has_one_loop = definition is not None and any(known.name == _THREADS for known in definition.attributes)
    sizes = [operation.integers(name) for name in (_SIZES, _THREADS)]
    return not has_one_loop or any(size != 0 for several in sizes for size in several or ())


_SIZES, _FORMER_SIZES, _THREADS = "static_tile_sizes", "tile_sizes", "static_num_threads"


class _Each(Enum):
    """The unit that needs one operation with a size."""

    HANDLE = "handle"
    TARGET = "target"
    SIZE = "size"


def _with_sizes(**groups: _Each) -> Callable[[PayloadRun, Operation], None]:
    """Return the evaluation of an operation that takes sizes from payload operations with an index as only result.

    `groups` are the operand groups with handles of these operations.
    """

    def evaluate(run: PayloadRun, operation: Operation) -> None:
        targets = run.held(operation.first_operand)
        for group, count in groups.items() if targets != () else ():
            wanted = 1 if count is _Each.HANDLE else len(targets) if count is _Each.TARGET and targets else None
            for handle in operation.group(group):
                if handle is not None:
                    _check_size(run, operation, handle, wanted, count)
        rewrite(run, operation)

    return evaluate


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
        if results not in (None, 1) or (kind is not None and kind != _INDEX):
            has = f"a result of the type `{kind}`" if results == 1 else f"{results or 'no'} results"
            noun = "a point to split at" if operation.name == _SPLIT else "a size"
            message = f"{size.shown} has {has}: {noun} is an operation with one result, an `{_INDEX}`"
            run.refuse(operation, message)


def _vectorize(run: PayloadRun, operation: Operation) -> None:
    check_vector_sizes(run, operation)
    _with_sizes(vector_sizes=_Each.HANDLE)(run, operation)


def _split_reduction(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.structured.split_reduction``, whose factor divides the only reduction of each target."""
    factor = operation.integer("split_factor")
    inserted = operation.integer("insert_split_dimension")
    for payload in run.held(operation.first_operand) or ():
        loops = Loops(payload, run.context.catalogue, run.payload.aliases)
        reductions = [loop for loop, kind in enumerate(loops.kinds or ()) if kind == REDUCTION]
        trips = loops.ranges[reductions[0]] if loops.ranges is not None and reductions else None
        wrong = None
        if loops.kinds is not None and len(reductions) != 1:
            wrong = f"{payload.shown} has {len(reductions) or 'no'} reductions, but one is split"
        elif factor and trips is not None and (trips == DYNAMIC or trips % factor):
            size = "a dynamic size" if trips == DYNAMIC else f"{trips} iterations"
            wrong = f"the reduction of {payload.shown} has {size}, which cannot be split by {factor}"
        elif inserted is not None and loops.count is not None and inserted >= loops.count:
            wrong = f"{payload.shown} has {loops.count} loops, but `insert_split_dimension` is {inserted}"
        if wrong is not None:
            run.refuse(operation, wrong)
    rewrite(run, operation)


def _pad(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.structured.pad``, whose values have the type of the elements of their operands."""
    attribute = operation.syntax.attribute("padding_values")
    values = split((attribute.value or "").strip()[1:-1]) if attribute is not None else []
    for payload in run.held(operation.first_operand) or ():
        for number, (value, operand) in enumerate(zip(values, operands_of(payload) or (), strict=False)):
            typed, own = _NUMBER.fullmatch(value), element_of(type_of(operand) or "")
            given = (typed[2] or ("f64" if "." in typed[1] else "i64")) if typed is not None else None
            if given is not None and own is not None and own != given:
                message = f"operand {number} of {payload.shown} has elements of the type `{own}`, but `{value}` pads it"
                run.refuse(operation, message, place=attribute)
    rewrite(run, operation)


_NUMBER = re.compile(r"(-?\d[\w.+-]*)(?:\s*:\s*([if]\d+|bf16|index))?", re.ASCII)


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


def _note_race(run: PayloadRun, operation: Operation, held: Held) -> None:
    """Record the first reduction of the targets that is tiled, as MLIR warns: more than one thread, or any size."""
    number, least = (_THREADS, 2) if operation.integers(_THREADS) else (_SIZES, 1)
    for payload in held:
        loop = next(
            (loop for loop, size, _ in _tiled_reductions(run, operation, payload, number) if size >= least), None
        )
        if loop is not None:
            message = f"loop #{loop} of {payload.shown} is a reduction, whose tiles would run at the same time"
            help_text = "give it the size 0, and tile it with a loop that is not parallel"
            _note_wrong(run, operation, number, message, help_text)
            return


def _fuse(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.structured.fuse``, which moves what initializes a result into the loops of a reduction."""
    number = _SIZES if operation.integers(_SIZES) else _FORMER_SIZES
    for payload in run.held(operation.first_operand) or ():
        tiled = _tiled_reductions(run, operation, payload, number)
        loop = next((loop for loop, size, trips in tiled if trips == DYNAMIC or size < trips), None)
        loops = Loops(payload, run.context.catalogue, run.payload.aliases)
        inits = loops.operands[loops.inputs :] if loops.operands is not None and loops.inputs is not None else ()
        makers = [value.operation for value in inits if value is not None and value.operation is not None]
        maker = next((it for it in makers if it.has_trait(STRUCTURED) and run.is_as_written(it)), None)
        if loop is not None and maker is not None:
            message = f"loop #{loop} of {payload.shown} is a reduction, each tile of which would begin with "
            message += f"`{maker.name}` again: what earlier tiles give is lost"
            help_text = "give it the size 0, and tile it afterwards with `transform.structured.tile_using_for`"
            _note_wrong(run, operation, number, message, help_text)
            break
    _with_sizes(tile_sizes=_Each.HANDLE)(run, operation)


def _tiled_reductions(
    run: PayloadRun, operation: Operation, payload: PayloadOperation, number: str
) -> Iterator[tuple[int, int, int]]:
    """Yield each reduction that the attribute `number` tiles: the loop, its size, and its trip count."""
    loops = Loops(payload, run.context.catalogue, run.payload.aliases)
    kinds, ranges = loops.kinds or (), loops.ranges
    for loop, size in enumerate((operation.integers(number) or ())[: len(kinds)]):
        if kinds[loop] == REDUCTION and size:
            yield loop, size, ranges[loop] if ranges is not None else DYNAMIC


def _note_wrong(run: PayloadRun, operation: Operation, number: str, message: str, help_text: str) -> None:
    attribute = operation.syntax.attribute(number)
    run.finds_nothing(Shortfall(operation, ShortfallKind.WRONG, message, attribute, help_text))


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


_SPLIT = "transform.structured.split"
MEANINGS = {
    "transform.structured.fuse": Meaning(evaluates=_fuse),
    "transform.structured.pack": Meaning(evaluates=_with_sizes(packed_sizes=_Each.HANDLE)),
    "transform.structured.split_reduction": Meaning(evaluates=_split_reduction),
    "transform.structured.pad": Meaning(evaluates=_pad),
    _SPLIT: Meaning(evaluates=_with_sizes(dynamic_chunk_sizes=_Each.TARGET)),
    "transform.structured.tile_using_for": Meaning(evaluates=_with_sizes(dynamic_sizes=_Each.TARGET)),
    "transform.structured.tile_using_forall": Meaning(
        evaluates=_with_sizes(
            num_threads=_Each.HANDLE,
            tile_sizes=_Each.HANDLE,
            packed_num_threads=_Each.SIZE,
            packed_tile_sizes=_Each.SIZE,
        ),
    ),
    "transform.structured.vectorize": Meaning(evaluates=_vectorize),
    "transform.annotate": Meaning(evaluates=_annotate),
}
