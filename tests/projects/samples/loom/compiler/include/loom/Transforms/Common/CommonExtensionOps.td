#ifndef LOOM_TRANSFORMS_COMMON_COMMONEXTENSIONOPS
#define LOOM_TRANSFORMS_COMMON_COMMONEXTENSIONOPS

include "loom/Transforms/LoomTransformBase.td"

//===----------------------------------------------------------------------===//
// Pattern descriptors, in pairs
//===----------------------------------------------------------------------===//

multiclass Loom_PatternPair<string stem, string what> {
  def ApplyUp # NAME # Op : Loom_PatternsOp<stem # "_up", "move " # what # " towards producers">;
  def ApplyDown # NAME # Op : Loom_PatternsOp<stem # "_down", "move " # what # " towards consumers">;
}

defm Reshape : Loom_PatternPair<"bubble_reshape", "reshapes">;
defm Pack : Loom_PatternPair<"bubble_pack", "packs">;

def ApplyPrepareForMmaOp : Loom_PatternsOp<"prepare_for_mma", "rewrite contractions"> {
  let arguments = (ins DefaultValuedAttr<BoolAttr, "true">:$use_wide);
}

//===----------------------------------------------------------------------===//
// In place
//===----------------------------------------------------------------------===//

foreach name = ["licm", "cse"] in {
  def Loom_Apply # name # Op : Loom_InPlaceOp<"apply_" # name, name>;
}

def Loom_HoistAllocOp : Loom_InPlaceOp<"hoist_alloc", "hoisting of allocations"> {
  let description = [{
    Moves allocations of static size to the top of the function.

    #### Return modes

    Never consumes the target.
  }];
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

def Loom_BufferizeOp : Op<Transform_Dialect, "loom.bufferize",
    [FunctionalStyleTransformOpTrait, MemoryEffectsOpInterface,
     DeclareOpInterfaceMethods<TransformOpInterface>,
     ReportTrackingListenerFailuresOpTrait]> {
  let cppNamespace = LoomNamespace;
  let description = [{ Bufferizes the whole variant. }];
  let arguments = (ins TransformHandleTypeInterface:$target, UnitAttr:$target_gpu);
  let results = (outs TransformHandleTypeInterface:$result);
  let assemblyFormat = "attr-dict $target `:` functional-type($target, results)";
}

def Loom_SplitByOp : Op<Transform_Dialect, "loom.split_by",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let cppNamespace = LoomNamespace;
  let description = [{ Splits each target by a ratio such as `1 : %n`. }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       Optional<TransformHandleTypeInterface>:$parts,
                       DefaultValuedAttr<I64Attr, "1">:$whole);
  let results = (outs TransformHandleTypeInterface:$split);
  let assemblyFormat = [{
    custom<Ratio>($whole, $parts) `of` $target attr-dict `:` functional-type(operands, results)
  }];
}

def Loom_ForallToGridOp : Loom_EachOp<"forall_to_grid"> {
  let description = [{
    Distributes the outermost `scf.forall` of each function over a grid.

    With `consume` the handle to the function is given up.
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       DefaultValuedOptionalAttr<DenseI64ArrayAttr, "{}">:$grid_dims,
                       UnitAttr:$consume);
  let results = (outs TransformHandleTypeInterface:$grid);
  let assemblyFormat = [{
    $target (`grid_dims` `=` $grid_dims^)? (`consume` $consume^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

def Loom_MergeOp : Op<Transform_Dialect, "loom.merge_specs",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let cppNamespace = LoomNamespace;
  let summary = "Merges specifications";
  let arguments = (ins Variadic<TransformHandleTypeInterface>:$specs,
                       Optional<TransformParamTypeInterface>:$limit);
  let results = (outs TransformHandleTypeInterface:$merged);
  let assemblyFormat = [{
    $specs (`limit` $limit^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Loom_AttachOp : Op<Transform_Dialect, "loom.attach_strategy",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let cppNamespace = LoomNamespace;
  let summary = "Attaches a strategy that C++ looks up";
  let description = [{ What it does to its handle depends on a table in C++. }];
  let arguments = (ins TransformHandleTypeInterface:$target, StrAttr:$strategy);
  let assemblyFormat = "$strategy `to` $target attr-dict `:` type($target)";
}

#endif // LOOM_TRANSFORMS_COMMON_COMMONEXTENSIONOPS
