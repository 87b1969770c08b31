#include "quarry/IR/QuarryTransformOps.h"

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "quarry/IR/QuarryTransformOps.cpp.inc"

//===----------------------------------------------------------------------===//
// GetBenchForOp
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure
transform::GetBenchForOp::apply(transform::TransformRewriter &rewriter,
                                transform::TransformResults &results,
                                transform::TransformState &state) {
  SetVector<Operation *> benches;
  for (Operation *target : state.getPayloadOps(getTarget())) {
    auto bench = target->getParentOfType<quarry::BenchOp>();
    if (!bench)
      return emitDefiniteFailure() << "there is no bench around " << target;
    benches.insert(bench);
  }
  results.set(cast<OpResult>(getBench()), benches.getArrayRef());
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// ParToBenchOp
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure transform::ParToBenchOp::applyToOne(
    transform::TransformRewriter &rewriter, scf::ParallelOp target,
    transform::ApplyToEachResultList &results,
    transform::TransformState &state) {
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// QuarryPromoteOp
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure
transform::QuarryPromoteOp::apply(transform::TransformRewriter &rewriter,
                                  transform::TransformResults &results,
                                  transform::TransformState &state) {
  return DiagnosedSilenceableFailure::success();
}

void transform::QuarryPromoteOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  // The targets are changed in place, and new handles are made for them.
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

//===----------------------------------------------------------------------===//
// QuarryTileOp
//===----------------------------------------------------------------------===//

void transform::QuarryTileOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  consumesHandle(getTargetMutable(), effects);
  onlyReadsHandle(getDynamicSizesMutable(), effects);
  producesHandle(getOperation()->getOpResults(), effects);
  modifiesPayload(effects);
}

// quarry.tile [%height, 8] of %blocks {...} : !pdl.operation
ParseResult transform::QuarryTileOp::parse(OpAsmParser &parser,
                                           OperationState &result) {
  OpAsmParser::UnresolvedOperand target;
  SmallVector<OpAsmParser::UnresolvedOperand> dynamicSizes;
  DenseI64ArrayAttr staticSizes;
  Type handle;
  if (parseDynamicIndexList(parser, dynamicSizes, staticSizes) ||
      parser.parseKeyword("of") || parser.parseOperand(target) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(handle))
    return failure();
  result.addAttribute(getStaticSizesAttrName(result.name), staticSizes);
  result.addTypes({handle, handle});
  return failure(
      parser.resolveOperand(target, handle, result.operands) ||
      parser.resolveOperands(dynamicSizes, handle, result.operands));
}

void transform::QuarryTileOp::print(OpAsmPrinter &printer) {
  printDynamicIndexList(printer, *this, getDynamicSizes(), getStaticSizes());
  printer << " of " << getTarget();
}

//===----------------------------------------------------------------------===//
// QuarryFuseOp
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure
transform::QuarryFuseOp::apply(transform::TransformRewriter &rewriter,
                               transform::TransformResults &results,
                               transform::TransformState &state) {
  return DiagnosedSilenceableFailure::success();
}

void transform::QuarryFuseOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  consumesHandle(getProducerOpMutable(), effects);
  onlyReadsHandle(getBenchOpMutable(), effects);
  producesHandle(getOperation()->getOpResults(), effects);
  modifiesPayload(effects);
}
