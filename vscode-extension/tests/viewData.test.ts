import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Recording, RecordedStep, State, StateHandle } from "../src/protocol";
import { Steps } from "../src/state/steps";
import { contentsWords, lackingState, places, stateView, stepless, timeline } from "../src/state/viewData";

const SCRIPT = "file:///w/my%20script.mlir";

const at = (line: number, uri = SCRIPT) => ({
  uri,
  range: { start: { line, character: 4 }, end: { line, character: 9 } },
});

const STEP: RecordedStep = {
  operation: "transform.structured.match",
  location: at(6),
  parent: null,
  region: 0,
  iteration: 1,
  execution: 1,
  ended: "completed",
  reason: "",
  hasFailed: false,
  milliseconds: 0.5,
  added: 0,
  removed: 0,
  results: [{ name: "%none", kind: "operations", count: 0, names: {} }],
};
const COMMON = {
  recording: 1,
  isCurrent: true,
  outdated: "",
  status: "success",
  detail: "",
  hasPayload: true,
  steps: 2,
  failing: null,
  diagnostics: [],
} as const;
const RECORDING: Recording = {
  ...COMMON,
  diagnostics: [],
  uri: SCRIPT,
  entryPoint: "__transform_main",
  part: 0,
  mlir: "24",
  isComplete: true,
  unobserved: "",
  list: [
    STEP,
    { ...STEP, operation: "transform.annotate", location: at(2, "file:///w/library.mlir"), milliseconds: 2 },
  ],
};
const HANDLE: StateHandle = {
  name: "%mm",
  kind: "operations",
  location: at(6),
  liveness: "live",
  since: null,
  defined: 1,
  isExact: true,
  count: 2,
  names: { "linalg.matmul": 2 },
  items: [{ name: "linalg.matmul", location: at(3, "file:///w/payload.mlir") }],
};
const STATE: State = {
  ...COMMON,
  diagnostics: [],
  step: {
    number: 1,
    operation: "transform.structured.match",
    location: null,
    region: 0,
    iteration: 1,
    execution: 1,
    ended: "completed",
    reason: "",
    milliseconds: 0.5,
    added: 0,
    removed: 0,
    path: [],
  },
  moves: { step: 2, back: null, into: 2, out: null, failure: null },
  isCompleted: true,
  executions: [1],
  handles: [HANDLE],
  before: { uri: "tdls://state/before" },
  compared: { uri: "tdls://state/compared" },
  after: { uri: "tdls://state/after" },
  hunks: [],
};

const steps = (recording: Recording): Steps => new Steps(recording.list);
const shown = (recording: Recording, state: State) => stateView(recording, state, steps(recording));
const texts = (recording: Recording, state: State): string[] =>
  shown(recording, state).notices.map(({ text }) => text);

describe("timeline", () => {
  it("says of each step where it is, how long it took, and whether something is empty", () => {
    const { rows, slowest, summary } = timeline(RECORDING, steps(RECORDING));
    assert.deepEqual(
      rows.map(({ name, place, isEmpty }) => [name, place, isEmpty]),
      [
        ["structured.match", "line 7", true],
        ["annotate", "library.mlir:3", true],
      ],
    );
    assert.equal(slowest, 2);
    assert.equal(summary, "2 steps · success · MLIR 24");
  });
});

