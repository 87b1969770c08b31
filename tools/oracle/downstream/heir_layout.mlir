!cc = !openfhe.crypto_context
!ct = !lwe.lwe_ciphertext<application_data = <message_type = i16>, plaintext_space = #lwe.plaintext_space<ring = #ring, encoding = #lwe.full_crt_packing_encoding<scaling_factor = 0>>>
#ring = #polynomial.ring<coefficientType = !mod_arith.int<17 : i32>, polynomialModulus = <1 + x**32>>
module attributes {transform.with_named_sequence, scheme.bgv} {
  func.func @add(%cc: !cc, %a: !ct, %b: !ct) -> !ct {
    %0 = openfhe.add %cc, %a, %b : (!cc, !ct, !ct) -> !ct
    %1 = openfhe.rot %cc, %0 { index = 5 : index } : (!cc, !ct) -> !ct
    return %1 : !ct
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %adds = transform.structured.match ops{["openfhe.add"]} in %root : (!transform.any_op) -> !transform.any_op
    %secret, %plain = transform.heir.partition_by_secretness %adds : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.heir.assign_layout %secret = affine_map<(d0) -> (d0 mod 32)> alignment <in = [17], out = [32], padding = [15]> : !transform.any_op
    transform.heir.bootstrap_if %plain level >= 3 : !transform.any_op
    transform.yield
  }
}
