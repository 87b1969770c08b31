func.func @data(%a: memref<10xf32>, %b: memref<10xf32>, %n: index, %flag: i1, %w: i64) {
  %copy = acc.copyin varPtr(%a : memref<10xf32>) -> memref<10xf32> {name = "a"}
  %create = acc.create varPtr(%b : memref<10xf32>) -> memref<10xf32>
  acc.data dataOperands(%copy, %create : memref<10xf32>, memref<10xf32>) if(%flag) {
    acc.parallel dataOperands(%copy : memref<10xf32>) async(%w : i64) num_gangs({%w : i64}) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      acc.loop gang vector control(%i : index) = (%c0 : index) to (%n : index) step (%c1 : index) {
        %x = memref.load %copy[%i] : memref<10xf32>
        acc.yield
      } attributes {independent = [#acc.device_type<none>], inclusiveUpperbound = array<i1: true>}
      acc.yield
    }
    acc.serial wait({%w : i64}) {
      acc.yield
    }
    acc.kernels {
      acc.terminator
    }
    acc.terminator
  }
  acc.copyout accPtr(%copy : memref<10xf32>) to varPtr(%a : memref<10xf32>)
  acc.delete accPtr(%create : memref<10xf32>)
  acc.enter_data dataOperands(%copy : memref<10xf32>)
  acc.wait(%w : i64) async
  acc.init attributes {device_types = [#acc.device_type<nvidia>]}
  acc.shutdown
  return
}
// -----
acc.routine @worker_routine func(@worker) worker
func.func @worker() { return }
acc.private.recipe @private_f32 : memref<f32> init {
^bb0(%x: memref<f32>):
  %0 = memref.alloca() : memref<f32>
  acc.yield %0 : memref<f32>
}
