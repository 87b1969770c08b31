"""Asks operations that are defined in Python for their effects, as MLIR would: by their class's ``get_effects``.

These functions answer by calls of helpers of ``dialects.transform``. The helpers of bindings before August 2026 add
effects to a list that is their last argument, those of later ones return lists. Both give objects that Python cannot
read, so the helpers are replaced by ones that name the operands and results while an operation computes its effects.
"""

from __future__ import annotations

import inspect
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple

from tdls.interpreter.mlir.worker.effects import stated_effects

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import ModuleType

_EFFECTS = "MemoryEffectsOpInterface"
_LIST = "MemoryEffectInstancesList"
_INTERFACES = ("TransformOpInterface", "PatternDescriptorOpInterface")
_ON_HANDLES = {"consumes_handle": "consumes", "only_reads_handle": "reads", "produces_handle": "produces"}
_ON_PAYLOAD = {"modifies_payload": "modifies", "only_reads_payload": "reads"}
_DIALECT = "transform."
_STRONGEST_FIRST = ("consumes", "produces", "modifies", "reads")
_MOST_ASKED = 2_000
"""Maximum number of operations whose effects the worker requests."""
_LONGEST = 300
"""Maximum number of characters of a reason."""
_ARITIES = ("one", "optional", "variadic")


class _Effect(NamedTuple):
    """An effect on the operand or result of a number, or on the payload."""

    kind: str
    number: int | None = None
    is_result: bool = False


class _Effects(list[_Effect]):
    """The list that ``get_effects`` of older bindings gets."""


class _NotReadableError(Exception):
    """Effects that are made otherwise than by the helpers."""


class RegisteredOperations:
    """Remembers which classes a program attaches to operations, and asks them."""

    def __init__(self) -> None:
        self._models: dict[str, dict[str, Any]] = {}
        """For each operation, the classes for its interfaces by the names of these."""
        self._takes_list = False
        """True if ``get_effects`` adds to a list, as before August 2026."""
        self._is_asking = False
        self.only_asks = False
        """True where MLIR never asks an operation, so that `get_effects` may be that of any bindings."""
        self._asked = 0
        self._ir: Any = None

    def watch_operations(self, ir: Any) -> None:
        """Follow attachments of effects; `ir` is the module of the bindings."""
        self._ir = ir
        self._takes_list = hasattr(ir, _LIST)
        self._follow_attachments(ir, _EFFECTS)

    def watch_transform(self, transform: ModuleType) -> None:
        """Follow attachments of the dialect's interfaces, and the calls of its helpers for effects."""
        for interface in _INTERFACES:
            self._follow_attachments(transform, interface)
        for name, kind in _ON_HANDLES.items():
            self._replace(transform, name, lambda given, kind=kind: list(_on_handles(kind, given)))
        for name, kind in _ON_PAYLOAD.items():
            self._replace(transform, name, lambda _given, kind=kind: [_Effect(kind)])

    def lacks_effects(self, name: str) -> bool:
        """Return whether no class for the effects of an operation is attached."""
        return _EFFECTS not in self._models.get(name, {})

    def answer(self, operation: Any) -> dict[str, Any] | None:
        """Return the effects of an operation as the fields of a report, or None if no class for them is attached.

        If they cannot be read, `problem` says why.
        """
        models = self._models.get(operation.name, {})
        if self.lacks_effects(operation.name) or self._asked >= _MOST_ASKED:
            return None
        self._asked += 1
        try:
            effects = self._effects(models[_EFFECTS], operation.opview)
        except Exception as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            text = str(error) if isinstance(error, _NotReadableError) else f"its `get_effects` raises {reason}"
            return {**_report(operation, models, (), (), "unknown"), "problem": text[:_LONGEST]}
        operands = [_joined(effects, number, is_result=False) for number in range(len(operation.operands))]
        results = [_joined(effects, number, is_result=True) for number in range(len(operation.results))]
        payload = _strongest(effect.kind for effect in effects if effect.number is None)
        return _report(operation, models, operands, results, payload)

    def native_answer(self, operation: Any) -> dict[str, Any] | None:
        """Return the effects in the C++ of a valid operation of the dialect; None if the bindings lack the interface.

        Bindings have it since August 2026. MLIR's verifier called the same C++ before, so that it does not crash here.
        """
        if not self.lacks_effects(operation.name) or not operation.name.startswith(_DIALECT):
            return None
        if self._asked >= _MOST_ASKED:
            return None
        self._asked += 1
        try:
            with operation.context:
                stated = stated_effects(self._ir, operation)
        except Exception:  # it states none
            return None
        return _report(operation, (_INTERFACES[0], _EFFECTS), **stated) if stated is not None else None

    def _effects(self, model: Any, operation: Any) -> list[_Effect]:
        self._is_asking = True
        try:
            takes_list = (
                len(inspect.signature(model.get_effects).parameters) > 1 if self.only_asks else self._takes_list
            )
            if takes_list:
                effects: list[_Effect] = _Effects()
                model.get_effects(operation, effects)
            else:
                effects = list(model.get_effects(operation))
        finally:
            self._is_asking = False
        if not all(isinstance(effect, _Effect) for effect in effects):
            raise _NotReadableError("its `get_effects` makes effects without the helpers of `dialects.transform`")
        return effects

    def _follow_attachments(self, module: Any, interface: str) -> None:
        owner = getattr(module, interface, None)
        if owner is None:
            return
        attach = owner.attach.__func__

        def attached(model: Any, /, *given: Any, **named: Any) -> Any:
            done = attach(model, *given, **named) if not self.only_asks else None
            name = given[0] if given else named.get("op_name")
            target = named.get("target")
            interfaces = self._models.setdefault(str(getattr(name, "OPERATION_NAME", name)), {})
            interfaces[interface] = target if target is not None else model
            return done

        owner.attach = classmethod(attached)

    def _replace(self, module: Any, name: str, effects: Any) -> None:
        helper = getattr(module, name, None)
        if helper is None:
            return

        @wraps(helper)
        def replaced(*arguments: Any, **named: Any) -> Any:
            if not self._is_asking:
                return helper(*arguments, **named)
            given = [*arguments, *named.values()]
            result = effects(given)
            if given and isinstance(given[-1], _Effects):
                given[-1].extend(result)
                return None
            return result

        setattr(module, name, replaced)


