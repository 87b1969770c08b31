// Replaces a convolution by a call of the project's own kernel.
module attributes {transform.with_named_sequence} {
  util.func private @custom_conv(%input: tensor<1x?x?x64xf16>, %filter: tensor<3x3x64x128xf16>) -> tensor<1x?x?x128xf32> {
    %c1 = arith.constant 1 : index
    %h = tensor.dim %input, %c1 : tensor<1x?x?x64xf16>
    %0 = flow.dispatch @executable::@conv[%h](%input, %filter) {stream.affinity = #hal.device.promise<@dev>}
      : (tensor<1x?x?x64xf16>{%h, %h}, tensor<3x3x64x128xf16>) -> tensor<1x?x?x128xf32>{%h, %h}
    util.return %0 : tensor<1x?x?x128xf32>
  }
  hal.executable private @executable {
    hal.executable.variant public @rocm target(<"rocm", "rocm-hsaco-fb", {iree.gpu.target = #iree_gpu.target<arch = "gfx942", features = "">}>)
        objects([#hal.executable.object<{path = "conv.o"}>]) {
      hal.executable.export public @conv ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, ReadOnly>]>)
          count(%device: !hal.device, %workload: index) -> (index, index, index) {
        %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice %workload
        hal.return %x, %y, %z : index, index, index
      } attributes {workgroup_size = [64 : index, 1 : index, 1 : index]}
    }
  }
  transform.named_sequence @match_conv(%op: !transform.any_op {transform.readonly}) -> (!transform.any_value, !transform.any_value) {
    %ins, %outs = transform.iree.match.cast_compatible_dag_from_root %op {
    ^bb0(%input: tensor<1x?x?x64xf16>, %filter: tensor<3x3x64x128xf16>, %init: tensor<1x?x?x128xf32>):
      %0 = linalg.conv_2d_nhwc_hwcf ins(%input, %filter : tensor<1x?x?x64xf16>, tensor<3x3x64x128xf16>)
        outs(%init : tensor<1x?x?x128xf32>) -> tensor<1x?x?x128xf32>
    } : (!transform.any_op) -> (!transform.any_value, !transform.any_value)
    transform.yield %ins, %outs : !transform.any_value, !transform.any_value
  }
  transform.named_sequence @cast_and_call(%ins: !transform.any_value {transform.readonly}, %out: !transform.any_value {transform.readonly}) {
    %root = transform.get_defining_op %out : (!transform.any_value) -> !transform.any_op
    %module = transform.util.get_nearest_symbol_table %root : (!transform.any_op) -> !transform.any_op
    %executable = transform.util.import_symbol @executable into %module if undefined : (!transform.any_op) -> !transform.any_op
    %func = transform.util.import_symbol @custom_conv into %module if undefined : (!transform.any_op) -> !transform.any_op
    transform.util.cast_and_call %func(%ins) -> %out after %root {
      transform.type_conversion.tensor.cast_shape_dynamic_dims
    } : (!transform.any_op, !transform.any_value, !transform.any_value, !transform.any_op) -> !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %funcs = transform.structured.match ops{["util.func"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.foreach %funcs : !transform.any_op {
    ^bb1(%func: !transform.any_op):
      transform.foreach_match in %func @match_conv -> @cast_and_call : (!transform.any_op) -> !transform.any_op
    }
    transform.apply_dce to %module : !transform.any_op
    transform.yield
  }
}
