// Every builtin type and attribute, and the spellings printers do not choose.
!alias = tensor<4x?xf32>
!function = (i32, !alias) -> (f32, index)
#one = 1 : i64
#list = [#one, "two", @three::@four, unit]
#where = loc("file.mlir":10:8)
module @corners attributes {a.i = 0x1F : i16, a.neg = -7 : si8, a.u = 5 : ui4, a.f = -1.5e-3 : f16, a.hex = 0x4048F5C3 : f32} {
  "any.types"() {
    ints = [i1, si8, ui64, i131072], floats = [f16, bf16, f32, f64, f80, f128, tf32, f8E4M3FN, f8E5M2, f4E2M1FN],
    vectors = [vector<4xi32>, vector<[4]x2xf32>, vector<i8>, vector<2x[8]x[16]xi1>],
    tensors = [tensor<f32>, tensor<*xi8>, tensor<?x0x3xcomplex<f64>>, tensor<2x?xf32, #any.encoding<"csr">>],
    memrefs = [memref<2xi8>, memref<?x?xf32, strided<[?, 1], offset: 3>>, memref<4xf32, affine_map<(d0) -> (d0 * 2)>, 1>,
               memref<*xf32, 2>, memref<1x2xindex, "device">],
    functions = [() -> (), (i32) -> i32, (i32, i32) -> (i32, i32), !function],
    others = [index, none, tuple<>, tuple<i32, tuple<f32>>, complex<i32>, !any.opaque, !any.params<4 x "s", [1, (2)], {x = 3}, a -> b>]
  } : () -> ()
  "any.attributes"() {
    strings = ["plain", "esc \" \\ \0A \E2\82\AC", "€ and 日本"],
    numbers = [0, -1, 42 : index, 1.0, 1.e3, -2.5E+7 : f64, true, false, 0xFFFFFFFF : i32],
    arrays = [array<i32>, array<i64: 1, -2, 3>, array<f32: 1.0, 2.e-1>, array<i1: true, false>],
    dense = [dense<1> : tensor<2xi32>, dense<[[1.0, 2.0]]> : tensor<1x2xf32>, dense<"0xDEADBEEF"> : tensor<1xi32>,
             dense<> : tensor<0x2xi8>, dense<["a", "b"]> : tensor<2x!any.string>, sparse<[[0, 1]], 5> : tensor<2x2xi8>,
             dense<true> : vector<4xi1>, dense<0x7FC00000> : tensor<f32>, dense<(1, -1)> : tensor<complex<i8>>],
    maps = [affine_map<() -> ()>, affine_map<(i)[n, m] -> (i + n * 2, i mod 3, (i - m) floordiv 4, -i ceildiv 2)>,
            affine_set<(d0)[s0] : (d0 - s0 == 0, d0 >= 1)>, affine_set<() : ()>],
    symbols = [@a, @a::@b, @"quoted \22 name"::@c, @with.dots$and_dollars],
    dialect = [#any.attr, #any<bare "opaque" {[()]}>, #any.nested<#any.inner<1>, "}>">, #any.arrow<a -> b>],
    locations = [loc(unknown), loc("name"), loc("n"("f.c":1:2)), loc(fused["a", "b"]), loc(callsite("x" at "y":3:4)),
                 loc(fused<{k = 1}>["z", #where]), loc("f.mlir":1:2 to 3:4)],
    aliases = [#one, #list, !alias, !function], nested = {a, "b.c" = 1, d = {}},
    distinct = distinct[7]<"x">, layout = strided<[1, ?], offset: ?>
  } : () -> () loc(#where)
  func.func private @signature(%x: i32 loc("arg"), %y: !alias {any.attr = #list}) -> (f32 {any.r}, index) { // trailing
    %a, %b:2, %c = "any.pack"(%x) <{property = 3 : i8}> {attr} : (i32) -> (i1, i2, i4, i8) loc(callsite("p" at "q"))
    "any.use"(%a, %b#1, %b#0, %x) : (i1, i4, i2, i32) -> ()
    // a comment with { unbalanced ( brackets " and a quote
    cf.br ^bb.0$x(%x, %y : i32, !alias)
  ^bb.0$x(%0: i32 loc("label"), %1: !alias loc(unknown)):
    %2:2 = "any.result"(%0) ({}) : (i32) -> (f32, index)
    return %2#0, %2#1 : f32, index loc("end":1:1)
  }
} loc("module.mlir":0:0)
// -----
"any.isolated"() ({
  %0 = "any.same"() : () -> i32
  "any.inner"() ({
    %1 = "any.deep"(%0) : (i32) -> i32
  }, {
    %1 = "any.deep"(%0) : (i32) -> i32
  ^second(%2: i32):
    "any.use"(%2, %1) : (i32, i32) -> ()
  }) : () -> ()
}) : () -> ()
// -----
func.func @resources() -> tensor<4xi32> {
  %0 = arith.constant dense_resource<blob> : tensor<4xi32>
  return %0 : tensor<4xi32>
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x0400000001000000020000000300000004000000"
    }
  },
  external_resources: {
    any: { "key": true, text: "string" }
  }
#-}
