include "mlir/Dialect/Transform/IR/TransformDialect.td"
def Leftover : Op<Transform_Dialect, "quarry.leftover", []> { let assemblyFormat = "attr-dict"; }
