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
class Config<string name, dag fields> : AttrDef<NPU_Dialect, name> {
  let mnemonic = name;
  let parameters = fields;
  let assemblyFormat = "`<` struct(params) `>`";
}
def Plain : Config<"plain", (ins EnumParameter<Mode>:$mode, "int":$depth)>;
def Nested : Config<"nested", (ins ModeAttr:$mode, "int":$depth)>;
def E : Tuned<"npu.of_enumeration", Plain, "$mode">;
def F : Tuned<"npu.of_attribute", Nested, "$mode">;
"""
SCRIPT = """\
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.consumed}}) {{
    transform.npu.{} : !transform.any_op
    transform.yield
  }}
}}
"""


READ = """\
plain %root fast
plain %root <fast>
keyword %root safe
bracketed %root <safe>
bracketed_keyword %root safe
of_enumeration %root <depth = 2, mode = safe>
of_attribute %root <mode = safe, depth = 2>
of_attribute %root <mode = #npu<mode safe>, depth = 2>"""
REFUSED = """\
plain %root fats
plain %root <fats>
keyword %root fats
keyword %root <fast>
bracketed %root fast
bracketed_keyword %root <fast>
of_enumeration %root <depth = 2, mode = fats>
of_attribute %root <mode = fats, depth = 2>"""


@pytest.mark.parametrize(
    ("use", "count"), [*((use, 0) for use in READ.splitlines()), *((use, 1) for use in REFUSED.splitlines())]
)
def test_forms_that_some_llvm_reads_and_others(use: str, count: int) -> None:
    read = read_text(DEFINITIONS)
    operations, kinds = [each.definition for each in read.operations], read.attributes
    catalogue = Catalogue.shipped().with_source(MemorySource("NPU.td", operations, attribute_kinds=kinds))
    found = findings_in_file(SourceFile.of(SCRIPT.format(use), catalogue))
    assert len([finding for finding in found if finding.rule == "syntax-error"]) == count
