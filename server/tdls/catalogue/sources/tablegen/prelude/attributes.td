// Attribute constraints, properties, and enums.

class Attr<Pred pred, string desc = ""> : AttrConstraint<pred, desc> {
  code storageType = ?;
  code returnType = ?;
  code convertFromStorage = ?;
  string constBuilderCall = ?;
  string defaultValue = ?;
  Type valueType = ?;
  bit isOptional = 0;
  Attr baseAttr = ?;
  string cppNamespace = "";
  string description = "";
}
class DialectAttr<Dialect of, Pred pred, string desc = ""> : Attr<pred, desc> {
  Dialect dialect = of;
  let cppNamespace = of.cppNamespace;
}

class _WrappedAttr<Attr wrapped> : Attr<?> {
  let storageType = wrapped.storageType;
  let constBuilderCall = wrapped.constBuilderCall;
  let valueType = wrapped.valueType;
  let baseAttr = wrapped;
}
class DefaultValuedAttr<Attr wrapped, string value> : _WrappedAttr<wrapped> { let defaultValue = value; }
class DefaultValuedOptionalAttr<Attr wrapped, string value> : _WrappedAttr<wrapped> {
  let defaultValue = value;
  let isOptional = 1;
}
class DefaultValuedStrAttr<Attr wrapped, string value> : DefaultValuedAttr<wrapped, "\"" # value # "\"">;
class DefaultValuedOptionalStrAttr<Attr wrapped, string value>
    : DefaultValuedOptionalAttr<wrapped, "\"" # value # "\"">;
class OptionalAttr<Attr wrapped> : _WrappedAttr<wrapped> {
  let constBuilderCall = ?;
  let isOptional = 1;
}
class ConfinedAttr<Attr wrapped, list<AttrConstraint> constraints> : _WrappedAttr<wrapped> {
  let defaultValue = wrapped.defaultValue;
  let isOptional = wrapped.isOptional;
  list<AttrConstraint> attrConstraints = constraints;
}
class Confined<Attr wrapped, list<AttrConstraint> constraints> : ConfinedAttr<wrapped, constraints>;
class IntValidAlignment<Attr wrapped> : ConfinedAttr<wrapped, []>;
class AnyAttrOf<list<Attr> allowed, string desc = "", string cpp = "::mlir::Attribute", string from = "$_self">
    : Attr<?, desc> {
  list<Attr> allowedAttributes = allowed;
}
class ConstantAttr<Attr of, string what> : AttrConstraint<?> {
  Attr attr = of;
  string value = what;
}

