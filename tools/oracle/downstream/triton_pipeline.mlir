#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", transform.with_named_sequence} {
  tt.func public @kernel(%ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) attributes {noinline = false} {
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %2 = tt.expand_dims %1 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %3 = tt.splat %ptr : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %4 = tt.addptr %3, %2 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %5 = tt.load %4, evictionPolicy = evict_first : tensor<128x1x!tt.ptr<f16>, #blocked>
    tt.store %4, %5 cacheModifier = cs : tensor<128x1x!tt.ptr<f16>, #blocked>
    tt.return
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %loads = transform.structured.match ops{["tt.load"]} in %module : (!transform.any_op) -> !transform.any_op
    %dots = transform.structured.match ops{["tt.dot"]} filter_result_type = tensor<128x128xf32, #mma> in %module
      : (!transform.any_op) -> !transform.any_op
    %first, %rest = transform.split_handle %loads {overflow_result = 1} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %async = transform.triton.make_async %first stages(3) encoding #blocked : !transform.any_op -> !transform.any_op
    transform.triton.set_encoding %dots -> #mma : !transform.any_op
    %warps = transform.triton.specialize_warps [%async, %rest : !transform.any_op, !transform.any_op] into 2 partitions : !transform.any_op
    transform.yield
  }
}
