//===- QuarryBase.td - The quarry dialect --------------------*- tablegen -*-===//

#ifndef QUARRY_IR_QUARRYBASE_TD
#define QUARRY_IR_QUARRYBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Quarry_Dialect : Dialect {
  let name = "quarry";
  let cppNamespace = "::quarry";
  let summary = "Stone by stone data movement between benches";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

class Quarry_Op<string mnemonic, list<Trait> traits = []>
    : Op<Quarry_Dialect, mnemonic, traits>;

class Quarry_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Quarry_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

//===----------------------------------------------------------------------===//
// Enums
//===----------------------------------------------------------------------===//

def Quarry_GradeRough  : I32EnumAttrCase<"Rough", 0, "rough">;
def Quarry_GradeFine   : I32EnumAttrCase<"Fine", 1, "fine">;
def Quarry_GradePolish : I32EnumAttrCase<"Polish", 2, "polished">;

def Quarry_Grade : I32EnumAttr<"Grade", "How finely stone is cut",
    [Quarry_GradeRough, Quarry_GradeFine, Quarry_GradePolish]> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::quarry";
}

def Quarry_GradeAttr : EnumAttr<Quarry_Dialect, Quarry_Grade, "grade"> {
  let assemblyFormat = "`<` $value `>`";
}

#endif // QUARRY_IR_QUARRYBASE_TD
