"""Results of runs, for every backend."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import psutil

from interpreter.scripts import (
    LOOP,
    MATCH,
    NESTED_TOO_DEEP,
    PAYLOAD,
    TILE,
    UNROLL,
    doubling,
    run,
    script_of,
    sequence,
)
from tdls.interpreter.runs.model import Emit, Limits, RunLevel, Status, TextFile
from tdls.limits import RUN_DIAGNOSTICS, RUN_PRINTED

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend

ALL = frozenset(Emit)
ADDITIONS = "".join(f"    %v{number} = arith.addf %x, %x : f32\n" for number in range(1000))
WIDE = f"  func.func @f(%x: f32) -> f32 {{\n{ADDITIONS}    return %v0 : f32\n  }}\n"


def test_payload_in_the_same_module(backend: Backend) -> None:
    result = run(backend, sequence(MATCH + TILE), emits=ALL)
    assert (result.status, result.diagnostics, result.detail) == (Status.SUCCESS, (), "")
    assert "scf.for" in result.texts[Emit.PAYLOAD]
    assert "transform." not in result.texts[Emit.PAYLOAD]
    assert "transform.named_sequence" in result.texts[Emit.MODULE]
    assert "scf.for" not in result.texts[Emit.BEFORE]
    assert result.texts[Emit.BEFORE].startswith("module {\n  func.func @f(")


def test_match_of_nothing_changes_nothing(backend: Backend) -> None:
    result = run(backend, sequence(MATCH.replace("matmul", "copy") + TILE.replace("matmul", "copy")), emits=ALL)
    assert result.status is Status.SUCCESS
    assert result.texts[Emit.PAYLOAD] == result.texts[Emit.BEFORE]


def test_definite_failure_with_notes(backend: Backend) -> None:
    result = run(backend, sequence(MATCH + TILE + "    transform.print %matmul : !transform.any_op\n"))
    (error,) = result.diagnostics
    assert result.status is Status.FAILURE
    assert (error.level, error.file) == (RunLevel.ERROR, "script.mlir")
    assert error.message == "op uses a handle invalidated by a previously executed transform op"
    assert {note.level for note in error.notes} == {RunLevel.NOTE}
    assert result.texts.get(Emit.MODULE) is None


def test_silenceable_failure(backend: Backend) -> None:
    unroll = "    transform.loop.unroll %matmul {factor = 2} : !transform.any_op\n"
    text = sequence(MATCH + unroll)
    result = run(backend, text)
    assert result.status is Status.FAILURE
    assert result.diagnostics[0].line == text[: text.index(unroll)].count("\n") + 1


def test_remark_in_the_payload(backend: Backend) -> None:
    payload = TextFile("payload.mlir", f"// Überschrift\nmodule {{\n{PAYLOAD}}}\n")
    remark = '    transform.debug.emit_remark_at %matmul, "this one" : !transform.any_op\n'
    result = run(backend, sequence(MATCH + remark, ""), payload=payload)
    (found,) = result.diagnostics
    assert (found.level, found.message, found.file, found.line) == (RunLevel.REMARK, "this one", "payload.mlir", 4)
    assert found.column == "    %0 = linalg.matmul".index("linalg") + 1


def test_payload_in_its_own_file(backend: Backend) -> None:
    payload = TextFile("payload.mlir", f"module {{\n{PAYLOAD}}}\n")
    result = run(backend, sequence(MATCH + TILE, ""), payload=payload, emits=ALL)
    assert result.status is Status.SUCCESS
    assert "scf.for" in result.texts[Emit.PAYLOAD] == result.texts[Emit.MODULE]


def test_library(backend: Backend) -> None:
    library = script_of(sequence(MATCH + TILE, "").replace("__transform_main", "helper"), "lib.mlir")
    declaration = "  transform.named_sequence private @helper(!transform.any_op {transform.readonly})\n"
    body = "    transform.include @helper failures(propagate) (%root) : (!transform.any_op) -> ()\n"
    result = run(backend, sequence(body, PAYLOAD + declaration), libraries=(library,))
    assert result.status is Status.SUCCESS, result.diagnostics
    assert "scf.for" in result.texts[Emit.PAYLOAD]


def test_texts_that_cannot_be_read(backend: Backend) -> None:
    broken = script_of("module {\n  oops\n", "lib.mlir")
    result = run(backend, sequence(MATCH), libraries=(broken,))
    assert result.status is Status.INVALID
    assert (result.diagnostics[0].file, result.diagnostics[0].line) == ("lib.mlir", 2)
    result = run(backend, "module {\n  transform.nope\n}\n")
    assert (result.status, result.diagnostics[0].line) == (Status.INVALID, 2)


def test_entry_point(backend: Backend) -> None:
    text = sequence(MATCH + TILE).replace("__transform_main", "mine")
    assert run(backend, text).status is Status.FAILURE
    assert run(backend, text, entry_point="mine").status is Status.SUCCESS


def test_printed_text_stays_apart(backend: Backend) -> None:
    result = run(backend, sequence(MATCH + '    transform.print %matmul {name = "here"} : !transform.any_op\n'))
    assert result.printed.startswith("[[[ IR printer: here ]]]\n%0 = linalg.matmul")
    assert "IR printer" not in result.texts[Emit.PAYLOAD]


def test_unregistered_payload(backend: Backend) -> None:
    payload = '  "my.op"() : () -> ()\n'
    assert '"my.op"' in run(backend, sequence("", payload)).texts[Emit.PAYLOAD]


def test_crash_costs_one_run(backend: Backend) -> None:
    crashed = run(backend, NESTED_TOO_DEEP)
    assert (crashed.status, crashed.texts) == (Status.CRASH, {})
    assert crashed.detail
    assert run(backend, sequence(MATCH)).status is Status.SUCCESS


def test_endless_run_ends(backend: Backend) -> None:
    result = run(backend, doubling(60), limits=Limits(seconds=0.5))
    assert result.status is Status.TIMEOUT
    assert result.seconds < 5
    assert run(backend, sequence(MATCH)).status is Status.SUCCESS


def test_too_much_memory(backend: Backend) -> None:
    result = run(backend, sequence(UNROLL, LOOP), limits=Limits(seconds=20, memory=200 << 20))
    assert result.status is Status.OUT_OF_MEMORY
    assert run(backend, sequence(MATCH)).status is Status.SUCCESS


def test_cancelled_from_another_thread(backend: Backend) -> None:
    timer = threading.Timer(0.3, backend.cancel)
    timer.start()
    result = run(backend, doubling(60))
    timer.join()
    assert result.status is Status.CANCELLED
    assert run(backend, sequence(MATCH)).status is Status.SUCCESS


def test_too_much_output(backend: Backend) -> None:
    result = run(backend, sequence(MATCH + TILE), limits=Limits(seconds=20, output=500))
    assert (result.status, result.texts) == (Status.TOO_MUCH_OUTPUT, {})
    assert result.detail
    prints = "    transform.print %matmul : !transform.any_op\n" * 20
    result = run(backend, sequence(MATCH + prints), limits=Limits(seconds=20, output=2000))
    assert result.status is Status.TOO_MUCH_OUTPUT
    assert len(result.printed) <= 2000


def test_messages_that_are_not_utf_8_keep_their_reason(backend: Backend) -> None:
    apply = '    transform.apply_registered_pass "\\9B" to %matmul : (!transform.any_op) -> !transform.any_op\n'
    result = run(backend, sequence(MATCH + apply))
    (error,) = result.diagnostics
    assert (result.status, error.file) == (Status.FAILURE, "script.mlir")
    assert "unknown pass or pass pipeline" in error.message + result.console
    assert "Traceback" not in result.console


def test_printed_text_is_cut_off(backend: Backend) -> None:
    printed = run(backend, sequence("    transform.print\n" * 40, WIDE), limits=Limits(seconds=60)).printed
    assert len(printed) < RUN_PRINTED.most + 200
    assert printed.rstrip().endswith(" more characters are not shown)")


def test_diagnostics_are_counted(backend: Backend) -> None:
    many = RUN_DIAGNOSTICS.most + 500
    remarks = '    transform.debug.emit_remark_at %matmul, "again" : !transform.any_op\n' * many
    found = run(backend, sequence(MATCH + remarks), limits=Limits(seconds=120)).diagnostics
    assert len(found) == RUN_DIAGNOSTICS.most + 1
    assert found[-1].message == "500 more diagnostics of this run are not shown"


def test_faults_in_a_row_leave_nothing_behind(backend: Backend) -> None:
    quick = Limits(seconds=0.2)
    backend.close()
    others = set(psutil.Process().children(recursive=True))
    for _ in range(3):
        assert run(backend, NESTED_TOO_DEEP).status is Status.CRASH
        assert run(backend, doubling(60), limits=quick).status is Status.TIMEOUT
    assert run(backend, sequence(MATCH)).status is Status.SUCCESS
    backend.close()
    assert set(psutil.Process().children(recursive=True)) <= others
