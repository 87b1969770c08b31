module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.with_pdl_patterns %root : !transform.any_op {
    ^bb0(%arg0: !transform.any_op):
      pdl.pattern @by_name : benefit(1) {
        %operands = pdl.operands
        %types = pdl.types
        %0 = pdl.operation "linalg.matmul"(%operands : !pdl.range<value>) -> (%types : !pdl.range<type>)
        pdl.rewrite %0 with "transform.dialect"
      }
      pdl.pattern @by_attributes : benefit(2) {
        %value = pdl.attribute = 1 : i64
        %other = pdl.attribute
        %type = pdl.type : i32
        %0 = pdl.operation "test.op" {"first" = %value, "second" = %other} -> (%type : !pdl.type)
        %1 = pdl.result 0 of %0
        %2 = pdl.operation (%1 : !pdl.value) {"third" = %value}
        pdl.rewrite %2 {
          %3 = pdl.operation "test.new" {"first" = %other}
          pdl.erase %2
        }
      }
      transform.sequence %arg0 : !transform.any_op failures(propagate) {
      ^bb1(%arg1: !transform.any_op):
        %0 = transform.pdl_match @by_name in %arg1 : (!transform.any_op) -> !transform.any_op
        transform.annotate %0 "found" : !transform.any_op
      }
    }
    transform.yield
  }
}
