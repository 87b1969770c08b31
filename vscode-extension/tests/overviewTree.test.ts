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
  it("shows no empty groups", () => {
    assert.deepEqual(overviewTree({ entryPoints: [], sequences: [], libraries: [], handles: [] }), []);
  });

  it("has sequences by file, those of the current one first, with where a run can begin", () => {
    const library = "file:///w/library.mlir";
    const sequences = [
      { name: "@match", location: at(3, library) },
      { name: "@main", location: at(6) },
      { name: "@tile", location: at(2) },
    ];
    const entryPoints = [{ name: "@main", entryPoint: "main", part: 0, location: at(6) }];
    const tree = overviewTree({ entryPoints, sequences, libraries: [], handles: [] }, at(0).uri);
    assert.deepEqual(
      tree.map(({ label, isFolded, children }) => [
        label,
        isFolded,
        children?.map(({ label: name, description, icon }) => [name, description, icon]),
      ]),
      [
        [
          "my script.mlir",
          false,
          [
            ["@tile", "line 3", "symbol-function"],
            ["@main", "line 7", "play"],
          ],
        ],
        ["library.mlir", true, [["@match", "line 4", "symbol-function"]]],
      ],
    );
  });

  it("shows the payload of a live handle", () => {
    const type = "!transform.any_op";
    const contents = "3 x linalg.matmul";
    const [node] = handles({ name: "%0", type, location: at(2), state: "live", consumedBy: null, contents });
    assert.equal(node?.description, "3 x linalg.matmul · live");
  });

  it("says of a consumed handle by which line", () => {
    const type = '!transform.op<"scf.for">';
    const [node] = handles({
      name: "%loop",
      type,
      location: at(2),
      state: "consumed",
      consumedBy: at(8),
      contents: "",
    });
    assert.equal(node?.description, 'op<"scf.for"> · consumed in line 9');
    assert.equal(node.icon, "circle-slash");
  });

  it("tells things of one name apart", () => {
    const same = {
      name: "%0",
      type: "!transform.any_op",
      state: "live",
      consumedBy: null,
      contents: "",
    } as const;
    const ids = handles({ ...same, location: at(1) }, { ...same, location: at(5) }).map(({ id }) => id);
    assert.equal(new Set(ids).size, 2);
  });
});
