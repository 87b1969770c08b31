import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { matchesView, operationIn } from "../src/matches/matchesData";
import type { ArmsTable, Matches } from "../src/protocol";

const at = (line: number, path = "/w/script.mlir") => ({ path, line, column: 3 });
const FAILED = {
  operation: "transform.match.structured.dim",
  place: at(6),
  asked_for: "parallel",
  comparison: null,
};
const TABLE: ArmsTable = {
  operation: "transform.foreach_match",
  place: at(20),
  arms: [
    { matcher: "large", action: "tile", asked: 3, accepted: 0 },
    { matcher: "any", action: null, asked: 3, accepted: 3 },
    { matcher: "late", action: null, asked: 0, accepted: 0 },
  ],
  candidates: [{ place: at(2, "/w/payload.mlir"), accepted_by: 1, arms: [FAILED, null, null] }],
  others: 2,
};
const FOUND: Matches = {
  uri: "file:///w/script.mlir",
  isCurrent: true,
  matches: { reason: null, counts_all: true, matchers: [], tables: [TABLE], nothing: [] },
};

const names = ({ line }: { line: number }): string => (line === 2 ? "linalg.fill" : "");
const texts = (found: Matches) =>
  matchesView(found, names).tables[0]?.rows.map((row) => row.map(({ text }) => text));

describe("the view of what matched", () => {
  it("has operations by arms, with the compared values where they failed", () => {
    assert.deepEqual(texts(FOUND), [
      ["operation", "@large → @tile", "@any", "@late"],
      ["linalg.fill\npayload.mlir:2:3", "match.structured.dim, script.mlir:6\nasked for: parallel", "✓", ""],
      ["in all, with 2 others", "0 of 3: never fired", "3 of 3", "never asked: shadowed by @any"],
    ]);
  });

  it("says which comparison is false", () => {
    const compared = { ...FAILED, asked_for: "ge", comparison: "64 >= 1024" };
    const candidates = [{ ...TABLE.candidates[0]!, arms: [compared, null, null] }];
    const found = { ...FOUND, matches: { ...FOUND.matches, tables: [{ ...TABLE, candidates }] } };
    assert.match(texts(found)?.[1]?.[1] ?? "", /\n64 >= 1024 is false$/);
  });

  it("counts payload alone where a module has the script, too", () => {
    const script = { place: at(4, "/w/script.mlir"), accepted_by: 1, arms: [null, null, null] };
    const tables = [{ ...TABLE, candidates: [...TABLE.candidates, script] }];
    const found = { ...FOUND, matches: { ...FOUND.matches, counts_all: false, tables } };
    const view = matchesView(found, ({ line }) => (line === 2 ? "linalg.fill" : "transform.yield"));
    assert.deepEqual(
      view.tables[0]?.rows.slice(2).map((row) => row.map(({ text }) => text)),
      [["in all", "0: never fired", "2", "never asked: shadowed by @any"]],
    );
  });

  it("leads to conditions", () => {
    const cells = matchesView(FOUND, names).tables[0]?.rows[1];
    assert.deepEqual(cells?.[1]?.place, at(6));
    assert.equal(cells[2]?.place, undefined);
  });

  it("has the condition at which most failed, and empty searches", () => {
    const failed = [
      {
        operation: "transform.match.operation_name",
        place: at(4),
        message: "2 operations fail here",
        implemented: at(12, "/w/Match.cpp"),
        nearest: { place: at(9, "/w/payload.mlir") },
      },
    ];
    const matcher = {
      matcher: "fill",
      place: at(3),
      message: "`@fill` accepted none",
      asked: 2,
      accepted: 0,
      conditions_tried: 2,
      failed,
    };
    const quick = {
      ...matcher,
      matcher: "quick",
      message: "`@quick` accepted none",
      conditions_tried: 1,
      failed: [],
    };
    const notes = [{ message: "`linalg.fill` is no `linalg.exp`", place: at(9, "/w/payload.mlir") }];
    const nothing = [{ message: "`%x` holds nothing", place: null, notes }];
    const matches = { ...FOUND.matches, matchers: [quick, matcher], nothing };
    const view = matchesView({ ...FOUND, matches }, () => "linalg.exp");
    assert.deepEqual(
      view.matchers.map(({ title, failed: stops }) => [title.text, ...stops.map(({ text }) => text)]),
      [
        [
          "@fill accepted none (2 conditions tried), script.mlir:3",
          "match.operation_name, script.mlir:4: 2 operations fail here",
          "implemented: Match.cpp:12:3",
          "nearest: linalg.exp, payload.mlir:9:3",
        ],
        ["@quick accepted none (1 conditions tried), script.mlir:3"],
      ],
    );
    assert.deepEqual(view.nothing, [
      { text: "%x holds nothing", kind: "bad" },
      { text: "linalg.fill is no linalg.exp", kind: "failed", place: at(9, "/w/payload.mlir") },
    ]);
  });

  it("says when the script has changed since, and why nothing is known", () => {
    const matches = { ...FOUND.matches, reason: "it took too long" };
    const view = matchesView({ ...FOUND, isCurrent: false, matches }, names);
    assert.deepEqual(view.notes, [
      "The script has changed since; this is about the last run.",
      "What was matched is not known: it took too long",
    ]);
  });

  it("names the operation at a place, also behind letters of several bytes", () => {
    assert.equal(operationIn("  %é:2 = linalg.fill ins(%x)", 11), "linalg.fill");
    assert.equal(operationIn('  "my.op"() : () -> ()', 3), "my.op");
    assert.equal(operationIn("  %x = linalg.exp ins(%y)", 3), "linalg.exp");
    assert.equal(operationIn("  }", 1), "");
  });
});
