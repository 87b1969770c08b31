//===- QuarryOps.td - Operations of the quarry dialect -------*- tablegen -*-===//

#ifndef QUARRY_IR_QUARRYOPS_TD
#define QUARRY_IR_QUARRYOPS_TD

include "quarry/IR/QuarryBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Quarry_BlockType : Quarry_Type<"Block", "block"> {
  let summary = "A block of stone";
  let parameters = (ins "int64_t":$weight, OptionalParameter<"StringAttr">:$origin);
  let assemblyFormat = "`<` $weight (`,` $origin^)? `>`";
}

def Quarry_CutOp : Quarry_Op<"cut", [Pure, SameOperandsAndResultType]> {
  let summary = "Cuts a block";
  let description = [{
    Cuts along the seam and keeps the grade.
  }];
  let arguments = (ins Quarry_BlockType:$block, Quarry_GradeAttr:$grade);
  let results = (outs Quarry_BlockType:$piece);
  let assemblyFormat = "$block `to` $grade attr-dict `:` type($block)";
}

def Quarry_BenchOp : Quarry_Op<"bench", [SingleBlock, NoTerminator, AffineScope]> {
  let summary = "A place where stone is worked on";
  let arguments = (ins Variadic<Index>:$sizes, OptionalAttr<SymbolNameAttr>:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "($sym_name^)? `(` $sizes `)` attr-dict-with-keyword $body";
}

def Quarry_HaulOp : Quarry_Op<"haul", [AttrSizedOperandSegments]> {
  let summary = "Moves blocks";
  let arguments = (ins Variadic<Quarry_BlockType>:$blocks, Optional<Index>:$distance, UnitAttr:$by_night);
  let hasCustomAssemblyFormat = 1;
}

#endif // QUARRY_IR_QUARRYOPS_TD
