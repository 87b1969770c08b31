func.func @tasks(%n: index, %x: f32) -> f32 {
  %token, %value = async.execute -> !async.value<f32> {
    %y = arith.addf %x, %x : f32
    async.yield %y : f32
  }
  %second = async.execute [%token] (%value as %v: !async.value<f32>) {
    "any.use"(%v) : (f32) -> ()
    async.yield
  }
  %group = async.create_group %n : !async.group
  %rank = async.add_to_group %second, %group : !async.token
  async.await_all %group
  %r = async.await %value : !async.value<f32>
  return %r : f32
}
// -----
async.func @coroutine(%a: !async.token) -> !async.value<i32> {
  async.await %a : !async.token
  %0 = arith.constant 1 : i32
  return %0 : i32
}
// -----
func.func @runtime() {
  %0 = async.runtime.create : !async.token
  %1 = async.runtime.create : !async.value<f32>
  async.runtime.set_available %0 : !async.token
  async.runtime.add_ref %1 {count = 1 : i64} : !async.value<f32>
  %2 = async.coro.id
  %3 = async.coro.begin %2
  %4 = async.coro.save %3
  async.coro.suspend %4, ^suspend, ^resume, ^cleanup
^resume:
  cf.br ^cleanup
^cleanup:
  async.coro.free %2, %3
  cf.br ^suspend
^suspend:
  async.coro.end %3
  return
}
