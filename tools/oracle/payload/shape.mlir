func.func @broadcast(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?xindex> {
  %0 = shape.shape_of %a : tensor<?x?xf32> -> tensor<?xindex>
  %1 = shape.shape_of %b : tensor<?xf32> -> tensor<?xindex>
  %w = shape.cstr_broadcastable %0, %1 : tensor<?xindex>, tensor<?xindex>
  %r = shape.assuming %w -> (tensor<?xindex>) {
    %2 = shape.broadcast %0, %1 : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
    shape.assuming_yield %2 : tensor<?xindex>
  }
  return %r : tensor<?xindex>
}
// -----
func.func @elements(%s: !shape.shape) -> !shape.size {
  %one = shape.const_size 1
  %n = shape.reduce(%s, %one) : !shape.shape -> !shape.size {
  ^bb0(%i: index, %d: !shape.size, %acc: !shape.size):
    %p = shape.mul %acc, %d : !shape.size, !shape.size -> !shape.size
    shape.yield %p : !shape.size
  }
  %c = shape.const_shape [1, 2, 3] : !shape.shape
  %any = shape.any %s, %c : !shape.shape, !shape.shape -> !shape.shape
  %rank = shape.rank %any : !shape.shape -> !shape.size
  return %n : !shape.size
}
// -----
shape.function_library @library {
  shape.func @same(%x: !shape.value_shape) -> !shape.shape {
    %0 = shape.shape_of %x : !shape.value_shape -> !shape.shape
    shape.return %0 : !shape.shape
  }
} mapping {
  test.same = @same
}
