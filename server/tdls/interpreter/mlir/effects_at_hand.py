"""Effects of operations that only MLIR's installed bindings know: read once, and cached by the bindings' identity.

A wheel's generated modules name its operations with operands and results, but not their effects (`generated`). The
bindings report these (`effects_worker`), in a process that is confined, bounded, and may crash.
"""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tdls.caching.basis import own_digest
from tdls.caching.digest import digest
from tdls.caching.user_cache import Cache
from tdls.catalogue.model import HandleEffect, OperationDefinition, PayloadEffect
from tdls.catalogue.source import MemorySource
from tdls.interpreter.confinement.reports import ReportError, WritableFolder, decoded
from tdls.interpreter.errors import BackendError
from tdls.interpreter.mlir.choice import choose
from tdls.interpreter.mlir.worker.packages import PACKAGES, installed_bindings, place_of, version_of
from tdls.interpreter.mlir.worker.worker_process import WorkerProcess
from tdls.interpreter.runs.model import Limits
from tdls.structs import Struct, as_dict, field, replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.settings.model import BackendChoice

_WORKER = "tdls.interpreter.mlir.worker.effects_worker"
_MOST_OPERATIONS = 500
_MOST_CRASHES = 8
_SECONDS = 20.0
_LIMITS = Limits()
_OWN = ("interpreter/mlir/worker/effects_worker.py", "interpreter/mlir/effects_at_hand.py")
_HAS_EFFECTS = "MemoryEffectOpInterface"
_LOGGER = logging.getLogger(__name__)


class _StatedEffects(Struct, frozen=True):
    """Kinds of effects on each operand, on each result, and on the payload."""

    operands: tuple[tuple[str, ...], ...] = ()
    results: tuple[tuple[str, ...], ...] = ()
    payload: tuple[str, ...] = ()


class _Answer(Struct, frozen=True):
    """A worker's answer, by operation."""

    effects: dict[str, _StatedEffects] = field(default_factory=dict)


def effects_at_hand(choice: BackendChoice, unknown: Sequence[OperationDefinition]) -> MemorySource | None:
    """Return those of `unknown` (see `without_effects`) whose effects bindings state, with these, or None if none are.

    Asks the bindings of the Python that `choice` names, if the user allowed it, else those that tdls itself can import.
    """
    try:
        chosen = choose(choice)
    except BackendError:
        return None
    if chosen.command:
        return None
    if chosen.python is not None:
        own = [each for each in unknown if _is_below(each, Path(chosen.python).parent.parent)]
        effects = _known(chosen.python, chosen.package, own)
        return MemorySource(f"MLIR of {chosen.python}", effects, is_stated=True) if effects else None
    effects, names = [], []
    for package in installed_bindings():
        home = place_of(package)
        own = [each for each in unknown if home is not None and _is_below(each, home)]
        if known := _known(sys.executable, package, own):
            effects += known
            names.append(version_of(package))
    return MemorySource(", ".join(names), effects, is_stated=True) if effects else None


def _is_below(definition: OperationDefinition, folder: Path) -> bool:
    return definition.defined_at is not None and definition.defined_at.path.is_relative_to(folder)


def _known(python: str, package: str | None, definitions: Sequence[OperationDefinition]) -> list[OperationDefinition]:
    """Return `definitions` with the effects that bindings tell, without those that they do not know."""
    questions = {each.name: _question(each) for each in definitions[:_MOST_OPERATIONS]}
    files = sorted({each.defined_at.path for each in definitions if each.defined_at is not None})
    if not questions:
        return []
    cache, entry = Cache.of_user(), _entry(python, package, files, questions)
    kept = cache.get(entry) if entry is not None else None
    try:
        stated = decoded(kept, _Answer, "the kept effects of operations").effects if kept is not None else None
    except ReportError:
        stated = None
    if stated is None:
        stated = _asked(python, package, questions)
        if entry is not None and stated is not None:
            document = {"effects": {name: as_dict(each) for name, each in stated.items()}}
            cache.put(entry, json.dumps(document).encode("ascii"))
    return [
        _with_effects(each, stated[each.name]) for each in definitions if stated is not None and each.name in stated
    ]


def _entry(python: str, package: str | None, files: Sequence[Path], questions: dict[str, Any]) -> str | None:
    """Return a name that changes with the installed wheel, or None if its files cannot be read."""
    try:
        states = [(str(file), (state := file.stat()).st_mtime_ns, state.st_size) for file in files]
    except OSError:
        return None
    return f"effects-{digest(own_digest(_OWN), python, package or '', json.dumps([states, questions]))}"


def _question(definition: OperationDefinition) -> list[Any]:
    """Return numbers of operands, results and regions, and the sizes of groups by attribute."""
    operands, results = [1 for _ in definition.operands], [1 for _ in definition.results]
    segments = {
        name: sizes
        for trait, name, sizes in (
            ("AttrSizedOperandSegments", "operandSegmentSizes", operands),
            ("AttrSizedResultSegments", "resultSegmentSizes", results),
        )
        if trait in definition.traits
    }
    return [len(operands), len(results), len(definition.regions), segments]


def _asked(python: str, package: str | None, questions: dict[str, Any]) -> dict[str, _StatedEffects] | None:
    """Return the answers of the bindings, without operations at which they crash, or None if they do not start."""
    stated: dict[str, _StatedEffects] = {}
    pending, crashes = [list(questions)], 0
    while pending and crashes < _MOST_CRASHES:
        names = pending.pop()
        answer = _answer(python, package, {name: questions[name] for name in names})
        if isinstance(answer, str):
            _LOGGER.info("effects of operations are not known: %s", answer)
            return None
        if answer is not None:
            stated.update(answer.effects)
            continue
        crashes += 1
        middle = len(names) // 2
        pending += [half for half in (names[:middle], names[middle:]) if half and half != names]
    return stated


def _answer(python: str, package: str | None, questions: dict[str, Any]) -> _Answer | str | None:
    """Return the answer of a new worker, the reason if it does not start, or None if it crashed."""
    with WritableFolder() as folder:
        packages = PACKAGES if package is None else (package,)
        try:
            worker = WorkerProcess(python, _WORKER, {"packages": packages}, folder)
        except BackendError as error:
            return str(error)
        try:
            problem = worker.greet()
            if problem:
                return problem
            return worker.ask({"operations": questions}, _Answer, _SECONDS, _LIMITS.memory, _LIMITS.files)
        except ReportError as error:
            return str(error)
        finally:
            worker.end()


def _with_effects(definition: OperationDefinition, stated: _StatedEffects) -> OperationDefinition:
    """Return the definition with effects; those of groups that the bindings do not mention are `NONE`."""
    if len(stated.operands) != len(definition.operands) or len(stated.results) != len(definition.results):
        return definition
    operands = tuple(
        replace(each, effect=_effect(kinds)) for each, kinds in zip(definition.operands, stated.operands, strict=True)
    )
    results = tuple(
        replace(each, effect=_effect(kinds)) for each, kinds in zip(definition.results, stated.results, strict=True)
    )
    payload = PayloadEffect.READS if stated.payload else PayloadEffect.NONE
    payload = PayloadEffect.MODIFIES if "Write" in stated.payload else payload
    traits = definition.traits | {_HAS_EFFECTS}
    return replace(definition, operands=operands, results=results, payload_effect=payload, traits=traits)


def _effect(kinds: Sequence[str]) -> HandleEffect:
    if "Free" in kinds:
        return HandleEffect.CONSUMES
    if "Allocate" in kinds:
        return HandleEffect.PRODUCES
    return HandleEffect.READS if "Read" in kinds else HandleEffect.NONE
