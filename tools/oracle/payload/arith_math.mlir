func.func @integers(%a: i32, %b: i32, %c: i8) -> (i32, i1) {
  %sum = arith.addi %a, %b overflow<nsw, nuw> : i32
  %wide = arith.extsi %c : i8 to i32
  %shift = arith.shrui %sum, %wide : i32
  %low, %high = arith.mului_extended %a, %b : i32
  %carry, %flag = arith.addui_extended %low, %high : i32, i1
  %max = arith.maxsi %carry, %shift : i32
  %less = arith.cmpi slt, %max, %b : i32
  %narrow = arith.trunci %max : i32 to i16
  %bits = arith.bitcast %a : i32 to f32
  return %max, %less : i32, i1
}
// -----
func.func @floats(%x: f32, %v: vector<4xf32>, %t: tensor<?xf32>) -> (f32, vector<4xf32>, tensor<?xf32>) {
  %a = arith.mulf %x, %x fastmath<fast> : f32
  %b = math.fma %a, %x, %a : f32
  %c = math.sqrt %b fastmath<nnan,ninf> : f32
  %d = math.powf %c, %x : f32
  %e = arith.negf %v : vector<4xf32>
  %f = math.exp %e : vector<4xf32>
  %g = math.tanh %t : tensor<?xf32>
  %h = arith.truncf %d to_nearest_even : f32 to bf16
  %i = arith.extf %h : bf16 to f32
  %k = arith.cmpf one, %i, %x : f32
  %j = arith.select %k, %i, %x : f32
  %m = arith.fptosi %x : f32 to i32
  %l = math.ctlz %m : i32
  %s, %co = math.sincos %x : f32
  return %j, %f, %g : f32, vector<4xf32>, tensor<?xf32>
}
// -----
func.func @constants() -> (i1, index, f64, tensor<2x2xi8>, vector<4xf32>) {
  %true = arith.constant true
  %i = arith.constant -5 : index
  %f = arith.constant 0x7FF0000000000000 : f64
  %t = arith.constant dense<[[1, 2], [-3, 4]]> : tensor<2x2xi8>
  %v = arith.constant dense<0.25> : vector<4xf32>
  %s = arith.constant sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>
  %e = arith.constant dense<> : tensor<0xi64>
  %h = arith.constant dense<"0x0100000002000000"> : tensor<2xi32>
  %c = arith.constant dense<(1.0, -2.0)> : tensor<2xcomplex<f32>>
  return %true, %i, %f, %t, %v : i1, index, f64, tensor<2x2xi8>, vector<4xf32>
}
// -----
func.func @index_dialect(%a: index, %b: index) -> (index, i1, i32) {
  %0 = index.add %a, %b
  %1 = index.constant 42
  %2 = index.ceildivs %0, %1
  %3 = index.cmp ule(%2, %a)
  %4 = index.casts %2 : index to i32
  %5 = index.sizeof
  %6 = index.bool.constant true
  %7 = index.maxu %5, %0
  return %7, %3, %4 : index, i1, i32
}
// -----
func.func @complex_numbers(%re: f32, %im: f32) -> (f32, complex<f32>) {
  %z = complex.create %re, %im : complex<f32>
  %c = complex.constant [1.0 : f32, -1.0 : f32] : complex<f32>
  %p = complex.mul %z, %c : complex<f32>
  %e = complex.exp %p fastmath<contract> : complex<f32>
  %q = complex.div %e, %c : complex<f32>
  %a = complex.abs %q : complex<f32>
  %r = complex.re %q : complex<f32>
  %eq = complex.eq %q, %z : complex<f32>
  return %a, %q : f32, complex<f32>
}
// -----
func.func @undefined() -> (i32, vector<4xf32>) {
  %p = ub.poison : vector<4xf32>
  %i = ub.poison : i32
  return %i, %p : i32, vector<4xf32>
}
// -----
func.func @integer_powers(%x: f32, %i: i32) -> f32 {
  %0 = math.fpowi %x, %i : f32, i32
  return %0 : f32
}
