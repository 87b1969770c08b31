// What no version of MLIR at hand can read, and a project or another version may: nothing is certain to be wrong.

// Names that a form binds hold in all regions behind it.
func.func @loop(%start: i32) {
  %0 = some.while(%value = %start) : i32
    cond {
      %more = some.test %value : i1
      some.return %more : i1
    } do {
      some.return %value : i32
    }
  return
}

// -----

func.func @arrows(%value: i32) {
  some.flow %value => %value : i32
  some.flow [%value => %value, %value => %value] : i32
  some.entry key("first" :: "second") %value : i32
  return
}

// -----

// Only its author knows whether an operation isolates its region.
func.func @nested(%value: i32) {
  some.region @name {
    some.use %value : i32
    some.make %inner : i32
  }
  return
}

// -----

// A known operation in a form that is not known, of a dialect whose forms in other versions are not all known.
func.func @newer(%value: i32) {
  %0 = spirv.IAdd %value, %value newly<here> : i32
  %1 = spirv.SelectionMerge shiny
  %2 = spirv.Bitcast %value : f7 to f9000
  return
}

// -----

// What is not read may define names.
func.func @definitions(%condition: i1) {
  some.case %one, %two in {
    "some.use"(%one, %two) : (i32, i32) -> ()
  }
  return
}

// -----

// What is unknown may be a graph, and isolated.
func.func @graph(%value: i32) {
  some.graph {
    %0 = arith.addi %1, %1 : i32
    %1 = arith.constant 1 : i32
    %value = arith.constant 2 : i32
  }
  return
}

// -----

// A number has one type; that of many belongs to the operation.
func.func @number(%value: tensor<4xf32>) {
  some.close %value, %value, most = 3 : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// Braces inside of a form are no region if no operation can begin as they do.
func.func @braces(%value: i32) {
  %0 = some.region(%value) parts=[<@mesh, [{"a":(1)2}, {?}, {"b", ?}, {1}]>] (%inner: i32) {
    some.return %inner : i32
  } : (i32) -> i32
  return
}

// -----

// Where a region can be left out its arguments are named all the same.
func.func @left_out(%value: i32) {
  some.launch (%one, %two) in (%all = %value, %both = %value)
  return
}

// -----

// Properties have values of their own form.
func.func @property(%value: i32) {
  some.multiply %value {shape = <m = 8, n = 16>, kind = <a = f8>} : i32
  return
}

// -----

// A list of types may be empty, and ends where an operation is named.
func.func @no_types() {
  %0 = some.concat :
  %1 = some.concat %0, %0 : i0, i0
  return
}

// -----

// Whatever a project's type holds, no word that follows it belongs there.
func.func @words(%value: i32, %condition: i1) {
  "some.if"(%condition) ({
    %0 = "some.setup"(%value) : (i32) -> !some.state<"name">
    yield
  }) : (i1) -> ()
  return
}

// -----

// A project may count with a bracket: 0) 1).
func.func @cases(%value: i32) {
  %0 = some.choose with %value (%value : i32) -> i32
    0) (%1, %2) {
      some.yield %1 : i32
    }
    1) (%3, %4) {
      some.yield %4 : i32
    }
  return
}

// -----

// Older versions have operations without a dialect around others.
func @first(%value: i32) {
  %0 = some.make %value : i32
  "some.use"(%value, %0) : (i32, i32) -> ()
}

func @second(%value: i32) {
  %0 = some.make %value : i32
  "some.use"(%value, %0) : (i32, i32) -> ()
}

// -----

memref.global "private" constant @constant : memref<f32> = dense<0.0>
func @behind(%value: i32) {
  %0 = some.make %value : i32
  "some.use"(%value, %0) : (i32, i32) -> ()
}
