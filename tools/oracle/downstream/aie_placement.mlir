module @design attributes {transform.with_named_sequence} {
  aie.device(npu1_1col) {
    %tile_0_0 = aie.tile(0, 0)
    %tile_0_2 = aie.tile(0, 2)
    aie.objectfifo @in(%tile_0_0, {%tile_0_2}, 2 : i32) : !aie.objectfifo<memref<1024xi32>>
    %core = aie.core(%tile_0_2) {
      %0 = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<1024xi32>>
      %1 = aie.objectfifo.subview.access %0[0] : !aie.objectfifosubview<memref<1024xi32>> -> memref<1024xi32>
      func.call @kernel(%1) : (memref<1024xi32>) -> ()
      aie.objectfifo.release @in(Consume, 1)
      aie.end
    } {link_with = "kernel.o"}
    func.func private @kernel(memref<1024xi32>)
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %cores = transform.structured.match ops{["aie.core"]} in %root : (!transform.any_op) -> !transform.any_op
    %loops = transform.structured.match ops{["scf.for"]} in %cores : (!transform.any_op) -> !transform.op<"scf.for">
    %vectors = transform.structured.match interface{LinalgOp} in %cores : (!transform.any_op) -> !transform.any_op
    %placed = transform.aie.place %cores at <col = 0, row = 2> policy(nearest) : (!transform.any_op) -> !transform.any_op
    transform.aievec.legalize %vectors {target = "aie2", shift = 10 : i32} : !transform.any_op
    transform.loop.unroll %loops { factor = 4 } : !transform.op<"scf.for">
    transform.yield
  }
}
