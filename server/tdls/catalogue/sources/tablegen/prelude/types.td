// Type constraints.

class Type<Pred pred, string desc = "", string cpp = "::mlir::Type"> : TypeConstraint<pred, desc, cpp> {
  string description = "";
  string builderCall = "";
}
class TypeAlias<Type aliased, string desc = ""> : Type<?, desc, aliased.cppType> {
  let builderCall = aliased.builderCall;
}
class DialectType<Dialect of, Pred pred, string desc = "", string cpp = "::mlir::Type"> : Type<pred, desc, cpp> {
  Dialect dialect = of;
}
class BuildableType<code builder> { code builderCall = builder; }
class SameBuildabilityAs<Type type, code builder> {
  code builderCall = !if(!empty(type.builderCall), "", builder);
}

class Variadic<Type type> : TypeConstraint<?, "", type.cppType> {
  Type baseType = type;
  int minSize = 0;
}
class VariadicOfVariadic<Type type, string segments> : Variadic<type> { string segmentAttrName = segments; }
class Optional<Type type> : TypeConstraint<?, "", type.cppType> { Type baseType = type; }

class AnyTypeOf<list<Type> allowed, string desc = "", string cpp = "::mlir::Type"> : Type<?, desc, cpp> {
  list<Type> allowedTypes = allowed;
}
class AllOfType<list<Type> allowed, string desc = "", string cpp = "::mlir::Type"> : Type<?, desc, cpp> {
  list<Type> allowedTypes = allowed;
}
class ConfinedType<Type type, list<Pred> predicates, string desc = "", string cpp = type.cppType>
    : Type<?, desc, cpp> {
  Type baseType = type;
}
class OpaqueType<string dialect, string name, string desc> : Type<?, desc>;

def AnyType : Type<?>;
def NoneType : Type<?, "", "::mlir::NoneType">, BuildableType<"$_builder.getType<::mlir::NoneType>()">;
def Index : Type<?, "", "::mlir::IndexType">, BuildableType<"$_builder.getIndexType()">;
def AnyInteger : Type<?, "", "::mlir::IntegerType">;
def AnySignlessInteger : Type<?, "", "::mlir::IntegerType">;
def AnySignedInteger : Type<?>;
def AnyUnsignedInteger : Type<?>;
def AnySignlessIntegerOrIndex : Type<?>;
def AnyFloat : Type<?, "", "::mlir::FloatType">;
def AnyComplex : Type<?, "", "::mlir::ComplexType">;
def FunctionType : Type<?, "", "::mlir::FunctionType">;
def GraphType : Type<?, "", "::mlir::GraphType">;
def AnyTuple : Type<?, "", "::mlir::TupleType">;

class AnyI<int width> : Type<?> { int bitwidth = width; }
class I<int width> : Type<?, "", "::mlir::IntegerType">, BuildableType<"$_builder.getIntegerType(" # width # ")"> {
  int bitwidth = width;
}
class SI<int width> : Type<?, "", "::mlir::IntegerType">,
    BuildableType<"$_builder.getIntegerType(" # width # ", /*isSigned=*/true)"> {
  int bitwidth = width;
}
class UI<int width> : Type<?, "", "::mlir::IntegerType">,
    BuildableType<"$_builder.getIntegerType(" # width # ", /*isSigned=*/false)"> {
  int bitwidth = width;
}
class F<int width> : Type<?, "", "::mlir::FloatType">, BuildableType<"$_builder.getF" # width # "Type()"> {
  int bitwidth = width;
}
foreach width = [1, 8, 16, 32, 64] in {
  def AnyI#width : AnyI<width>;
  def I#width : I<width>;
  def SI#width : SI<width>;
  def UI#width : UI<width>;
}
def I128 : I<128>;
foreach width = [16, 32, 64, 80, 128] in def F#width : F<width>;
def BF16 : Type<?>, BuildableType<"$_builder.getType<BFloat16Type>()">;
def TF32 : Type<?>, BuildableType<"$_builder.getType<FloatTF32Type>()">;
foreach format = ["4E2M1FN", "6E2M3FN", "6E3M2FN", "8E3M4", "8E4M3", "8E4M3B11FNUZ", "8E4M3FN", "8E4M3FNUZ", "8E5M2",
                  "8E5M2FNUZ", "8E8M0FNU"] in
  def F#format : Type<?>, BuildableType<"$_builder.getType<Float" # format # "Type>()">;

class AnyIntOfWidths<list<int> widths> : AnyTypeOf<!foreach(w, widths, AnyI<w>)>;
class SignlessIntOfWidths<list<int> widths> : AnyTypeOf<!foreach(w, widths, I<w>)>;
class SignedIntOfWidths<list<int> widths> : AnyTypeOf<!foreach(w, widths, SI<w>)>;
class UnsignedIntOfWidths<list<int> widths> : AnyTypeOf<!foreach(w, widths, UI<w>)>;
class FloatOfWidths<list<int> widths> : AnyTypeOf<!foreach(w, widths, F<w>)>;
class Complex<Type element> : ConfinedType<AnyComplex, []> { Type elementType = element; }

