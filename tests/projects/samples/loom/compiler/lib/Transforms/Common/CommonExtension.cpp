#include "loom/Transforms/Common/CommonExtension.h"

using namespace mlir;
using namespace mlir::loom;

namespace mlir::loom::transform_dialect {

//===----------------------------------------------------------------------===//
// In place
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure
ApplylicmOp::applyToOne(transform::TransformRewriter &rewriter,
                             Operation *target,
                             transform::ApplyToEachResultList &results,
                             transform::TransformState &state) {
  target->walk([&](LoopLikeOpInterface loop) { moveLoopInvariantCode(loop); });
  return DiagnosedSilenceableFailure::success();
}

void ApplylicmOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::modifiesPayload(effects);
}

void ApplycseOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::modifiesPayload(effects);
}

void HoistAllocOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::modifiesPayload(effects);
}

//===----------------------------------------------------------------------===//
// SplitByOp
//===----------------------------------------------------------------------===//

static ParseResult parseRatio(OpAsmParser &parser, IntegerAttr &whole,
                              std::optional<OpAsmParser::UnresolvedOperand> &parts) {
  if (parser.parseAttribute(whole) || parser.parseColon())
    return failure();
  return parser.parseOperand(parts.emplace());
}

void SplitByOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::consumesHandle(getTargetMutable(), effects);
  transform::onlyReadsHandle(getPartsMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

//===----------------------------------------------------------------------===//
// ForallToGridOp
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure ForallToGridOp::applyToOne(
    transform::TransformRewriter &rewriter, Operation *target,
    transform::ApplyToEachResultList &results,
    transform::TransformState &state) {
  return DiagnosedSilenceableFailure::success();
}

void ForallToGridOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (getConsume())
    transform::consumesHandle(getTargetMutable(), effects);
  else
    transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

//===----------------------------------------------------------------------===//
// MergeOp
//===----------------------------------------------------------------------===//

void MergeOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (OpOperand &spec : getSpecsMutable())
    transform::consumesHandle(spec, effects);
  transform::onlyReadsHandle(getLimitMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::onlyReadsPayload(effects);
}

//===----------------------------------------------------------------------===//
// AttachOp
//===----------------------------------------------------------------------===//

void AttachOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  StrategyTable::get().lookup(getStrategy()).describe(getOperation(), effects);
}

} // namespace mlir::loom::transform_dialect