class _StoredAttr<string class_name, Type type = ?> : Attr<?> {
  let storageType = "::mlir::" # class_name;
  let constBuilderCall = "$0";
  let valueType = type;
}
class TypedAttrBase<Type type, string class_name, Pred pred = ?, string desc = ""> : _StoredAttr<class_name, type>;
class AnyIntegerAttrBase<AnyI type, string desc = ""> : TypedAttrBase<type, "IntegerAttr">;
class SignlessIntegerAttrBase<I type, string desc = ""> : TypedAttrBase<type, "IntegerAttr">;
class TypedSignlessIntegerAttrBase<I type, string cpp, string desc = ""> : SignlessIntegerAttrBase<type, desc>;
class SignedIntegerAttrBase<SI type, string desc = ""> : TypedAttrBase<type, "IntegerAttr">;
class TypedSignedIntegerAttrBase<SI type, string cpp, string desc = ""> : SignedIntegerAttrBase<type, desc>;
class UnsignedIntegerAttrBase<UI type, string desc = ""> : TypedAttrBase<type, "IntegerAttr">;
class TypedUnsignedIntegerAttrBase<UI type, string cpp, string desc = ""> : UnsignedIntegerAttrBase<type, desc>;
class FloatAttrBase<F type, string desc = ""> : TypedAttrBase<type, "FloatAttr">;
class StringBasedAttr<Pred pred = ?, string desc = ""> : _StoredAttr<"StringAttr", NoneType>;
class TypedStrAttr<Type type> : StringBasedAttr<> { let valueType = type; }
class TypeAttrBase<string cpp, string desc = "", Pred pred = ?> : _StoredAttr<"TypeAttr", NoneType>;
class TypeAttrOf<Type type> : TypeAttrBase<type.cppType>;
class DictionaryAttrBase<Pred pred = ?, string desc = ""> : _StoredAttr<"DictionaryAttr", NoneType>;
class ElementsAttrBase<Pred pred = ?, string desc = ""> : _StoredAttr<"ElementsAttr">;
class IntElementsAttrBase<Pred pred = ?, string desc = ""> : ElementsAttrBase<> {
  let storageType = "::mlir::DenseIntElementsAttr";
}
class IntElementsAttrOf<int width> : IntElementsAttrBase<>;
class SignlessIntElementsAttr<int width> : IntElementsAttrBase<>;
class RankedSignlessIntElementsAttr<int width, list<int> dims> : SignlessIntElementsAttr<width>;
class RankedI32ElementsAttr<list<int> dims> : RankedSignlessIntElementsAttr<32, dims>;
class RankedI64ElementsAttr<list<int> dims> : RankedSignlessIntElementsAttr<64, dims>;
class FloatElementsAttr<int width> : ElementsAttrBase<>;
class RankedFloatElementsAttr<int width, list<int> dims> : ElementsAttrBase<>;
class RankedF32ElementsAttr<list<int> dims> : RankedFloatElementsAttr<32, dims>;
class RankedF64ElementsAttr<list<int> dims> : RankedFloatElementsAttr<64, dims>;
class DenseArrayAttrBase<string class_name, string cpp = "", string desc = ""> : ElementsAttrBase<> {
  let storageType = "::mlir::" # class_name;
}
class ArrayAttrBase<Pred pred = ?, string desc = ""> : _StoredAttr<"ArrayAttr", NoneType>;
class TypedArrayAttrBase<Attr element, string desc = ""> : ArrayAttrBase<> { Attr elementAttr = element; }
class DictionaryAttrOf<list<Attr> values> : DictionaryAttrBase<>;
class StructAttr<string name, Dialect of, list<Attr> fields> : DictionaryAttrBase<>;
class SymbolRefAttrBase : _StoredAttr<"SymbolRefAttr", NoneType>;

def AnyAttr : _StoredAttr<"Attribute">;
def LocationAttr : _StoredAttr<"LocationAttr">;
def BoolAttr : _StoredAttr<"BoolAttr", I1>;
def IndexAttr : TypedAttrBase<Index, "IntegerAttr">;
def APIntAttr : _StoredAttr<"IntegerAttr">;
foreach width = [1, 8, 16, 32, 64] in {
  def AnyI#width#Attr : AnyIntegerAttrBase<!cast<AnyI>("AnyI" # width)>;
  def I#width#Attr : TypedSignlessIntegerAttrBase<!cast<I>("I" # width), "">;
  def SI#width#Attr : TypedSignedIntegerAttrBase<!cast<SI>("SI" # width), "">;
  def UI#width#Attr : TypedUnsignedIntegerAttrBase<!cast<UI>("UI" # width), "">;
}
def F32Attr : FloatAttrBase<F32>;
def F64Attr : FloatAttrBase<F64>;
def StrAttr : StringBasedAttr<>;
def SymbolNameAttr : StringBasedAttr<>;
def TypeAttr : TypeAttrBase<"::mlir::Type">;
def UnitAttr : _StoredAttr<"UnitAttr", NoneType> {
  let defaultValue = "false";
  let isOptional = 1;
}
def DictionaryAttr : DictionaryAttrBase<>;
def ElementsAttr : ElementsAttrBase<>;
foreach element = ["Bool", "I8", "I16", "I32", "I64", "F32", "F64"] in
  def Dense#element#ArrayAttr : DenseArrayAttrBase<"Dense" # element # "ArrayAttr">;
