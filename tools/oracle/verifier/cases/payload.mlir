// Right: successors on lines of their own, in a form that only C++ knows.
llvm.func @may_throw(i32) -> i32
llvm.func @p() -> i32
llvm.func @f(%x: i32) -> i32 attributes {personality = @p} {
  %0 = llvm.invoke @may_throw(%x) to
      ^ok
      unwind
      ^bad : (i32) -> i32
^ok:
  llvm.return %0 : i32
^bad:
  %3 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.return %x : i32
}

// -----

// Right: as above, with what is handed to them.
llvm.func @callee(i32) -> i32
llvm.func @personality() -> i32
llvm.func @forwards(%x: i32) -> i32 attributes {personality = @personality} {
  %0 = llvm.invoke @callee(%x) to
      ^ok(%x : i32)
      unwind
      ^bad : (i32) -> i32
^ok(%y: i32):
  llvm.return %y : i32
^bad:
  %3 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.return %x : i32
}
