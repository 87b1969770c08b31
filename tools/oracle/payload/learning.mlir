ml_program.global private mutable @state(dense<0> : tensor<4xi64>) : tensor<4xi64>
ml_program.global public @weights(#ml_program.extern : tensor<4xf32>) : tensor<?xf32>
ml_program.func @step(%x: tensor<4xi64>) -> tensor<4xi64> {
  %0 = ml_program.global_load @state : tensor<4xi64>
  ml_program.global_store @state = %x : tensor<4xi64>
  ml_program.return %0 : tensor<4xi64>
}
ml_program.subgraph @graph(%a: i32) -> i32 {
  %t = ml_program.token
  ml_program.output %a : i32
}
// -----
!q = !quant.uniform<i8:f32, 0.5:-3>
!per_axis = !quant.uniform<u8<1:254>:f32:1, {0.1:12, 0.25:128}>
func.func @quantized(%x: tensor<2x2xf32>, %s: f32) -> tensor<2x2xf32> {
  %0 = quant.qcast %x : tensor<2x2xf32> to tensor<2x2x!q>
  %1 = quant.scast %0 : tensor<2x2x!q> to tensor<2x2xi8>
  %2 = quant.scast %1 : tensor<2x2xi8> to tensor<2x2x!q>
  %3 = quant.dcast %2 : tensor<2x2x!q> to tensor<2x2xf32>
  %4 = quant.qcast %x : tensor<2x2xf32> to tensor<2x2x!per_axis>
  return %3 : tensor<2x2xf32>
}
