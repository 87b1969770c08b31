func.func @counted(%buffer: memref<?xf32>, %n: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
    %x = memref.load %buffer[%i] : memref<?xf32>
    %big = arith.cmpf ogt, %x, %acc : f32
    %next = scf.if %big -> (f32) {
      %s = arith.addf %x, %acc : f32
      scf.yield %s : f32
    } else {
      scf.yield %acc : f32
    }
    scf.yield %next : f32
  }
  %true = arith.constant true
  scf.for %i = %c0 to %n step %c1 {
    scf.if %true {
      memref.store %sum, %buffer[%i] : memref<?xf32>
    }
  }
  return %sum : f32
}
// -----
func.func @conditional(%flag: i1, %buffer: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    scf.if %flag {
      memref.store %one, %buffer[%i] : memref<?xf32>
    }
  }
  %k = arith.index_cast %n : index to i32
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  scf.for %i = %z to %k step %o : i32 {
    "any.use"(%i) : (i32) -> ()
  }
  return
}
// -----
func.func @collatz(%start: i64) -> (i64, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %r:2 = scf.while (%value = %start, %steps = %zero) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi ne, %value, %one : i64
    scf.condition(%more) %value, %steps : i64, i64
  } do {
  ^bb0(%value: i64, %steps: i64):
    %rest = arith.remui %value, %two : i64
    %even = arith.cmpi eq, %rest, %zero : i64
    %half = arith.divui %value, %two : i64
    %triple = arith.muli %value, %three : i64
    %odd = arith.addi %triple, %one : i64
    %new = arith.select %even, %half, %odd : i64
    %count = arith.addi %steps, %one overflow<nsw> : i64
    scf.yield %new, %count : i64, i64
  }
  return %r#0, %r#1 : i64, i64
}
// -----
func.func @parallel(%a: memref<?x?xf32>, %n: index, %m: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = arith.constant 0.0 : f32
  %total = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) init (%init) -> f32 {
    %x = memref.load %a[%i, %j] : memref<?x?xf32>
    scf.reduce(%x : f32) {
    ^bb0(%left: f32, %right: f32):
      %s = arith.addf %left, %right : f32
      scf.reduce.return %s : f32
    }
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %total, %a[%i, %c0] : memref<?x?xf32>
  }
  return %total : f32
}
// -----
func.func @forall(%in: tensor<64xf32>, %out: tensor<64xf32>) -> tensor<64xf32> {
  %r = scf.forall (%i) in (8) shared_outs(%o = %out) -> (tensor<64xf32>) {
    %offset = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
    %slice = tensor.extract_slice %in[%offset] [8] [1] : tensor<64xf32> to tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %slice into %o[%offset] [8] [1] : tensor<8xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  return %r : tensor<64xf32>
}
// -----
func.func @switch(%selector: index, %a: memref<4xi32>, %n: index) -> i32 {
  %c = arith.constant 7 : i32
  %r = scf.index_switch %selector -> i32
  case 2 {
    %x = arith.constant 10 : i32
    scf.yield %x : i32
  }
  case 5 {
    scf.yield %c : i32
  }
  default {
    %y = scf.execute_region -> i32 {
      cf.br ^bb1(%c : i32)
    ^bb1(%z: i32):
      scf.yield %z : i32
    }
    scf.yield %y : i32
  }
  scf.forall (%i, %j) = (0, 1) to (%n, 8) step (1, 2) {
    "any.work"(%i, %j) : (index, index) -> ()
  }
  return %r : i32
}
