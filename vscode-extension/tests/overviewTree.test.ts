import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { HandleState, Overview } from "../src/protocol";
import { overviewTree, type OverviewNode } from "../src/views/overviewTree";

const at = (line: number, uri = "file:///w/my%20script.mlir") => ({
  uri,
  range: { start: { line, character: 4 }, end: { line, character: 9 } },
});

function handles(...states: HandleState[]): OverviewNode[] {
  const overview: Overview = { entryPoints: [], sequences: [], libraries: [], handles: states };
  return overviewTree(overview)[0]?.children ?? [];
}

describe("overviewTree", () => {
  it("shows only what there is", () => {
    assert.deepEqual(overviewTree({ entryPoints: [], sequences: [], libraries: [], handles: [] }), []);
  });

  it("shows where sequences are", () => {
    const place = { name: "tile", part: 0, location: at(6) };
    const [group] = overviewTree({ entryPoints: [place], sequences: [], libraries: [], handles: [] });
    assert.equal(group?.label, "Entry Points");
    assert.deepEqual(
      group.children?.map(({ label, description }) => [label, description]),
      [["@tile", "my script.mlir:7"]],
    );
  });

  it("says of a live handle how much it stands for", () => {
    const [node] = handles({
      name: "%loops",
      type: '!transform.op<"scf.for">',
      location: at(2),
      state: "live",
      count: 1,
    });
    assert.equal(node?.description, 'live · 1 payload op · op<"scf.for">');
  });

  it("says of a consumed handle by which line", () => {
    const [node] = handles({
      name: "%matmul",
      type: "!transform.any_op",
      location: at(2),
      state: "consumed",
      consumedBy: at(8),
      count: null,
    });
    assert.equal(node?.description, "consumed in line 9 · any_op");
    assert.equal(node.icon, "circle-slash");
  });

  it("tells things of one name apart", () => {
    const same = { name: "%0", type: "!transform.any_op", state: "live" } as const;
    const ids = handles({ ...same, location: at(1) }, { ...same, location: at(5) }).map(({ id }) => id);
    assert.equal(new Set(ids).size, 2);
  });
});
