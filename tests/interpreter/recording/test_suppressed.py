"""Steps that failed without an effect on the run, since a sequence or an action suppressed the failure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from interpreter.scripts import ENTRY, QUICK, script_of, sequence
from tdls.interpreter.observing.steps import StepEnd
from tdls.interpreter.recording.recording import recorded
from tdls.interpreter.recording.suppressed import suppressed_failures
from tdls.interpreter.runs.model import RunRequest, Status

if TYPE_CHECKING:
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.recording.recording import Recording

ANY = "!transform.any_op"
PAYLOAD = """\
  func.func @f() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    return
  }
"""
FAILS = f'      %no = transform.get_parent_op %r {{op_name = "scf.for"}} : ({ANY}) -> {ANY}\n'
WORKS = f'      transform.annotate %r "my.mark" : {ANY}\n'
SPLITS = f"      %a, %b, %c = transform.split_handle %all : ({ANY}) -> ({ANY}, {ANY}, {ANY})\n"
CONSTANTS = f'      %all = transform.structured.match ops{{["arith.constant"]}} in %r : ({ANY}) -> {ANY}\n'
EACH = f"""\
      transform.foreach %all : {ANY} {{
      ^bb0(%each: {ANY}):
        %none = transform.get_parent_op %each {{op_name = "scf.for"}} : ({ANY}) -> {ANY}
      }}
"""
NO_PARENT = "could not find a parent op that matches all requirements"


def within(body: str, mode: str = "suppress") -> str:
    return (
        f"    transform.sequence %root : {ANY} failures({mode}) {{\n    ^bb0(%r: {ANY}):\n{body}"
        f'    }}\n    transform.annotate %root "my.after" : {ANY}\n'
    )


def record(backend: Backend, text: str) -> Recording:
    return recorded(backend, RunRequest(script_of(text), limits=QUICK))


def endings(recording: Recording) -> list[tuple[str, str]]:
    return [(step.operation.removeprefix("transform."), step.ended.value) for step in recording.steps]


def reasons(recording: Recording) -> list[str]:
    return [step.reason for step in recording.steps if step.ended is StepEnd.SUPPRESSED]


def test_steps_of_a_sequence_that_suppresses(backend: Backend) -> None:
    recording = record(backend, sequence(within(FAILS + WORKS + CONSTANTS + SPLITS), PAYLOAD))
    assert recording.result.status is Status.SUCCESS, recording.result.diagnostics
    assert endings(recording) == [
        ("sequence", "completed"),
        ("get_parent_op", "suppressed"),
        ("annotate", "completed"),
        ("structured.match", "completed"),
        ("split_handle", "suppressed"),
        ("annotate", "completed"),
    ]
    first, second = reasons(recording)
    assert first == NO_PARENT
    assert "expected to contain 3 payloads" in second


def test_each_execution(backend: Backend) -> None:
    """The first of two failures in the loop ends it; the loop fails with it."""
    recording = record(backend, sequence(within(CONSTANTS + EACH), PAYLOAD))
    assert endings(recording)[2:4] == [("foreach", "suppressed"), ("get_parent_op", "abandoned")]


def test_executions_that_fail_later(backend: Backend) -> None:
    """Only the second of three constants is in a loop."""
    each = f"""\
      transform.foreach %all : {ANY} {{
      ^bb0(%each: {ANY}):
        transform.sequence %each : {ANY} failures(suppress) {{
        ^bb0(%one: {ANY}):
          %loop = transform.get_parent_op %one {{op_name = "scf.for"}} : ({ANY}) -> {ANY}
        }}
      }}
"""
    payload = """\
  func.func @f(%n: index) {
    %c0 = arith.constant 0 : index
    scf.for %i = %n to %n step %n {
      %c1 = arith.constant 1 : index
    }
    %c2 = arith.constant 2 : index
    return
  }
