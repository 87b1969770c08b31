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
  // expected-error @below {{expected `]`, found `:`}}
  %0 = memref.load %buffer[%index : memref<4xi32>
  // expected-error @below {{expected `->` and the result types, found `(`}}
  "some.use"(%value) : (i32) ()
  // expected-error @below {{`some.use` has 1 operand but 2 operand types}}
  "some.use"(%value) : (i32, i32) -> ()
  return
}

// -----

// Every form of these operations is known, in any version.
func.func @forms(%value: i32, %buffer: memref<4xi32>, %index: index, %vector: vector<4xf32>) {
  // expected-error @below {{expected `:`, found `newly`}}
  %0 = arith.addi %value, %value newly<here> : i32
  // expected-error @below {{found `volatile`}}
  %1 = memref.load %buffer[%index] volatile : memref<4xi32>
  // expected-error @below {{found `shiny`}}
  %2 = arith.constant shiny 1 : i32
  // expected-error @below {{found `unlikely`}}
  %3 = scf.if %value unlikely -> i32 {
    scf.yield %value : i32
  } else {
    scf.yield %value : i32
  }
  // expected-error @below {{found `some`}}
  %4 = vector.contract some(%value) with %value : i32
  // expected-error @below {{expected a type, found `f7`}}
  %5 = arith.extui %value : f7 to f9000
  // expected-error @below {{found `maximumfs`}}
  %6 = vector.reduction <maximumfs>, %vector : vector<4xf32> into f32
  return
}

// -----

func.func @counts(%value: i32) {
  // expected-error @below {{`arith.addi` has 1 result, but 2 are named here}}
  %0:2 = arith.addi %value, %value : i32
  // expected-error @below {{`arith.addi` takes 2 operands, found 1}}
  // expected-error @+1 {{`arith.addi` has 1 result, but no types are spelled here}}
  "arith.addi"(%value) : (i32) -> ()
  return
}

// -----

func.func @definitions(%condition: i1) {
  // expected-error @below {{expected `%`, found `twice`}}
  scf.for twice %number over %condition {
    "some.use"(%number) : (i32) -> ()
  }
  return
}

// -----

func.func @older_form(%c: f32, %m: memref<4xf32>) {
  // expected-error @below {{expected `ins(...) outs(...)`, as since LLVM 15, found `(`}}
  linalg.fill(%c, %m) : f32, memref<4xf32>
  return
}

// -----

// expected-error @below {{this region is never closed}}
func.func @open() {
