import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pieces } from "../src/webview/mlirText";

const coloured = (line: string): string[] =>
  pieces(line)
    .filter(([, kind]) => kind !== "")
    .map(([text, kind]) => `${kind} ${text}`);

describe("a line of printed MLIR", () => {
  it("has its operation, values, types and numbers coloured", () => {
    const line = "    %2:2 = linalg.matmul ins(%arg0 : tensor<64x?xf32>) -> !my.type {x = 1.5e-3 : f32}";
    assert.deepEqual(coloured(line), [
      "value %2:2",
      "operation linalg.matmul",
      "value %arg0",
      "type tensor",
      "number 64x?x",
      "type f32",
      "type !my.type",
      "number 1.5e-3",
      "type f32",
    ]);
  });

  it("has symbols and strings, in which nothing else is coloured", () => {
    assert.deepEqual(coloured('  func.func @a(%x: index) attributes {s = "%y \\"1\\""}'), [
      "operation func.func",
      "symbol @a",
      "value %x",
      "type index",
      'string "%y \\"1\\""',
    ]);
  });

  it("keeps every character", () => {
    for (const line of [
      "",
      "}",
      "  ^bb0(%a: i1):",
      "#map = affine_map<(d0) -> (d0)>",
      '"x.y"() : () -> ()',
      "é%",
    ]) {
      assert.equal(
        pieces(line)
          .map(([text]) => text)
          .join(""),
        line,
      );
    }
  });
});