def _on_handles(kind: str, given: list[Any]) -> Iterator[_Effect]:
    for value in given[0]:
        is_result = kind == "produces"
        yield _Effect(kind, value.result_number if is_result else value.operand_number, is_result)


def _joined(effects: list[_Effect], number: int, *, is_result: bool) -> str:
    return _strongest(each.kind for each in effects if each.number == number and each.is_result == is_result)


def _strongest(kinds: Iterable[str]) -> str:
    strongest = set(kinds)
    return next((kind for kind in _STRONGEST_FIRST if kind in strongest), "none")


def _report(
    operation: Any, interfaces: Iterable[str], operands: Sequence[str], results: Sequence[str], payload: str
) -> dict[str, Any]:
    """Return the fields of an answer, with the effect on each operand and result."""
    return {
        "name": operation.name,
        "interfaces": sorted(interfaces),
        "operands": list(_groups(operation, "Operand", operands)),
        "results": list(_groups(operation, "Result", results)),
        "payload": payload,
        "problem": "",
    }


def _groups(operation: Any, kind: str, effects: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the operand or result groups of an operation, by the fields of its class where it has some."""
    written = [field for field in _fields(operation.opview) if type(field).__name__ == f"{kind}Def"]
    arities = {name: _arity(field) for field in written if (name := str(field.name))}
    sizes = _sizes(operation, f"{kind.lower()}SegmentSizes", list(arities.values()), len(effects))
    if sizes is None or len(sizes) != len(arities) or sum(sizes) != len(effects):
        arities = {f"{kind.lower()}{number}": _ARITIES[0] for number in range(len(effects))}
        sizes = [1] * len(effects)
    start = 0
    for (name, arity), size in zip(arities.items(), sizes, strict=True):
        yield {"name": name, "arity": arity, "effects": sorted(set(effects[start : start + size]))}
        start += size


def _fields(view: Any) -> list[Any]:
    fields = getattr(type(view), "_fields", None)
    return fields if isinstance(fields, list) else []


def _arity(field: Any) -> str:
    arity = str(getattr(getattr(field, "variadicity", None), "name", ""))
    return arity if arity in _ARITIES else _ARITIES[0]


def _sizes(operation: Any, attribute: str, arities: list[str], count: int) -> list[int] | None:
    """Return the number of values of each group, or None where it is not known."""
    several = sum(arity != _ARITIES[0] for arity in arities)
    if several > 1:
        return list(operation.attributes[attribute]) if attribute in operation.attributes else None
    rest = count - (len(arities) - several)
    return [1 if arity == _ARITIES[0] else rest for arity in arities]
