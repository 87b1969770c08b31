"""Effects of operations that only MLIR's installed bindings know: read once, and cached by the bindings' identity.

A wheel's generated modules name its operations with operands and results, but not their effects (`generated`). The
bindings report these (`worker.effects`), in a process that is confined, bounded, and may crash.
"""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tdls.caching.basis import own_digest
from tdls.caching.digest import digest
from tdls.caching.plain_data import dumps, loads
from tdls.caching.user_cache import Cache
from tdls.catalogue.source import MemorySource
from tdls.interpreter.errors import BackendError
from tdls.interpreter.mlir.choice import choose
from tdls.interpreter.mlir.worker.packages import installed_bindings, place_of, version_of
from tdls.interpreter.runs.model import Limits
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.catalogue.model import OperationDefinition
    from tdls.interpreter.mlir.bindings import StatedEffects
    from tdls.settings.model import BackendChoice

_MOST_OPERATIONS = 500
_MOST_CRASHES = 8
_LIMITS = Limits(seconds=20.0)
_OWN = ("interpreter/mlir/worker/effects.py", "interpreter/mlir/effects_at_hand.py", "catalogue/model.py", "structs.py")
_HAS_EFFECTS = "MemoryEffectOpInterface"
_LOGGER = logging.getLogger(__name__)


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
    kept = loads(cache.get(entry)) if entry is not None else None
    if isinstance(kept, list):
        return kept
    stated = _asked(python, package, questions)
    if stated is None:
        return []
    known = [_with_effects(each, stated[each.name]) for each in definitions if each.name in stated]
    if entry is not None:
        cache.put(entry, dumps(known))
    return known


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


def _asked(python: str, package: str | None, questions: dict[str, Any]) -> dict[str, StatedEffects] | None:
    """Return the answers of the bindings, without operations at which they crash, or None if they do not start."""
    from tdls.interpreter.mlir.bindings import Bindings

    bindings = Bindings(package, None if python == sys.executable else python)
    stated: dict[str, StatedEffects] = {}
    pending, crashes = [list(questions)], 0
    try:
        while pending and crashes < _MOST_CRASHES:
            names = pending.pop()
            answer = bindings.effects({name: questions[name] for name in names}, _LIMITS)
            if answer is not None:
                stated.update(answer)
                continue
            crashes += 1
            middle = len(names) // 2
            pending += [half for half in (names[:middle], names[middle:]) if half and half != names]
    except BackendError as error:
        _LOGGER.info("effects of operations are not known: %s", error)
        return None
    finally:
        bindings.close()
    return stated


def _with_effects(definition: OperationDefinition, stated: StatedEffects) -> OperationDefinition:
    """Return the definition with effects; those of groups that the bindings do not mention are `NONE`."""
    if len(stated.operands) != len(definition.operands) or len(stated.results) != len(definition.results):
        return definition
    operands, results = (
        tuple(replace(each, effect=effect) for each, effect in zip(groups, effects, strict=True))
        for groups, effects in ((definition.operands, stated.operands), (definition.results, stated.results))
    )
    traits = definition.traits | {_HAS_EFFECTS}
    return replace(definition, operands=operands, results=results, payload_effect=stated.payload, traits=traits)
