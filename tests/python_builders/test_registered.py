"""Operations that programs define and register: the effects that they state."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from python_builders.programs import shown
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.model import Arity, HandleEffect, OperandDefinition, OperationDefinition, PayloadEffect
from tdls.catalogue.source import MemorySource
from tdls.python_builders.model import RegisteredGroup, RegisteredOperation
from tdls.python_builders.registered import with_registered
from tdls.python_builders.worker.registered import RegisteredOperations
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from python_builders.programs import Programs

OPERATIONS = """\
from torch_mlir import ir
from torch_mlir.dialects import ext, transform

Shop = type(ext.Dialect)("Shop", (ext.Dialect,), {}, name="sh" + "op")  # no source says that it is a dialect

class Fold(Shop.Operation, name="fold"):
    gone: ext.Operand[transform.AnyOpType]
    kept: ext.Operand[transform.AnyOpType]
    made: ext.Result[transform.AnyOpType[()]] = ext.infer_result()

    class Apply(transform.TransformOpInterface):
        @staticmethod
        def apply(op, rewriter, results, state):
            return transform.DiagnosedSilenceableFailure.Success

        @staticmethod
        def allow_repeated_handle_operands(op):
            return False

    class Effects(ir.MemoryEffectsOpInterface):
        @staticmethod
        def get_effects(op, effects):
            EFFECTS

def load():
    Shop.load()
    Fold.Apply.attach(Fold.OPERATION_NAME)
    ATTACH
"""
EFFECTS = """\
[transform.consumes_handle([each], effects) for each in op.op_operands if each.operand_number == 0]
            transform.only_reads_handle(op.op_operands[1:], effects=effects)
            transform.produces_handle(op.results, effects)
            transform.modifies_payload(effects)
"""
ATTACH = "Fold.Effects.attach(Fold.OPERATION_NAME, context=ir.Context.current)"
PLAN = """\
import kit
import operations

def body(root):
    gone = kit.match(root)
    kept = kit.structured.MatchOp.match_op_names(root, ["func.func"]).result
    made = operations.Fold(gone, kept).made
    kit.mark(made)
    kit.mark(kept)
    kit.mark(gone)

def schedule():
    operations.load()
    return kit.scheduled(body)
