shard.grid @grid(shape = 2x4x?)
func.func @sharded(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %s = shard.sharding @grid split_axes = [[0], [1, 2]] : !shard.sharding
  %0 = shard.shard %x to %s : tensor<8x16xf32>
  %1 = shard.shard %0 to %s annotate_for_users : tensor<8x16xf32>
  %2 = shard.all_reduce %1 on @grid grid_axes = [1, 0] reduction = max : tensor<8x16xf32> -> tensor<8x16xf32>
  %i:3 = shard.process_multi_index on @grid : index, index, index
  %l = shard.process_linear_index on @grid : index
  return %2 : tensor<8x16xf32>
}
// -----
func.func @messages(%m: memref<100xf32>) {
  %err = mpi.init : !mpi.retval
  %comm = mpi.comm_world : !mpi.comm
  %e, %rank = mpi.comm_rank(%comm) : !mpi.retval, i32
  mpi.send(%m, %rank, %rank, %comm) : memref<100xf32>, i32, i32
  %e2 = mpi.recv(%m, %rank, %rank, %comm) : memref<100xf32>, i32, i32 -> !mpi.retval
  %bad = mpi.retval_check %err = <MPI_SUCCESS> : i1
  mpi.finalize
  return
}
// -----
gpu.module @intel {
  gpu.func @tiles(%m: memref<24x32xf16>, %a: vector<8x16xf16>) {
    %0 = xegpu.create_nd_tdesc %m : memref<24x32xf16> -> !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 1 : i64>>
    %1 = xegpu.load_nd %0[0, 8] <{l1_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 1 : i64>> -> vector<8x16xf16>
    xegpu.prefetch_nd %0[0, 0] : !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 1 : i64>>
    xegpu.fence memory_kind = global, fence_scope = workgroup
    gpu.return
  }
}