class ContainerType<Type element, Pred pred, code call, string desc, string cpp = "::mlir::Type">
    : Type<pred, desc, cpp>;
class ShapedContainerType<list<Type> allowed, Pred pred, string desc, string cpp = "::mlir::Type">
    : Type<pred, desc, cpp> {
  list<Type> allowedTypes = allowed;
}
def AnyShaped : ShapedContainerType<[AnyType], ?, "", "::mlir::ShapedType">;
class ValueSemanticsContainerOf<list<Type> allowed> : ShapedContainerType<allowed, ?, "">;
class TypeOrValueSemanticsContainer<Type allowed, string desc>
    : AnyTypeOf<[allowed, ValueSemanticsContainerOf<[allowed]>], desc>;
class TypeOrContainer<Type allowed, string desc> : TypeOrValueSemanticsContainer<allowed, desc>;
def BoolLike : TypeOrValueSemanticsContainer<I1, "">;
def SignlessIntegerLike : TypeOrValueSemanticsContainer<AnySignlessInteger, "">;
def SignlessIntegerOrIndexLike : TypeOrValueSemanticsContainer<AnySignlessIntegerOrIndex, "">;
def FloatLike : TypeOrValueSemanticsContainer<AnyFloat, "">;
def SignlessIntegerOrFloatLike : TypeConstraint<?>;
def SignlessIntegerOrIndexOrFloatLike : TypeConstraint<?>;

class VectorOfNonZeroRankOf<list<Type> allowed> : ShapedContainerType<allowed, ?, "", "::mlir::VectorType">;
class FixedVectorOfNonZeroRankOf<list<Type> allowed> : ShapedContainerType<allowed, ?, "", "::mlir::VectorType">;
class VectorOf<list<Type> allowed> : ShapedContainerType<allowed, ?, "", "::mlir::VectorType">;
class VectorOfAnyRankOf<list<Type> allowed> : ShapedContainerType<allowed, ?, "", "::mlir::VectorType">;
class FixedVectorOfAnyRank<list<Type> allowed> : ShapedContainerType<allowed, ?, "", "::mlir::VectorType">;
class FixedVectorOf<list<Type> allowed> : ShapedContainerType<allowed, ?, "", "::mlir::VectorType">;
class ScalableVectorOf<list<Type> allowed> : ShapedContainerType<allowed, ?, "", "::mlir::VectorType">;
class ScalableVectorOfAnyRank<list<Type> allowed> : ShapedContainerType<allowed, ?, "", "::mlir::VectorType">;
class VectorWithTrailingDimScalableOf<list<Type> allowed> : ShapedContainerType<allowed, ?, "", "::mlir::VectorType">;
class VectorOfRank<list<int> ranks> : Type<?, "", "::mlir::VectorType">;
class FixedVectorOfRank<list<int> ranks> : Type<?, "", "::mlir::VectorType">;
class ScalableVectorOfRank<list<int> ranks> : Type<?, "", "::mlir::VectorType">;
class VectorOfLength<list<int> lengths> : Type<?, "", "::mlir::VectorType">;
class VectorOfMinLength<int length> : Type<?, "", "::mlir::VectorType">;
class VectorOfMaxLength<int length> : Type<?, "", "::mlir::VectorType">;
class FixedVectorOfLength<list<int> lengths> : Type<?, "", "::mlir::VectorType">;
class ScalableVectorOfLength<list<int> lengths> : Type<?, "", "::mlir::VectorType">;
class ShapedTypeWithNthDimOfSize<int n, list<int> sizes> : Type<?>;
class VectorOfRankAndType<list<int> ranks, list<Type> allowed>
    : AllOfType<[VectorOfRank<ranks>, VectorOf<allowed>], "", "::mlir::VectorType">;
class VectorOfLengthAndType<list<int> lengths, list<Type> allowed>
    : AllOfType<[VectorOfLength<lengths>, VectorOf<allowed>], "", "::mlir::VectorType">;
class FixedVectorOfLengthAndType<list<int> lengths, list<Type> allowed>
    : AllOfType<[FixedVectorOfLength<lengths>, VectorOf<allowed>], "", "::mlir::VectorType">;
class FixedVectorOfShapeAndType<list<int> shape, Type element>
    : ShapedContainerType<[element], ?, "", "::mlir::VectorType">;
class ScalableVectorOfLengthAndType<list<int> lengths, list<Type> allowed>
    : AllOfType<[ScalableVectorOfLength<lengths>, VectorOf<allowed>], "", "::mlir::VectorType">;
