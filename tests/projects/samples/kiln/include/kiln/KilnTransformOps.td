#ifndef KILN_TRANSFORM_OPS_TD
#define KILN_TRANSFORM_OPS_TD

include "kiln/KilnTransformTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/SymbolInterfaces.td"

defvar KilnEffects = DeclareOpInterfaceMethods<MemoryEffectsOpInterface>;

def Kiln_AtmosphereAir : I32EnumAttrCase<"Air", 0, "air">;
def Kiln_AtmosphereReducing : I32EnumAttrCase<"Reducing", 1, "reducing">;
def Kiln_Atmosphere : I32EnumAttr<"Atmosphere", "What burns",
    [Kiln_AtmosphereAir, Kiln_AtmosphereReducing]> {
  let cppNamespace = "::kiln";
}

class Kiln_TransformOp<string mnemonic, list<Trait> traits = [], bit isFinal = 0>
    : Op<Transform_Dialect, "kiln." # mnemonic,
         !listconcat(traits, !if(isFinal, []<Trait>, [ReportTrackingListenerFailuresOpTrait]),
                     [TransformOpInterface])> {
  let cppNamespace = "kiln";
  string shown = !if(isFinal, "final", "repeatable");
  let summary = !strconcat("A step that is ", shown);
}

// One operation to load, and one to empty the kiln again.
multiclass Kiln_Handling<string stem> {
  def LoadOp : Kiln_TransformOp<stem # ".load", [KilnEffects]> {
    let arguments = (ins TransformHandleTypeInterface:$pieces, Variadic<TransformHandleTypeInterface>:$beside);
    let results = (outs Kiln_BatchType:$batch);
    let assemblyFormat = "$pieces (`beside` $beside^)? attr-dict `:` functional-type(operands, results)";
  }
  def EmptyOp : Kiln_TransformOp<stem # ".empty",
      [FunctionalStyleTransformOpTrait, MemoryEffectsOpInterface], 1> {
    let arguments = (ins Kiln_BatchType:$batch);
    let results = (outs TransformHandleTypeInterface:$pieces);
    let assemblyFormat = "$batch attr-dict `:` functional-type(operands, results)";
  }
}

defm Gas : Kiln_Handling<"gas">;
defm Wood : Kiln_Handling<"wood">;

def FireOp : Kiln_TransformOp<"fire", [KilnEffects, SingleBlockImplicitTerminator<"::mlir::transform::YieldOp">]> {
  let summary = "Fires a batch while the body runs";
  let arguments = (ins Kiln_BatchType:$batch,
                       Optional<TransformParamTypeInterface>:$temperature,
                       DefaultValuedAttr<Kiln_Atmosphere, "Atmosphere::Air">:$atmosphere,
                       OptionalAttr<SymbolRefAttr>:$recipe);
  let results = (outs Variadic<TransformHandleTypeInterface>:$fired);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $batch (`at` $temperature^)? (`in` $atmosphere^)? (`by` $recipe^)? attr-dict
    `:` functional-type(operands, results) $body
  }];
}

def MeasureOp : Kiln_TransformOp<"measure", [NavigationTransformOpTrait, MemoryEffectsOpInterface]> {
  let summary = "Measures how hot a batch is";
  let arguments = (ins Kiln_BatchType:$batch);
  let results = (outs Kiln_TemperatureType:$temperature);
  let assemblyFormat = "$batch attr-dict `:` functional-type(operands, results)";
}

def StackOp : Kiln_TransformOp<"stack", [KilnEffects, AttrSizedOperandSegments]> {
  let summary = "Stacks pieces on shelves";
  let arguments = (ins TransformHandleTypeInterface:$pieces,
                       Optional<TransformHandleTypeInterface>:$lid,
                       Variadic<TransformHandleTypeInterface>:$shelves);
  let results = (outs TransformHandleTypeInterface:$stacked);
  let hasCustomAssemblyFormat = 1;
}

#endif // KILN_TRANSFORM_OPS_TD
