// A codegen spec that picks a configuration per operation and leaves the rest to the project's own strategies.
#layout = #iree_gpu.mma_layout<MFMA_F16_32x32x8_F32>
#config = #iree_codegen.lowering_config<tile_sizes = [[1, 64, 0, 0], [0, 0, 0, 32]]>
#translation = #iree_codegen.translation_info<pipeline = LLVMGPUVectorDistribute workgroup_size = [64, 4]
  subgroup_size = 64, {llvm_func_attrs = {"waves-per-eu" = "2"}}>

module attributes {transform.with_named_sequence, iree_codegen.tuning_spec_with_default_entrypoint} {
  transform.named_sequence @has_no_forall(%fill: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %fill ["linalg.fill"] : !transform.any_op
    %parent = transform.get_parent_op %fill {allow_empty_results, nth_parent = 2 : i64, op_name = "scf.forall"}
      : (!transform.any_op) -> !transform.any_op
    transform.match.operation_empty %parent : !transform.any_op
    transform.yield %fill : !transform.any_op
  }

  transform.named_sequence @apply_attention_config(%op: !transform.any_op {transform.readonly},
                                                   %config: !transform.any_param {transform.readonly}) {
    transform.annotate %op "compilation_info" = %config : !transform.any_op, !transform.any_param
    transform.yield
  }

  transform.named_sequence @match_attention(%op: !transform.any_op {transform.readonly})
      -> (!transform.any_op, !transform.any_param) {
    transform.match.operation_name %op ["iree_linalg_ext.attention"] : !transform.any_op
    %query = transform.get_operand %op[0] : (!transform.any_op) -> !transform.any_value
    transform.iree.match.cast_compatible_type %query = tensor<?x?x?x64xf16> : !transform.any_value
    transform.iree.match.dim_is_multiple_of %query[2], 64 : !transform.any_value
    %config = transform.param.constant #iree_codegen.compilation_info<lowering_config = #config,
      translation_info = #translation> -> !transform.any_param
    transform.yield %op, %config : !transform.any_op, !transform.any_param
  }

  transform.named_sequence @__kernel_config(%variant: !transform.any_op {transform.consumed}) -> !transform.any_op
      attributes {iree_codegen.tuning_spec_entrypoint} {
    %done = transform.foreach_match in %variant
      @match_attention -> @apply_attention_config : (!transform.any_op) -> !transform.any_op
    transform.yield %done : !transform.any_op
  }
}