"""


def found(programs: Programs, effects: str, attach: str = ATTACH, plan: str = PLAN) -> list[str]:
    """The findings on a program with these effects, with the outermost code that they are about."""
    programs.write("operations.py", OPERATIONS.replace("EFFECTS", effects).replace("ATTACH", attach))
    programs.write("plan.py", plan)
    checked = programs.check("plan:schedule")
    assert checked.unplaced == ()
    files = {file.path: file.text for file in checked.files}
    files[programs.folder / "plan.py"] = plan
    return [
        f"{shown(file.text, finding)} < " + ", ".join(plan[note.span.start : note.span.end] for note in finding.notes)
        if finding.rule != "unknown-extension-operation"
        else finding.message
        for file in checked.files
        for finding in file.findings
    ]


def test_registered_operation_states_its_effects(programs: Programs) -> None:
    (stale,) = found(programs, EFFECTS)
    assert stale.startswith('use-after-free: transform.annotate(handle, "mark")')
    assert "operations.Fold(gone, kept)" in stale
    assert "kit.mark(gone)" in stale


def test_operation_that_only_reads_leaves_handles_usable(programs: Programs) -> None:
    assert found(programs, "transform.only_reads_handle(op.op_operands, effects)") == []


def test_reason_is_named_if_effects_cannot_be_stated(programs: Programs) -> None:
    assert found(programs, "raise ValueError('no\\nluck')") == [
        "nothing is said about the handles of `shop.fold`: its `get_effects` raises ValueError: no luck"
    ]


def test_operation_without_effects_is_named(programs: Programs) -> None:
    reason = "no source defines it, and the program attaches no class with `get_effects` to it"
    assert found(programs, "pass", attach="pass") == [f"nothing is said about the handles of `shop.fold`: {reason}"]


class _Operand(NamedTuple):
    operand_number: int


class _Result(NamedTuple):
    result_number: int


class _Interface:
    @classmethod
    def attach(cls, op_name: str, *, target: object = None, context: object = None) -> None:
        """Attach nothing."""


def _opaque(*_given: object) -> list[object]:
    return [object()]


RETURNING = {
    "several lists": lambda op, dialect: [
        *dialect.consumes_handle(op.op_operands[:1]),
        *dialect.only_reads_handle(op.op_operands[1:]),
        *dialect.produces_handle(op.results),
        *dialect.modifies_payload(),
    ],
    "a tuple": lambda op, dialect: (
        *dialect.modifies_payload(),
        *dialect.only_reads_payload(),
        *dialect.produces_handle(op.results),
        *dialect.only_reads_handle(op.op_operands),
        *dialect.consumes_handle([op.op_operands[0]]),
    ),
}


@pytest.mark.parametrize("returning", RETURNING.values(), ids=RETURNING)
def test_effects_that_are_returned(returning: Callable[[Any, Any], list[object]]) -> None:
    """As since August 2026, of which no bindings with operations in Python are at hand."""
    registered, dialect = RegisteredOperations(), _dialect()
    answer = registered_answer(registered, dialect, lambda op: returning(op, dialect))
    assert [group["effects"] for group in answer["operands"]] == [["consumes"], ["reads"]]
    assert [group["effects"] for group in answer["results"]] == [["produces"]]
    assert answer["payload"] == "modifies"
    assert len(dialect.modifies_payload()) == 1, "the helpers are those of the bindings for everyone else"


def test_effects_without_helpers_are_not_read() -> None:
    answer = registered_answer(RegisteredOperations(), _dialect(), _opaque)
    assert answer["problem"] == "its `get_effects` makes effects without the helpers of `dialects.transform`"


class _Native(_Interface):
    """Effects as C++ states them through bindings since August 2026."""

    def __init__(self, operation: Any) -> None:
        if operation.stated is None:
            raise ValueError("no such interface")
        self._stated = operation.stated

    def get_effects(self) -> list[SimpleNamespace]:
        """Return the effects of the operation."""
        return [SimpleNamespace(effect=kind, value=value) for kind, value in self._stated]


@pytest.mark.parametrize(
    ("name", "stated", "expected"),
    [
        (
            "transform.my.op",
            [("R", 1), ("F", 1), ("R", 2), ("A", 3), ("W", 3), ("R", None), ("W", None)],
            (["consumes", "reads"], ["produces"], "modifies"),
        ),
        ("transform.my.op", [("R", 1), ("R", None)], (["reads", "none"], ["none"], "reads")),
        ("transform.my.op", [("W", 2)], (["none", "none"], ["none"], "none")),
        ("transform.my.op", None, None),
        ("my.op", [("F", 1)], None),
    ],
)
def test_effects_of_operations_in_cpp(name: str, stated: list[tuple[str, int | None]] | None, expected: object) -> None:
    kinds = SimpleNamespace(Read="R", Write="W", Allocate="A", Free="F")
    registered = RegisteredOperations()
    registered.watch_operations(SimpleNamespace(MemoryEffectsOpInterface=_Native, MemoryEffect=kinds))
    view, context = SimpleNamespace(), nullcontext()
    made: Any = SimpleNamespace(name=name, operands=[1, 2], results=[3], attributes={}, opview=view, context=context)
    made.stated = stated
    answer = registered.native_answer(made)
    found = answer and (
        [effect for group in answer["operands"] for effect in group["effects"]],
        [effect for group in answer["results"] for effect in group["effects"]],
        answer["payload"],
    )
    assert found == expected


def test_bindings_of_the_other_generation_of_effects(programs: Programs) -> None:
    """The program's `get_effects` returns its effects, and these bindings have it add them to a list."""
    programs.write(
        "shop.py", OPERATIONS.replace("op, effects", "op").replace("EFFECTS", "return []").replace("ATTACH", ATTACH)
    )
    programs.write("plan.py", OTHER_GENERATION)
    (file,) = programs.check("plan:schedule").files
    (finding,) = [each for each in file.findings if each.level.value == "error"]
    assert "get_effects() takes 1 positional argument" in finding.message
    assert "since August 2026" in (finding.help or "")


