"""Operations out of Python files: generated modules of bindings, and dialects that are written in Python."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facts.bindings import same_signature, signature
from tdls.catalogue.model import (
    Arity,
    HandleEffect,
    OperandDefinition,
    OperationDefinition,
    PayloadEffect,
    ResultDefinition,
)
from tdls.catalogue.shipped import ShippedSource
from tdls.catalogue.sources.python_modules import PythonDefinitions, linked, read_module
from tools_at_hand import require_bindings

MILL = Path(__file__).parent / "python" / "mill.py"
PACKAGES = [Path(place, "torch_mlir") for place in sys.path]
GENERATED = next((place / "dialects" for place in PACKAGES if place.is_dir()), Path("missing"))
LLVM = 24


def read(file: Path) -> PythonDefinitions:
    return read_module(file, file.read_text(encoding="utf-8"))


@lru_cache
def mill() -> dict[str, OperationDefinition]:
    return {definition.name: definition for definition in read(MILL).operations}


DIALECTS = ("affine", "arith", "cf", "func", "linalg", "memref", "scf", "tensor", "vector")
MODULES = [
    *sorted(GENERATED.glob("_*transform*_ops_gen.py")),
    *sorted(file for dialect in DIALECTS for file in GENERATED.glob(f"_{dialect}_ops_gen.py")),
]


def values_of(definition: OperationDefinition) -> list[OperandDefinition | ResultDefinition]:
    return [*definition.operands, *definition.results]


@pytest.mark.parametrize("file", MODULES, ids=lambda file: file.name)
def test_generated_modules_agree_with_the_shipped_facts(file: Path) -> None:
    found = read(file)
    shipped = ShippedSource().operations
    assert found.operations
    assert not found.problems
    for definition in found.operations:
        facts = [variant for variant in shipped.variants(definition.name) if LLVM in variant.versions]
        assert len(facts) == 1, definition.name
        assert same_signature(signature(definition), signature(facts[0])), definition.name


def test_generated_operations_have_their_place_and_description() -> None:
    require_bindings()
    file = GENERATED / "_structured_transform_ops_gen.py"
    lines = file.read_text(encoding="utf-8").splitlines()
    found = {definition.name: definition for definition in read(file).operations}
    match = found["transform.structured.match"]
    assert match.defined_at is not None
    assert lines[match.defined_at.line] == "class MatchOp(_ods_ir.OpView):"
    assert "#### Return modes" in match.description
    assert {value.effect for value in values_of(match)} == {HandleEffect.UNKNOWN}
    assert not match.format_known


OLD_FORM = """
class CutOp(_ods_ir.OpView):
  OPERATION_NAME = "toy.cut"
  _ODS_RESULT_SEGMENTS = [1,-1,]
  _ODS_REGIONS = (0, True)

  def __init__(self, first, rest, target, *, depth=None, loc=None, ip=None):
    operands = []
    results = []
    operands.append(_get_op_result_or_value(target))
    if depth is not None: operands.append(_get_op_result_or_value(depth))
    results.append(first)
    results.append(rest)

  @builtins.property
  def target(self):
    return self.operation.operands[0]

  @builtins.property
  def first(self):
    result_range = _ods_segmented_accessor(
         self.operation.results,
         self.operation.attributes["resultSegmentSizes"], 0)
    return result_range[0]

  @builtins.property
  def rest(self):
    result_range = _ods_segmented_accessor(
         self.operation.results,
         self.operation.attributes["resultSegmentSizes"], 1)
    return result_range
