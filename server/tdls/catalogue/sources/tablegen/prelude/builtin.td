// Types and attributes of the builtin dialect. They have no mnemonics: their syntax is MLIR's own.

class Builtin_Attr<string class_name, string written, list<Trait> has = [], string base = "::mlir::Attribute">
    : AttrDef<Builtin_Dialect, class_name, has, base>;
class Builtin_Type<string class_name, string written, list<Trait> has = [], string base = "::mlir::Type">
    : TypeDef<Builtin_Dialect, class_name, has, base>;

foreach name = ["AffineMap", "Array", "DenseIntOrFPElements", "DenseResourceElements", "DenseStringElements",
                "Dictionary", "Float", "Integer", "IntegerSet", "Opaque", "SparseElements", "String", "SymbolRef",
                "Type", "Unit"] in
  def Builtin_#name#Attr : Builtin_Attr<name, "">;
def Builtin_DenseArray : Builtin_Attr<"DenseArray", "">;

foreach name = ["BFloat16", "Float128", "Float16", "Float32", "Float4E2M1FN", "Float64", "Float6E2M3FN", "Float6E3M2FN",
                "Float80", "Float8E3M4", "Float8E4M3", "Float8E4M3B11FNUZ", "Float8E4M3FN", "Float8E4M3FNUZ",
                "Float8E5M2", "Float8E5M2FNUZ", "Float8E8M0FNU", "FloatTF32", "Index", "None"] in
  def Builtin_#name : Builtin_Type<name, "">;
foreach name = ["Complex", "Function", "Graph", "Integer", "MemRef", "Opaque", "RankedTensor", "Tuple",
                "UnrankedMemRef", "UnrankedTensor", "Vector"] in
  def Builtin_#name : Builtin_Type<name, ""> { let builderCall = ""; }
