module @circuit attributes {transform.with_named_sequence} {
  func.func @bell() -> (i1, i1) {
    %r = quantum.alloc(2) : !quantum.reg
    %q0 = quantum.extract %r[0] : !quantum.reg -> !quantum.bit
    %q1 = quantum.extract %r[1] : !quantum.reg -> !quantum.bit
    %h = quantum.custom "Hadamard"() %q0 : !quantum.bit
    %c:2 = quantum.custom "CNOT"() %h, %q1 : !quantum.bit, !quantum.bit
    %m0, %o0 = quantum.measure %c#0 : i1, !quantum.bit
    %m1, %o1 = quantum.measure %c#1 : i1, !quantum.bit
    return %m0, %m1 : i1, i1
  }
  transform.named_sequence @__transform_main(%arg0: !transform.op<"builtin.module">) {
    %0 = transform.apply_registered_pass "remove-chained-self-inverse" to %arg0 : (!transform.op<"builtin.module">) -> !transform.op<"builtin.module">
    %1 = transform.catalyst.apply_quantum_pass "merge-rotations" with options = {"angle-tolerance" = 1.0e-6 : f64} to %0
      : (!transform.op<"builtin.module">) -> !transform.op<"builtin.module">
    transform.yield
  }
}
