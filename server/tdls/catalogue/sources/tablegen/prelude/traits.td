// Traits and interfaces.

class Trait;
class StructuralOpTrait;
class TraitList<list<Trait> parts> : Trait { list<Trait> traits = parts; }
class NativeTrait<string name, string entity, code declaration = "", code definition = ""> : Trait {
  string trait = name;
  string cppNamespace = "::mlir::" # entity # "Trait";
}
class ParamNativeTrait<string name, string parameters, string entity>
    : NativeTrait<name # "<" # parameters # ">::Impl", entity>;
class GenInternalTrait<string name, string entity> : Trait { string trait = "::mlir::" # entity # "Trait::" # name; }
class PredTrait<string desc, Pred pred> : Trait {
  string summary = desc;
  Pred predicate = pred;
}
class NativeOpTrait<string name, list<Trait> needs = [], code declaration = "", code definition = "">
    : NativeTrait<name, "Op">;
class ParamNativeOpTrait<string name, string parameters, list<Trait> needs = []>
    : ParamNativeTrait<name, parameters, "Op">;
class GenInternalOpTrait<string name, list<Trait> needs = []> : GenInternalTrait<name, "Op">;
class PredOpTrait<string desc, Pred pred, list<Trait> needs = []> : PredTrait<desc, pred>;
class NativeAttrTrait<string name, code declaration = "", code definition = ""> : NativeTrait<name, "Attribute">;
class ParamNativeAttrTrait<string name, string parameters> : ParamNativeTrait<name, parameters, "Attribute">;
class NativeTypeTrait<string name, code declaration = "", code definition = ""> : NativeTrait<name, "Type">;
class ParamNativeTypeTrait<string name, string parameters> : ParamNativeTrait<name, parameters, "Type">;
def MutableType : NativeTypeTrait<"IsMutable">;
def ValueSemantics : NativeTypeTrait<"ValueSemantics">;

class InterfaceTrait<string name> : NativeTrait<"", ""> {
  let trait = name # "::Trait";
  let cppNamespace = "";
}
class OpInterfaceTrait<string name, code checks = "", list<Trait> needs = []> : InterfaceTrait<name> {
  code verify = checks;
}
class InterfaceMethod<string desc, string result, string method, dag args = (ins), code body = "",
                      code by_default = "">;
class StaticInterfaceMethod<string desc, string result, string method, dag args = (ins), code body = "",
                            code by_default = "">;
class Interface<string name, list<Interface> bases = []> {
  string description = "";
  string cppInterfaceName = name;
  string cppNamespace = "";
  list<InterfaceMethod> methods = [];
  code verify = "";
  bit verifyWithRegions = 0;
  code extraClassDeclaration = "";
  code extraSharedClassDeclaration = "";
  code extraClassOf = "";
  code extraTraitClassDeclaration = "";
  list<Interface> baseInterfaces = bases;
}
class OpInterface<string name, list<Interface> bases = []> : Interface<name, bases>, OpInterfaceTrait<name>;
class AttrInterface<string name, list<Interface> bases = []> : Interface<name, bases>, InterfaceTrait<name>, Attr<?> {
  let storageType = !if(!empty(cppNamespace), "", cppNamespace # "::") # name;
}
class TypeInterface<string name, list<Interface> bases = []>
    : Interface<name, bases>, InterfaceTrait<name>,
      Type<?, "", !if(!empty(cppNamespace), "", cppNamespace # "::") # name>;
class DialectInterface<string name, list<Interface> bases = []> : Interface<name, bases>, OpInterfaceTrait<name>;
class DeclareInterfaceMethods<list<string> overridden = []> { list<string> alwaysOverriddenMethods = overridden; }
class DeclareOpInterfaceMethods<OpInterface interface, list<string> overridden = []>
    : DeclareInterfaceMethods<overridden>, OpInterface<interface.cppInterfaceName> {
  OpInterface declared = interface;
  let cppNamespace = interface.cppNamespace;
}
class DeclareAttrInterfaceMethods<AttrInterface interface, list<string> overridden = []>
    : DeclareInterfaceMethods<overridden>, AttrInterface<interface.cppInterfaceName> {
  AttrInterface declared = interface;
}
class DeclareTypeInterfaceMethods<TypeInterface interface, list<string> overridden = []>
    : DeclareInterfaceMethods<overridden>, TypeInterface<interface.cppInterfaceName> {
  TypeInterface declared = interface;
}

// Traits of operations

foreach name = ["AffineScope", "AutomaticAllocationScope", "ResultsBroadcastableShape", "ConstantLike",
                "ResultsAreFloatLike", "SameTypeOperands", "SameOperandsShape", "SameOperandsAndResultShape",
                "SameOperandsElementType", "SameOperandsAndResultElementType", "SameOperandsAndResultType",
                "SameOperandsAndResultRank", "MemRefsNormalizable", "Elementwise", "Scalarizable", "Vectorizable",
                "Tensorizable", "SingleBlock", "NoTerminator", "AttrSizedOperandSegments", "AttrSizedResultSegments",
                "NoRegionArguments", "SymbolTable", "HasParallelRegion", "HasDefaultDLTIDataLayout",
                "RecursivelySpeculatableImplTrait", "AlwaysSpeculatableImplTrait", "HasOnlyGraphRegion",
                "DistinctObjectsTrait"] in
  def name : NativeOpTrait<name>;
def Commutative : NativeOpTrait<"IsCommutative">;
def Idempotent : NativeOpTrait<"IsIdempotent">;
def Involution : NativeOpTrait<"IsInvolution">;
def IsolatedFromAbove : NativeOpTrait<"IsIsolatedFromAbove">;
def Terminator : NativeOpTrait<"IsTerminator">;
def RecursiveMemoryEffects : NativeOpTrait<"HasRecursiveMemoryEffects">;
def RecursiveSideEffects : NativeOpTrait<"HasRecursiveSideEffects">;
foreach name = ["FirstAttrDerivedResultType", "SameVariadicOperandSize", "SameVariadicResultSize"] in
  def name : GenInternalOpTrait<name>;
def ElementwiseMappable : TraitList<[Elementwise, Scalarizable, Vectorizable, Tensorizable]>;
class SingleBlockImplicitTerminatorImpl<string op> : ParamNativeOpTrait<"SingleBlockImplicitTerminator", op>;
class SingleBlockImplicitTerminator<string op> : TraitList<[SingleBlock, SingleBlockImplicitTerminatorImpl<op>]>;
class HasParent<string op> : ParamNativeOpTrait<"HasParent", op>;
class ParentOneOf<list<string> ops> : ParamNativeOpTrait<"HasParent", !interleave(ops, ", ")>;
def GraphRegionNoTerminator : TraitList<[NoTerminator, SingleBlock, RegionKindInterface, HasOnlyGraphRegion]>;

class AllMatchPred<list<string> names> : CPred<"">;
class AllMatchSameOperatorPred<list<string> names, string operator> : AllMatchPred<names>;
class AllMatch<list<string> names, string desc> : PredOpTrait<desc, AllMatchPred<names>>;
class AllMatchSameOperatorTrait<list<string> names, string operator, string desc>
    : PredOpTrait<desc, AllMatchSameOperatorPred<names, operator>> {
  list<string> values = names;
}
class AllElementCountsMatch<list<string> names> : AllMatchSameOperatorTrait<names, "", "element count">;
class AllElementTypesMatch<list<string> names> : AllMatchSameOperatorTrait<names, "", "element type">;
class AllRanksMatch<list<string> names> : AllMatchSameOperatorTrait<names, "", "rank">;
class AllShapesMatch<list<string> names> : AllMatchSameOperatorTrait<names, "", "shape">;
class AllTypesMatch<list<string> names> : AllMatchSameOperatorTrait<names, "", "type">;
class AllTypeIDsMatch<list<string> names> : AllMatchSameOperatorTrait<names, "", "type IDs">;
class TypesMatchWith<string desc, string left, string right, string transform, string comparator = "">
    : PredOpTrait<desc, CPred<"">> {
  string lhs = left;
  string rhs = right;
  string transformer = transform;
}
class OptionalTypesMatchWith<string desc, string left, string right, string transform, string comparator = "">
    : TypesMatchWith<desc, left, right, transform, comparator>;
class RangedTypesMatchWith<string desc, string left, string right, string transform>
    : TypesMatchWith<desc, left, right, transform>;
class Rank<string name> : StrFunc<"">;
class Shape<string name> : StrFunc<"">;
class ElementCount<string name> : StrFunc<"">;
class ElementType<string name> : StrFunc<"">;
class TCopVTEtIs<int index, Type type> : CPred<"">;
class TypeIsPred<string name, Type type> : CPred<"">;
class TypeIs<string name, Type type> : PredOpTrait<"", CPred<"">>;
class ElementTypeIs<string name, Type type> : PredOpTrait<"", CPred<"">>;
class TCopVTEtIsSameAs<int i, int j> : CPred<"">;
class TCresVTEtIsSameAsOp<int i, int j> : CPred<"">;
class TCOpIsBroadcastableToRes<int i, int j> : CPred<"">;
class PromisedAttrInterface<AttrInterface interface> : AttrConstraint<?>;
class PromisedTypeInterface<TypeInterface interface> : TypeConstraint<?>;

// Side effects

class Resource<string resource> { string name = resource; }
def DefaultResource : Resource<"::mlir::SideEffects::DefaultResource">;
def AutomaticAllocationScopeResource : Resource<"::mlir::SideEffects::AutomaticAllocationScopeResource">;
class EffectRange<bits<1> value>;
def FullEffect : EffectRange<1>;
def PartialEffect : EffectRange<0>;
class EffectOpInterfaceBase<string name, string base> : OpInterface<name>;
def MemoryEffectsOpInterface : EffectOpInterfaceBase<"MemoryEffectOpInterface", "::mlir::MemoryEffects::Effect">;
class SideEffect<EffectOpInterfaceBase interface, string name, Resource of, int at, EffectRange range>
    : OpVariableDecorator {
  string effect = name;
  string resource = of.name;
  int stage = at;
}
class SideEffectsTraitBase<EffectOpInterfaceBase interface, list<SideEffect> static> : OpInterfaceTrait<""> {
  let trait = interface.trait;
  list<SideEffect> effects = static;
}
class MemoryEffect<string name, Resource of, int at, EffectRange range>
    : SideEffect<MemoryEffectsOpInterface, name, of, at, range>;
class MemoryEffects<list<MemoryEffect> static = []> : SideEffectsTraitBase<MemoryEffectsOpInterface, static>;
class MemAlloc<Resource of, int at = 0, EffectRange range = PartialEffect>
    : MemoryEffect<"::mlir::MemoryEffects::Allocate", of, at, range>;
class MemFree<Resource of, int at = 0, EffectRange range = PartialEffect>
    : MemoryEffect<"::mlir::MemoryEffects::Free", of, at, range>;
class MemRead<Resource of, int at = 0, EffectRange range = PartialEffect>
    : MemoryEffect<"::mlir::MemoryEffects::Read", of, at, range>;
class MemWrite<Resource of, int at = 0, EffectRange range = PartialEffect>
    : MemoryEffect<"::mlir::MemoryEffects::Write", of, at, range>;
def MemAlloc : MemAlloc<DefaultResource>;
def MemFree : MemFree<DefaultResource>;
def MemRead : MemRead<DefaultResource>;
def MemWrite : MemWrite<DefaultResource>;
class MemAllocAt<int at, EffectRange range = PartialEffect> : MemAlloc<DefaultResource, at, range>;
class MemFreeAt<int at, EffectRange range = PartialEffect> : MemFree<DefaultResource, at, range>;
class MemReadAt<int at, EffectRange range = PartialEffect> : MemRead<DefaultResource, at, range>;
class MemWriteAt<int at, EffectRange range = PartialEffect> : MemWrite<DefaultResource, at, range>;
def NoMemoryEffect : MemoryEffects<[]>;
def NoSideEffect : MemoryEffects<[]>;
def AlwaysSpeculatable : TraitList<[ConditionallySpeculatable, AlwaysSpeculatableImplTrait]>;
def RecursivelySpeculatable : TraitList<[ConditionallySpeculatable, RecursivelySpeculatableImplTrait]>;
def Pure : TraitList<[AlwaysSpeculatable, NoMemoryEffect]>;

// Interfaces of operations

foreach name = ["AccessGroupOpInterface", "AggregatedOpInterface", "AliasAnalysisOpInterface",
                "AlignmentAttrOpInterface", "AllocationOpInterface", "ArgAndResultAttrsOpInterface",
                "ArithFastMathInterface", "ArithIntegerOverflowFlagsInterface", "ArithRoundingModeInterface",
                "BranchOpInterface", "BufferDeallocationOpInterface", "BufferViewFlowOpInterface",
                "BufferizableOpInterface", "BytecodeOpInterface", "CallOpInterface", "CallableOpInterface",
                "CastOpInterface", "ConditionallySpeculatable", "ConvertToLLVMOpInterface", "CopyOpInterface",
                "DataLayoutOpInterface", "DerivedAttributeOpInterface", "DestinationStyleOpInterface",
                "DestructurableAccessorOpInterface", "DestructurableAllocationOpInterface", "FastmathFlagsInterface",
                "FunctionOpInterface", "InParallelOpInterface", "IndexingMapOpInterface", "InferIntRangeInterface",
                "InferShapedTypeOpInterface", "InferStridedMetadataOpInterface", "InferTypeOpInterface",
                "LoopLikeOpInterface", "MaskableOpInterface", "MaskingOpInterface",
                "MemorySpaceCastConsumerOpInterface", "MemorySpaceCastOpInterface", "OffsetSizeAndStrideOpInterface",
                "OpAsmOpInterface", "ParallelCombiningOpInterface", "PartialReductionOpInterface",
                "PromotableAllocationOpInterface", "PromotableMemOpInterface", "PromotableOpInterface",
                "RegionBranchOpInterface", "RegionBranchTerminatorOpInterface", "RegionKindInterface",
                "ReifyRankedShapedTypeOpInterface", "RuntimeVerifiableOpInterface", "SafeMemorySlotAccessOpInterface",
                "SelectLikeOpInterface", "ShapedDimOpInterface", "ShardingInterface", "SubsetExtractionOpInterface",
                "SubsetInsertionOpInterface", "SubsetOpInterface", "SymbolUserOpInterface", "TilingInterface",
                "ValueBoundsOpInterface", "VectorTransferOpInterface", "VectorUnrollOpInterface", "ViewLikeOpInterface",
                "WeightedBranchOpInterface", "WeightedRegionBranchOpInterface"] in
  def name : OpInterface<name>;
def Symbol : OpInterface<"SymbolOpInterface">;
def LinalgContractionOpInterface : OpInterface<"ContractionOpInterface">;
def LinalgConvolutionOpInterface : OpInterface<"ConvolutionOpInterface">;
def LinalgFillOpInterface : OpInterface<"FillOpInterface">;
def LinalgStructuredInterface : OpInterface<"LinalgOp">;
def LinalgRelayoutOpInterface : OpInterface<"RelayoutOpInterface">;
def GPU_AsyncOpInterface : OpInterface<"AsyncOpInterface">;
foreach name = ["MemRefElementTypeInterface", "PtrLikeTypeInterface", "VectorElementTypeInterface",
                "DataLayoutTypeInterface", "DestructurableTypeInterface", "OpAsmTypeInterface", "TensorLikeType",
                "BufferLikeType"] in
  def name : TypeInterface<name>;
def ShapedTypeInterface : TypeInterface<"ShapedType">;
def FloatTypeInterface : TypeInterface<"FloatType">;
foreach name = ["MemRefLayoutAttrInterface", "OpAsmAttrInterface", "SymbolUserAttrInterface", "DLTIQueryInterface",
                "DeviceMappingAttrInterface", "DeviceMaskingAttrInterface", "DataLayoutEntryInterface",
                "DataLayoutSpecInterface", "TargetSystemSpecInterface", "TargetDeviceSpecInterface",
                "VerifiableTensorEncoding"] in
  def name : AttrInterface<name>;
def BlobAttrInterface : AttrInterface<"BlobAttr">;
def ElementsAttrInterface : AttrInterface<"ElementsAttr">;
def TypedAttrInterface : AttrInterface<"TypedAttr">;
def GPUTargetAttrInterface : AttrInterface<"TargetAttrInterface">;

def ReturnLike : TraitList<[DeclareOpInterfaceMethods<RegionBranchTerminatorOpInterface>, NativeOpTrait<"ReturnLike">]>;
class InferTypeOpAdaptorBase<code declarations = "">
    : TraitList<[DeclareOpInterfaceMethods<InferTypeOpInterface>, NativeOpTrait<"InferTypeOpAdaptor">]>;
def InferTypeOpAdaptor : InferTypeOpAdaptorBase;
def InferTypeOpAdaptorWithIsCompatible : InferTypeOpAdaptorBase;
def DeviceMappingArrayAttr : TypedArrayAttrBase<DeviceMappingAttrInterface>;