"""


def test_older_bindings_without_annotations() -> None:
    (cut,) = read_module(Path("_toy_ops_gen.py"), OLD_FORM).operations
    assert [(operand.name, operand.arity) for operand in cut.operands] == [
        ("target", Arity.ONE),
        ("depth", Arity.OPTIONAL),
    ]
    assert [(result.name, result.arity) for result in cut.results] == [("first", Arity.ONE), ("rest", Arity.VARIADIC)]


def test_a_broken_class_costs_itself_only() -> None:
    text = (
        OLD_FORM
        + 'class BadOp(_ods_ir.OpView):\n  OPERATION_NAME = "toy.bad"\n  def (:\n\n'
        + OLD_FORM.replace("cut", "cot")
    )
    found = read_module(Path("_toy_ops_gen.py"), text)
    assert [operation.name for operation in found.operations] == ["toy.cut", "toy.cot"]
    ((line, message),) = [(problem.line, problem.message) for problem in found.problems]
    assert text.splitlines()[line].startswith("class BadOp")
    assert "'toy.bad'" in message


LOAD = """
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("mill", sys.argv[1])
module = importlib.util.module_from_spec(spec)
sys.modules["mill"] = module
source = open(sys.argv[1], encoding="utf-8").read().replace("from __future__ import annotations", "")
exec(compile(source, sys.argv[1], "exec"), module.__dict__)
"""
ASK = (
    LOAD
    + """
with module.ir.Context(), module.ir.Location.unknown():
    module.Mill.load()
    print(json.dumps({operation.OPERATION_NAME: [
        [field.name, type(field).__name__, str(field.variadicity).rpartition(".")[2]] for field in operation._fields
    ] for operation in module.Mill.operations}))
"""
)
ARITIES = {Arity.ONE: "single", Arity.OPTIONAL: "optional", Arity.VARIADIC: "variadic"}


def test_a_dialect_written_in_python_is_what_mlir_makes_of_it() -> None:
    require_bindings()
    output = subprocess.run([sys.executable, "-c", ASK, str(MILL)], capture_output=True, text=True, check=True).stdout
    for name, members in json.loads(output).items():
        found = mill()[name]
        made = {
            kind: [(field, arity) for field, own_kind, arity in members if own_kind == kind] for _, kind, _ in members
        }
        assert [(operand.name, ARITIES[operand.arity]) for operand in found.operands] == made.get("OperandDef", []), (
            name
        )
        assert [(result.name, ARITIES[result.arity]) for result in found.results] == made.get("ResultDef", []), name
        assert [(attribute.name, "single") for attribute in found.attributes] == made.get("AttributeDef", []), name
        assert [(region.name, "single") for region in found.regions] == made.get("RegionDef", []), name
    assert set(mill()) == set(json.loads(output))


SCRIPT = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @main(%0: !transform.any_op {transform.consumed}, %1: !transform.any_op {transform.readonly},
                                 %2: !transform.any_param {transform.readonly}) {
    %3, %4 = "mill.cut"(%0, %1, %2) {operandSegmentSizes = array<i32: 1, 1, 1>, resultSegmentSizes = array<i32: 1, 1>}
      : (!transform.any_op, !transform.any_op, !transform.any_param) -> (!transform.any_op, !transform.any_op)
    transform.print %USED : !transform.any_op
    transform.yield
  }
}
"""
CHECK_USES = f"""{LOAD}
from torch_mlir.passmanager import PassManager
with module.ir.Context() as context, module.ir.Location.unknown():
    module.Mill.load()
    module.CutOp.attach_interface_impls(context)
    found = []
    context.attach_diagnostic_handler(lambda diagnostic: found.append(diagnostic.message) or True)
    script = module.ir.Module.parse(sys.argv[2])
    PassManager.parse("builtin.module(transform-dialect-check-uses)").run(script.operation)
    print(json.dumps(found))
"""


@pytest.mark.parametrize("number", [0, 1])
def test_effects_written_in_python_are_those_that_mlir_checks(number: int) -> None:
    require_bindings()
    command = [sys.executable, "-c", CHECK_USES, str(MILL), SCRIPT.replace("USED", str(number))]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    is_consumed = mill()["mill.cut"].operands[number].effect is HandleEffect.CONSUMES
    assert any("may be used after free" in message for message in json.loads(output)) == is_consumed


