#include "quarry/IR/QuarryOps.h"

using namespace mlir;
using namespace quarry;

void HaulOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getBlocks();
  if (getDistance())
    printer << " over " << getDistance();
  printer.printOptionalAttrDict((*this)->getAttrs());
}

ParseResult HaulOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> blocks;
  if (parser.parseOperandList(blocks))
    return failure();
  return parser.parseOptionalAttrDict(result.attributes);
}
