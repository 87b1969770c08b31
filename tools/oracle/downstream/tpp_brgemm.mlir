module attributes {transform.with_named_sequence} {
  transform.named_sequence @pack(%func: !transform.any_op {transform.consumed}) -> !transform.any_op {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %func : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %matmul packed_sizes = [32, 32, 32] : (!transform.any_op) -> !transform.op<"linalg.generic">
    %lhs = transform.get_producer_of_operand %packed[1] : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.pack">
    %op, %pack, %none = transform.structured.pack_transpose %lhs with_compute_op(%packed) outer_perm = [1, 0] inner_perm = [1, 0]
      : (!transform.op<"linalg.pack">, !transform.op<"linalg.generic">)
      -> (!transform.op<"linalg.generic">, !transform.op<"linalg.pack">, !transform.any_op)
    %collapsed = transform.structured.collapsing %op [[0, 1], [2]] : !transform.op<"linalg.generic"> -> !transform.any_op
    %brgemm = transform.structured.map_to_brgemm %collapsed : (!transform.any_op) -> !transform.any_op
    transform.tpp.convert_linalg_to_xsmm %brgemm flags(beta_0, vnni_b) : !transform.any_op
    %any = transform.cast %pack : !transform.op<"linalg.pack"> to !transform.any_op
    transform.yield %any : !transform.any_op
  }
}
