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
// -----
func.func @parts(%s: tensor<?xindex>, %t: tensor<?x4xf32>, %i: index, %v: !shape.value_shape, %w: !shape.shape) {
  %0 = shape.dim %t, %i : tensor<?x4xf32>, index -> index
  %1 = shape.get_extent %s, %i : tensor<?xindex>, index -> index
  %2, %3 = "shape.split_at"(%s, %i) : (tensor<?xindex>, index) -> (tensor<?xindex>, tensor<?xindex>)
  %4 = shape.value_of %v : tensor<?x4xf32>
  %5 = shape.with_shape %t, %w : tensor<?x4xf32>, !shape.shape
  %6 = shape.shape_eq %s, %s : tensor<?xindex>, tensor<?xindex>
  %7 = shape.cstr_eq %s, %s : tensor<?xindex>, tensor<?xindex>
  %8 = shape.cstr_require %6, "they differ"
  %9 = shape.assuming_all %7, %8
  %10 = shape.const_witness true
  %11 = shape.num_elements %s : tensor<?xindex> -> index
  %12 = shape.concat %s, %s : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>
  %13 = shape.from_extents %i, %i : index, index
  %14 = shape.is_broadcastable %s, %s : tensor<?xindex>, tensor<?xindex>
  return
}