def IndexElementsAttr : IntElementsAttrBase<>;
def AnyIntElementsAttr : IntElementsAttrBase<>;
def AnyI32ElementsAttr : IntElementsAttrOf<32>;
def AnyI64ElementsAttr : IntElementsAttrOf<64>;
def I32ElementsAttr : SignlessIntElementsAttr<32>;
def I64ElementsAttr : SignlessIntElementsAttr<64>;
def F64ElementsAttr : FloatElementsAttr<64>;
def StringElementsAttr : ElementsAttrBase<> { let storageType = "::mlir::DenseElementsAttr"; }
def AffineMapAttr : _StoredAttr<"AffineMapAttr", Index>;
def IntegerSetAttr : _StoredAttr<"IntegerSetAttr", NoneType>;
def ArrayAttr : ArrayAttrBase<>;
foreach element = [AffineMapAttr, BoolAttr, F32Attr, F64Attr, I32Attr, I64Attr, LocationAttr, StrAttr, TypeAttr] in
  def !subst("Attr", "", !cast<string>(element))#ArrayAttr : TypedArrayAttrBase<element>;
def I64SmallVectorArrayAttr : TypedArrayAttrBase<I64Attr>;
def IndexListArrayAttr : TypedArrayAttrBase<I64ArrayAttr>;
def DictArrayAttr : TypedArrayAttrBase<DictionaryAttr>;
def SymbolRefAttr : _StoredAttr<"SymbolRefAttr", NoneType>;
def FlatSymbolRefAttr : _StoredAttr<"FlatSymbolRefAttr", NoneType>;
def SymbolRefArrayAttr : TypedArrayAttrBase<SymbolRefAttr>;
def FlatSymbolRefArrayAttr : TypedArrayAttrBase<FlatSymbolRefAttr>;
def ConstBoolAttrFalse : ConstantAttr<BoolAttr, "false">;
def ConstBoolAttrTrue : ConstantAttr<BoolAttr, "true">;
def ConstUnitAttr : ConstantAttr<UnitAttr, "unit">;

foreach condition = ["IntNonNegative", "IntPositive", "IntPowerOf2", "IntPositivePowerOf2", "IsNullAttr"] in
  def condition : AttrConstraint<?>;
class IntNEQValue<int n> : AttrConstraint<?>;
class IntMinValue<int n> : AttrConstraint<?>;
class IntMaxValue<int n> : AttrConstraint<?>;
class ArrayMinCount<int n> : AttrConstraint<?>;
class ArrayMaxCount<int n> : AttrConstraint<?>;
class ArrayCount<int n> : AttrConstraint<?>;
class DenseArrayCount<int n> : AttrConstraint<?>;
class IntArrayNthElemEq<int index, int value> : AttrConstraint<?>;
class IntArrayNthElemMinValue<int index, int min> : AttrConstraint<?>;
class DenseArrayStrictlyPositive<Attr of> : AttrConstraint<?>;
class DenseArrayNonNegative<Attr of> : AttrConstraint<?>;
class DenseArraySorted<Attr of> : AttrConstraint<?>;
class DenseArrayStrictlySorted<Attr of> : AttrConstraint<?>;
class AllAttrOf<list<AttrConstraint> constraints> : AttrConstraint<?>;
class ReferToOp<string cpp> : AttrConstraint<?>;
class IsNullAttrOr<Attr of> : AttrConstraint<?>;

// Properties

class Property<string storage = "", string desc = "", string interface = storage> {
  string summary = desc;
  string description = "";
  code storageType = storage;
  code interfaceType = interface;
  string defaultValue = "";
  Property baseProperty = ?;
}
class _WrappedProp<Property wrapped> : Property<wrapped.storageType, wrapped.summary, wrapped.interfaceType> {
  let baseProperty = wrapped;
}
class IntProp<string storage, string desc = ""> : Property<storage, desc>;
class IntProperty<string storage, string desc = ""> : IntProp<storage, desc>;
class DefaultValuedProp<Property wrapped, string value = "", string storage = ""> : _WrappedProp<wrapped> {
  let defaultValue = value;
}
class DefaultValuedProperty<Property wrapped, string value = "", string storage = "">
    : DefaultValuedProp<wrapped, value, storage>;
