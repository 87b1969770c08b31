emitc.include <"stdint.h">
emitc.include "local.h"
emitc.global extern const @limit : i32
emitc.func @compute(%a: i32, %b: f32) -> i32 attributes {specifiers = ["static", "inline"]} {
  %0 = "emitc.constant"() <{value = 42 : i32}> : () -> i32
  %1 = emitc.add %a, %0 : (i32, i32) -> i32
  %2 = emitc.expression %1, %a : (i32, i32) -> i32 {
    %p = emitc.mul %1, %a : (i32, i32) -> i32
    %q = emitc.sub %p, %a : (i32, i32) -> i32
    emitc.yield %q : i32
  }
  %3 = emitc.call_opaque "max"(%2, %a) {args = [0 : index, 1 : index, 7 : i32]} : (i32, i32) -> i32
  %4 = emitc.cast %b : f32 to i32
  %c = emitc.cmp lt, %3, %4 : (i32, i32) -> i1
  emitc.if %c {
    emitc.verbatim "// taken"
    %x = emitc.literal "M_PI" : f32
  } else {
    emitc.call @other(%3) : (i32) -> ()
  }
  %v = "emitc.variable"() <{value = #emitc.opaque<"">}> : () -> !emitc.lvalue<i32>
  emitc.assign %3 : i32 to %v : <i32>
  %l = emitc.load %v : <i32>
  %g = emitc.get_global @limit : !emitc.lvalue<i32>
  %lo = "emitc.constant"() <{value = 0 : index}> : () -> index
  emitc.for %i = %lo to %lo step %lo {
    emitc.call_opaque "use"(%i) : (index) -> ()
  }
  emitc.switch %l : i32
  case 1 {
    emitc.yield
  }
  default {
    emitc.yield
  }
  %n = emitc.logical_not %c : i1
  %t = emitc.conditional %n, %l, %a : i32
  emitc.return %t : i32
}
emitc.func @other(%x: i32) {
  emitc.return
}
emitc.class @model {
  emitc.field @weights : !emitc.array<4xf32>
  emitc.func @run() {
    %0 = emitc.get_field @weights : !emitc.array<4xf32>
    emitc.return
  }
}
