// Where an operation may stand whose name begins with the word after `//-----`: EXAMPLE is the operation, which
// stands in the first of these if none is for it. ARGUMENTS are the values that it uses.
//----- transform.
  transform.named_sequence @is_matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @is_fill(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @tile_matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @mark_matmul(%op: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @mark_fill(%op: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  func.func private @callee()
  transform.named_sequence @steps(ARGUMENTS) {
    EXAMPLE
    transform.yield
  }
//----- transform.apply_patterns.
  transform.named_sequence @steps(ARGUMENTS) {
    transform.apply_patterns to %f {
      EXAMPLE
    } : !transform.any_op
    transform.yield
  }
//----- transform.apply_conversion_patterns.
  transform.named_sequence @steps(ARGUMENTS) {
    transform.apply_conversion_patterns to %f {
      EXAMPLE
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
    } {legal_dialects = ["func", "llvm"]} : !transform.any_op
    transform.yield
  }
//----- transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
  transform.named_sequence @steps(ARGUMENTS) {
    transform.apply_conversion_patterns to %f {
    } with type_converter {
      EXAMPLE
    } {legal_dialects = ["func", "llvm"]} : !transform.any_op
    transform.yield
  }
//----- transform.type_conversion.
  transform.named_sequence @steps(ARGUMENTS) {
    transform.apply_conversion_patterns to %f {
      transform.apply_conversion_patterns.scf.structural_conversions
    } with type_converter {
      EXAMPLE
    } {legal_dialects = ["func", "llvm"]} : !transform.any_op
    transform.yield
  }
//----- transform.match.structured.
  transform.named_sequence @steps(ARGUMENTS) {
    %0 = transform.match.structured %f : (!transform.any_op) -> !transform.any_op {
    ^bb0(%struct: !transform.any_op):
      EXAMPLE
      transform.match.structured.yield %struct : !transform.any_op
    }
    transform.yield
  }
//----- transform.match.structured.yield
  transform.named_sequence @steps(ARGUMENTS) {
    %0 = transform.match.structured %f : (!transform.any_op) -> !transform.any_op {
    ^bb0(%struct: !transform.any_op):
      EXAMPLE
    }
    transform.yield
  }
//----- transform.named_sequence
  EXAMPLE
//----- transform.sequence
  EXAMPLE
//----- transform.with_pdl_patterns
  EXAMPLE
//----- transform.yield
  transform.named_sequence @steps() {
    EXAMPLE
  }
//----- transform.pdl_match
  transform.with_pdl_patterns {
  ^bb0(%payload: !transform.any_op):
    pdl.pattern @is_matmul : benefit(1) {
      %0 = pdl.operation "linalg.matmul"
      pdl.rewrite %0 with "transform.dialect"
    }
    transform.sequence %payload : !transform.any_op failures(propagate) {
    ^bb0(%root: !transform.any_op):
      EXAMPLE
    }
  }
