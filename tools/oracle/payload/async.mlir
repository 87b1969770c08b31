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
// -----
async.func @callee(%x: f32) -> !async.value<f32> {
  return %x : f32
}
func.func @calls(%n: index, %x: f32, %h: !async.coro.handle) {
  %0 = async.call @callee(%x) : (f32) -> !async.value<f32>
  %1 = async.runtime.create_group %n : !async.group
  %2 = async.runtime.create : !async.token
  %3 = async.runtime.add_to_group %2, %1 : !async.token
  async.runtime.store %x, %0 : !async.value<f32>
  %4 = async.runtime.load %0 : !async.value<f32>
  %5 = async.runtime.is_error %2 : !async.token
  %6 = async.runtime.num_worker_threads : index
  async.runtime.set_error %2 : !async.token
  async.runtime.await %2 : !async.token
  async.runtime.await_and_resume %2, %h : !async.token
  async.runtime.drop_ref %2 {count = 1 : i64} : !async.token
  async.runtime.resume %h
  return
}
