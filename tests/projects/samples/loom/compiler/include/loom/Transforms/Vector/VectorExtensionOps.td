#ifndef LOOM_TRANSFORMS_VECTOR_VECTOREXTENSIONOPS
#define LOOM_TRANSFORMS_VECTOR_VECTOREXTENSIONOPS

include "loom/Transforms/LoomTransformBase.td"
include "mlir/Dialect/Transform/Interfaces/MatchInterfaces.td"

def Loom_ShuffleNone : I32EnumAttrCase<"None", 0, "none">;
def Loom_ShuffleTree : I32EnumAttrCase<"Tree", 1, "tree">;
def Loom_ShuffleButterfly : I32EnumAttrCase<"Butterfly", 2, "butterfly">;
def Loom_ShuffleKind : I32EnumAttr<"ShuffleKind", "How lanes exchange values",
    [Loom_ShuffleNone, Loom_ShuffleTree, Loom_ShuffleButterfly]> {
  let cppNamespace = "::mlir::loom";
}

class Loom_VectorEachOp<string mnemonic, list<Trait> traits = []>
    : Loom_EachOp<"vector." # mnemonic, traits>;

let results = (outs TransformHandleTypeInterface:$result) in {

def Loom_ToWarpOp : Op<Transform_Dialect, "loom.vector.to_warp_execute_on_lane_0",
    [FunctionalStyleTransformOpTrait, MemoryEffectsOpInterface, TransformEachOpTrait,
     TransformOpInterface]> {
  let cppNamespace = LoomNamespace;
  let description = [{ Moves what is in an `scf.if` on lane 0 into a warp operation. }];
  let arguments = (ins TransformHandleTypeInterface:$target, I64Attr:$warp_size);
  let assemblyFormat = "$target attr-dict `:` functional-type($target, results)";
}

def Loom_ReduceOp : Loom_VectorEachOp<"reduce"> {
  let summary = "Reduces over lanes";
  let arguments = (ins TransformHandleTypeInterface:$target,
                       DefaultValuedAttr<Loom_ShuffleKind, "ShuffleKind::Tree">:$kind);
  let assemblyFormat = "$target `by` $kind attr-dict `:` functional-type(operands, results)";
}

} // let results

def Loom_WarpSizeOp : Op<Transform_Dialect, "loom.vector.warp_size",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     ParamProducerTransformOpTrait]> {
  let cppNamespace = LoomNamespace;
  let summary = "Gives the size of a warp";
  let results = (outs TransformParamTypeInterface:$size);
  let assemblyFormat = "attr-dict `:` type($size)";
}

def Loom_IsVectorizedOp : Op<Transform_Dialect, "loom.match.is_vectorized",
    [MatchOpInterface, SingleOpMatcher, MemoryEffectsOpInterface]> {
  let cppNamespace = LoomNamespace;
  let summary = "Succeeds for functions that are vectorized";
  let arguments = (ins TransformHandleTypeInterface:$operand_handle);
  let assemblyFormat = "$operand_handle attr-dict `:` type($operand_handle)";
  let extraClassDeclaration = SingleOpMatcher.extraDeclaration;
}

#endif // LOOM_TRANSFORMS_VECTOR_VECTOREXTENSIONOPS
