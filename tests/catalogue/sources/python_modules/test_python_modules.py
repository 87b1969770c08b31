"""Operations out of Python files: generated modules of bindings, and dialects that are written in Python."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import given
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
LLVM = 23


def read(file: Path) -> PythonDefinitions:
    return definitions(file.read_text(encoding="utf-8"), file)


def definitions(text: str, file: Path = Path("ops.py")) -> PythonDefinitions:
    (found,) = linked([read_module(file, text)])
    return found


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


def test_a_dialect_written_in_python_is_read_as_mlir_registers_it() -> None:
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


def test_effects_of_operations_written_in_python_are_unknown_until_they_are_asked() -> None:
    count, cut, pit = (mill()[f"mill.{name}"] for name in ("count", "cut", "pit"))
    assert {value.effect for value in (*values_of(count), *values_of(cut))} == {HandleEffect.UNKNOWN}
    assert count.payload_effect is PayloadEffect.UNKNOWN
    assert (count.takes_repeated, cut.takes_repeated, pit.takes_repeated) == (False, True, True)
    assert count.traits == {"TransformOpInterface", "MemoryEffectOpInterface"}
    assert mill()["mill.shapes"].payload_effect is PayloadEffect.NONE
    assert mill()["mill.end"].traits == {"IsTerminator"}
    text = DIALECT + 'class A(Mill.Operation, name="a", traits=[ext.NoMemoryEffect]):\n    target: Operand[Any]\n'
    recursive = text.replace("ext.NoMemoryEffect", "ir.RecursiveMemoryEffectsTrait")
    quiet, nested = (definitions(each).operations[0] for each in (text, recursive))
    assert {quiet.operands[0].effect, nested.operands[0].effect} == {HandleEffect.NONE}
    assert (quiet.payload_effect, nested.payload_effect) == (PayloadEffect.NONE, PayloadEffect.UNKNOWN)


def test_places_and_descriptions() -> None:
    lines = MILL.read_text(encoding="utf-8").splitlines()
    count = mill()["mill.count"]
    assert count.description == "Count the stones.\n\nReturns a number."
    assert count.defined_at is not None
    assert lines[count.defined_at.line].startswith("class CountOp(")
    implemented = [lines[place.line].split("(")[0].strip() for place in count.implemented_at]
    assert implemented == ["def apply", "def get_effects"]
    assert [operand.type for operand in count.operands] == ["!transform.any_op"]


def test_types_written_in_python() -> None:
    stone, dust = read(MILL).types
    assert (stone.name, stone.description) == ("mill.stone", "A stone.")
    assert [(parameter.name, parameter.type) for parameter in stone.parameters] == [("weight", "IntegerAttr")]
    assert (stone.assembly_format, dust.assembly_format) == ("`<` $weight `>`", None)


def test_line_ends_of_windows() -> None:
    for file, text in ((MILL, MILL.read_text(encoding="utf-8")), (Path("_toy_ops_gen.py"), OLD_FORM)):
        assert definitions(text.replace("\n", "\r\n"), file) == definitions(text, file)


DIALECT = 'from mlir.dialects import ext\nclass Mill(ext.Dialect, name="mill"): pass\n'
OPERATIONS = 'from .dialect import Mill\nclass GrindOp(Mill.Operation, name="grind"):\n    grain: Operand[Any]\n'


def test_a_dialect_and_its_operations_in_several_files() -> None:
    dialect, operations = read_module(Path("dialect.py"), DIALECT), read_module(Path("ops.py"), OPERATIONS)
    assert [operation.name for operation in linked([dialect, operations])[1].operations] == ["mill.grind"]
    (alone,) = linked([operations])
    assert [(problem.line, problem.path) for problem in alone.problems] == [(1, Path("ops.py"))]
    assert "'Mill'" in alone.problems[0].message


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
    (fuse,) = definitions(text).operations
    assert [(operand.name, operand.arity) for operand in fuse.operands] == [("target", arity)]


@pytest.mark.parametrize(
    "text", ["", "import os", "class Dialect(name=", 'class A(ext.Dialect, name="a"):\n  def (', "\0 Dialect name="]
)
def test_any_text_is_read(text: str) -> None:
    assert definitions(text).operations == ()


@given(st.sampled_from([MILL.read_text(encoding="utf-8"), OLD_FORM]), st.integers(0, 6000), st.integers(0, 60))
def test_damaged_text_is_read(text: str, start: int, length: int) -> None:
    start %= len(text)
    found = read_module(Path("_toy_ops_gen.py"), text[:start] + text[start + length :])
    assert len(linked([found])) == 1


BASE = """
from mlir.dialects import ext
PREFIX = "mill"
class Extension(ext.Dialect, name="unused"): pass
class Steps(Extension, name=f"{PREFIX}_steps"): pass
class Other(Extension, name="other"): pass
"""
STEP = """
from mlir import ir
from mlir.dialects import ext, transform
from . import base as own
Handle = ext.Operand[transform.AnyOpType]

class Step(own.Steps.Operation):
    target: Handle

    class Effects(ir.MemoryEffectsOpInterface):
        @staticmethod
        def get_effects(op):
            return transform.consumes_handle(op.op_operands)

def step(op_name):
    class _Step(Step, name=op_name):
        pass
    return _Step
"""
USE = """
from mlir import ir
from pkg import Step, transform, Steps, step as make_step

class PlainOp(Step, name="plain"):
    pass

class MoreOp(Step, name="more"):
    depth: transform.ext.Operand[transform.AnyParamType]

Alias = Steps.Operation

class LeafOp(Alias, name="leaf"):
    pass

MadeOp = make_step("made")
"""
PACKAGE = {
    "pkg/base.py": BASE,
    "pkg/step.py": STEP,
    "pkg/__init__.py": "from .base import Steps\nfrom pkg.step import Step, step, transform\n",
    "pkg/use.py": USE,
}


def package(**files: str) -> dict[str, OperationDefinition]:
    found = linked([read_module(Path(path), text) for path, text in {**PACKAGE, **files}.items()])
    assert not [problem for file in found for problem in file.problems]
    return {operation.name: operation for file in found for operation in file.operations}


def test_bases_and_aliases_in_other_files() -> None:
    found = {name: [operand.type for operand in operation.operands] for name, operation in package().items()}
    handle, parameter = "!transform.any_op", "!transform.any_param"
    assert found == {
        "mill_steps.plain": [handle],
        "mill_steps.more": [handle, parameter],
        "mill_steps.leaf": [],
    }


def test_imports_decide_between_classes_of_one_name() -> None:
    other = {
        "far/base.py": BASE.replace("mill", "far"),
        "far/ops.py": "from .base import Steps\nclass FarOp(Steps.Operation, name='far'): pass\n",
    }
    assert {"far_steps.far", "mill_steps.leaf"} <= package(**other).keys()


def test_variants_under_unknown_conditions_do_not_count() -> None:
    text = f"""{DIALECT}
if odd():
    class CutOp(Mill.Operation, name="cut"):
        target: Operand[AnyOpType]
else:
    class CutOp(Mill.Operation, name="cut"):
        others: Sequence[Operand[AnyOpType]]
if odd():
    class OnceOp(Mill.Operation, name="once"):
        target: Operand[AnyOpType]
"""
    assert [operation.name for operation in definitions(text).operations] == ["mill.once"]