"""
    recording = record(backend, sequence(within(CONSTANTS + each), payload))
    tries = [(step.ended, step.reason) for step in recording.steps if step.operation == "transform.get_parent_op"]
    assert tries == [(StepEnd.SUPPRESSED, NO_PARENT), (StepEnd.COMPLETED, ""), (StepEnd.SUPPRESSED, "")]


def test_actions(backend: Backend) -> None:
    sequences = f"""\
  transform.named_sequence @is_constant(%op: {ANY} {{transform.readonly}}) -> {ANY} {{
    transform.match.operation_name %op ["arith.constant"] : {ANY}
    transform.yield %op : {ANY}
  }}
  transform.named_sequence @act(%op: {ANY} {{transform.readonly}}) -> {ANY} {{
    transform.annotate %op "seen" : {ANY}
    %none = transform.get_parent_op %op {{op_name = "scf.for"}} : ({ANY}) -> {ANY}
    transform.yield %op : {ANY}
  }}
"""
    applies = f"      %u, %o = transform.foreach_match in %r @is_constant -> @act : ({ANY}) -> ({ANY}, {ANY})\n"
    whole = sequence(within(applies).partition("    transform.annotate %root")[0], PAYLOAD + sequences)
    recording = record(backend, whole.replace(ENTRY, ENTRY.replace("readonly", "consumed")))
    assert recording.result.status is Status.SUCCESS, recording.result.diagnostics
    assert endings(recording)[:6] == [
        ("sequence", "completed"),
        ("foreach_match", "suppressed"),
        ("annotate", "completed"),
        ("get_parent_op", "suppressed"),
        ("annotate", "completed"),
        ("get_parent_op", "suppressed"),
    ]
    assert reasons(recording)[1:] == [NO_PARENT, NO_PARENT]


def test_a_callee(backend: Backend) -> None:
    head = f"  transform.named_sequence @callee(%r: {ANY} {{transform.readonly}}) {{\n"
    callee = f"{head}{FAILS}{WORKS}    transform.yield\n  }}\n"
    call = f"    transform.include @callee failures(suppress) (%root) : ({ANY}) -> ()\n"
    recording = record(backend, sequence(call, PAYLOAD + callee))
    assert endings(recording) == [
        ("include", "completed"),
        ("get_parent_op", "suppressed"),
        ("annotate", "completed"),
    ]


@pytest.mark.parametrize("mode", ["suppress", "propagate"])
def test_steps_that_do_not_fail(mode: str, backend: Backend) -> None:
    recording = record(backend, sequence(within(WORKS + CONSTANTS, mode), PAYLOAD))
    assert {ended for _, ended in endings(recording)} == {"completed"}


def test_a_script_that_starts_with_a_sequence(backend: Backend) -> None:
    text = (
        f"module {{\n{PAYLOAD}  transform.sequence failures(suppress) {{\n  ^bb0(%r: {ANY}):\n{FAILS}{WORKS}  }}\n}}\n"
    )
    script = script_of(text)
    request = RunRequest(script, entry_point="transform.sequence", operation=text.index("transform.sequence"))
    recording = recorded(backend, request)
    assert ("get_parent_op", "suppressed") in endings(recording)
    assert ("annotate", "completed") in endings(recording)


def test_remarks_on_suppressed_failures(backend: Backend) -> None:
    """One for each operation, at its place, and none for those around it; none where a failure is passed on."""
    text = sequence(within(WORKS + CONSTANTS + EACH), PAYLOAD)
    (remark,) = suppressed_failures(RunRequest(script_of(text), limits=QUICK), backend)
    line = text.splitlines()[remark.line - 1]
    assert line[remark.column - 1 :].startswith("transform.get_parent_op")
    assert remark.message == f"this failed, and the failure was suppressed: {NO_PARENT}"
    for calm in (within(WORKS), within(FAILS, "propagate")):
        assert suppressed_failures(RunRequest(script_of(sequence(calm, PAYLOAD)), limits=QUICK), backend) == []
