// Schedules for a high-level synthesis tool, with hardware in the same file.
hw.module @top(in %clk : !seq.clock, in %a : i32, out y : i32) {
  %0 = comb.add bin %a, %a {sv.namehint = "twice"} : i32
  %1 = seq.compreg sym @state %0, %clk : i32
  %2 = sv.reg : !hw.inout<i8>
  sv.always posedge %3 {
    sv.if %4 {
      sv.passign %2, %5 : i8
    } else {
    }
  }
  %3, %4 = hw.instance "child" @child<N: i64 = 3>(x: %a: i32) -> (p: i1, q: i1)
  %5 = hw.constant -1 : i8
  hw.output %1 : i32
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %modules = transform.structured.match ops{["hw.module"]} in %root : (!transform.any_op) -> !transform.any_op
    %ii, %latency = transform.hls.schedule %modules clock(2.5 ns) resources {mul = 4, "add" = 8}
      : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>)
    transform.hls.require %ii <= 1, %latency <= 40 : !transform.param<i64>, !transform.param<i64>
    transform.hls.bind(%modules : !transform.any_op) {
      %unit = hls.unit "dsp48" : !hls.unit<3>
      hls.yield %unit
    }
    transform.yield
  }
}