def AnyVector : VectorOf<[AnyType]>;
def AnyVectorOfNonZeroRank : VectorOfNonZeroRankOf<[AnyType]>;
def AnyFixedVectorOfNonZeroRank : FixedVectorOfNonZeroRankOf<[AnyType]>;
def AnyVectorOfAnyRank : VectorOfAnyRankOf<[AnyType]>;
def AnyFixedVectorOfAnyRank : FixedVectorOfAnyRank<[AnyType]>;
def AnyScalableVectorOfAnyRank : ScalableVectorOfAnyRank<[AnyType]>;
def AnyFixedVector : FixedVectorOf<[AnyType]>;
def AnyScalableVector : ScalableVectorOf<[AnyType]>;

class TensorOf<list<Type> allowed, list<Pred> predicates = [], string desc = "tensor">
    : ShapedContainerType<allowed, ?, desc, "::mlir::TensorType">;
class RankedTensorOf<list<Type> allowed, list<Pred> predicates = [], string desc = "ranked tensor">
    : ShapedContainerType<allowed, ?, desc, "::mlir::RankedTensorType">;
class UnrankedTensorOf<list<Type> allowed, list<Pred> predicates = [], string desc = "unranked tensor">
    : ShapedContainerType<allowed, ?, desc, "::mlir::UnrankedTensorType">;
class Non0RankedTensorOf<list<Type> allowed> : TensorOf<allowed>;
class TensorRankOf<list<Type> allowed, list<int> ranks> : TensorOf<allowed>;
class StaticShapeTensorOf<list<Type> allowed>
    : ShapedContainerType<allowed, ?, "", "::mlir::RankedTensorType">;
class 0DTensorOf<list<Type> allowed> : TensorRankOf<allowed, [0]>;
class 1DTensorOf<list<Type> allowed> : TensorRankOf<allowed, [1]>;
class 2DTensorOf<list<Type> allowed> : TensorRankOf<allowed, [2]>;
class 3DTensorOf<list<Type> allowed> : TensorRankOf<allowed, [3]>;
class 4DTensorOf<list<Type> allowed> : TensorRankOf<allowed, [4]>;
def AnyTensor : TensorOf<[AnyType]>;
def AnyRankedTensor : RankedTensorOf<[AnyType]>;
def AnyNon0RankedTensor : Non0RankedTensorOf<[AnyType]>;
def AnyUnrankedTensor : UnrankedTensorOf<[AnyType]>;
def AnyNon0RankedOrUnrankedTensor : AnyTypeOf<[AnyUnrankedTensor, AnyNon0RankedTensor], "", "::mlir::TensorType">;
def AnyStaticShapeTensor : StaticShapeTensorOf<[AnyType]>;

class MemRefOf<list<Type> allowed> : ShapedContainerType<allowed, ?, "", "::mlir::MemRefType">;
class UnrankedMemRefOf<list<Type> allowed> : ShapedContainerType<allowed, ?, "", "::mlir::UnrankedMemRefType">;
class Non0RankedMemRefOf<list<Type> allowed> : ShapedContainerType<allowed, ?, "", "::mlir::MemRefType">;
class RankedOrUnrankedMemRefOf<list<Type> allowed>
    : AnyTypeOf<[UnrankedMemRefOf<allowed>, MemRefOf<allowed>], "", "::mlir::BaseMemRefType">;
class MemRefRankOf<list<Type> allowed, list<int> ranks> : MemRefOf<allowed>;
class StaticShapeMemRefOf<list<Type> allowed> : ShapedContainerType<allowed, ?, "", "::mlir::MemRefType">;
class StridedMemRefOf<list<Type> allowed> : ShapedContainerType<allowed, ?, "", "::mlir::MemRefType">;
class StridedMemRefRankOf<list<Type> allowed, list<int> ranks> : StridedMemRefOf<allowed>;
def AnyMemRef : MemRefOf<[AnyType]>;
def AnyUnrankedMemRef : UnrankedMemRefOf<[AnyType]>;
def AnyNon0RankedMemRef : Non0RankedMemRefOf<[AnyType]>;
def AnyRankedOrUnrankedMemRef : RankedOrUnrankedMemRefOf<[AnyType]>;
def AnyNon0RankedOrUnrankedMemRef : AnyTypeOf<[AnyUnrankedMemRef, AnyNon0RankedMemRef]>;
def AnyStaticShapeMemRef : StaticShapeMemRefOf<[AnyType]>;
def AnyStridedMemRef : StridedMemRefOf<[AnyType]>;
foreach element = [I1, I8, I16, I32, I64, BF16, F16, F32, F64] in {
  def element#Tensor : TensorOf<[element]>;
  def element#MemRef : MemRefOf<[element]>;
}
def IndexTensor : TensorOf<[Index]>;

class MixedContainerType<Type element, Pred pred, code call, string desc> : Type<pred, desc> {
  Type elementType = element;
}
class TupleOf<list<Type> allowed> : MixedContainerType<AnyTypeOf<allowed>, ?, "", "">;
class NestedTupleOf<list<Type> allowed> : MixedContainerType<AnyTypeOf<allowed>, ?, "", "">;
class TensorOrMemRef<list<Type> allowed> : AnyTypeOf<[TensorOf<allowed>, MemRefOf<allowed>]>;
