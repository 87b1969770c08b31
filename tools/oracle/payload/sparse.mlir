#csr = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
#coo = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton), posWidth = 32, crdWidth = 32 }>
#bsr = #sparse_tensor.encoding<{
  map = (m, n) -> (m floordiv 2 : dense, n floordiv 3 : compressed, m mod 2 : dense, n mod 3 : dense)
}>
#spmv = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"],
  doc = "x(i) += A(i,j) * b(j)"
}
func.func @spmv(%a: tensor<?x?xf64, #csr>, %b: tensor<?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %0 = linalg.generic #spmv ins(%a, %b : tensor<?x?xf64, #csr>, tensor<?xf64>) outs(%x : tensor<?xf64>) {
  ^bb(%ae: f64, %be: f64, %xe: f64):
    %m = arith.mulf %ae, %be : f64
    %s = arith.addf %xe, %m : f64
    linalg.yield %s : f64
  } -> tensor<?xf64>
  return %0 : tensor<?xf64>
}
func.func @convert(%d: tensor<8x9xf32>) -> tensor<8x9xf32, #csr> {
  %0 = sparse_tensor.convert %d : tensor<8x9xf32> to tensor<8x9xf32, #csr>
  %1 = sparse_tensor.convert %0 : tensor<8x9xf32, #csr> to tensor<8x9xf32, #coo>
  %n = sparse_tensor.number_of_entries %1 : tensor<8x9xf32, #coo>
  %p = sparse_tensor.positions %0 { level = 1 : index } : tensor<8x9xf32, #csr> to memref<?xindex>
  %v = sparse_tensor.values %0 : tensor<8x9xf32, #csr> to memref<?xf32>
  return %0 : tensor<8x9xf32, #csr>
}
// -----
#csr = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @visit(%t: tensor<4x8xf64, #csr>, %init: f64) -> f64 {
  %r = sparse_tensor.foreach in %t init(%init) : tensor<4x8xf64, #csr>, f64 -> f64 do {
  ^bb0(%i: index, %j: index, %v: f64, %acc: f64):
    %s = arith.addf %v, %acc : f64
    sparse_tensor.yield %s : f64
  }
  %e = tensor.empty() : tensor<4x8xf64, #csr>
  %o = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%t : tensor<4x8xf64, #csr>) outs(%e : tensor<4x8xf64, #csr>) {
  ^bb0(%a: f64, %x: f64):
    %u = sparse_tensor.unary %a : f64 to f64
      present={
      ^bb0(%p: f64):
        %n = arith.negf %p : f64
        sparse_tensor.yield %n : f64
      }
      absent={}
    %b = sparse_tensor.binary %u, %a : f64, f64 to f64
      overlap={
      ^bb0(%l: f64, %m: f64):
        %q = arith.mulf %l, %m : f64
        sparse_tensor.yield %q : f64
      }
      left=identity
      right={
      ^bb0(%z: f64):
        sparse_tensor.yield %z : f64
      }
    linalg.yield %b : f64
  } -> tensor<4x8xf64, #csr>
  return %r : f64
}
// -----
#coo = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton(soa)) }>
func.func @assemble(%v: tensor<3xf32>, %p: tensor<2xindex>, %i: tensor<3xindex>, %j: tensor<3xindex>) -> tensor<4x4xf32, #coo> {
  %t = sparse_tensor.assemble (%p, %i, %j), %v : (tensor<2xindex>, tensor<3xindex>, tensor<3xindex>), tensor<3xf32> to tensor<4x4xf32, #coo>
  sparse_tensor.print %t : tensor<4x4xf32, #coo>
  return %t : tensor<4x4xf32, #coo>
}
// -----
#v = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
func.func @iterate(%t: tensor<?xf32, #v>, %init: index) -> index {
  %space = sparse_tensor.extract_iteration_space %t lvls = 0 : tensor<?xf32, #v> -> !sparse_tensor.iter_space<#v, lvls = 0>
  %r = sparse_tensor.iterate %it in %space at (%crd) iter_args(%acc = %init) : !sparse_tensor.iter_space<#v, lvls = 0> -> index {
    %n = arith.addi %acc, %crd : index
    sparse_tensor.yield %n : index
  }
  return %r : index
}
// -----
#csr = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
#csc = #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : dense, d0 : compressed) }>
#coo = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed(nonunique), d1 : singleton) }>
#ordered = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed(nonunique, nonordered), d1 : singleton(nonordered)) }>
#slice = #sparse_tensor.encoding<{ map = (d0 : #sparse_tensor<slice(1, 4, 1)>, d1 : #sparse_tensor<slice(1, 4, 2)>) -> (d0 : dense, d1 : compressed) }>
func.func @parts(%t: tensor<8x8xf64, #csr>, %c: tensor<8x8xf64, #coo>, %u: tensor<8x8xf64, #ordered>, %p: !llvm.ptr, %i: index, %x: f64,
                 %b: memref<?xf64>, %f: memref<?xi1>, %a: memref<?xindex>, %s: !sparse_tensor.storage_specifier<#csr>, %l: tensor<4x8xf64, #slice>) {
  %0 = sparse_tensor.coordinates %t {level = 1 : index} : tensor<8x8xf64, #csr> to memref<?xindex>
  %1 = sparse_tensor.coordinates_buffer %c : tensor<8x8xf64, #coo> to memref<?xindex>
  %2 = sparse_tensor.concatenate %t, %t {dimension = 0 : index} : tensor<8x8xf64, #csr>, tensor<8x8xf64, #csr> to tensor<16x8xf64, #csr>
  %3:2 = sparse_tensor.crd_translate dim_to_lvl [%i, %i] as #csc : index, index
  %4 = sparse_tensor.lvl %t, %i : tensor<8x8xf64, #csr>
  %5 = sparse_tensor.load %t hasInserts : tensor<8x8xf64, #csr>
  %6 = sparse_tensor.new %p : !llvm.ptr to tensor<8x8xf64, #csr>
  sparse_tensor.out %t, %p : tensor<8x8xf64, #csr>, !llvm.ptr
  %7 = sparse_tensor.reinterpret_map %t : tensor<8x8xf64, #csr> to tensor<8x8xf64, #csr>
  %8 = sparse_tensor.reorder_coo quick_sort %u : tensor<8x8xf64, #ordered> to tensor<8x8xf64, #coo>
  %9, %10 = sparse_tensor.push_back %i, %b, %x : index, memref<?xf64>, f64
  %11, %12, %13, %14 = sparse_tensor.expand %t : tensor<8x8xf64, #csr> to memref<?xf64>, memref<?xi1>, memref<?xindex>
  %15 = sparse_tensor.compress %b, %f, %a, %i into %t[%i] : memref<?xf64>, memref<?xi1>, memref<?xindex>, tensor<8x8xf64, #csr>
  sparse_tensor.sort quick_sort %i, %a jointly %b {perm_map = affine_map<(i) -> (i)>, ny = 0 : index} : memref<?xindex> jointly memref<?xf64>
  %16 = sparse_tensor.storage_specifier.init : !sparse_tensor.storage_specifier<#csr>
  %17 = sparse_tensor.storage_specifier.get %s lvl_sz at 0 : !sparse_tensor.storage_specifier<#csr>
  %18 = sparse_tensor.storage_specifier.set %s lvl_sz at 0 with %i : !sparse_tensor.storage_specifier<#csr>
  %19 = sparse_tensor.slice.offset %l at 0 : tensor<4x8xf64, #slice>
  %20 = sparse_tensor.slice.stride %l at 1 : tensor<4x8xf64, #slice>
  %21 = sparse_tensor.number_of_entries %t : tensor<8x8xf64, #csr>
  return
}
// -----
func.func @semirings(%x: f64, %y: f64) -> f64 {
  %0 = sparse_tensor.select %x : f64 {
  ^bb0(%v: f64):
    %c = arith.cmpf ogt, %v, %v : f64
    sparse_tensor.yield %c : i1
  }
  %1 = sparse_tensor.reduce %0, %y, %x : f64 {
  ^bb0(%l: f64, %r: f64):
    %p = arith.addf %l, %r : f64
    sparse_tensor.yield %p : f64
  }
  return %1 : f64
}
// -----
#v = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
func.func @together(%a: !sparse_tensor.iter_space<#v, lvls = 0>, %b: !sparse_tensor.iter_space<#v, lvls = 0>, %t: tensor<?xf32, #v>,
                    %it: !sparse_tensor.iterator<#v, lvls = 0>, %init: index) -> f32 {
  %r = sparse_tensor.coiterate (%a, %b) at(%crd) iter_args(%acc = %init) : (!sparse_tensor.iter_space<#v, lvls = 0>, !sparse_tensor.iter_space<#v, lvls = 0>) -> index
  case %i, _ {
    sparse_tensor.yield %crd : index
  }
  %0 = sparse_tensor.extract_value %t at %it : tensor<?xf32, #v>, !sparse_tensor.iterator<#v, lvls = 0>
  return %0 : f32
}
