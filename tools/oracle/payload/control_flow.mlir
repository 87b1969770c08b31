module @outer attributes {my.version = 3 : i64} {
  func.func private @external(i32, f32) -> (i32, f32)
  func.func @branches(%flag: i1, %a: i32, %b: f32) -> i32 {
    cf.cond_br %flag, ^left(%a : i32), ^right(%b, %a : f32, i32)
  ^left(%x: i32):
    %0:2 = call @external(%x, %b) : (i32, f32) -> (i32, f32)
    cf.br ^end(%0#0 : i32)
  ^right(%y: f32, %z: i32):
    cf.switch %z : i32, [
      default: ^end(%a : i32),
      42: ^left(%z : i32),
      43: ^other
    ]
  ^other:
    cf.assert %flag, "flag must hold"
    cf.br ^end(%a : i32)
  ^end(%r: i32):
    return %r : i32
  }
  module @inner {
    func.func @loop(%n: i32) {
      %zero = arith.constant 0 : i32
      cf.br ^head(%zero : i32)
    ^head(%i: i32):
      %more = arith.cmpi slt, %i, %n : i32
      cf.cond_br %more, ^body, ^exit
    ^body:
      %one = arith.constant 1 : i32
      %next = arith.addi %i, %one : i32
      cf.br ^head(%next : i32)
    ^exit:
      return
    }
  }
}
// -----
func.func @higher(%f: (i32) -> i32, %x: i32) -> i32 {
  %0 = call_indirect %f(%x) : (i32) -> i32
  %1 = constant @helper : (i32) -> i32
  %2 = call_indirect %1(%0) : (i32) -> i32
  return %2 : i32
}
func.func private @helper(%x: i32 {my.attr = "a", my.other}) -> (i32 {my.result}) attributes {my.flag, llvm.emit_c_interface} {
  return %x : i32
}
func.func nested @"quoted name"() { return }
// -----
func.func @backwards() {
  cf.br ^bb2
^bb1:
  "any.use"(%x) : (i32) -> ()
  return
^bb2:
  %x = "any.def"() : () -> i32
  cf.br ^bb1
}
// -----
"any.graph"() ({
  %0 = "any.a"(%1) : (i32) -> i32
  %1 = "any.b"(%0) : (i32) -> i32
}) : () -> ()
%r:3 = "any.results"() {a, b = 1 : i8, "quoted attr" = [#any.opaque<"x">, unit, @sym::@nested]} : () -> (i1, !any.type<4 x f32>, none)
"any.multi"(%r#2, %r#0) ({
^bb0(%x: i32, %y: !any.thing):
  "any.term"()[^bb1] : () -> ()
^bb1:
  "any.end"(%y, %x) : (!any.thing, i32) -> ()
}, {
}) {dictionary = {inner = {deep = true}}, type = tuple<i32, tensor<*xf32>>} : (none, i1) -> ()
