// Operations of the dialects gpu, nvgpu and xegpu.
// -----
// payload launch
func.func @launch(%x: memref<2x32xf32>, %y: memref<2x32xf32>, %v: f32) {
  %one = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
             threads(%tx, %ty, %tz) in (%sx = %one, %sy = %one, %sz = %one) {
    scf.forall (%i, %j) in (2, 32) {
      %a = memref.load %x[%i, %j] : memref<2x32xf32>
      %b = math.fma %v, %a, %a : f32
      memref.store %b, %y[%i, %j] : memref<2x32xf32>
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    gpu.terminator
  }
  return
}
// -----
// payload blocks
func.func @blocks(%x: memref<4x8xf32>, %v: f32) {
  scf.forall (%i, %j) in (4, 8) {
    memref.store %v, %x[%i, %j] : memref<4x8xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}
// -----
// nested foralls to threads
// on: launch
// $options: block_dims = [32, 4, 1] | block_dims = [32, 2, 1] sync_after_distribute = false | block_dims = [16, 4, 1] | block_dims = [64, 4, 1] warp_size = 64
%launch = transform.structured.match ops{["gpu.launch"]} in %root : (!any) -> !any
%mapped = transform.gpu.map_nested_forall_to_threads %launch $options : (!any) -> !any
transform.debug.emit_remark_at %mapped, "mapped" : !any
// -----
// threads outside of a launch
// on: blocks
%forall = transform.structured.match ops{["scf.forall"]} in %root : (!any) -> !any
%mapped = transform.gpu.map_nested_forall_to_threads %forall block_dims = [32, 4, 1] : (!any) -> !any
// -----
// foralls to blocks
// on: blocks
// $options: generate_gpu_launch | generate_gpu_launch grid_dims = [8, 4, 1] | nothing | generate_gpu_launch grid_dims = [2, 2, 1]
%function = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
%launch = transform.gpu.map_forall_to_blocks %function $options : (!any) -> !any
transform.debug.emit_remark_at %launch, "launch" : !any
// -----
// blocks and threads
// on: launch
%launch = transform.structured.match ops{["gpu.launch"]} in %root : (!any) -> !any
%blocks = transform.gpu.map_forall_to_blocks %launch grid_dims = [2, 2, 1] : (!any) -> !any
// -----
// asynchronous groups
// $options: nothing | {bypass_l1}
func.func @copies(%a: memref<64x64xf32>) {
  %shared = memref.alloc() : memref<32x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true]} : memref<64x64xf32>, vector<4xf32>
  vector.transfer_write %0, %shared[%c0, %c0] {in_bounds = [true]} : vector<4xf32>, memref<32x16xf32, #gpu.address_space<workgroup>>
  %1 = vector.load %a[%c4, %c4] : memref<64x64xf32>, vector<4xf32>
  vector.store %1, %shared[%c4, %c0] : memref<32x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
  return
}
// script
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
%changed = transform.nvgpu.create_async_groups %functions $options : (!any) -> !any
transform.debug.emit_remark_at %changed, "changed" : !any
// -----
// pipeline copies
// $how: failures(propagate) %loop {depth = 2, peel_epilogue} | failures(propagate) %loop {depth = 2} | failures(suppress) %loop {depth = 2} | failures(propagate) %loop {depth = 99, peel_epilogue}
func.func private @work(index, memref<?xf32, #gpu.address_space<workgroup>>)
func.func @loads(%global: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c96 = arith.constant 96 : index
  %c4 = arith.constant 4 : index
  %shared = memref.alloc(%c96) : memref<?xf32, #gpu.address_space<workgroup>>
  %pad = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c96 step %c4 {
    %v = vector.transfer_read %global[%i], %pad : memref<?xf32>, vector<4xf32>
    vector.transfer_write %v, %shared[%i] : vector<4xf32>, memref<?xf32, #gpu.address_space<workgroup>>
    func.call @work(%i, %shared) : (index, memref<?xf32, #gpu.address_space<workgroup>>) -> ()
  }
  return
}
// script
%loop = transform.structured.match ops{["scf.for"]} in %root : (!any) -> !any
%pipelined = transform.nvgpu.pipeline_shared_memory_copies $how : (!any) -> !any
transform.debug.emit_remark_at %pipelined, "pipelined" : !any
// -----
// products as mma.sync
// $rows: 16 | 3
func.func @product(%a: memref<$rowsx4xf32>, %b: memref<4x8xf32>, %c: memref<$rowsx8xf32>) {
  linalg.matmul ins(%a, %b: memref<$rowsx4xf32>, memref<4x8xf32>) outs(%c: memref<$rowsx8xf32>)
  return
}
// script
%matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!any) -> !any
transform.nvgpu.rewrite_matmul_as_mma_sync %matmul : (!any) -> ()
// -----
// copies as tma
memref.global "private" @left : memref<64x8xf32, #gpu.address_space<workgroup>>
func.func @main() {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %token = gpu.wait async
  %memory, %done = gpu.alloc async [%token] () : memref<64x8xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %out = memref.get_global @left : memref<64x8xf32, #gpu.address_space<workgroup>>
    linalg.copy ins(%memory: memref<64x8xf32>) outs(%out: memref<64x8xf32, #gpu.address_space<workgroup>>)
    gpu.terminator
  }
  return
}
// script
%copy = transform.structured.match ops{["linalg.copy"]} in %root : (!any) -> !any
transform.nvgpu.rewrite_copy_as_tma %copy : (!any) -> ()
// -----
// payload xegpu
func.func @dpas(%a: memref<256x64xf16>, %b: memref<64x256xf16>, %c: memref<256x256xf16>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %da = xegpu.create_nd_tdesc %a : memref<256x64xf16> -> !xegpu.tensor_desc<256x32xf16>
  %db = xegpu.create_nd_tdesc %b : memref<64x256xf16> -> !xegpu.tensor_desc<32x256xf16>
  %dc = xegpu.create_nd_tdesc %c : memref<256x256xf16> -> !xegpu.tensor_desc<256x256xf16>
  %acc = xegpu.load_nd %dc[%c0, %c0] : !xegpu.tensor_desc<256x256xf16> -> vector<256x256xf16>
  %r = scf.for %k = %c0 to %c64 step %c32 iter_args(%s = %acc) -> (vector<256x256xf16>) {
    %va = xegpu.load_nd %da[%c0, %k] : !xegpu.tensor_desc<256x32xf16> -> vector<256x32xf16>
    %vb = xegpu.load_nd %db[%k, %c0] : !xegpu.tensor_desc<32x256xf16> -> vector<32x256xf16>
    %t = xegpu.dpas %va, %vb, %s : vector<256x32xf16>, vector<32x256xf16>, vector<256x256xf16> -> vector<256x256xf16>
    scf.yield %t : vector<256x256xf16>
  }
  return
}
// -----
// find a descriptor
// on: xegpu
// $operand: 0 | 1 | 2
%dpas = transform.structured.match ops{["xegpu.dpas"]} in %root : (!any) -> !any
%value = transform.get_operand %dpas[$operand] : (!any) -> !value
%descriptor = transform.xegpu.get_desc_op %value : (!value) -> !any
transform.debug.emit_remark_at %descriptor, "descriptor" : !any
// -----
// set the layout of a descriptor
// $layout: sg_layout = [8, 4] sg_data = [32, 32] : (!any) | sg_layout = [8, 4] sg_data = [32, 32] inst_data = [8, 16] : (!any) | sg_layout = [%eight, 4] sg_data = [32, 32] : (!any, !param) | sg_layout = [8, 4] sg_data = [32, 32] inst_data = [8, 16] slice_dims = [0] : (!any)
func.func @descriptor(%a: memref<256x64xf16>) {
  %d = xegpu.create_nd_tdesc %a : memref<256x64xf16> -> !xegpu.tensor_desc<256x32xf16>
  return
}
// script
%d = transform.structured.match ops{["xegpu.create_nd_tdesc"]} in %root : (!any) -> !any
%eight = transform.param.constant 8 : i64 -> !param
%new = transform.xegpu.set_desc_layout %d $layout -> !any
transform.debug.emit_remark_at %new, "with layout" : !any
// -----
// set the layout of what is no descriptor
// on: xegpu
%dpas = transform.structured.match ops{["xegpu.dpas"]} in %root : (!any) -> !any
%new = transform.xegpu.set_desc_layout %dpas sg_layout = [8, 4] sg_data = [32, 32] : (!any) -> !any
// -----
// set the layout of operands
// on: xegpu
// $which: result | nothing | index = 1 | result index = 7 | index = 5
%dpas = transform.structured.match ops{["xegpu.dpas"]} in %root : (!any) -> !any
transform.xegpu.set_op_layout_attr %dpas $which sg_layout = [8, 4] sg_data = [32, 64] : !any
// -----
// set threads
// on: launch
// $threads: [8, 4, 1] : !any | [8, %four, 1] : !any, !param | [8, 4] : !any
%launch = transform.structured.match ops{["gpu.launch"]} in %root : (!any) -> !any
%four = transform.param.constant 4 : i64 -> !param
transform.xegpu.set_gpu_launch_threads %launch threads = $threads
// -----
// prefetch
// on: xegpu
// $count: 1 : (!value) | %two : (!value, !param) | 0 : (!value)
%dpas = transform.structured.match ops{["xegpu.dpas"]} in %root : (!any) -> !any
%value = transform.get_operand %dpas[0] : (!any) -> !value
%two = transform.param.constant 2 : i64 -> !param
%descriptor = transform.xegpu.insert_prefetch %value nb_prefetch = $count -> !any
transform.debug.emit_remark_at %descriptor, "prefetched" : !any
// -----
// convert a layout
func.func @convert(%a: memref<256x64xf16>) -> vector<256x32xf16> {
  %c0 = arith.constant 0 : index
  %d = xegpu.create_nd_tdesc %a : memref<256x64xf16> -> !xegpu.tensor_desc<256x32xf16, #xegpu.layout<sg_layout = [8, 4], sg_data = [32, 32], inst_data = [32, 16]>>
  %v = xegpu.load_nd %d[%c0, %c0] : !xegpu.tensor_desc<256x32xf16, #xegpu.layout<sg_layout = [8, 4], sg_data = [32, 32], inst_data = [32, 16]>> -> vector<256x32xf16>
  %w = arith.addf %v, %v : vector<256x32xf16>
  return %w : vector<256x32xf16>
}
// script
%add = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
%value = transform.get_operand %add[0] : (!any) -> !value
%new = transform.xegpu.convert_layout %value input_sg_layout = [8, 4] input_sg_data = [32, 32] input_inst_data = [32, 16] target_sg_layout = [8, 4] target_sg_data = [32, 32] target_inst_data = [8, 16] : (!value) -> !any
transform.debug.emit_remark_at %new, "converted" : !any
