#map = affine_map<(d0) -> (d0 * 4)>
module attributes {transform.with_named_sequence, gpu.container_module, vendor.target = #vendor.device<"x1", cores = 8>} {
  gpu.module @kernels attributes {vendor.binary = dense_resource<blob> : tensor<16xi8>} {
    gpu.func @k(%m: memref<?xf32, #vendor.space<hbm>>) kernel {
      %t = gpu.thread_id x
      %i = affine.apply #map(%t)
      %v = vendor.load_vector %m[%i], !vendor.fill<0.0> : memref<?xf32, #vendor.space<hbm>>, vector<4xf32>
      %r = vendor.reduce <sum> %v across lanes(32) : vector<4xf32> to f32
      vendor.barrier(scope = workgroup)
      %c = vendor.is_leader : i1
      scf.if %c {
        vendor.store %r, %m[%i] : f32, memref<?xf32, #vendor.space<hbm>>
      }
      gpu.return
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %kernels = transform.structured.match ops{["gpu.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %kernels : !transform.any_op {
    ^bb0(%kernel: !transform.any_op):
      %loads = transform.structured.match ops{["vendor.load_vector"]} in %kernel : (!transform.any_op) -> !transform.any_op
      %n = transform.num_associations %loads : (!transform.any_op) -> !transform.param<i64>
      %zero = transform.param.constant 0 : i64 -> !transform.param<i64>
      transform.match.param.cmpi gt %n, %zero : !transform.param<i64>
      transform.vendor.double_buffer %loads depth = %n unless(#vendor.device<"x0">) : !transform.any_op, !transform.param<i64>
    }
    transform.yield
  }
}
{-#
  dialect_resources: {
    builtin: {
      blob: "0x0100000000112233445566778899AABBCCDDEEFF"
    }
  }
#-}
