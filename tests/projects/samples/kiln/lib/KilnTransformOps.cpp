#include "kiln/KilnTransformOps.h"

using namespace mlir;
using namespace mlir::transform;

namespace kiln {

template <typename LoadLike>
static void loadEffects(LoadLike op, SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  consumesHandle(op.getPiecesMutable(), effects);
}

void GasLoadOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  consumesHandle(getPiecesMutable(), effects);
  onlyReadsHandle(getBesideMutable(), effects);
  producesHandle(getOperation()->getOpResults(), effects);
  modifiesPayload(effects);
}

void WoodLoadOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  consumesHandle(getPiecesMutable(), effects);
  onlyReadsHandle(getBesideMutable(), effects);
  producesHandle(getOperation()->getOpResults(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure FireOp::apply(TransformRewriter &rewriter, TransformResults &results,
                                          TransformState &state) {
  auto scope = state.make_region_scope(getBody());
  return DiagnosedSilenceableFailure::success();
}

void FireOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  consumesHandle(getBatchMutable(), effects);
  onlyReadsHandle(getTemperatureMutable(), effects);
  producesHandle(getOperation()->getOpResults(), effects);
  modifiesPayload(effects);
}

} // namespace kiln