OTHER_GENERATION = """\
import kit
import shop
from torch_mlir.dialects import transform

def body(root):
    shop.Fold(gone=root, kept=root)

def schedule():
    shop.load()
    module = kit.scheduled(body)
    module.operation.verify()
    return module
"""


def _dialect() -> Any:
    helpers = ("consumes_handle", "only_reads_handle", "produces_handle", "modifies_payload", "only_reads_payload")
    return SimpleNamespace(**dict.fromkeys(helpers, _opaque))


def registered_answer(registered: RegisteredOperations, dialect: Any, returning: Callable[[Any], Any]) -> Any:
    """Attach effects to an operation with two operands and a result, and return its answer."""
    ir = SimpleNamespace(MemoryEffectsOpInterface=type("MemoryEffectsOpInterface", (_Interface,), {}))
    registered.watch_operations(ir)
    registered.watch_transform(dialect)
    effects: Any = type("Effects", (ir.MemoryEffectsOpInterface,), {"get_effects": staticmethod(returning)})
    effects.attach("my.op")
    view = SimpleNamespace(op_operands=[_Operand(0), _Operand(1)], results=[_Result(0)])
    return registered.answer(SimpleNamespace(name="my.op", operands=[1, 2], results=[3], attributes={}, opview=view))


def group(effect: HandleEffect, *others: HandleEffect) -> RegisteredGroup:
    """Return an operand group `a` with effects."""
    return RegisteredGroup("a", Arity.ONE, (effect, *others))


def answer(*operands: RegisteredGroup, payload: PayloadEffect = PayloadEffect.READS) -> RegisteredOperation:
    """Return an answer of `my.op`."""
    return RegisteredOperation("my.op", ("TransformOpInterface",), operands, (), payload)


READ, CONSUMED = group(HandleEffect.READS), group(HandleEffect.CONSUMES)
KNOWN = OperationDefinition("my.op", (OperandDefinition("target", effect=HandleEffect.READS),), summary="kept")


def effects(known: OperationDefinition | None, *answers: RegisteredOperation) -> list[HandleEffect]:
    """Return the effects on the operands of `my.op`, after the program's answers."""
    catalogue = Catalogue([MemorySource("sources", [known] if known is not None else [])])
    definition = with_registered(catalogue, answers).operation("my.op")
    return [operand.effect for operand in definition.operands] if definition is not None else []


def test_answers_count_more_than_structure() -> None:
    assert effects(KNOWN, answer(CONSUMED)) == [HandleEffect.CONSUMES]
    catalogue = with_registered(Catalogue([MemorySource("sources", [KNOWN])]), [answer(CONSUMED)])
    definition = catalogue.operation("my.op")
    assert definition is not None
    assert (definition.summary, definition.operands[0].name) == ("kept", "target")
    assert definition.payload_effect is PayloadEffect.READS


def test_operation_that_no_source_defines() -> None:
    assert effects(None, answer(CONSUMED, READ)) == [HandleEffect.CONSUMES, HandleEffect.READS]


def test_different_answers_of_one_operation_leave_its_effects_open() -> None:
    assert effects(KNOWN, answer(CONSUMED), answer(READ)) == [HandleEffect.UNKNOWN]
    assert effects(KNOWN, answer(READ), answer(READ)) == [HandleEffect.READS]
    assert effects(None, answer(READ), answer(READ, READ)) == []


def test_answer_without_values_in_a_group_says_nothing_of_it() -> None:
    empty = RegisteredGroup("a", Arity.VARIADIC, ())
    assert effects(KNOWN, answer(empty)) == [HandleEffect.READS]
    assert effects(None, answer(empty)) == [HandleEffect.UNKNOWN]


def test_answers_for_operations_of_llvm_itself_do_not_count() -> None:
    assert effects(replace(KNOWN, versions=(22,)), answer(CONSUMED)) == [HandleEffect.READS]


def test_problem_is_no_answer() -> None:
    assert effects(KNOWN, replace(answer(CONSUMED), problem="no luck")) == [HandleEffect.READS]
