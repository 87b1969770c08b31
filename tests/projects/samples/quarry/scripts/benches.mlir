transform.with_pdl_patterns {
^bb0(%root: !pdl.operation):
  transform.sequence %root : !pdl.operation failures(propagate) {
  ^bb1(%code: !pdl.operation):
    %loops = transform.structured.match ops{["scf.parallel"]} in %code : (!pdl.operation) -> !pdl.operation
    %bench = transform.quarry.par_to_bench %loops {first_dim = 1 : i64}
    %promoted = transform.quarry.promote %bench {memory_space = "L2", operands_to_promote = [0]}
    %around = transform.quarry.get_bench_for %promoted
    transform.quarry.fuse_into_bench %promoted into %around
  }
}
