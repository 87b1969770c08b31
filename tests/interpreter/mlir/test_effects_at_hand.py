"""Installed bindings tell the effects of operations that only they know, once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tdls.catalogue.catalogue import Catalogue, without_effects
from tdls.catalogue.model import (
    HandleEffect,
    OperandDefinition,
    OperationDefinition,
    PayloadEffect,
    ResultDefinition,
    SourcePlace,
)
from tdls.catalogue.source import MemorySource
from tdls.interpreter.mlir import effects_at_hand as asking
from tdls.settings.model import BackendChoice

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.catalogue.model import OperationDefinition as Definition

BINDINGS = '''
"""The part of MLIR's bindings that workers use, with three registered operations, of which one crashes."""
import os
from types import SimpleNamespace


class Context:
    current = None

    def __enter__(self):
        Context.current = Context.current or self
        return self

    def attach_diagnostic_handler(self, handler):
        return SimpleNamespace(detach=print)

    enable_multithreading = print

    def __exit__(self, *_):
        pass

    def is_registered_operation(self, name):
        return name in ("transform.my.consume", "transform.my.read", "transform.my.crash")


class Type:
    parse = staticmethod(lambda text: text)


class Location:
    unknown = Context


class Module:
    create = parse = staticmethod(lambda *text: Module())
    body = None


InsertionPoint = lambda body: Context()


class MLIRError(Exception):
    pass


class MemoryEffect:
    Read, Write, Allocate, Free = range(4)


class Operation:
    @staticmethod
    def create(name, results=(), operands=(), *others):
        return SimpleNamespace(name=name, results=[object() for _ in results], operands=operands)


def effect(kind, value=None):
    return SimpleNamespace(effect=kind, value=value)


class MemoryEffectsOpInterface:
    def __init__(self, operation):
        self.operation = operation

    def get_effects(self):
        operation = self.operation
        if operation.name.endswith("crash"):
            os.abort()
        first = [effect(MemoryEffect.Read, operation.operands[0])]
        if operation.name.endswith("read"):
            return first
        made = [effect(kind, operation.results[0]) for kind in (MemoryEffect.Allocate, MemoryEffect.Write)]
        return [*first, effect(MemoryEffect.Free, operation.operands[0]), *made, effect(MemoryEffect.Write)]
'''


@pytest.fixture
def catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Catalogue:
    package = tmp_path / "packages" / "mlir"
    (package / "_mlir_libs").mkdir(parents=True)
    (package / "dialects").mkdir()
    (package / "__init__.py").touch()
    (package / "dialects" / "__init__.py").touch()
    (package / "dialects" / "transform.py").touch()
    (package / "passmanager.py").touch()
    (package / "ir.py").write_text(BINDINGS, encoding="utf-8")
    generated = package / "dialects" / "_my_ops_gen.py"
    generated.touch()
    monkeypatch.syspath_prepend(str(package.parent))
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    monkeypatch.setenv("TDLS_CACHE_DIR", str(tmp_path / "cache"))
    operations = [operation(f"transform.my.{name}", generated) for name in ("consume", "read", "crash", "unregistered")]
    return Catalogue.shipped().with_source(MemorySource("project", operations))


def operation(name: str, generated: Path) -> Definition:
    return OperationDefinition(
        name,
        operands=(OperandDefinition("target"), OperandDefinition("other")),
        results=(ResultDefinition("result"),),
        format_known=False,
        defined_at=SourcePlace(generated, 0),
    )


def effects(definition: Definition) -> list[HandleEffect]:
    return [each.effect for each in definition.operands] + [each.effect for each in definition.results]


def test_the_bindings_tell_effects_and_those_at_which_they_crash_stay_unknown(catalogue: Catalogue) -> None:
    found = asking.effects_at_hand(BackendChoice(), without_effects(catalogue))
    assert found is not None
    known = catalogue.with_source(found)
    consume, read = known.operation("transform.my.consume"), known.operation("transform.my.read")
    assert consume is not None
    assert read is not None
    assert effects(consume) == [HandleEffect.CONSUMES, HandleEffect.NONE, HandleEffect.PRODUCES]
    assert consume.payload_effect is PayloadEffect.MODIFIES
    assert effects(read) == [HandleEffect.READS, HandleEffect.NONE, HandleEffect.NONE]
    assert read.payload_effect is PayloadEffect.NONE
    assert [each.name for each in without_effects(known)] == ["transform.my.crash", "transform.my.unregistered"]


def test_the_answers_are_kept(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    first = asking.effects_at_hand(BackendChoice(), without_effects(catalogue))
    monkeypatch.setattr(asking, "_asked", None)
    again = asking.effects_at_hand(BackendChoice(), without_effects(catalogue))
    assert first is not None
    assert again is not None
    assert again.operations.variants("transform.my.consume") == first.operations.variants("transform.my.consume")


def test_a_chosen_tool_is_not_started_for_effects(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "_asked", None)
    assert asking.effects_at_hand(BackendChoice(backend="true"), without_effects(catalogue)) is None
