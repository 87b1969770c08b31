//===- QuarryTransformOps.td - Transform operations ----------*- tablegen -*-===//

#ifndef QUARRY_TRANSFORM_OPS
#define QUARRY_TRANSFORM_OPS

include "mlir/Dialect/PDL/IR/PDLTypes.td"
include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

def GetBenchForOp : Op<Transform_Dialect, "quarry.get_bench_for",
    [NavigationTransformOpTrait, MemoryEffectsOpInterface,
     DeclareOpInterfaceMethods<TransformOpInterface>]> {
  let summary = "Finds the bench around each target";
  let description = [{
    Returns the closest `quarry.bench` around each operation of `target`, each
    bench once. Fails where there is none.
  }];
  let arguments = (ins PDL_Operation:$target);
  let results = (outs PDL_Operation:$bench);
  let assemblyFormat = "$target attr-dict";
}

def ParToBenchOp : Op<Transform_Dialect, "quarry.par_to_bench",
    [FunctionalStyleTransformOpTrait, MemoryEffectsOpInterface,
     TransformOpInterface, TransformEachOpTrait]> {
  let description = [{
    Turns each `scf.parallel` into a `quarry.bench`.
  }];
  let arguments = (ins PDL_Operation:$target,
                       DefaultValuedAttr<I64Attr, "0">:$first_dim);
  let results = (outs PDL_Operation:$bench);
  let assemblyFormat = "$target attr-dict";

  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::scf::ParallelOp target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

def QuarryPromoteOp : Op<Transform_Dialect, "quarry.promote",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let description = [{
    Promotes operands of each target into buffers near the bench.

    ```mlir
    %1 = transform.quarry.promote %0 {memory_space = "L2", operands_to_promote = [0]}
    ```
  }];
  let arguments = (ins PDL_Operation:$target,
                       DefaultValuedAttr<I64ArrayAttr, "{}">:$operands_to_promote,
                       DefaultValuedAttr<StrAttr, "\"L1\"">:$memory_space,
                       OptionalAttr<I64Attr>:$alignment,
                       UnitAttr:$use_alloca);
  let results = (outs PDL_Operation:$promoted);
  let assemblyFormat = "$target attr-dict";
}

def QuarryTileOp : Op<Transform_Dialect, "quarry.tile",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Tiles with sizes, some of which are handles";
  let arguments = (ins PDL_Operation:$target,
                       Variadic<PDL_Operation>:$dynamic_sizes,
                       DefaultValuedOptionalAttr<DenseI64ArrayAttr, "{}">:$static_sizes);
  let results = (outs PDL_Operation:$tiled, PDL_Operation:$loops);
  let hasCustomAssemblyFormat = 1;
}

def QuarryFuseOp :
    Op<Transform_Dialect, "quarry.fuse_into_bench",
      [DeclareOpInterfaceMethods<TransformOpInterface>,
       DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Fuses a producer into a bench.";
  let arguments = (ins PDL_Operation:$producer_op, PDL_Operation:$bench_op);
  let results = (outs PDL_Operation:$fused_op);
  let assemblyFormat = "$producer_op `into` $bench_op attr-dict";
}

#endif // QUARRY_TRANSFORM_OPS