class ConfinedProp<Property wrapped, Pred pred, string desc = ""> : _WrappedProp<wrapped> {
  let defaultValue = wrapped.defaultValue;
}
class ConfinedProperty<Property wrapped, Pred pred, string desc = ""> : ConfinedProp<wrapped, pred, desc>;
class OptionalProp<Property wrapped, bit delegates = 1> : _WrappedProp<wrapped> { let defaultValue = "std::nullopt"; }
class OptionalProperty<Property wrapped, bit delegates = 1> : OptionalProp<wrapped, delegates>;
class ArrayProp<Property element = ?, string desc = ""> : Property<"", desc>;
class ArrayProperty<Property element = ?, string desc = ""> : ArrayProp<element, desc>;
class IntArrayProp<Property element, string desc = ""> : ArrayProp<element, desc>;
class IntArrayProperty<Property element, string desc = ""> : IntArrayProp<element, desc>;
foreach suffix = ["Prop", "Property"] in {
  def I32#suffix : IntProp<"int32_t">;
  def I64#suffix : IntProp<"int64_t">;
  def String#suffix : Property<"std::string", "", "::llvm::StringRef">;
  def Bool#suffix : IntProp<"bool">;
  def Unit#suffix : Property<"bool"> { let defaultValue = "false"; }
}

// Enums

class EnumCase<string name, int number, string spelled, int size> {
  string symbol = name;
  int value = number;
  string str = spelled;
  int width = size;
}
class IntEnumAttrCaseBase<I type, string name, string spelled, int number>
    : EnumCase<name, number, spelled, type.bitwidth>, SignlessIntegerAttrBase<type>;
class BitEnumCaseBase<string name, int number, string spelled, int size> : EnumCase<name, number, spelled, size>;
class BitEnumCaseBit<string name, int position, string spelled, int size>
    : BitEnumCaseBase<name, !shl(1, position), spelled, size>;
class BitEnumAttrCaseBase<I type, string name, int number, string spelled = name>
    : BitEnumCaseBase<name, number, spelled, type.bitwidth>, SignlessIntegerAttrBase<type>;
class BitEnumAttrCaseBit<I type, string name, int position, string spelled = name>
    : BitEnumAttrCaseBase<type, name, !shl(1, position), spelled>;
class BitEnumCaseGroup<string name, list<BitEnumCaseBase> cases, string spelled = name>
    : BitEnumCaseBase<name, !foldl(0, cases, total, case, !or(total, case.value)), spelled, 0>;
class BitEnumAttrCaseGroup<I type, string name, list<BitEnumCaseBase> cases, string spelled = name>
    : BitEnumAttrCaseBase<type, name, !foldl(0, cases, total, case, !or(total, case.value)), spelled>;

