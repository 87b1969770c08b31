// What is wrong in payload whatever version of MLIR and whatever project it is for.

func.func @undefined(%value: i32) -> i32 {
  // expected-error @below {{use of undefined value `%valu`}}
  %0 = arith.addi %value, %valu : i32
  // expected-error @below {{use of undefined value `%other`}}
  "some.use"(%other) : (i32) -> ()
  return %0 : i32
}

// -----

func.func @redefined(%value: i32) -> i32 {
  // expected-note @below {{`%0` is first defined here}}
  %0 = arith.addi %value, %value : i32
  // expected-error @below {{redefinition of the value `%0`}}
  %0 = arith.muli %value, %value : i32
  return %0 : i32
}

// -----

func.func @order(%value: i32) -> i32 {
  // expected-error @below {{`%1` is used before it is defined}}
  %0 = arith.addi %value, %1 : i32
  // expected-note @below {{`%1` is defined here}}
  %1 = arith.muli %value, %value : i32
  return %0 : i32
}

// -----

func.func @slips(%value: i32, %buffer: memref<4xi32>, %index: index) {
  // expected-error @below {{expected `:`, found `i32`}}
  %0 = arith.addi %value, %value i32
  // expected-error @below {{found `%value`}}
  %1 = arith.addi %value %value : i32
  // expected-error @below {{found `,`}}
  %2 = arith.addi %value,, %value : i32
  // expected-error @below {{found `value`}}
  %3 = arith.addi value, %value : i32
  // expected-error @below {{found `vectr`}}
  %4 = arith.negf %value : vectr<4xf32>
  return
}

// -----

func.func @brackets(%value: i32, %buffer: memref<4xi32>, %index: index) {
  // expected-error @below {{a closing bracket for this `[`}}
  %0 = memref.load %buffer[%index : memref<4xi32>
  // expected-error @below {{expected `->` and the result types, found `(`}}
  "some.use"(%value) : (i32) ()
  // expected-error @below {{`some.use` has 1 operand but 2 operand types}}
  "some.use"(%value) : (i32, i32) -> ()
  return
}
