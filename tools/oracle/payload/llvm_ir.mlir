module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<index, 64>, !llvm.ptr = dense<64> : vector<4xi64>>,
                   llvm.target_triple = "x86_64-unknown-linux-gnu"} {
  llvm.mlir.global private unnamed_addr constant @text("hello\0A\00") {addr_space = 0 : i32, alignment = 1 : i64}
  llvm.mlir.global external @counter(0 : i64) {addr_space = 0 : i32} : i64
  llvm.mlir.global internal thread_local @pair() : !llvm.struct<"pair", (i32, ptr)> {
    %0 = llvm.mlir.undef : !llvm.struct<"pair", (i32, ptr)>
    %1 = llvm.mlir.constant(3 : i32) : i32
    %2 = llvm.insertvalue %1, %0[0] : !llvm.struct<"pair", (i32, ptr)>
    llvm.return %2 : !llvm.struct<"pair", (i32, ptr)>
  }
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.func extern_weak @malloc(i64) -> (!llvm.ptr {llvm.noalias})
  llvm.comdat @any {
    llvm.comdat_selector @function any
  }
  llvm.func linkonce_odr @function(%p: !llvm.ptr {llvm.nocapture, llvm.align = 8 : i64}, %n: i64) -> i32
      comdat(@any::@function) attributes {passthrough = ["noinline", ["frame-pointer", "all"]]} {
    %0 = llvm.mlir.addressof @text : !llvm.ptr
    %1 = llvm.call @printf(%0, %n) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
    %2 = llvm.getelementptr inbounds %p[%n, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, f32)>
    %3 = llvm.load %2 {alignment = 4 : i64} : !llvm.ptr -> f32
    llvm.store volatile %3, %p : f32, !llvm.ptr
    %4 = llvm.alloca %n x i32 {alignment = 8 : i64} : (i64) -> !llvm.ptr
    %5 = llvm.icmp "slt" %n, %n : i64
    llvm.cond_br %5 weights([3, 1]), ^bb1(%1 : i32), ^bb2
  ^bb1(%x: i32):
    %6 = llvm.add %x, %1 overflow<nsw> : i32
    llvm.br ^bb1(%6 : i32)
  ^bb2:
    llvm.switch %1 : i32, ^bb1(%1 : i32) [
      1: ^bb3,
      -2: ^bb1(%1 : i32)
    ]
  ^bb3:
    %7 = llvm.atomicrmw add %p, %n acq_rel : !llvm.ptr, i64
    %8 = llvm.cmpxchg %p, %n, %7 seq_cst monotonic : !llvm.ptr, i64
    %9 = llvm.extractvalue %8[1] : !llvm.struct<(i64, i1)>
    llvm.fence syncscope("agent") release
    llvm.call %p(%n) : !llvm.ptr, (i64) -> ()
    %10 = llvm.intr.ctpop(%n) : (i64) -> i64
    "llvm.intr.memcpy"(%p, %p, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
    llvm.intr.assume %9 : i1
    llvm.return %1 : i32
  }
}
// -----
llvm.func @personality(...) -> i32
llvm.func @may_throw(i32) -> i32
llvm.func @exceptions(%x: i32) -> i32 attributes {personality = @personality} {
  %null = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.invoke @may_throw(%x) to ^ok unwind ^bad : (i32) -> i32
^ok:
  llvm.return %0 : i32
^bad:
  %1 = llvm.landingpad (catch %null : !llvm.ptr) : !llvm.struct<(ptr, i32)>
  llvm.resume %1 : !llvm.struct<(ptr, i32)>
}
// -----
llvm.func @vectors(%v: vector<4xf32>, %s: vector<[4]xi32>, %p: !llvm.ptr<1>, %i: i32) -> f32 {
  %0 = llvm.extractelement %v[%i : i32] : vector<4xf32>
  %1 = llvm.insertelement %0, %v[%i : i32] : vector<4xf32>
  %2 = llvm.shufflevector %v, %1 [0, 5, 2, 7] : vector<4xf32>
  %3 = llvm.fadd %2, %v {fastmathFlags = #llvm.fastmath<nnan, contract>} : vector<4xf32>
  %4 = llvm.fcmp "oeq" %3, %v : vector<4xf32>
  %5 = llvm.select %4, %3, %v : vector<4xi1>, vector<4xf32>
  %6 = llvm.addrspacecast %p : !llvm.ptr<1> to !llvm.ptr
  %7 = llvm.ptrtoint %6 : !llvm.ptr to i64
  %8 = llvm.inline_asm has_side_effects "mov $0, $1", "=r,r" %i : (i32) -> i32
  %9 = llvm.bitcast %v : vector<4xf32> to vector<4xi32>
  %10 = "llvm.intr.vector.reduce.fadd"(%0, %5) : (f32, vector<4xf32>) -> f32
  %11 = llvm.freeze %i : i32
  %12 = llvm.zext nneg %11 : i32 to i64
  llvm.return %10 : f32
}
// -----
#di_file = #llvm.di_file<"a.c" in "/src">
#di_unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C11, file = #di_file, producer = "cc", isOptimized = true, emissionKind = Full>
#di_int = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#di_type = #llvm.di_subroutine_type<types = #di_int, #di_int>
#di_program = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #di_unit, scope = #di_file, name = "f", file = #di_file, line = 3, scopeLine = 3, subprogramFlags = Definition, type = #di_type>
#di_variable = #llvm.di_local_variable<scope = #di_program, name = "x", file = #di_file, line = 4, arg = 1, type = #di_int>
#tbaa_root = #llvm.tbaa_root<id = "C TBAA">
#tbaa_char = #llvm.tbaa_type_desc<id = "char", members = {<#tbaa_root, 0>}>
#tbaa_tag = #llvm.tbaa_tag<base_type = #tbaa_char, access_type = #tbaa_char, offset = 0>
#loop = #llvm.loop_annotation<disableNonforced = true, vectorize = <disable = false>>
llvm.func @debug(%x: i32, %p: !llvm.ptr) {
  llvm.intr.dbg.value #di_variable = %x : i32
  llvm.store %x, %p {tbaa = [#tbaa_tag]} : i32, !llvm.ptr
  llvm.br ^bb1 {loop_annotation = #loop}
^bb1:
  llvm.return
}
