func.func @solve(%in: !smt.bv<8>) {
  smt.solver() : () -> () {
    %a = smt.declare_fun "a" : !smt.bv<8>
    %c = smt.bv.constant #smt.bv<7> : !smt.bv<8>
    %s = smt.bv.add %a, %c : !smt.bv<8>
    %e = smt.eq %s, %c : !smt.bv<8>
    smt.assert %e
    %i = smt.int.constant 5
    %q = smt.forall ["x"] weight 2 {
    ^bb0(%x: !smt.int):
      %l = smt.int.cmp le %x, %i
      smt.yield %l : !smt.bool
    }
    %n = smt.not %q
    %both = smt.and %n, %e
    smt.check sat {
      smt.yield
    } unknown {
      smt.yield
    } unsat {
      smt.yield
    }
  }
  return
}
// -----
func.func @pointers(%m: memref<10xf32, #ptr.generic_space>, %i: index) -> !ptr.ptr<#ptr.generic_space> {
  %0 = ptr.to_ptr %m : memref<10xf32, #ptr.generic_space> -> <#ptr.generic_space>
  %off = ptr.type_offset f32 : index
  %1 = ptr.ptr_add inbounds %0, %off : !ptr.ptr<#ptr.generic_space>, index
  %2 = ptr.load %1 alignment = 8 : !ptr.ptr<#ptr.generic_space> -> f32
  ptr.store volatile %2, %1 alignment = 4 : f32, !ptr.ptr<#ptr.generic_space>
  return %1 : !ptr.ptr<#ptr.generic_space>
}
// -----
module {
  wasmssa.import_func "log" from "env" as @log {type = (i32) -> ()}
  wasmssa.func @sum(%a: !wasmssa<local ref to i32>) -> i32 {
    %0 = wasmssa.local_get %a : ref to i32
    %1 = wasmssa.const 4 : i32
    %2 = wasmssa.add %0 %1 : i32
    wasmssa.block : {
      wasmssa.block_return
    }> ^next
  ^next:
    wasmssa.return %2 : i32
  }
}
// -----
llvm.func @xe(%p: !llvm.ptr<1>, %w: i32, %x: i32) {
  %0 = xevm.blockload2d %p, %w, %w, %w, %x, %x <{elem_size_in_bits=16 : i32, tile_width=16 : i32, tile_height=8 : i32, v_blocks=1 : i32, transpose=false, pack_register=false}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xi16>
  xevm.memfence <{addrspace=#xevm.addr_space<global>, scope=#xevm.mem_scope<workgroup>}>
  llvm.return
}
