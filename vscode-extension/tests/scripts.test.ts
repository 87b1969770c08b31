import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isScript } from "../src/scripts";

describe("isScript", () => {
  it("finds operations of the Transform dialect in both forms", () => {
    assert.ok(isScript("transform.named_sequence @f(%a: !transform.any_op) {\n}"));
    assert.ok(isScript('  %0 = "transform.structured.match"(%a) : (!transform.any_op) -> !transform.any_op'));
    assert.ok(isScript("%0 = transform.my.op %a"));
  });

  it("finds none in payload, in comments and in attributes", () => {
    assert.ok(!isScript("func.func @f() {\n  return\n}"));
    assert.ok(!isScript("// transform.named_sequence\nfunc.func @f()"));
    assert.ok(!isScript("module attributes {transform.with_named_sequence} {\n}"));
  });
});
