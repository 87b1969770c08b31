module attributes {transform.with_named_sequence} {
  transform.named_sequence @callee(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.yield %x : !transform.any_op
  }
  transform.named_sequence @nested(%root: !transform.any_op {transform.consumed}, %value: !transform.any_value {transform.readonly}) {
    transform.sequence %root, %value : (!transform.any_op, !transform.any_value) failures(propagate) {
    ^bb0(%inner: !transform.any_op, %other: !transform.any_value):
    }
    %found = transform.sequence %root : !transform.any_op -> !transform.any_op failures(propagate) {
    ^bb0(%inner: !transform.any_op):
      transform.yield %inner : !transform.any_op
    }
    %called = transform.include @callee failures(propagate) (%root) : (!transform.any_op) -> !transform.any_op
    transform.with_pdl_patterns %root : !transform.any_op {
    ^bb0(%inner: !transform.any_op):
      pdl.pattern @some : benefit(1) {
        %0 = pdl.operation "my.op"
        pdl.rewrite %0 with "transform.dialect"
      }
      transform.sequence %inner : !transform.any_op failures(propagate) {
      ^bb1(%deeper: !transform.any_op):
        %1 = transform.pdl_match @some in %deeper : (!transform.any_op) -> !transform.any_op
      }
    }
    %nothing = transform.alternatives %root : !transform.any_op -> !transform.any_op {
    ^bb0(%inner: !transform.any_op):
      transform.yield %inner : !transform.any_op
    }
    %collected = transform.irdl.collect_matching in %root : (!transform.any_op) -> !transform.any_op {
      irdl.dialect @test {
        irdl.operation @whatever {
        }
      }
    }
    %updated, %forwarded = transform.foreach_match in %root @callee -> @callee : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %again = transform.foreach_match in %root @callee -> @seen : (!transform.any_op) -> !transform.any_op
    %matched = transform.match.structured %root : (!transform.any_op) -> !transform.any_op {
    ^bb0(%op: !transform.any_op):
      transform.match.structured.yield %op : !transform.any_op
    }
    transform.yield
  }
  transform.named_sequence @seen(%x: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @sizes(%root: !transform.any_op {transform.consumed}, %sizes: !transform.any_op {transform.readonly}, %number: !transform.param<i64>) {
    %tiled, %loop = transform.structured.tile_using_forall %root num_threads *(%sizes) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %other, %inner = transform.structured.tile_using_forall %tiled tile_sizes *(%sizes) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %passed = transform.apply_registered_pass "canonicalize" with options = {"max-iterations" = %number} to %other : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    transform.yield
  }
}