def test_effects_of_operations_written_in_python() -> None:
    count, cut = mill()["mill.count"], mill()["mill.cut"]
    assert [value.effect for value in values_of(count)] == [HandleEffect.READS, HandleEffect.PRODUCES]
    assert count.payload_effect is PayloadEffect.READS
    reads = HandleEffect.READS
    assert [operand.effect for operand in cut.operands] == [HandleEffect.CONSUMES, reads, reads]
    assert [result.effect for result in cut.results] == [HandleEffect.PRODUCES] * 2
    assert cut.payload_effect is PayloadEffect.MODIFIES
    assert (count.takes_repeated, cut.takes_repeated) == (False, True)
    assert count.traits == {"TransformOpInterface", "MemoryEffectOpInterface"}
    assert mill()["mill.shapes"].payload_effect is PayloadEffect.NONE
    assert mill()["mill.end"].traits == {"IsTerminator"}
    assert mill()["mill.pit"].payload_effect is PayloadEffect.UNKNOWN


def test_places_and_descriptions() -> None:
    lines = MILL.read_text(encoding="utf-8").splitlines()
    count = mill()["mill.count"]
    assert count.description == "Count the stones.\n\nReturns a number."
    assert count.defined_at is not None
    assert lines[count.defined_at.line].startswith("class CountOp(")
    assert [lines[place.line].split("(")[0].strip() for place in count.implemented_at] == [
        "def apply",
        "def get_effects",
    ]
    assert [operand.type for operand in count.operands] == ["!transform.any_op"]


def test_types_written_in_python() -> None:
    stone, dust = read(MILL).types
    assert (stone.name, stone.description) == ("mill.stone", "A stone.")
    assert [(parameter.name, parameter.type) for parameter in stone.parameters] == [("weight", "IntegerAttr")]
    assert (stone.assembly_format, dust.assembly_format) == ("`<` $weight `>`", None)


def test_line_ends_of_windows() -> None:
    for file, text in ((MILL, MILL.read_text(encoding="utf-8")), (Path("_toy_ops_gen.py"), OLD_FORM)):
        assert read_module(file, text.replace("\n", "\r\n")) == read_module(file, text)


DIALECT = 'from mlir.dialects import ext\nclass Mill(ext.Dialect, name="mill"): pass\n'
OPERATIONS = 'from .dialect import Mill\nclass GrindOp(Mill.Operation, name="grind"):\n    grain: Operand[Any]\n'


def test_a_dialect_and_its_operations_in_several_files() -> None:
    dialect, operations = read_module(Path("dialect.py"), DIALECT), read_module(Path("ops.py"), OPERATIONS)
    assert not operations.operations
    assert [operation.name for operation in linked([dialect, operations])[1].operations] == ["mill.grind"]
    (alone,) = linked([operations])
    assert [(problem.line, problem.path) for problem in alone.problems] == [(1, Path("ops.py"))]
    assert "'Mill'" in alone.problems[0].message


MODEL = """
class Effects(ir.MemoryEffectsOpInterface):
    @staticmethod
    def get_effects(op, effects):
        {body}

class FuseOp(Mill.Operation, name="fuse"):
    target: Operand[AnyOpType]
    others: Sequence[Operand[AnyOpType]]
    fused: Result[AnyOpType]

def setup():
    Effects.attach(FuseOp.OPERATION_NAME)
"""


