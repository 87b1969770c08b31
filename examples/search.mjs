// Try 64 tile sizes on a matrix multiplication, as search.py does, from another language: node examples/search.mjs
//
// Requests to `tdls session` are lines of JSON on its standard input, answers lines on its standard output. Needs MLIR:
// `pip install torch-mlir`. TDLS names the command if it is not on the path.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const PAYLOAD = `
func.func @f(%a: tensor<48x96xf32>, %b: tensor<96x80xf32>, %c: tensor<48x80xf32>) -> tensor<48x80xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<48x96xf32>, tensor<96x80xf32>)
                     outs(%c : tensor<48x80xf32>) -> tensor<48x80xf32>
  return %0 : tensor<48x80xf32>
}
`;
const HANDLE = "!transform.any_op";
const MATCH = `%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (${HANDLE}) -> ${HANDLE}`;
const TILE = (sizes) =>
  `%tile, %i, %j = transform.structured.tile_using_for %mm tile_sizes [${sizes.join(", ")}] : (${HANDLE})
     -> (${HANDLE}, ${HANDLE}, ${HANDLE})`;
const VECTORIZE = `transform.structured.vectorize %tile : ${HANDLE}`;
const SIZES = [4, 5, 8, 12, 16, 20, 32, 48];

/** A `tdls session` process: `ask` sends a request and resolves with its result. */
class Sessions {
  constructor(command = process.env.TDLS ?? "tdls") {
    this.pending = new Map();
    this.process = spawn(command, ["session"], { stdio: ["pipe", "pipe", "inherit"] });
    this.process.on("error", (error) => this.end(error));
    this.process.on("close", () => this.end(new Error("tdls session has ended")));
    createInterface({ input: this.process.stdout }).on("line", (line) => {
      const { id, result, error } = JSON.parse(line);
      const { resolve, reject } = this.pending.get(id);
      this.pending.delete(id);
      error === undefined ? resolve(result) : reject(new Error(`${error.kind}: ${error.message}`));
    });
  }

  ask(method, params) {
    return new Promise((resolve, reject) => {
      const id = (this.last = (this.last ?? 0) + 1);
      this.pending.set(id, { resolve, reject });
      this.process.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
    });
  }

  end(error) {
    for (const { reject } of this.pending.values()) {
      reject(error);
    }
    this.pending.clear();
    this.process.stdin.end();
  }
}

const sessions = new Sessions();
try {
  const { state } = await sessions.ask("open", { payload: PAYLOAD });
  const matched = await sessions.ask("run", { state, text: MATCH });
  for (const rows of SIZES) {
    for (const columns of SIZES) {
      const tiled = await sessions.ask("run", { state: matched.state, text: TILE([rows, columns]) });
      const tried =
        tiled.state === undefined ? tiled : await sessions.ask("run", { state: tiled.state, text: VECTORIZE });
      const size = `${String(rows).padStart(2)} x ${String(columns).padStart(2)}`;
      console.log(`${size}  ${tried.outcome.padEnd(20)}  ${tried.reason.slice(0, 60)}`);
    }
  }
} finally {
  sessions.end(new Error("the search has ended"));
}
