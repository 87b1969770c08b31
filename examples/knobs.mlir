// A schedule with open choices. MLIR runs it once all are made:
//
//     tdls run examples/knobs.mlir --set rows=16 --set columns=32
//
// tdls: payload=matmul.mlir

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %rows = transform.tune.knob<"rows"> options = [4, 8, 16, 32, 64] -> !transform.param<i64>
    %columns = transform.tune.knob<"columns"> options = [8, 12, 16, 32, 48] -> !transform.param<i64>
    %depth = transform.param.constant 16 : i64 -> !transform.param<i64>

    // The tiles of both operands fit in 8 KB, and the columns divide evenly.
    transform.smt.constrain_params(%rows, %columns, %depth)
      : (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>) -> () {
    ^bb0(%m: !smt.int, %n: !smt.int, %k: !smt.int):
      %edge = smt.int.add %m, %n
      %size = smt.int.mul %edge, %k
      %most = smt.int.constant 1024
      %fits = smt.int.cmp le %size, %most
      smt.assert %fits
      %all = smt.int.constant 96
      %rest = smt.int.mod %all, %n
      %none = smt.int.constant 0
      %is_even = smt.eq %rest, %none : !smt.int
      smt.assert %is_even
    }

    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:3 = transform.structured.tile_using_for %matmul tile_sizes [%rows, %columns, %depth]
      : (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
