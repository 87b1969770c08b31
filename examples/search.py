"""Try 64 tile sizes on a matrix multiplication, each in a branch of one session, and print which of them MLIR takes.

Needs MLIR: ``pip install torch-mlir``.
"""

from tdls import Session

PAYLOAD = """
func.func @f(%a: tensor<48x96xf32>, %b: tensor<96x80xf32>, %c: tensor<48x80xf32>) -> tensor<48x80xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<48x96xf32>, tensor<96x80xf32>)
                     outs(%c : tensor<48x80xf32>) -> tensor<48x80xf32>
  return %0 : tensor<48x80xf32>
}
"""
HANDLE = "!transform.any_op"
MATCH = f'%mm = transform.structured.match ops{{["linalg.matmul"]}} in %root : ({HANDLE}) -> {HANDLE}'
LOOPS = f"%tile, %i, %j = transform.structured.tile_using_for %mm tile_sizes {{}} : ({HANDLE})"
TILE = f"{LOOPS} -> ({HANDLE}, {HANDLE}, {HANDLE})"
VECTORIZE = f"transform.structured.vectorize %tile : {HANDLE}"
SIZES = (4, 5, 8, 12, 16, 20, 32, 48)

with Session(PAYLOAD) as session:
    matched = session.run(MATCH).state
    for rows in SIZES:
        for columns in SIZES:
            tiled = matched.run(TILE.format([rows, columns]))
            tried = tiled.state.run(VECTORIZE) if tiled.succeeded else tiled
            print(f"{rows:2} x {columns:2}  {tried.outcome.value:20}  {tried.reason[:60]}")
