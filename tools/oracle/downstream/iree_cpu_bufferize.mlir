// RUN: iree-opt %s --iree-transform-dialect-interpreter
transform.sequence failures(propagate) {
^bb1(%variant: !transform.any_op):
  %fill = transform.structured.match ops{["linalg.fill"]} in %variant : (!transform.any_op) -> !transform.any_op
  %generic = transform.structured.match ops{["linalg.generic"]} in %variant : (!transform.any_op) -> !transform.any_op
  %tiled, %grid = transform.structured.tile_using_forall %generic tile_sizes [16, 64]
    ( mapping = [#gpu.block<y>, #gpu.block<x>] ) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.iree.populate_workgroup_count_region_using_num_threads_slice %grid : (!transform.any_op) -> ()
  %fused, %grid_1 = transform.structured.fuse_into_containing_op %fill into %grid
    : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.iree.eliminate_empty_tensors %variant : (!transform.any_op) -> ()
  %variant_1 = transform.iree.bufferize {target_gpu} %variant : (!transform.any_op) -> !transform.any_op
  %func = transform.structured.match ops{["func.func"]} in %variant_1 : (!transform.any_op) -> !transform.any_op
  transform.iree.forall_to_workgroup %func : (!transform.any_op) -> ()
  transform.iree.map_nested_forall_to_gpu_threads %func workgroup_dims = [32, 4, 1] subgroup_size = 32
    sync_after_distribution = false : (!transform.any_op) -> ()
}
