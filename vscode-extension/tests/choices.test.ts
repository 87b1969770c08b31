import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { choiceComment, Choices, type Memory } from "../src/runs/choices";

const SCRIPT = "file:///w/script.mlir";
const PAYLOAD = "file:///w/payload.mlir";

function memory(): Memory {
  const kept = new Map<string, unknown>();
  return {
    get: (key) => kept.get(key),
    update: (key, value) => Promise.resolve(void kept.set(key, structuredClone(value))),
  };
}

describe("Choices", () => {
  it("adds nothing where nothing was chosen", () => {
    assert.deepEqual(new Choices(memory()).complete({ uri: SCRIPT }), { uri: SCRIPT });
  });

  it("adds the choices for this script alone", async () => {
    const choices = new Choices(memory());
    await choices.choose(SCRIPT, { payload: PAYLOAD, entryPoint: "tile", part: 1 });
    assert.deepEqual(choices.complete({ uri: SCRIPT }), {
      uri: SCRIPT,
      payload: PAYLOAD,
      entryPoint: "tile",
      part: 1,
    });
    assert.deepEqual(choices.complete({ uri: PAYLOAD }), { uri: PAYLOAD });
  });

  it("lets a lens say which entry point it stands at", async () => {
    const choices = new Choices(memory());
    await choices.choose(SCRIPT, { payload: PAYLOAD, entryPoint: "tile" });
    assert.deepEqual(choices.complete({ uri: SCRIPT, entryPoint: "fuse" }), {
      uri: SCRIPT,
      entryPoint: "fuse",
      payload: PAYLOAD,
    });
    assert.equal(choices.complete({ uri: SCRIPT, part: 2 }).entryPoint, undefined);
  });

  it("remembers over sessions, and forgets on request", async () => {
    const kept = memory();
    await new Choices(kept).choose(SCRIPT, { entryPoint: "tile" });
    await new Choices(kept).choose(PAYLOAD, { entryPoint: "other" });
    assert.deepEqual(new Choices(kept).of(SCRIPT), { entryPoint: "tile" });
    await new Choices(kept).choose(SCRIPT, {});
    assert.deepEqual(new Choices(kept).of(SCRIPT), {});
    assert.deepEqual(new Choices(kept).of(PAYLOAD), { entryPoint: "other" });
  });
});

describe("choiceComment", () => {
  it("describes choices as comments of the script do", () => {
    const comment = choiceComment({ payload: PAYLOAD, entryPoint: "tile" }, "../payload.mlir");
    assert.equal(comment, "// tdls: payload=../payload.mlir entry-point=@tile");
  });
});