describe("stateView", () => {
  it("shows the payload of handles", () => {
    const [row] = shown(RECORDING, STATE).handles;
    assert.deepEqual(
      [row?.contents, row?.isNew, row?.items],
      ["2 linalg.matmul", true, [{ name: "linalg.matmul", place: "payload.mlir:4" }]],
    );
  });

  it("shows the step that made a handle stale, and no payload", () => {
    const since = { number: 2, operation: "transform.annotate", location: at(8), region: 0, iteration: 1 };
    const [row] = shown(RECORDING, { ...STATE, handles: [{ ...HANDLE, liveness: "stale", since }] }).handles;
    assert.deepEqual([row?.since, row?.contents], [{ number: 2, place: "line 9" }, ""]);
  });

  it("takes the place of a step as it is now", () => {
    assert.equal(shown(RECORDING, STATE).step?.place, "line 7");
  });

  it("marks outdated data, with the reason", () => {
    assert.deepEqual(texts(RECORDING, STATE), []);
    const [edited] = texts(RECORDING, { ...STATE, isCurrent: false });
    assert.match(edited!, /edited since/);
    const [broken] = texts(RECORDING, { ...STATE, isCurrent: false, outdated: "no such symbol" });
    assert.match(broken!, /last good recording.*no such symbol/);
    assert.match(texts(RECORDING, { ...STATE, hasPayload: false })[0]!, /no payload/);
  });

  it("gives the reason of the step that failed, with its notes, and of no other", () => {
    const note = { level: "note", message: "here", location: at(1), notes: [] };
    const diagnostics = [{ level: "error", message: "stale", location: at(6), notes: [note] }];
    const failed = { ...STATE, diagnostics, failing: 1 };
    const recording = { ...RECORDING, failing: 1, list: [{ ...STEP, hasFailed: true }] };
    assert.deepEqual(
      shown(recording, failed).failures.map(({ message, place }) => [message, place]),
      [
        ["stale", "line 7"],
        ["here", "line 2"],
      ],
    );
    assert.deepEqual(shown(RECORDING, failed).failures, []);
    assert.equal(places(diagnostics).length, 2);
  });

  it("offers executions only where there are several", () => {
    assert.deepEqual(shown(RECORDING, STATE).step?.executions, []);
    const both = shown(RECORDING, { ...STATE, executions: [1, 2] }).step?.executions;
    assert.deepEqual(
      both?.map(({ number }) => number),
      [1, 2],
    );
  });
});

describe("what is said in place of a state", () => {
  it("has a button that helps", () => {
    const lacks = ["files", "mlir", "consent", "recording", "state"] as const;
    for (const lack of lacks) {
      const { title, buttons } = lackingState({ problem: "why", lack });
      assert.ok(title !== "" && buttons.length > 0, lack);
    }
    const actions = (lack: (typeof lacks)[number]) =>
      lackingState({ problem: "", lack }).buttons.map(({ action }) => action);
    assert.ok(actions("files").includes("choosePayload"));
    assert.deepEqual(actions("mlir").slice(0, 2), ["install", "settings"]);
  });

  it("names the file that MLIR cannot parse, and leads there", () => {
    const diagnostics = [
      { level: "error", message: "x", location: at(3, "file:///w/payload.mlir"), notes: [] },
    ];
    const broken: Recording = {
      ...RECORDING,
      steps: 0,
      list: [],
      status: "invalid",
      detail: "y",
      diagnostics,
    };
    const empty = stepless(broken);
    assert.equal(empty?.title, "MLIR cannot parse payload.mlir");
    assert.equal(empty.detail, "y (payload.mlir:4)");
    assert.equal(empty.buttons[0]?.action, "firstPlace");
    assert.equal(stepless(RECORDING), undefined);
  });

  it("says why nothing is known of the steps", () => {
    const none = { ...RECORDING, steps: 0, list: [] };
    assert.match(
      stepless({ ...none, unobserved: "the script acts on transform operations" })?.title ?? "",
      /not known/,
    );
    assert.match(stepless({ ...none, status: "crash" })?.title ?? "", /ended before/);
  });
});

describe("contentsWords", () => {
  it("has a short summary", () => {
    const names = { "linalg.fill": 1, "linalg.matmul": 2 };
    assert.equal(
      contentsWords({ name: "", kind: "operations", count: 3, names }),
      "1 linalg.fill, 2 linalg.matmul",
    );
    assert.equal(contentsWords({ name: "", kind: "operations", count: 0, names: {} }), "nothing");
    assert.equal(contentsWords({ name: "", kind: "operations", count: null, names: {} }), "not known");
    assert.equal(contentsWords({ name: "", kind: "values", count: 2, names: { "": 2 } }), "2");
    const values = { "8 : i64": 2, "4 : i64": 1, "2 : i64": 1 };
    assert.equal(
      contentsWords({ name: "", kind: "parameters", count: 4, names: values }),
      "= 8 : i64, 8 : i64, 4 : i64, ...",
    );
  });
});
