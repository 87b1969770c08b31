// Sets of patterns for transform.apply_conversion_patterns, and converters of types.
// -----
// payload functions
func.func @f(%x: f32, %m: memref<4xf32>, %i: index) -> f32 {
  %0 = math.sqrt %x : f32
  memref.store %0, %m[%i] : memref<4xf32>
  return %0 : f32
}
// -----
// a dialect to llvm
// on: functions
// $dialect: math | memref | func | nosuch
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
transform.apply_conversion_patterns to %functions {
  transform.apply_conversion_patterns.dialect_to_llvm "$dialect"
} with type_converter {
  transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter {index_bitwidth = 64}
} {legal_dialects = ["llvm", "builtin", "func"], partial_conversion} : !any
// -----
// options of conversions
// on: functions
// $options: {illegal_ops = ["math.sqrt"], partial_conversion} | {illegal_dialects = ["math"], legal_dialects = ["llvm"], partial_conversion, preserve_handles} | {legal_dialects = ["llvm"]} | {legal_ops = ["math.sqrt"], partial_conversion}
// $converter: nothing | {index_bitwidth = 32, use_aligned_alloc = true, use_generic_functions = true, use_bare_ptr_call_conv = true}
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
transform.apply_conversion_patterns to %functions {
  transform.apply_conversion_patterns.dialect_to_llvm "math"
  transform.apply_conversion_patterns.dialect_to_llvm "memref"
} with type_converter {
  transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter $converter
} $options : !any
// -----
// functions to llvm
// on: functions
transform.named_sequence @__transform_main(%root: !any {transform.consumed}) {
  %module = transform.structured.match attributes {my.inner} in %root : (!any) -> !any
  transform.apply_conversion_patterns to %module {
    transform.apply_conversion_patterns.func.func_to_llvm
  } with type_converter {
    transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
  } {legal_dialects = ["llvm"], illegal_dialects = ["func"], partial_conversion} : !any
  transform.yield
}
module @inner attributes {my.inner} {
  func.func @g(%x: f32) -> f32 {
    return %x : f32
  }
}
// -----
// vectors to llvm
// $options: nothing | {reassociate_fp_reductions = true} | {force_32bit_vector_indices = false, use_vector_alignment = true}
func.func @f(%v: vector<4xf32>) -> f32 {
  %0 = vector.reduction <add>, %v : vector<4xf32> into f32
  %1 = vector.extract %v[1] : f32 from vector<4xf32>
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}
// script
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
transform.apply_conversion_patterns to %functions {
  transform.apply_conversion_patterns.vector.vector_to_llvm $options
} with type_converter {
  transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
} {illegal_dialects = ["vector"], legal_dialects = ["llvm"], partial_conversion} : !any
// -----
// loops to control flow
// on: copies | unknown_bound
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
transform.apply_conversion_patterns to %functions {
  transform.apply_conversion_patterns.scf.scf_to_control_flow
} with type_converter {
  transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
} {illegal_dialects = ["scf"], legal_dialects = ["cf", "arith", "memref", "func"], partial_conversion} : !any
// -----
// structures of loops
// on: unknown_bound
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
transform.apply_conversion_patterns to %functions {
  transform.apply_conversion_patterns.scf.structural_conversions
} with type_converter {
  transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
} {partial_conversion} : !any
// -----
// no converter of types
// on: functions
%functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
transform.apply_conversion_patterns to %functions {
  transform.apply_conversion_patterns.dialect_to_llvm "math"
} {partial_conversion} : !any
// -----
// gpu to others
// $patterns: gpu.gpu_to_nvvm | gpu.gpu_to_nvvm {benefit = 3 : i16} | gpu.gpu_wmma_to_nvvm | gpu.gpu_subgroup_reduce_to_nvvm | gpu.gpu_to_rocdl chipset = "gfx942" | nvgpu.nvgpu_to_nvvm
gpu.module @kernels {
  gpu.func @f(%x: i32) -> i32 {
    %t = gpu.thread_id x
    %l = gpu.lane_id
    %r = gpu.subgroup_reduce add %x uniform : (i32) -> i32
    gpu.return %r : i32
  }
}
// script
%module = transform.structured.match ops{["gpu.module"]} in %root : (!any) -> !any
transform.apply_conversion_patterns to %module {
  transform.apply_conversion_patterns.$patterns
} with type_converter {
  transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter {index_bitwidth = 32, use_opaque_pointers = true}
} {legal_dialects = ["llvm", "nvvm", "rocdl", "arith", "func"], legal_ops = ["gpu.module", "gpu.func", "gpu.return"], partial_conversion} : !any
