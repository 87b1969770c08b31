// RUN: vendor-opt %s --transform-interpreter --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @first
func.func @first(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{visited}}
  %0 = vendor.matmul %x, %x {fast} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["vendor.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %0, "visited" : !transform.any_op
    transform.vendor.lower %0
    transform.yield
  }
}

// -----

// CHECK-LABEL: func @second
func.func @second(%x: !vendor.tensor<8x?xf32>) {
  vendor.print %x : !vendor.tensor<8x?xf32>
  return
}
transform.sequence failures(propagate) {
^bb0(%root: !transform.any_op):
  // CHECK: vendor.print
  %0 = transform.vendor.find "print" in %root -> !transform.any_op
  transform.vendor.outline %0 as @print_it
}