@pytest.mark.parametrize(
    ("body", "effects"),
    [
        ("consumes_handle(op.op_operands, effects)", "consumes consumes none"),
        ("transform.consumes_handle([op.op_operands[0]], effects)", "consumes none none"),
        ("consumes_handle(op.op_operands[0:], effects)", "consumes consumes none"),
        ("consumes_handle(op.op_operands[-1], effects)", "unknown unknown none"),
        ("only_reads_handle(op.operation.op_operands[1:], effects)", "none reads none"),
        ("only_reads_handle(op.op_operands[1:2], effects)", "unknown unknown none"),
        ("first, *_ = op.op_operands; consumes_handle([first], effects)", "unknown unknown none"),
        ("first = op.op_operands[0]; consumes_handle([first], effects)", "consumes none none"),
        ("produces_handle([op.fused], effects)", "none none produces"),
        ("produces_handle(list(op.results), effects)", "none none produces"),
        ("for one in op.op_operands: only_reads_handle([one], effects)", "reads reads none"),
        (
            "for one in op.op_operands:\n            if odd(one): only_reads_handle([one], effects)",
            "unknown unknown none",
        ),
        ("if odd(op): return\n        consumes_handle(op.op_operands, effects)", "unknown unknown none"),
        ("if op.operands: consumes_handle(op.op_operands, effects)", "consumes consumes none"),
        ("if len(op.operands) > 0: consumes_handle(op.op_operands, effects)", "consumes consumes none"),
        ("effects.append(something)", "unknown unknown unknown"),
        ("helper(op, effects)", "unknown unknown unknown"),
        ("with effects: pass", "unknown unknown unknown"),
        ("pass", "none none none"),
    ],
)
def test_effects_of_function_bodies(body: str, effects: str) -> None:
    (fuse,) = read_module(Path("ops.py"), DIALECT + MODEL.format(body=body)).operations
    assert " ".join(value.effect.value for value in values_of(fuse)) == effects


@pytest.mark.parametrize(
    ("annotation", "arity"),
    [
        ("Operand[Any]", Arity.ONE),
        ("ext.Operand[i32 | IntegerType[64]]", Arity.ONE),
        ("Optional[Operand[Any]]", Arity.OPTIONAL),
        ('"typing.Optional[ext.Operand[Any]]"', Arity.OPTIONAL),
        ("Operand[Any] | None", Arity.OPTIONAL),
        ("None | Operand[Any]", Arity.OPTIONAL),
        ("Sequence[Operand[Any]]", Arity.VARIADIC),
        ("Sequence[ir.Value[Any]]", Arity.VARIADIC),
    ],
)
def test_annotations(annotation: str, arity: Arity) -> None:
    text = f'{DIALECT}class FuseOp(Mill.Operation, name="fuse"):\n    target: {annotation} = operand(kw_only=True)\n'
    (fuse,) = read_module(Path("ops.py"), text).operations
    assert [(operand.name, operand.arity) for operand in fuse.operands] == [("target", arity)]


def test_two_models_of_one_operation_leave_unknown_what_differs() -> None:
    other = MODEL.format(body="consumes_handle(op.op_operands[:1], effects)").partition("class FuseOp")[0]
    both = MODEL.format(body="only_reads_handle(op.op_operands, effects)")
    local = other.replace("class Effects", "class Consuming") + "Consuming.attach(FuseOp.OPERATION_NAME)\n"
    (fuse,) = read_module(Path("ops.py"), DIALECT + both + local).operations
    assert [operand.effect for operand in fuse.operands] == [HandleEffect.UNKNOWN, HandleEffect.UNKNOWN]


@pytest.mark.parametrize(
    "text", ["", "import os", "class Dialect(name=", 'class A(ext.Dialect, name="a"):\n  def (', "\0 Dialect name="]
)
def test_any_text_is_read(text: str) -> None:
    assert read_module(Path("x.py"), text).operations == ()


@settings(max_examples=60)
@given(st.sampled_from([MILL.read_text(encoding="utf-8"), OLD_FORM]), st.integers(0, 6000), st.integers(0, 60))
def test_damaged_text_is_read(text: str, start: int, length: int) -> None:
    start %= len(text)
    found = read_module(Path("_toy_ops_gen.py"), text[:start] + text[start + length :])
    assert len(linked([found])) == 1
