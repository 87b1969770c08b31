module attributes {transform.with_named_sequence} {
  func.func @laplace(%in: !stencil.field<?x?x?xf64>, %out: !stencil.field<?x?x?xf64>) {
    %0 = stencil.load %in : !stencil.field<?x?x?xf64> -> !stencil.temp<?x?x?xf64>
    %1 = stencil.apply (%arg = %0 : !stencil.temp<?x?x?xf64>) -> (!stencil.temp<?x?x?xf64>) {
      %2 = stencil.access %arg[-1, 0, 0] : !stencil.temp<?x?x?xf64>
      %3 = stencil.access %arg[1, 0, 0] : !stencil.temp<?x?x?xf64>
      %4 = arith.addf %2, %3 : f64
      stencil.return %4 : f64
    }
    stencil.store %1 to %out(<[0, 0, 0], [64, 64, 64]>) : !stencil.temp<?x?x?xf64> to !stencil.field<?x?x?xf64>
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %apply = transform.structured.match ops{["stencil.apply"]} in %root : (!transform.any_op) -> !transform.any_op
    %halo = transform.stencil.swap_halo %apply topology(#dmp.topo<2x2>) : !transform.any_op -> !transform.any_op
    %loops = transform.stencil.to_loops %halo : (!transform.any_op) -> !transform.any_op
    %nest = transform.structured.match ops{["scf.parallel"]} in %loops : (!transform.any_op) -> !transform.any_op
    %tile = transform.param.constant 32 : i64 -> !transform.param<i64>
    transform.stencil.tile_parallel %nest[%tile, 4, 1] : !transform.any_op, !transform.param<i64>
    transform.stencil.map_parallel %nest to <thread_x>
    transform.yield
  }
}
