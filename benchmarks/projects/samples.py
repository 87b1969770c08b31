"""Generated projects: extensions of the transform dialect in TableGen and C++, as large as one likes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_OPERATIONS_PER_FILE = 3
_CPP_FILES_PER_EXTENSION = 4
_PADDING_LINES = 60
_BASE = """\
#ifndef ACME_TRANSFORM_BASE
#define ACME_TRANSFORM_BASE

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

class Acme_Op<string mnemonic, list<Trait> traits = []>
    : Op<Transform_Dialect, "acme." # mnemonic, !listconcat(traits, [
        TransformOpInterface, ReportTrackingListenerFailuresOpTrait])> {
  let cppNamespace = "::acme::transform";
}

class Acme_EffectsOp<string mnemonic, list<Trait> traits = []>
    : Acme_Op<mnemonic, !listconcat(traits, [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>])>;

#endif // ACME_TRANSFORM_BASE
"""
_OPERATION = """\
def Acme_{name}Op : Acme_EffectsOp<"unit{unit}.{mnemonic}"> {{
  let summary = "Rewrites the target with strategy {number}";
  let description = [{{
    Takes every payload operation that `target` stands for and rewrites it with
    the tile sizes that are given, dynamic ones first.

    #### Return modes

    Consumes the `target` handle and returns handles to the loops and to what is
    inside of them. Fails silenceably where the operation has no loops.
  }}];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       Optional<TransformHandleTypeInterface>:$anchor,
                       Variadic<TransformAnyParamTypeOrAnyHandle>:$dynamic_sizes,
                       DefaultValuedOptionalAttr<DenseI64ArrayAttr, "{{}}">:$static_sizes,
                       OptionalAttr<StrAttr>:$label,
                       UnitAttr:$peel);
  let results = (outs TransformHandleTypeInterface:$inner,
                      Variadic<TransformHandleTypeInterface>:$loops);
  let assemblyFormat = [{{
    $target (`anchor` $anchor^)? (`sizes` $dynamic_sizes^)? (`label` $label^)?
    attr-dict `:` functional-type(operands, results)
  }}];
}}

"""
_EFFECTS = """\
void acme::transform::{name}Op::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {{
  consumesHandle(getTargetMutable(), effects);
  onlyReadsHandle(getAnchorMutable(), effects);
  onlyReadsHandle(getDynamicSizesMutable(), effects);
  producesHandle(getOperation()->getOpResults(), effects);
  modifiesPayload(effects);
}}

DiagnosedSilenceableFailure acme::transform::{name}Op::apply(
    transform::TransformRewriter &rewriter, transform::TransformResults &results,
    transform::TransformState &state) {{
  for (Operation *target : state.getPayloadOps(getTarget())) {{
    if (failed(rewriteWithStrategy(rewriter, target, {number})))
      return emitSilenceableError() << "cannot rewrite " << target->getName();
  }}
  return DiagnosedSilenceableFailure::success();
}}

"""
_PADDING = "  rewriter.setInsertionPoint(operation); // step {number} of the lowering of unit {unit}\n"


def write_project(root: Path, *, tablegen_files: int, cpp_files: int) -> None:
    """Write a git repository with so many files into the folder `root`: about 4 kB each."""
    (root / ".git").mkdir(parents=True)
    include, library = root / "include" / "acme", root / "lib"
    _write(include / "AcmeBase.td", _BASE)
    for unit in range(tablegen_files - 1):
        _write(include / f"group{unit % 10}" / f"Unit{unit}Ops.td", _tablegen(unit))
    for number in range(cpp_files):
        has_effects = number % _CPP_FILES_PER_EXTENSION == 0
        text = _effects(number // _CPP_FILES_PER_EXTENSION) if has_effects else _lowering(number)
        _write(library / f"group{number % 20}" / f"Source{number}.cpp", text)


def _tablegen(unit: int) -> str:
    operations = "".join(
        _OPERATION.format(name=f"U{unit}N{number}", unit=unit, mnemonic=f"step{number}", number=number)
        for number in range(_OPERATIONS_PER_FILE)
    )
    return f'include "acme/AcmeBase.td"\n\n{operations}'


def _effects(unit: int) -> str:
    bodies = "".join(_EFFECTS.format(name=f"U{unit}N{number}", number=number) for number in range(_OPERATIONS_PER_FILE))
    return f'#include "acme/Unit{unit}Ops.h"\n\nusing namespace mlir;\n\n{bodies}'


def _lowering(unit: int) -> str:
    body = "".join(_PADDING.format(number=number, unit=unit) for number in range(_PADDING_LINES))
    return f"static LogicalResult lower{unit}(PatternRewriter &rewriter, Operation *operation) {{\n{body}}}\n"


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
