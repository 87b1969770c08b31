// Scripts that make MLIR of LLVM 22 crash; later versions end them in other ways.
// -----
// tile with no threads
// on: matmul
%op = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
%tiled, %forall = transform.structured.tile_using_forall %op tile_sizes [0, 0] : (!any) -> (!any, !any)
// -----
// patterns that nothing applies
// on: matmul
// $patterns: apply_patterns.canonicalization | apply_patterns.vector.lower_shape_cast | apply_conversion_patterns.dialect_to_llvm "memref"
transform.$patterns
// -----
// a pass that crashes
// on: matmul
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
%changed = transform.apply_registered_pass "test-pass-crash" to %functions : (!any) -> !any
