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

void StackOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  consumesHandle(getPiecesMutable(), effects);
  onlyReadsHandle(getLidMutable(), effects);
  onlyReadsHandle(getShelvesMutable(), effects);
  producesHandle(getOperation()->getOpResults(), effects);
  modifiesPayload(effects);
}

/// `on` %shelf, ... `:` type
static ParseResult parseShelves(OpAsmParser &parser, OperationState &state,
                                SmallVectorImpl<OpAsmParser::UnresolvedOperand> &shelves,
                                Type &handle) {
  if (parser.parseKeyword("on") ||
      parser.parseCommaSeparatedList([&]() { return parser.parseOperand(shelves.emplace_back()); }))
    return failure();
  return failure(parser.parseOptionalAttrDict(state.attributes) || parser.parseColonType(handle));
}

/// kiln.stack (`under` %lid `,`)? %pieces `on` %shelves
ParseResult StackOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand pieces, lid;
  SmallVector<OpAsmParser::UnresolvedOperand, 2> shelves;
  bool hasLid = succeeded(parser.parseOptionalKeyword("under"));
  if (hasLid && (parser.parseOperand(lid) || parser.parseComma()))
    return failure();
  Type handle;
  if (parser.parseOperand(pieces) || parseShelves(parser, state, shelves, handle))
    return failure();
  if (shelves.empty())
    return parser.emitError(parser.getNameLoc()) << "there is no shelf";
  state.addTypes(handle);
  if (parser.resolveOperand(pieces, handle, state.operands))
    return failure();
  if (hasLid && parser.resolveOperand(lid, handle, state.operands))
    return failure();
  if (parser.resolveOperands(shelves, handle, state.operands))
    return failure();
  state.addAttribute("operandSegmentSizes", parser.getBuilder().getDenseI32ArrayAttr(
      {1, hasLid, static_cast<int32_t>(shelves.size())}));
  return success();
}

} // namespace kiln
