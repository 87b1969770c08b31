// The transform dialect.

def Transform_Dialect : Dialect {
  let name = "transform";
  let cppNamespace = "::mlir::transform";
}
class TransformDialectOp<string mnemonic, list<Trait> has = []> : Op<Transform_Dialect, mnemonic, has>;

foreach name = ["FunctionalStyleTransformOpTrait", "TransformEachOpTrait", "NavigationTransformOpTrait",
                "ParamProducerTransformOpTrait", "ReportTrackingListenerFailuresOpTrait",
                "PossibleTopLevelTransformOpTrait", "TransformWithPatternsOpTrait"] in
  def name : NativeOpTrait<name>;
def StructuredPredicate : NativeOpTrait<"StructuredOpPredicateOpTrait">;
foreach name = ["AtMostOneOpMatcher", "SingleOpMatcher", "SingleValueMatcher"] in
  def name : NativeOpTrait<name # "OpTrait"> { string extraDeclaration = ""; }
foreach name = ["TransformOpInterface", "MatchOpInterface", "FindPayloadReplacementOpInterface",
                "PatternDescriptorOpInterface", "ConversionPatternDescriptorOpInterface",
                "TypeConverterBuilderOpInterface", "NormalFormCheckedOpInterface"] in
  def name : OpInterface<name> { let cppNamespace = "::mlir::transform"; }
foreach name = ["TransformHandleTypeInterface", "TransformValueHandleTypeInterface",
                "TransformParamTypeInterface"] in
  def name : TypeInterface<name> { let cppNamespace = "::mlir::transform"; }

def Transform_AnyHandleOrParamType : Type<?>;
def Transform_AnyHandleType : Type<?>;
def TransformAnyHandle : Type<?>;
def TransformAnyParamTypeOrAnyHandle : Type<?>;

class Transform_Type<string class_name, string written, TypeInterface interface>
    : TypeDef<Transform_Dialect, class_name, [DeclareTypeInterfaceMethods<interface>]> {
  let mnemonic = written;
  let assemblyFormat = "";
}
def Transform_AffineMapParamType : Transform_Type<"AffineMapParam", "affine_map", TransformParamTypeInterface>;
def Transform_AnyOpType : Transform_Type<"AnyOp", "any_op", TransformHandleTypeInterface>;
def Transform_AnyValue : Transform_Type<"AnyValue", "any_value", TransformValueHandleTypeInterface>;
def Transform_AnyParamType : Transform_Type<"AnyParam", "any_param", TransformParamTypeInterface>;
def Transform_TypeParamType : Transform_Type<"TypeParam", "type", TransformParamTypeInterface>;
def Transform_OperationType : Transform_Type<"Operation", "op", TransformHandleTypeInterface> {
  let parameters = (ins StringRefParameter<>:$operation_name);
  let assemblyFormat = "`<` $operation_name `>`";
}
def Transform_ParamType : Transform_Type<"Param", "param", TransformParamTypeInterface> {
  let parameters = (ins TypeParameter<"::mlir::Type">:$type);
  let assemblyFormat = "`<` $type `>`";
}
class Transform_ConcreteOpType<string operation>
    : Type<CPred<"getOperationName() == \"" # operation # "\"">, "", "::mlir::transform::OperationType">;

class Transform_Attr<string class_name, string written, list<Trait> has = [], string base = "::mlir::Attribute">
    : AttrDef<Transform_Dialect, class_name, has, base> {
  let mnemonic = written;
}
def ParamOperandAttr : Transform_Attr<"ParamOperand", "param_operand"> {
  let parameters = (ins "IntegerAttr":$index);
  let assemblyFormat = "`<` `index` `=` $index `>`";
}
def PropagateFailuresCase : I32EnumAttrCase<"Propagate", 1, "propagate">;
def SuppressFailuresCase : I32EnumAttrCase<"Suppress", 2, "suppress">;
let cppNamespace = "::mlir::transform" in {
  def FailurePropagationMode
      : I32EnumAttr<"FailurePropagationMode", "", [PropagateFailuresCase, SuppressFailuresCase]>;
  def MatchCmpIPredicateAttr
      : I32EnumAttr<"MatchCmpIPredicate", "",
                    !foreach(at, !range(6), I32EnumAttrCase<["eq", "ne", "lt", "le", "gt", "ge"][at], at>)>;
}

def TransformMappingResource : Resource<"::mlir::transform::TransformMappingResource">;
def PayloadIRResource : Resource<"::mlir::transform::PayloadIRResource">;
def TransformMappingRead : MemRead<TransformMappingResource>;
def TransformMappingWrite : MemWrite<TransformMappingResource>;
def TransformMappingAlloc : MemAlloc<TransformMappingResource>;
def TransformMappingFree : MemFree<TransformMappingResource>;
def PayloadIRRead : MemRead<PayloadIRResource>;
def PayloadIRWrite : MemWrite<PayloadIRResource>;

// Types of the PDL dialect, which transform operations refer to

class PDL_Type<string class_name, string written> : TypeDef<PDL_Dialect, class_name> { let mnemonic = written; }
def PDL_Attribute : PDL_Type<"Attribute", "attribute">;
def PDL_Operation : PDL_Type<"Operation", "operation">;
def PDL_Type : PDL_Type<"Type", "type">;
def PDL_Value : PDL_Type<"Value", "value">;
