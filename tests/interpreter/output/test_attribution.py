"""tdls reports a failure at the operation of the script that failed, even if MLIR names another one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.model import OperationDefinition, SourcePlace
from tdls.interpreter.output.attribution import attributed, with_advice
from tdls.interpreter.runs.model import Place, RunDiagnostic, RunLevel, RunResult, Status, Times
from tdls.structs import replace

FAILED, LOOP = Place("script.mlir", 6, 5), Place("script.mlir", 5, 5)
WARNING = RunDiagnostic(RunLevel.WARNING, "beware", "payload.mlir", 1, 1)
NOTE = RunDiagnostic(RunLevel.NOTE, "more", "payload.mlir", 9, 1)
AROUND = RunDiagnostic(RunLevel.NOTE, "executed by this operation", "script.mlir", 5, 5)


def failure(*said: RunDiagnostic, status: Status = Status.FAILURE, executing: tuple[Place, ...] = ()) -> RunResult:
    return RunResult(status, "backend", "22", diagnostics=said, executing=executing)


def error(file: str | None, line: int, column: int, *notes: RunDiagnostic) -> RunDiagnostic:
    return RunDiagnostic(RunLevel.ERROR, "it failed", file, line, column, notes)


OF_PAYLOAD, AT_FAILED, AT_LOOP = error("payload.mlir", 2, 3), error("script.mlir", 6, 5), error("script.mlir", 5, 5)
CONCERNED = RunDiagnostic(RunLevel.NOTE, "the payload operation concerned", "payload.mlir", 2, 3)


@pytest.mark.parametrize(
    ("said", "executing", "shown"),
    [
        (
            (WARNING, replace(OF_PAYLOAD, notes=(NOTE,))),
            (FAILED, LOOP),
            (WARNING, replace(AT_FAILED, notes=(CONCERNED, NOTE, AROUND))),
        ),
        ((error(None, 0, 0),), (FAILED,), (AT_FAILED,)),
        ((OF_PAYLOAD, error(None, 0, 0)), (FAILED,), (OF_PAYLOAD, AT_FAILED)),
        ((OF_PAYLOAD, AT_FAILED), (FAILED, LOOP), (OF_PAYLOAD, replace(AT_FAILED, notes=(AROUND,)))),
        ((AT_LOOP,), (FAILED, LOOP), (AT_LOOP,)),
    ],
)
def test_the_final_error_is_at_the_operation_that_failed(
    said: tuple[RunDiagnostic, ...], executing: tuple[Place, ...], shown: tuple[RunDiagnostic, ...]
) -> None:
    assert attributed(failure(*said, executing=executing)) == shown


def test_the_iteration_of_a_loop() -> None:
    times = (Times(execution=7, iteration=3), Times(execution=2, iteration=0))
    result = replace(failure(error("script.mlir", 6, 5), executing=(FAILED, LOOP)), times=times)
    around = replace(AROUND, message="executed by this operation, in its iteration 3")
    assert attributed(result) == (error("script.mlir", 6, 5, around),)


def test_messages_stay_where_the_failing_operation_is_unknown() -> None:
    said = (error("payload.mlir", 2, 3),)
    assert attributed(failure(*said)) == said
    assert attributed(failure(*said, status=Status.INVALID, executing=(FAILED,))) == said
    assert attributed(failure(executing=(FAILED,))) == ()


def test_a_warning_that_is_repeated_is_said_once_with_its_count() -> None:
    other = replace(WARNING, line=2)
    remark = replace(WARNING, level=RunLevel.REMARK)
    said = attributed(failure(WARNING, remark, other, WARNING, remark, WARNING, status=Status.SUCCESS))
    assert said == (replace(WARNING, message="beware (3 times)"), remark, other, remark)


def test_an_operation_of_the_project_needs_a_tool_that_has_it() -> None:
    class Known(Catalogue):
        def operation(self, name: str) -> OperationDefinition | None:
            place = SourcePlace(Path("/shop/Ops.td"), 3) if name == "transform.shop.tidy" else None
            return OperationDefinition(name, defined_at=place) if name.startswith("transform.") else None

    def said(name: str) -> str:
        return with_advice(RunDiagnostic(RunLevel.ERROR, f"custom op '{name}' is unknown"), Known(()), "").message

    assert said("transform.shop.tidy").endswith(
        "; Ops.td defines it: name a tool that is built with it as `run.backend`"
    )
    assert said("transform.annotate") == "custom op 'transform.annotate' is unknown"
    assert said("shop.tidy") == "custom op 'shop.tidy' is unknown"


@pytest.mark.parametrize(
    ("name", "mlir", "advice"),
    [
        ("transform.xegpu.set_op_layout_attr", "torch-mlir 20261001", "transform.xegpu.set_anchor_layout sets the "),
        ("transform.xegpu.set_anchor_layout", "LLVM 22.1.8", "LLVM 23 to main have it"),
        ("transform.structured.match", "LLVM 22.1.8", ""),
        ("transform.xegpu.set_anchor_layout", "own-mlir 1", ""),
    ],
)
def test_an_operation_of_another_version_has_its_replacement(name: str, mlir: str, advice: str) -> None:
    unknown = f"custom op '{name}' is unknown"
    said = with_advice(RunDiagnostic(RunLevel.ERROR, unknown), Catalogue.shipped(), mlir).message
    assert said.startswith(f"{unknown}; {advice}" if advice else unknown)
    assert bool(advice) == (said != unknown)
