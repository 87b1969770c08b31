func.func @matmul(%a: tensor<128x64xf32>, %b: tensor<64x256xf32>, %c: tensor<128x256xf32>) -> tensor<128x256xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf32>, tensor<64x256xf32>) outs(%c : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}
module @script attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:3 = transform.structured.tile_using_for %matmul tile_sizes [16, 32, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.structured.vectorize %tiled vector_sizes [16, 32, 8] : !transform.any_op
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
      transform.apply_patterns.vector.lower_contraction lowering_strategy = "outerproduct"
    } : !transform.any_op
    transform.yield
  }
}
// -----
func.func @fusion(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %o: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.add ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%o : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.mul ins(%0, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%o : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %add = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    %mul = transform.structured.match ops{["linalg.mul"]} in %root : (!transform.any_op) -> !transform.op<"linalg.mul">
    %tiled, %forall = transform.structured.tile_using_forall %mul num_threads [4, 2] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.op<"linalg.mul">) -> (!transform.any_op, !transform.any_op)
    %fused, %containing = transform.structured.fuse_into_containing_op %add into %forall
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %bufferized = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root
      {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
// -----
func.func @reduce(%x: tensor<32x1000xf32>, %y: tensor<32xf32>) -> tensor<32xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<32x1000xf32>) outs(%y : tensor<32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<32xf32>
  return %0 : tensor<32xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @helper(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %parent = transform.get_parent_op %op {isolated_from_above, deduplicate} : (!transform.any_op) -> !transform.any_op
    transform.yield %parent : !transform.any_op
  }
  transform.named_sequence @is_generic(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.generic"] : !transform.any_op
    %1 = transform.match.structured failures(propagate) %op : (!transform.any_op) -> !transform.any_op {
    ^bb0(%inner: !transform.any_op):
      %rank = transform.match.structured.rank %inner : (!transform.any_op) -> !transform.param<i64>
      %two = transform.param.constant 2 : i64 -> !transform.param<i64>
      transform.match.param.cmpi eq %rank, %two : !transform.param<i64>
      transform.match.structured.dim %inner[-1] {reduction} : !transform.any_op
      transform.match.structured.yield %inner : !transform.any_op
    }
    transform.yield %1 : !transform.any_op
  }
  transform.named_sequence @split(%op: !transform.any_op {transform.consumed}) {
    %fill, %part, %combine, %loop = transform.structured.tile_reduction_using_for %op by tile_sizes = [0, 5]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %func = transform.include @helper failures(suppress) (%loop) : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %func, "split" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %done = transform.foreach_match in %root
      @is_generic -> @split : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
