module attributes {iree_codegen.tuning_spec_with_default_entrypoint, transform.with_named_sequence} {
  transform.named_sequence @apply(%op: !transform.any_op {transform.readonly}, %info: !transform.any_param {transform.readonly}) {
    transform.annotate %op "compilation_info" = %info : !transform.any_op, !transform.any_param
    transform.annotate %op "__tuning_spec_applied__" : !transform.any_op
    transform.yield
  }

  transform.named_sequence @match_mmt(%root: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.any_param) {
    %ins, %outs = transform.iree.match.cast_compatible_dag_from_root %root {
    ^bb0(%lhs: tensor<2048x1280xf16>, %rhs: tensor<10240x1280xf16>, %out: tensor<2048x10240xf32>):
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>,
                                            affine_map<(d0, d1, d2) -> (d0, d1)>],
                           iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%lhs, %rhs : tensor<2048x1280xf16>, tensor<10240x1280xf16>) outs(%out : tensor<2048x10240xf32>) {
      ^bb0(%in: f16, %in_0: f16, %acc: f32):
        %1 = arith.extf %in : f16 to f32
        %2 = arith.extf %in_0 : f16 to f32
        %3 = arith.mulf %1, %2 : f32
        %4 = arith.addf %acc, %3 : f32
        linalg.yield %4 : f32
      } -> tensor<2048x10240xf32>
    } : (!transform.any_op) -> (!transform.any_value, !transform.any_value)
    %info = transform.param.constant #iree_codegen.compilation_info<
        lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_32x32x8_F16>,
                                                     workgroup = [128, 320, 0], reduction = [0, 0, 32]}>>
      -> !transform.any_param
    transform.yield %root, %info : !transform.any_op, !transform.any_param
  }

  transform.named_sequence @__kernel_config(%variant: !transform.any_op {transform.consumed}) -> !transform.any_op {
    %res = transform.foreach_match in %variant @match_mmt -> @apply : (!transform.any_op) -> !transform.any_op
    transform.yield %res : !transform.any_op
  }
}
