func.func @tensor_cores(%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %m: memref<128x128xf16, 3>, %g: memref<128x128xf16>, %i: index)
    -> vector<2x2xf16> {
  %0 = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  %1 = nvgpu.ldmatrix %m[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<128x128xf16, 3> -> vector<4x2xf16>
  %2 = nvgpu.device_async_copy %g[%i, %i], %m[%i, %i], 8 {bypassL1} : memref<128x128xf16> to memref<128x128xf16, 3>
  %3 = nvgpu.device_async_create_group %2
  nvgpu.device_async_wait %3 {numGroups = 1 : i32}
  %barrier = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
  %c0 = arith.constant 0 : index
  nvgpu.mbarrier.init %barrier[%c0], %i : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
  %token = nvgpu.mbarrier.arrive %barrier[%c0] : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> !nvgpu.mbarrier.token
  %done = nvgpu.mbarrier.test.wait %barrier[%c0], %token : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>, !nvgpu.mbarrier.token
  return %0 : vector<2x2xf16>
}
// -----
llvm.func @intrinsics(%x: i32, %v: f32, %p: !llvm.ptr<3>, %g: !llvm.ptr<1>, %a: vector<2xf16>) -> i32 attributes {nvvm.kernel} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %dim = nvvm.read.ptx.sreg.ntid.x range <i32, 1, 1024> : i32
  nvvm.barrier0
  %s = nvvm.shfl.sync bfly %x, %tid, %dim, %x {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
  %r = nvvm.rcp.approx.ftz.f %v : f32
  %l = nvvm.ldmatrix %p {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
  nvvm.cp.async.shared.global %p, %g, 16, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  llvm.return %tid : i32
}
// -----
llvm.func @mma(%a: vector<2xf16>, %b: vector<2xf16>, %c: f32) -> !llvm.struct<(f32, f32, f32, f32)> {
  %0 = nvvm.mma.sync A[%a, %a, %a, %a] B[%b, %b] C[%c, %c, %c, %c]
    {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>}
    : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return %0 : !llvm.struct<(f32, f32, f32, f32)>
}
// -----
llvm.func @rocdl(%x: i32, %f: f32, %acc: vector<4xf32>, %b: vector<4xf16>) -> i32 {
  %0 = rocdl.workitem.id.x : i32
  %1 = rocdl.workgroup.dim.y range <i32, 1, 64> : i32
  rocdl.s.barrier
  %2 = rocdl.ds_bpermute %0, %x : (i32, i32) -> i32
  %3 = rocdl.mfma.f32.16x16x16f16 %b, %b, %acc, %x, %x, %x : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  llvm.return %2 : i32
}
// -----
func.func @amd(%m: memref<128xf32>, %i: i32, %v: f32, %a: vector<4xf16>, %c: vector<4xf32>) -> vector<4xf32> {
  %0 = amdgpu.raw_buffer_load {boundsCheck = true} %m[%i] : memref<128xf32>, i32 -> f32
  amdgpu.raw_buffer_store {boundsCheck = false} %v -> %m[%i] : f32 -> memref<128xf32>, i32
  %1 = amdgpu.mfma 16x16x16 %a * %a + %c {abid = 0 : i32, cbsz = 0 : i32} blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
  amdgpu.lds_barrier
  amdgpu.sched_barrier allow = <valu|all_vmem>
  return %1 : vector<4xf32>
}
