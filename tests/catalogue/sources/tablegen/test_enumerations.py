"""The forms of a project's enumerations: LLVM's own TableGen files decide, and both forms are read without them."""

from __future__ import annotations

import pytest

from catalogue.sources.tablegen.projects import read_text
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.source import MemorySource

DEFINITIONS = """\
def NPU_Dialect : Dialect { let name = "npu"; }
def Mode : I32EnumAttr<"Mode", "", [I32EnumAttrCase<"Fast", 0, "fast">, I32EnumAttrCase<"Safe", 1, "safe">]> {
  let genSpecializedAttr = 0;
}
def ModeAttr : EnumAttr<NPU_Dialect, Mode, "mode">;
def Bracketed : EnumAttr<NPU_Dialect, Mode, "bracketed"> { let assemblyFormat = "`<` $value `>`"; }
class Tuned<string name, Attr mode, string form> : Op<Transform_Dialect, name, [FunctionalStyleTransformOpTrait]> {
  let arguments = (ins TransformHandleTypeInterface:$target, mode:$mode);
  let assemblyFormat = "$target " # form # " attr-dict `:` type($target)";
}
def A : Tuned<"npu.plain", ModeAttr, "$mode">;
def B : Tuned<"npu.keyword", ModeAttr, "enum($mode)">;
def C : Tuned<"npu.bracketed", Bracketed, "$mode">;
def D : Tuned<"npu.bracketed_keyword", Bracketed, "enum($mode)">;
"""
SCRIPT = """\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.consumed}}) {{
    transform.npu.{} : !transform.any_op
    transform.yield
  }}
}}
"""


def errors(use: str) -> list[str]:
    definitions = [operation.definition for operation in read_text(DEFINITIONS).operations]
    catalogue = Catalogue.shipped().with_source(MemorySource("NPU.td", definitions))
    found = findings_in_file(SourceFile.of(SCRIPT.format(use), catalogue))
    return [finding.message for finding in found if finding.rule == "syntax-error"]


@pytest.mark.parametrize(
    "use",
    [
        "plain %root fast",
        "plain %root <fast>",
        "keyword %root safe",
        "bracketed %root <safe>",
        "bracketed_keyword %root safe",
    ],
)
def test_forms_that_some_llvm_reads(use: str) -> None:
    assert errors(use) == []


@pytest.mark.parametrize(
    "use",
    [
        "plain %root fats",
        "plain %root <fats>",
        "keyword %root fats",
        "keyword %root <fast>",
        "bracketed %root fast",
        "bracketed_keyword %root <fast>",
    ],
)
def test_forms_that_none_reads(use: str) -> None:
    assert len(errors(use)) == 1
