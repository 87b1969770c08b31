spirv.module Logical GLSL450 requires #spirv.vce<v1.3, [Shader, Linkage], [SPV_KHR_storage_buffer_storage_class]> {
  spirv.GlobalVariable @buffer bind(0, 1) : !spirv.ptr<!spirv.struct<(!spirv.array<16 x f32, stride=4> [0])>, StorageBuffer>
  spirv.GlobalVariable @id built_in("GlobalInvocationId") : !spirv.ptr<vector<3xi32>, Input>
  spirv.SpecConstant @factor spec_id(5) = 3 : i32
  spirv.func @main() "None" {
    %zero = spirv.Constant 0 : i32
    %limit = spirv.Constant 16 : i32
    %one = spirv.Constant 1 : i32
    %p = spirv.mlir.addressof @buffer : !spirv.ptr<!spirv.struct<(!spirv.array<16 x f32, stride=4> [0])>, StorageBuffer>
    %counter = spirv.Variable init(%zero) : !spirv.ptr<i32, Function>
    spirv.mlir.loop {
      spirv.Branch ^header
    ^header:
      %i = spirv.Load "Function" %counter : i32
      %more = spirv.SLessThan %i, %limit : i32
      spirv.BranchConditional %more, ^body, ^merge
    ^body:
      %e = spirv.AccessChain %p[%zero, %i] : !spirv.ptr<!spirv.struct<(!spirv.array<16 x f32, stride=4> [0])>, StorageBuffer>, i32, i32 -> !spirv.ptr<f32, StorageBuffer>
      %v = spirv.Load "StorageBuffer" %e : f32
      %w = spirv.FMul %v, %v : f32
      spirv.Store "StorageBuffer" %e, %w ["Aligned", 4] : f32
      spirv.Branch ^continue
    ^continue:
      %n = spirv.Load "Function" %counter : i32
      %m = spirv.IAdd %n, %one : i32
      spirv.Store "Function" %counter, %m : i32
      spirv.Branch ^header
    ^merge:
      spirv.mlir.merge
    }
    spirv.Return
  }
  spirv.func @choose(%c: i1, %x: f32) -> f32 "Pure" {
    %0 = spirv.mlir.selection -> f32 {
      spirv.BranchConditional %c [5, 10], ^then, ^else
    ^then:
      spirv.Branch ^merge(%x : f32)
    ^else:
      %z = spirv.Constant 0.5 : f32
      spirv.Branch ^merge(%z : f32)
    ^merge(%r: f32):
      spirv.mlir.merge %r : f32
    }
    %v = spirv.CompositeConstruct %x, %x : (f32, f32) -> vector<2xf32>
    %e = spirv.CompositeExtract %v[1 : i32] : vector<2xf32>
    %s = spirv.GL.Sqrt %e : f32
    %k = spirv.mlir.referenceof @factor : i32
    spirv.ControlBarrier <Workgroup>, <Device>, <Acquire|UniformMemory>
    spirv.ReturnValue %s : f32
  }
  spirv.EntryPoint "GLCompute" @main, @id
  spirv.ExecutionMode @main "LocalSize", 32, 1, 1
}
