#ifndef KILN_TRANSFORM_TYPES_TD
#define KILN_TRANSFORM_TYPES_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

class Kiln_TransformType<string name, string suffix, list<Trait> traits = []>
    : TypeDef<Transform_Dialect, name, traits> {
  let mnemonic = "kiln." # suffix;
}

def Kiln_BatchType : Kiln_TransformType<"Batch", "batch",
    [DeclareTypeInterfaceMethods<TransformHandleTypeInterface>]> {
  let summary = "A handle to operations that are fired together";
  let description = [{ Holds only operations of one function. }];
  let parameters = (ins DefaultValuedParameter<"unsigned", "1">:$size);
  let assemblyFormat = "(`<` $size^ `>`)?";
}

def Kiln_TemperatureType : Kiln_TransformType<"Temperature", "temperature",
    [DeclareTypeInterfaceMethods<TransformParamTypeInterface>]> {
  let summary = "A parameter: degrees";
}

#endif // KILN_TRANSFORM_TYPES_TD
