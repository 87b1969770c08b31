omp.private {type = private} @x.privatizer : i32
omp.declare_reduction @sum : i32
init {
^bb0(%x: i32):
  %0 = llvm.mlir.constant(0 : i32) : i32
  omp.yield(%0 : i32)
}
combiner {
^bb0(%a: i32, %b: i32):
  %0 = llvm.add %a, %b : i32
  omp.yield(%0 : i32)
}
func.func @regions(%n: i32, %lb: index, %ub: index, %step: index, %flag: i1, %p: !llvm.ptr, %m: memref<?xf32>) {
  omp.parallel num_threads(%n : i32) if(%flag) proc_bind(close) {
    omp.barrier
    omp.wsloop schedule(dynamic) nowait {
      omp.loop_nest (%i, %j) : index = (%lb, %lb) to (%ub, %ub) step (%step, %step) {
        %x = arith.addi %i, %j : index
        omp.yield
      }
    }
    omp.terminator
  }
  omp.parallel private(@x.privatizer %p -> %arg : !llvm.ptr) reduction(@sum %p -> %red : !llvm.ptr) {
    %v = llvm.load %arg : !llvm.ptr -> i32
    llvm.store %v, %red : i32, !llvm.ptr
    omp.terminator
  }
  omp.sections {
    omp.section {
      omp.terminator
    }
    omp.terminator
  }
  omp.single {
    omp.task {
      omp.terminator
    }
    omp.taskwait
    omp.terminator
  }
  omp.critical {
    omp.terminator
  }
  omp.master {
    omp.flush(%m : memref<?xf32>)
    omp.terminator
  }
  omp.atomic.update %p : !llvm.ptr {
  ^bb0(%old: i32):
    %new = llvm.add %old, %n : i32
    omp.yield(%new : i32)
  }
  %map = omp.map.info var_ptr(%p : !llvm.ptr, i32) map_clauses(tofrom) capture(ByRef) -> !llvm.ptr
  omp.target map_entries(%map -> %mapped : !llvm.ptr) {
    omp.terminator
  }
  omp.simd {
    omp.loop_nest (%i) : index = (%lb) to (%ub) inclusive step (%step) {
      omp.yield
    }
  }
  return
}