class EnumInfo<string name, string desc, list<EnumCase> cases, int width> {
  string summary = desc;
  string description = "Enum cases:\n"
    # !interleave(!foreach(case, cases, "* " # case.str # " (`" # case.symbol # "`)"), "\n");
  string className = name;
  string cppNamespace = "";
  string cppType = cppNamespace # "::" # className;
  string underlyingType = "uint" # width # "_t";
  int bitwidth = width;
  list<EnumCase> enumerants = cases;
}
class EnumAttrInfo<string name, list<EnumCase> cases, Attr base>
    : EnumInfo<name, base.summary, cases, 32>, Attr<?, base.summary> {
  Attr baseAttrClass = base;
  bit genSpecializedAttr = 1;
  string specializedAttrClassName = className # "Attr";
  let storageType = !if(genSpecializedAttr, cppNamespace # "::" # specializedAttrClassName, base.storageType);
  let constBuilderCall = !if(genSpecializedAttr, cppType # "Attr::get", base.constBuilderCall);
  let valueType = base.valueType;
}
class DefaultValuedEnumAttr<EnumAttrInfo of, EnumCase case> : DefaultValuedAttr<of, of.cppType # "::" # case.symbol>;
class BitEnumBase<list<BitEnumCaseBase> cases> {
  string separator = "|";
  bit printBitEnumPrimaryGroups = 0;
  bit printBitEnumQuoted = 0;
}
class IntEnum<string name, string desc, list<EnumCase> cases, int width> : EnumInfo<name, desc, cases, width>;
class BitEnum<string name, string desc, list<BitEnumCaseBase> cases, int width>
    : EnumInfo<name, desc, cases, width>, BitEnumBase<cases>;
class IntEnumAttrBase<I type, list<IntEnumAttrCaseBase> cases, string desc> : SignlessIntegerAttrBase<type> {
  let summary = !if(!empty(desc), "allowed " # type.bitwidth # "-bit signless integer cases: "
                                  # !interleave(!foreach(case, cases, case.value), ", "), desc);
}
class BitEnumAttrBase<I type, list<BitEnumCaseBase> cases, string desc> : SignlessIntegerAttrBase<type> {
  let summary = desc;
}
class IntEnumAttr<I type, string name, string desc, list<IntEnumAttrCaseBase> cases>
    : EnumAttrInfo<name, cases, IntEnumAttrBase<type, cases, desc>>;
class BitEnumAttr<I type, string name, string desc, list<BitEnumCaseBase> cases>
    : EnumAttrInfo<name, cases, BitEnumAttrBase<type, cases, desc>>, BitEnumBase<cases>;

class I32EnumCase<string name, int number, string spelled = name> : EnumCase<name, number, spelled, 32>;
class I64EnumCase<string name, int number, string spelled = name> : EnumCase<name, number, spelled, 64>;
class I32EnumAttrCase<string name, int number, string spelled = name>
    : IntEnumAttrCaseBase<I32, name, spelled, number>;
class I64EnumAttrCase<string name, int number, string spelled = name>
    : IntEnumAttrCaseBase<I64, name, spelled, number>;
class I32Enum<string name, string desc, list<EnumCase> cases> : IntEnum<name, desc, cases, 32>;
class I64Enum<string name, string desc, list<EnumCase> cases> : IntEnum<name, desc, cases, 64>;
class I32EnumAttr<string name, string desc, list<I32EnumAttrCase> cases> : IntEnumAttr<I32, name, desc, cases>;
class I64EnumAttr<string name, string desc, list<I64EnumAttrCase> cases> : IntEnumAttr<I64, name, desc, cases>;

class I8BitEnumCase<string name, int number, string spelled = name> : BitEnumCaseBase<name, number, spelled, 8>;
class I8BitEnumCaseNone<string name, string spelled = name> : BitEnumCaseBase<name, 0, spelled, 8>;
class I8BitEnumCaseBit<string name, int position, string spelled = name>
    : BitEnumCaseBit<name, position, spelled, 8>;
class I8BitEnumAttrCase<string name, int number, string spelled = name>
    : BitEnumAttrCaseBase<I8, name, number, spelled>;
class I8BitEnumAttrCaseNone<string name, string spelled = name> : BitEnumAttrCaseBase<I8, name, 0, spelled>;
class I8BitEnumAttrCaseBit<string name, int position, string spelled = name>
    : BitEnumAttrCaseBit<I8, name, position, spelled>;
class I8BitEnumAttrCaseGroup<string name, list<BitEnumCaseBase> cases, string spelled = name>
    : BitEnumAttrCaseGroup<I8, name, cases, spelled>;
class I8BitEnum<string name, string desc, list<BitEnumCaseBase> cases> : BitEnum<name, desc, cases, 8>;
class I8BitEnumAttr<string name, string desc, list<BitEnumCaseBase> cases> : BitEnumAttr<I8, name, desc, cases>;

class I16BitEnumCase<string name, int number, string spelled = name> : BitEnumCaseBase<name, number, spelled, 16>;
class I16BitEnumCaseNone<string name, string spelled = name> : BitEnumCaseBase<name, 0, spelled, 16>;
class I16BitEnumCaseBit<string name, int position, string spelled = name>
    : BitEnumCaseBit<name, position, spelled, 16>;
class I16BitEnumAttrCase<string name, int number, string spelled = name>
    : BitEnumAttrCaseBase<I16, name, number, spelled>;
class I16BitEnumAttrCaseNone<string name, string spelled = name> : BitEnumAttrCaseBase<I16, name, 0, spelled>;
class I16BitEnumAttrCaseBit<string name, int position, string spelled = name>
    : BitEnumAttrCaseBit<I16, name, position, spelled>;
class I16BitEnumAttrCaseGroup<string name, list<BitEnumCaseBase> cases, string spelled = name>
    : BitEnumAttrCaseGroup<I16, name, cases, spelled>;
class I16BitEnum<string name, string desc, list<BitEnumCaseBase> cases> : BitEnum<name, desc, cases, 16>;
class I16BitEnumAttr<string name, string desc, list<BitEnumCaseBase> cases> : BitEnumAttr<I16, name, desc, cases>;

class I32BitEnumCase<string name, int number, string spelled = name> : BitEnumCaseBase<name, number, spelled, 32>;
class I32BitEnumCaseNone<string name, string spelled = name> : BitEnumCaseBase<name, 0, spelled, 32>;
class I32BitEnumCaseBit<string name, int position, string spelled = name>
    : BitEnumCaseBit<name, position, spelled, 32>;
class I32BitEnumAttrCase<string name, int number, string spelled = name>
    : BitEnumAttrCaseBase<I32, name, number, spelled>;
class I32BitEnumAttrCaseNone<string name, string spelled = name> : BitEnumAttrCaseBase<I32, name, 0, spelled>;
class I32BitEnumAttrCaseBit<string name, int position, string spelled = name>
    : BitEnumAttrCaseBit<I32, name, position, spelled>;
class I32BitEnumAttrCaseGroup<string name, list<BitEnumCaseBase> cases, string spelled = name>
    : BitEnumAttrCaseGroup<I32, name, cases, spelled>;
class I32BitEnum<string name, string desc, list<BitEnumCaseBase> cases> : BitEnum<name, desc, cases, 32>;
class I32BitEnumAttr<string name, string desc, list<BitEnumCaseBase> cases> : BitEnumAttr<I32, name, desc, cases>;

class I64BitEnumCase<string name, int number, string spelled = name> : BitEnumCaseBase<name, number, spelled, 64>;
class I64BitEnumCaseNone<string name, string spelled = name> : BitEnumCaseBase<name, 0, spelled, 64>;
class I64BitEnumCaseBit<string name, int position, string spelled = name>
    : BitEnumCaseBit<name, position, spelled, 64>;
class I64BitEnumAttrCase<string name, int number, string spelled = name>
    : BitEnumAttrCaseBase<I64, name, number, spelled>;
class I64BitEnumAttrCaseNone<string name, string spelled = name> : BitEnumAttrCaseBase<I64, name, 0, spelled>;
class I64BitEnumAttrCaseBit<string name, int position, string spelled = name>
    : BitEnumAttrCaseBit<I64, name, position, spelled>;
class I64BitEnumAttrCaseGroup<string name, list<BitEnumCaseBase> cases, string spelled = name>
    : BitEnumAttrCaseGroup<I64, name, cases, spelled>;
class I64BitEnum<string name, string desc, list<BitEnumCaseBase> cases> : BitEnum<name, desc, cases, 64>;
class I64BitEnumAttr<string name, string desc, list<BitEnumCaseBase> cases> : BitEnumAttr<I64, name, desc, cases>;

class EnumParameter<EnumInfo info> : AttrParameter<info.cppNamespace # "::" # info.className>;
class EnumAttr<Dialect of, EnumInfo info, string name = "", list<Trait> has = []> : AttrDef<of, info.className, has> {
  let summary = info.summary;
  let description = info.description;
  EnumInfo enum = info;
  let cppNamespace = info.cppNamespace;
  let constBuilderCall = cppNamespace # "::" # cppClassName # "::get";
  let parameters = (ins EnumParameter<info>:$value);
  let mnemonic = name;
  let assemblyFormat = "(`<` $value^ `>`) : ($value)?";
}
class EnumProp<EnumInfo info> : Property<info.cppType, info.summary> { EnumInfo enum = info; }
class EnumPropWithAttrForm<EnumInfo info, Attr form> : EnumProp<info>;
class NamedEnumProp<EnumInfo info, string name> : EnumProp<info> { string mnemonic = name; }
class NamedEnumPropWithAttrForm<EnumInfo info, string name, Attr form> : EnumPropWithAttrForm<info, form> {
  string mnemonic = name;
}
class ConstantEnumCase<Attr of, string case> : ConstantAttr<of, case>;
