func.func @amx(%m: memref<?x?xi8>, %i: index, %c: !amx.tile<16x16xi32>) -> !amx.tile<16x16xi32> {
  %0 = amx.tile_load %m[%i, %i] : memref<?x?xi8> into !amx.tile<16x64xi8>
  %1 = amx.tile_zero : !amx.tile<16x64xi8>
  %2 = amx.tile_muli %0 zext, %1, %c : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>
  amx.tile_store %m[%i, %i], %0 : memref<?x?xi8>, !amx.tile<16x64xi8>
  return %2 : !amx.tile<16x16xi32>
}
// -----
func.func @x86(%a: vector<16xf32>, %k: i16, %b: vector<16xi32>, %v: vector<8xf32>, %w: vector<32xbf16>) -> (vector<16xf32>, vector<8xf32>) {
  %m = arith.constant dense<true> : vector<16xi1>
  %r = arith.constant 4 : i32
  %0 = x86vector.avx512.mask.compress %m, %a : vector<16xf32>
  %1 = x86vector.avx512.mask.rndscale %a, %r, %a, %k, %r : vector<16xf32>
  %2:2 = x86vector.avx512.vp2intersect %b, %b : vector<16xi32>
  %3 = x86vector.avx.rsqrt %v : vector<8xf32>
  %4 = x86vector.avx.intr.dot %v, %v : vector<8xf32>
  %5 = x86vector.avx512.dot %a, %w, %w : vector<32xbf16> -> vector<16xf32>
  return %5, %3 : vector<16xf32>, vector<8xf32>
}
// -----
func.func @neon(%a: vector<8xi8>, %acc: vector<4xi32>, %b: vector<16xi8>) -> (vector<8xi16>, vector<4xi32>) {
  %0 = arm_neon.intr.smull %a, %a : vector<8xi8> to vector<8xi16>
  %1 = arm_neon.intr.sdot %acc, %b, %b : vector<16xi8>, vector<16xi8> to vector<4xi32>
  %2 = arm_neon.intr.smmla %1, %b, %b : vector<16xi8> to vector<4xi32>
  return %0, %2 : vector<8xi16>, vector<4xi32>
}
// -----
func.func @sve(%acc: vector<[4]xi32>, %b: vector<[16]xi8>, %mask: vector<[4]xi1>, %f: vector<[4]xf32>) -> (vector<[4]xi32>, vector<[4]xf32>) {
  %0 = arm_sve.sdot %acc, %b, %b : vector<[16]xi8> to vector<[4]xi32>
  %1 = arm_sve.masked.addf %mask, %f, %f : vector<[4]xi1>, vector<[4]xf32>
  %2 = arm_sve.convert_to_svbool %mask : vector<[4]xi1>
  %3:2 = arm_sve.zip.x2 %f, %1 : vector<[4]xf32>
  return %0, %1 : vector<[4]xi32>, vector<[4]xf32>
}
// -----
func.func @sme(%m: memref<?x?xf32>, %i: index, %v: vector<[4]xf32>, %mask: vector<[4]xi1>) attributes {arm_streaming} {
  %0 = arm_sme.zero : vector<[4]x[4]xf32>
  %1 = arm_sme.tile_load %m[%i, %i] : memref<?x?xf32>, vector<[4]x[4]xf32>
  %2 = arm_sme.outerproduct %v, %v kind<add> acc(%1) masks(%mask, %mask) : vector<[4]xf32>, vector<[4]xf32>
  %3 = arm_sme.insert_tile_slice %v, %2[%i] : vector<[4]xf32> into vector<[4]x[4]xf32>
  %4 = arm_sme.extract_tile_slice %3[%i] layout<vertical> : vector<[4]xf32> from vector<[4]x[4]xf32>
  arm_sme.store_tile_slice %3, %i, %mask, %m[%i, %i] : memref<?x?xf32>, vector<[4]xi1>, vector<[4]x[4]xf32>
  arm_sme.tile_store %3, %m[%i, %i] layout<vertical> : memref<?x?xf32>, vector<[4]x[4]xf32>
  %5 = arm_sme.streaming_vl <word>
  return
}
