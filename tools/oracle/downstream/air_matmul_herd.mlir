// RUN: air-opt %s -air-transform='filename=%s' | FileCheck %s
func.func @matmul(%a: memref<256x256xi32>, %b: memref<256x256xi32>, %c: memref<256x256xi32>) {
  linalg.matmul ins(%a, %b : memref<256x256xi32>, memref<256x256xi32>) outs(%c : memref<256x256xi32>)
  return
}

transform.with_pdl_patterns {
^bb0(%arg0: !pdl.operation):
  pdl.pattern @match_copy : benefit(1) {
    %args = pdl.operands
    %results = pdl.types
    %op = pdl.operation "memref.copy"(%args : !pdl.range<value>) -> (%results : !pdl.range<type>)
    pdl.rewrite %op with "transform.dialect"
  }
  transform.sequence %arg0 : !pdl.operation failures(propagate) {
  ^bb1(%arg1: !pdl.operation):
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %arg1 : (!pdl.operation) -> !pdl.operation
    %tiled:2 = transform.air.linalg_tile %matmul [64, 64, 0]
    %inner:2 = transform.air.linalg_tile %tiled#0 [32, 32, 0]
    transform.air.linalg_promote %inner#0 {"group_size" = 1 : i64, "memory_space" = "L1", operands_to_promote = [2]}
    %launch = transform.air.par_to_launch %tiled#1 {has_air_segment = true}
    %herd = transform.air.par_to_herd %inner#1
    %copies = transform.pdl_match @match_copy in %arg1 : (!pdl.operation) -> !pdl.operation
    %dmas = transform.air.copy_to_dma %copies
  }
}
