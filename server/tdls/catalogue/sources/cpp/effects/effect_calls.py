"""The helpers of MLIR's Transform dialect that add effects to a list, after TransformInterfaces.cpp."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from tdls.catalogue.sources.bodies.accesses import CONSUMES, PRODUCES, Access
from tdls.catalogue.sources.cpp.effects.expressions import target_of
from tdls.catalogue.sources.cpp.tokens import arguments, closing

if TYPE_CHECKING:
    from tdls.catalogue.model import SourcePlace
    from tdls.catalogue.sources.bodies.accesses import AccessState
    from tdls.catalogue.sources.cpp.effects.calls import Call
    from tdls.catalogue.sources.cpp.effects.shape import OperationShape
    from tdls.catalogue.sources.cpp.effects.statements import Words

_ON_HANDLES = {"consumesHandle": CONSUMES, "onlyReadsHandle": Access.READ, "producesHandle": PRODUCES}
_ON_PAYLOAD = {"modifiesPayload": Access.READ | Access.WRITE, "onlyReadsPayload": Access.READ}
_OF_BODY = "getPotentialTopLevelEffects"
_ACCESSES = {"Read": Access.READ, "Free": Access.FREE, "Allocate": Access.ALLOCATE, "Write": Access.WRITE}
_ADDING = frozenset(("emplace_back", "push_back"))
_HARMLESS = frozenset(("reserve", "size", "empty"))
_NOT_UNDERSTOOD = "what this does to the effects is not understood"


class EffectCalls:
    """Applies calls to states. `notes` say why something is not known, by places."""

    def __init__(self, shape: OperationShape) -> None:
        self._shape = shape
        self.notes: dict[SourcePlace, str] = {}
        self.takes_effects_of_body = False

    def note(self, place: SourcePlace, reason: str) -> None:
        """Remember why something is not known."""
        self.notes.setdefault(place, reason)

    def anything(self, place: SourcePlace, state: AccessState, reason: str = _NOT_UNDERSTOOD) -> AccessState:
        """Everything may be done to everything."""
        self.note(place, reason)
        state.touch_anything()
        return state

    def is_known(self, call: Call, values: tuple[Words, ...], effects: str) -> bool:
        """Is this one of MLIR's helpers, or a function of the list with the name `effects` itself?"""
        if call.receiver:
            return call.receiver == (effects,)
        if call.name in _ON_HANDLES:
            return len(values) == 2 and values[1] == (effects,)
        return call.name == _OF_BODY or (call.name in _ON_PAYLOAD and values == ((effects,),))

    def apply(self, call: Call, values: tuple[Words, ...], place: SourcePlace, state: AccessState) -> AccessState:
        """The state after a known call with arguments that have no variables in them."""
        if call.receiver:
            return self._added(call.name, values, place, state)
        if call.name in _ON_HANDLES:
            return self._handles(values[0], _ON_HANDLES[call.name], place, state)
        if call.name in _ON_PAYLOAD:
            state.payload.add(_ON_PAYLOAD[call.name], certain=True)
            return state
        self.takes_effects_of_body = True
        state.touch(self._shape.results, PRODUCES)
        state.touch_anything()
        return state

    def _handles(self, words: Words, access: Access, place: SourcePlace, state: AccessState) -> AccessState:
        target = target_of(words, self._shape)
        if target is not None:
            state.touch(target, access)
            return state
        self.note(place, "which handles this stands for is not understood")
        state.touch(self._shape.results if access is PRODUCES else self._shape.operands, access, certain=False)
        return state

    def _added(self, function: str, values: tuple[Words, ...], place: SourcePlace, state: AccessState) -> AccessState:
        """``effects.emplace_back(MemoryEffects::Read::get(), &operand, Resource::get())``"""
        if function in _HARMLESS:
            return state
        effect = _constructed(values)
        found = [_ACCESSES[word] for word in (effect[0] if effect else ()) if word in _ACCESSES]
        if function not in _ADDING or len(found) != 1:
            return self.anything(place, state)
        resources = {word for value in effect[1:] for word in _classes(value) if word.endswith("Resource")}
        if resources == {"PayloadIRResource"}:
            state.payload.add(found[0], certain=True)
        elif resources == {"TransformMappingResource"}:
            return self._mapped(effect[1], found[0], place, state)
        elif not resources and any("resource" in word.lower() for value in effect[1:] for word in value):
            return self.anything(place, state)
        return state

    def _mapped(self, words: Words, access: Access, place: SourcePlace, state: AccessState) -> AccessState:
        """A single effect on a handle; not understood, it may be one on any value."""
        if target_of(words, self._shape) is None:
            return self.anything(place, state, "which handles this stands for is not understood")
        return self._handles(words, access, place, state)


def _classes(words: Words) -> tuple[str, ...]:
    """Words before ``::``."""
    return tuple(word for word, following in pairwise(words) if following == "::")


def _constructed(values: tuple[Words, ...]) -> tuple[Words, ...]:
    """Arguments of an effect: those given, or those of the one ``EffectInstance(...)`` that is given."""
    if len(values) != 1 or not ("EffectInstance" in values[0] or values[0][:1] == ("{",)):
        return values
    opening = next((index for index, word in enumerate(values[0]) if word in ("(", "{")), len(values[0]))
    return tuple(arguments(values[0][opening + 1 : closing(values[0], opening)]))
