"""Which functions get a lens; nothing is executed for that."""

from __future__ import annotations

import pytest

from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.programs.schedule_functions import schedule_functions
from tdls.syntax.sections.boundaries import SplitMode

HEAD = """\
from mlir import ir
from mlir.dialects import transform
from mlir.dialects.transform import structured
"""
BUILDS = """\
def build(factor=2, *more, flag=True, **options):
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            sequence = transform.NamedSequenceOp("__transform_main", [any_op], [])
        return module
"""


def named(program: str) -> list[str]:
    file = SourceFile.of(program, Catalogue.shipped(), split=SplitMode.PYTHON)
    found = schedule_functions(file)
    names = [file.text[function.span.start : function.span.end] for function in found]
    assert names == [function.name.rpartition(".")[2] for function in found]
    return [function.name for function in found]


@pytest.mark.parametrize(
    "program",
    [
        HEAD + BUILDS,
        HEAD + "@cached\n@logged('build')\n" + BUILDS,
        HEAD.replace("mlir", "iree.compiler") + BUILDS,
        "import mlir.dialects.transform as transform\nimport mlir.ir as ir\n" + BUILDS,
        "import mlir.ir, mlir.dialects.transform\n"
        + BUILDS.replace("ir.Module", "mlir.ir.Module").replace("transform.N", "mlir.dialects.transform.N"),
        "from mlir.ir import *\nfrom mlir.dialects.transform import *\n"
        + BUILDS.replace("ir.M", "M").replace("transform.N", "N"),
        (
            "from mlir.ir import Module as M\nfrom mlir.dialects.transform import named_sequence as seq\n"
            "def build():\n  m = M.create()\n  @seq('main', [], [])\n  def main(target): ...\n  return m\n"
        ),
        (
            "def build():\n  from mlir.dialects import transform as t\n  from mlir import ir\n"
            "  m = ir.Module.create()\n  t.SequenceOp()\n"
        ),
    ],
)
def test_functions_that_build_a_schedule(program: str) -> None:
    assert named(program) == ["build"]


def test_effects_of_helpers_of_the_program_count() -> None:
    helpers = "def steps(target): transform.named_sequence('a', [], [])\ndef again(): build(); again()\n"
    program = f"{HEAD}{helpers}def build():\r\n    '''def'''\r\n    return steps(ir.Module.create())\r\n"
    assert named(program) == ["again", "build"]


USES = "with schedule() as target:\n        structured.MatchOp(target)"
PLAN = f"class Plan:\n    def build(self):\n        {USES.replace('    ', '        ')}\n"


@pytest.mark.parametrize(
    ("program", "found"),
    [
        (f"def build():\n    {USES}\n", ["build"]),
        (f"def steps(target):\n    {USES}\ndef build(): steps(1)\n", ["build"]),
        (f"{PLAN}def build(): return Plan().build()\n", ["build"]),
        (PLAN.replace("    def build(self)", "    @staticmethod\n    def build()"), ["Plan.build"]),
        (PLAN.replace("    def build(self)", "    @classmethod\n    def build(cls)"), ["Plan.build"]),
        (f"{PLAN}if __name__ == '__main__':\n    Plan().build()\n", [""]),
        (f"def build():\n    {USES}\nmodule = build()\n", ["", "build"]),
    ],
)
def test_operations_of_the_dialect_make_a_schedule(program: str, found: list[str]) -> None:
    assert named(f"{HEAD}from helpers import schedule\n{program}") == found


@pytest.mark.parametrize(
    "program",
    [
        HEAD + BUILDS.replace("factor=2", "factor"),
        HEAD + BUILDS.replace("flag=True", "flag"),
        HEAD + BUILDS.replace("NamedSequenceOp(", "AnyOpType.get("),
        HEAD + BUILDS.replace("factor=2, *more, flag=True", "*more"),
        HEAD + BUILDS.replace("return module", "yield module"),
        HEAD + "op = transform.make_op('op')\n",
        HEAD + BUILDS.replace("def build", "async def build"),
        HEAD + BUILDS.replace("transform.NamedSequenceOp", "other.NamedSequenceOp"),
        HEAD.replace("dialects", "things") + BUILDS,
        HEAD + BUILDS + "else\n",
        "# dialects transform\n" + "(" * 5000,
        "# dialects transform \0",
        "",
    ],
)
def test_others_have_none(program: str) -> None:
    assert named(program) == []
