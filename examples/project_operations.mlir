// A script for a compiler that adds operations of its own: `transform.npu.*` and the payload dialect `npu` are
// known to nobody but that compiler. tdls reads them by their structure and checks the upstream operations
// between them; mlir-opt cannot read this file at all.

#core = #npu.core<row = 0, column = 2>
!buffer = !npu.buffer<64x64xbf16, #core>

module @kernels {
  npu.herd @matmul tile (%x, %y) in (%columns = 4, %rows = 2) args(%a = %buffer) : !buffer {
    %bytes = npu.dma_start %a[%x, %y] {channel = 1 : i32} : !buffer -> !npu.token
    npu.wait_all [%bytes] : !npu.token
    npu.yield
  }
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %tiled, %forall = transform.structured.tile_using_forall %matmul tile_sizes [64, 64]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %herd = transform.npu.forall_to_herd %forall on core(0, 2) {columns = 4 : i64}
        : (!transform.any_op) -> !transform.npu.herd_handle
    transform.npu.pipeline %herd depth 2 : !transform.npu.herd_handle
    %parent = transform.get_parent_op %tiled {op_name = "func.func"}
        : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %parent {
      transform.apply_patterns.npu.fold_dma
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}
