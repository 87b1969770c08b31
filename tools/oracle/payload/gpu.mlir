func.func @launch(%m: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    %x = memref.load %m[%tx] : memref<?xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %m[%bx] : memref<?xf32>
    gpu.terminator
  }
  return
}
// -----
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%m: memref<32xf32>, %n: index) workgroup(%shared: memref<32xf32, #gpu.address_space<workgroup>>)
        private(%own: memref<1xf32, #gpu.address_space<private>>) kernel attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
      %t = gpu.thread_id x
      %b = gpu.block_id y upper_bound 16
      %d = gpu.block_dim z
      %g = gpu.global_id x
      %lane = gpu.lane_id
      %x = memref.load %m[%t] : memref<32xf32>
      gpu.barrier
      %s = gpu.all_reduce add %x uniform {} : (f32) -> (f32)
      %w = gpu.all_reduce %s {
      ^bb0(%l: f32, %r: f32):
        %p = arith.mulf %l, %r : f32
        gpu.yield %p : f32
      } : (f32) -> (f32)
      %width = arith.constant 32 : i32
      %offset = arith.constant 1 : i32
      %v, %ok = gpu.shuffle xor %w, %offset, %width : f32
      %sub = gpu.subgroup_reduce maximumf %v : (f32) -> (f32)
      memref.store %sub, %shared[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.printf "value %f\n", %sub : f32
      gpu.return
    }
  }
  func.func @host(%m: memref<32xf32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %size = arith.constant 0 : i32
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      dynamic_shared_memory_size %size args(%m : memref<32xf32>, %n : index)
    %token = gpu.wait async
    %next = gpu.launch_func async [%token] @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
      args(%m : memref<32xf32>, %n : index)
    %dev, %t2 = gpu.alloc async [%next] (%n) : memref<?xf32>
    %t3 = gpu.dealloc async [%t2] %dev : memref<?xf32>
    gpu.wait [%t3]
    %u = memref.cast %m : memref<32xf32> to memref<*xf32>
    gpu.host_register %u : memref<*xf32>
    return
  }
}
// -----
gpu.module @mma {
  gpu.func @wmma(%a: memref<32x32xf16, 3>, %c: memref<32x32xf32, 3>) {
    %i = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    %0 = gpu.subgroup_mma_load_matrix %a[%i, %i] {leadDimension = 32 : index, transpose} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %1 = gpu.subgroup_mma_load_matrix %a[%i, %i] {leadDimension = 32 : index} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %2 = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
    %3 = gpu.subgroup_mma_compute %0, %1, %2 : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.subgroup_mma_store_matrix %3, %c[%i, %i] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<32x32xf32, 3>
    gpu.return
  }
}
// -----
gpu.module @targets [#nvvm.target<chip = "sm_90">, #rocdl.target] {
  gpu.func @empty() kernel { gpu.return }
}
// -----
func.func @sparse_memory(%n: index, %m: memref<?xf32>, %idx: memref<?xindex>) {
  %t0 = gpu.wait async
  %spmat, %t1 = gpu.create_coo async [%t0] %n, %n, %n, %idx, %idx, %m : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %vec, %t2 = gpu.create_dn_tensor async [%t1] %m, %n : index into memref<?xf32>
  %size, %t3 = gpu.spmv_buffer_size async [%t2] %spmat, %vec, %vec into f32
  %t4 = gpu.destroy_sp_mat async [%t3] %spmat
  gpu.wait [%t4]
  %dyn = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
  return
}
// -----
func.func @clusters(%x: f32, %i: i32, %m: memref<4xf32>, %u: memref<*xf32>) {
  %0 = gpu.cluster_id x
  %1 = gpu.cluster_dim y
  %2 = gpu.cluster_block_id z
  %3 = gpu.cluster_dim_blocks x upper_bound 8
  %4 = gpu.grid_dim x
  %5 = gpu.num_subgroups : index
  %6 = gpu.subgroup_id upper_bound 4 : index
  %7 = gpu.subgroup_size : index
  %8, %9 = gpu.rotate %x, 1, 32 : f32
  %10 = gpu.subgroup_broadcast %x, first_active_lane : f32
  %11 = gpu.subgroup_broadcast %x, specific_lane %i : f32
  gpu.set_default_device %i
  gpu.host_unregister %u : memref<*xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %m, %m : memref<4xf32>, memref<4xf32>
  %t2 = gpu.memset async [%t1] %m, %x : memref<4xf32>, f32
  gpu.memcpy %m, %m : memref<4xf32>, memref<4xf32>
  return
}
// -----
func.func @sparse_formats(%n: index, %m: memref<?xf32>, %idx: memref<?xindex>, %buf: memref<?xi8>) {
  %t0 = gpu.wait async
  %csr, %t1 = gpu.create_csr async [%t0] %n, %n, %n, %idx, %idx, %m : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %csc, %t2 = gpu.create_csc async [%t1] %n, %n, %n, %idx, %idx, %m : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %bsr, %t3 = gpu.create_bsr async [%t2] %n, %n, %n, %n, %n, %idx, %idx, %m : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %aos, %t4 = gpu.create_coo_aos async [%t3] %n, %n, %n, %idx, %m : memref<?xindex>, memref<?xf32>
  %two, %t5 = gpu.create_2to4_spmat async [%t4] {PRUNE_AND_CHECK} %n, %n, %m : memref<?xf32>
  %vec, %t6 = gpu.create_dn_tensor async [%t5] %m, %n : index into memref<?xf32>
  %t7 = gpu.spmv async [%t6] %csr, %vec, %vec, %buf : memref<?xi8> into f32
  %size, %t8 = gpu.spmm_buffer_size async [%t7] %csr{TRANSPOSE}, %vec, %vec : index into f32
  %t9 = gpu.spmm async [%t8] %csr, %vec, %vec, %buf : memref<?xi8> into f32
  %size2, %t10 = gpu.sddmm_buffer_size async [%t9] %vec, %vec, %csr into f32
  %t11 = gpu.sddmm async [%t10] %vec, %vec, %csr, %buf : memref<?xi8> into f32
  %descr, %t12 = gpu.spgemm_create_descr async [%t11]
  %rows, %cols, %nnz, %t13 = gpu.spmat_get_size async [%t12] %csr
  %t14 = gpu.set_csr_pointers async [%t13] %csr, %idx, %idx, %m : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %t15 = gpu.spgemm_destroy_descr async [%t14] %descr
  %t16 = gpu.destroy_dn_tensor async [%t15] %vec
  gpu.wait [%t16]
  return
}
// -----
gpu.module @elements {
  gpu.func @fragments(%c: !gpu.mma_matrix<16x16xf32, "COp">, %x: f32, %i: index) {
    %0 = gpu.subgroup_mma_elementwise addf %c, %c : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
    %1 = gpu.subgroup_mma_extract_thread_local %c[%i] : !gpu.mma_matrix<16x16xf32, "COp"> -> f32
    %2 = gpu.subgroup_mma_insert_thread_local %x, %c[%i] : f32, !gpu.mma_matrix<16x16xf32, "COp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.return
  }
}
