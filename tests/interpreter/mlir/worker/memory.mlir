// Scripts that take more and more memory.
// -----
// unroll by a hundred million
func.func @f(%m: memref<?xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000000000 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %m[%i] : memref<?xf32>
  }
  return
}
// script
%loop = transform.structured.match ops{["scf.for"]} in %root : (!any) -> !any
transform.loop.unroll %loop {factor = 100000000} : !any
// -----
// unroll and jam by a hundred million
func.func @f(%m: memref<1000000000xf32>, %v: f32) {
  affine.for %i = 0 to 1000000000 {
    affine.store %v, %m[%i] : memref<1000000000xf32>
  }
  return
}
// script
%loop = transform.structured.match ops{["affine.for"]} in %root : (!any) -> !any
transform.loop.unroll_and_jam %loop {factor = 100000000} : !any
// -----
// unroll what was unrolled
func.func @f(%m: memref<?xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000000000 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %m[%i] : memref<?xf32>
  }
  return
}
// script
%loop = transform.structured.match ops{["scf.for"]} in %root : (!any) -> !any
transform.foreach %loop : !any {
^bb0(%each: !any):
  transform.loop.unroll %each {factor = 1000} : !any
}
%again = transform.structured.match ops{["scf.for"]} in %root : (!any) -> !any
transform.foreach %again : !any {
^bb0(%each: !any):
  transform.loop.unroll %each {factor = 1000000} : !any
}
