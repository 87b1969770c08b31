import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RecordedStep } from "../src/protocol";
import { shortName, Steps } from "../src/state/steps";

function step(
  operation: string,
  parent: number | null = null,
  more: Partial<RecordedStep> = {},
): RecordedStep {
  return {
    operation: `transform.${operation}`,
    location: null,
    parent,
    region: 0,
    iteration: 1,
    execution: 1,
    ended: "completed",
    reason: "",
    hasFailed: false,
    milliseconds: 1,
    added: 0,
    removed: 0,
    results: [],
    ...more,
  };
}

/** match; foreach with two iterations of (include with print; annotate); yield-like end. */
const LIST = [
  step("match"),
  step("foreach"),
  step("include", 2),
  step("print", 3),
  step("annotate", 2),
  step("include", 2, { iteration: 2 }),
  step("print", 6),
  step("annotate", 2, { iteration: 2 }),
  step("apply_cse"),
];
const steps = new Steps(LIST);

describe("Steps", () => {
  it("tells which iterations a step is in", () => {
    assert.equal(steps.iterationWords(7), "foreach 2 of 2");
    assert.equal(steps.iterationWords(5), "foreach 1 of 2");
    assert.equal(steps.iterationWords(9), "");
    assert.deepEqual(steps.path(7), [2, 6]);
  });

  it("stays in an iteration where it can", () => {
    assert.equal(steps.closest([5, 8], 6), 8);
    assert.equal(steps.closest([5, 8], 4), 5);
    assert.equal(steps.closest([4, 7], undefined), 4);
    assert.equal(steps.closest([], 4), undefined);
  });
});

describe("shortName", () => {
  it("leaves the dialect out", () => {
    assert.equal(shortName("transform.structured.match"), "structured.match");
  });
});
