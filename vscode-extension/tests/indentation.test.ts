import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";

const { indentationRules } = JSON.parse(readFileSync("language-configuration.json", "utf-8")) as {
  indentationRules: Record<string, string>;
};
const CONTINUED = `
    %tiled, %loop = transform.structured.tile_using_for %op
        tile_sizes [8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %0 = linalg.matmul
      ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%c : tensor<4x4xf32>)
      -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
`;

describe("the indentation of a new line", () => {
  it("is that of the statement after its other lines, which VS Code leaves out of account", () => {
    const ignored = new RegExp(indentationRules.unIndentedLinePattern!);
    const lines = CONTINUED.trimEnd().split("\n");
    const others = lines.filter((line) => !ignored.test(line)).map((line) => line.trim().split(" ")[0]);
    assert.deepEqual(others, ["", "%tiled,", "%0", "return", "}"]);
    const opening = [
      "    } -> (i32) {",
      "      tile_sizes [",
      "      outs(%c : f32) {",
      "      (%a, %b) -> (",
    ];
    assert.deepEqual(
      opening.filter((line) => ignored.test(line)),
      [],
    );
  });
});
