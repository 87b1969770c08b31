#include "loom/Transforms/Vector/VectorExtension.h"

using namespace mlir;

DiagnosedSilenceableFailure loom::transform_dialect::ReduceOp::applyToOne(
    transform::TransformRewriter &rewriter, Operation *target,
    transform::ApplyToEachResultList &results,
    transform::TransformState &state) {
  return DiagnosedSilenceableFailure::success();
}

void loom::transform_dialect::ReduceOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::consumesHandle(getTargetMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

void loom::transform_dialect::WarpSizeOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::producesHandle(getOperation()->getOpResults(), effects);
}
