#ifndef LOOM_TRANSFORMS_LOOMTRANSFORMBASE
#define LOOM_TRANSFORMS_LOOMTRANSFORMBASE

include "mlir/Dialect/Transform/IR/TransformAttrs.td"
include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Dialect/Transform/IR/TransformTypes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

defvar LoomNamespace = "mlir::loom::transform_dialect";

// The base of all operations that change one payload operation after the other.
class Loom_EachOp<string mnemonic, list<Trait> traits = []>
    : Op<Transform_Dialect, "loom." # mnemonic,
         !listconcat([DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                      TransformEachOpTrait, TransformOpInterface,
                      ReportTrackingListenerFailuresOpTrait], traits)> {
  let cppNamespace = LoomNamespace;
  code applyToOneDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::Operation *target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
  let extraClassDeclaration = applyToOneDeclaration;
}

// An operation that rewrites its targets in place.
class Loom_InPlaceOp<string mnemonic, string what>
    : Loom_EachOp<mnemonic> {
  let summary = "Applies " # what # " to each target";
  let arguments = (ins TransformHandleTypeInterface:$target);
  let results = (outs);
  let assemblyFormat = "$target attr-dict `:` type($target)";
}

class Loom_PatternsOp<string mnemonic, string what>
    : Op<Transform_Dialect, "apply_patterns.loom." # mnemonic,
         [DeclareOpInterfaceMethods<PatternDescriptorOpInterface>,
          ReportTrackingListenerFailuresOpTrait]> {
  let summary = "Adds patterns that " # what;
  let cppNamespace = LoomNamespace;
  let assemblyFormat = "attr-dict";
}

#endif // LOOM_TRANSFORMS_LOOMTRANSFORMBASE
