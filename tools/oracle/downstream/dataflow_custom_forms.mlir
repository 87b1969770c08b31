// Forms as free as custom parsers allow: keywords, ranges, strings, regions in the middle, no types at all.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %all = transform.df.select from %root where "kernel" and not "inlined"
    %big, %small = transform.df.partition %all when { size > 1024 } else { size <= 1024 }
    transform.df.place %big on [0 .. 3] x [0 .. 1] step 2, %small on [4] x [*]
    transform.df.connect %big => %small via fifo<depth: 4, width: 128b>
    %report = transform.df.simulate(%big, %small) for 1.5e3 cycles do {
    ^bb0(%cycle: index, %state: !df.state<2>):
      %busy = df.busy %state : !df.state<2>
      df.stop_if %busy after %cycle
    } -> !df.report
    transform.df.expect %report throughput >= 0.9
    transform.df.emit %report to "report.json" format json, indent = 2
    transform.yield
  }
}
