module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !pdl.operation) {
    %par = transform.structured.match ops{["scf.parallel"]} in %module : (!pdl.operation) -> !pdl.operation
    %herd = transform.air.par_to_herd %par {first_dim = 1 : i64}
    %segment = transform.air.get_segment_for %herd
    %aie = transform.air.segment_to_aie %segment {device = "npu1_4col"}
    %padded, %pad = transform.air.pipeline_reduce %herd {tile_size = [8, 4], pipeline_depth = 3 : i32, promote, direction = "horiz"}
      : (!pdl.operation) -> (!pdl.operation, !pdl.operation)
    transform.air.normalize_for_bounds %padded
    transform.print %pad {name = "after pipeline"} : !pdl.operation
    transform.yield
  }
}

func.func @payload(%m: memref<1024xi32>) {
  %c1 = arith.constant 1 : index
  %token = air.launch async (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%arg = %m) : memref<1024xi32> {
    %0 = air.segment @segment_0 async args(%s = %arg) : memref<1024xi32> attributes {x_loc = 0 : i64} {
      %c2 = arith.constant 2 : index
      %herd = air.herd @herd_0 async tile (%x, %y) in (%hx = %c2, %hy = %c2) args(%h = %s) : memref<1024xi32> {
        %buffer = memref.alloc() : memref<32xi32, 2>
        air.dma_memcpy_nd (%buffer[] [] [], %h[%x] [%hx] [%hy]) {id = 1 : i32} : (memref<32xi32, 2>, memref<1024xi32>)
        memref.dealloc %buffer : memref<32xi32, 2>
      }
    }
  }
  air.wait_all [%token]
  return
}
