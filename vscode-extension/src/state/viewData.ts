/** The contents of the view "Transform State" for a recording and a state, as plain data. Knows nothing of VS Code. */

import type { Location } from "vscode-languageclient/node";
import { fileName } from "../names";
import type {
  Lacking,
  NewHandle,
  RecordedStep,
  Recording,
  RunDiagnostic,
  State,
  StateHandle,
} from "../protocol";
import type {
  Button,
  EmptyState,
  FailureRow,
  HandleRow,
  Notice,
  StateView,
  StepView,
  Timeline,
  TimelineRow,
} from "./messages";
import { shortName, type Steps } from "./steps";

const MOST_NAMES = 3;
const MOST_ITEMS = 100;
const MOST_EXECUTIONS = 1000;

const RECORD: Button = { label: "Record", action: "record" };
const CHOOSE_PAYLOAD: Button = { label: "Choose Payload...", action: "choosePayload" };

export const NO_SCRIPT: EmptyState = {
  title: "Nothing is run here",
  detail:
    "Put the cursor into a transform script with an entry point, such as @__transform_main: payload and handles at the cursor are shown here.",
  buttons: [{ label: "Open Sample Script", action: "sample" }],
};

/** The message in place of a recording, with the button that helps. */
export function lackingState({ problem, lack }: Lacking): EmptyState {
  switch (lack) {
    case "files":
      return {
        title: "The script cannot be run as it is",
        detail: problem,
        buttons: [CHOOSE_PAYLOAD, { ...RECORD, label: "Try Again" }],
      };
    case "mlir":
      return {
        title: "There is no MLIR to run scripts with",
        detail: problem,
        buttons: [
          { label: "Install MLIR Runtime...", action: "install" },
          { label: "Select MLIR...", action: "settings" },
          { ...RECORD, label: "Try Again" },
        ],
      };
    case "consent":
      return {
        title: "Nobody has allowed this script to run",
        detail: problem,
        buttons: [{ label: "Run...", action: "allow" }],
      };
    case "recording":
      return {
        title: "Not recorded yet",
        detail: "The script is run once; then payload and handles of every step can be seen here.",
        buttons: [RECORD],
      };
    case "state":
      return {
        title: "This state cannot be shown",
        detail: problem,
        buttons: [{ ...RECORD, label: "Record Again" }],
      };
  }
}

/** The message if the server does not run. */
export function serverState(problem: string): EmptyState {
  return {
    title: "The language server does not run",
    detail: problem,
    buttons: [
      { label: "Restart", action: "restart" },
      { label: "Show Logs", action: "logs" },
    ],
  };
}

/** The message for a recording without steps; undefined for others. */
export function stepless(recording: Recording): EmptyState | undefined {
  if (recording.steps > 0) {
    return undefined;
  }
  const error = recording.diagnostics.find(({ level }) => level === "error");
  const where = error?.location === null || error === undefined ? "" : ` (${placeWords(error.location)})`;
  const words = `${recording.detail}${where}`;
  if (recording.status === "invalid") {
    const file =
      error?.location === null || error === undefined ? "the script" : fileName(error.location.uri);
    const leads: Button[] = where === "" ? [] : [{ label: "Go to Error", action: "firstPlace" }];
    return {
      title: `MLIR cannot parse ${file}`,
      detail: words,
      buttons: [...leads, CHOOSE_PAYLOAD, { ...RECORD, label: "Try Again" }],
    };
  }
  if (recording.unobserved !== "") {
    const detail = `Nothing is known of the steps: ${recording.unobserved}. ${words}`;
    return { title: "The steps are not known", detail, buttons: [{ ...RECORD, label: "Try Again" }] };
  }
  const title =
    recording.status === "success" ? "The script does nothing" : "The run ended before the first step";
  return { title, detail: words, buttons: [{ ...RECORD, label: "Try Again" }] };
}

export function timeline(recording: Recording, steps: Steps): Timeline {
  const times = recording.list.map(({ milliseconds }) => milliseconds ?? 0);
  return {
    recording: recording.recording,
    rows: recording.list.map((step, index) => timelineRow(recording, steps, step, index + 1)),
    slowest: times.reduce((most, time) => Math.max(most, time), 0),
    summary: summary(recording),
  };
}

function timelineRow(recording: Recording, steps: Steps, step: RecordedStep, number: number): TimelineRow {
  const { milliseconds, added, removed, results } = step;
  const name = shortName(step.operation);
  return {
    number,
    name: step.iteration === 1 ? name : `${name} #${step.iteration}`,
    depth: steps.depth(number),
    place: placeIn(recording.uri, step.location),
    milliseconds,
    added,
    removed,
    hasFailed: step.hasFailed,
    isEmpty: results.some(({ kind, count }) => kind === "operations" && count === 0),
  };
}

/** What the view shows of a state; `used` are the names in the step's text. A failure of an older script is none. */
export function stateView(
  recording: Recording,
  state: State,
  steps: Steps,
  used: ReadonlySet<string> = new Set(),
): StateView {
  const isFailing = state.isCurrent && state.step !== null && hasFailed(steps, state.step.number);
  return {
    recording: recording.recording,
    script: fileName(recording.uri),
    notices: notices(recording, state),
    step: stepView(recording, state, steps),
    failures:
      isFailing && state.step?.ended !== "suppressed" ? failures(recording.uri, state.diagnostics) : [],
    handles: state.handles.map((handle) => handleRow(recording.uri, handle, state.step?.number, used)),
    loops: state.summary ?? "",
    hunks: state.hunks ?? [],
    hasBefore: state.before !== null,
    hasAfter: state.after !== null,
  };
}

function summary({ steps, status, detail, mlir }: Recording): string {
  const counted = `${steps} ${steps === 1 ? "step" : "steps"}`;
  const words = [counted, detail === "" ? status : detail, mlir === "" ? "" : `MLIR ${mlir}`];
  return words.filter((word) => word !== "").join(" · ");
}

function notices(recording: Recording, state: State): Notice[] {
  const found: Notice[] = [];
  if (!state.isCurrent) {
    const why =
      state.outdated === ""
        ? "The script was edited since this was recorded."
        : `This is the last good recording. As it is now, the script cannot be run: ${state.outdated}`;
    found.push({ kind: "warning", text: why, buttons: [RECORD] });
  }
  if (!state.hasPayload) {
    const text = "There is no payload, so nothing is transformed.";
    found.push({ kind: "warning", text, buttons: [CHOOSE_PAYLOAD] });
  }
  if (!recording.isComplete) {
    found.push({ kind: "info", text: "There were more steps than are shown.", buttons: [] });
  }
  return found;
}

function stepView(
  recording: Recording,
  { step, executions, isCurrent }: State,
  steps: Steps,
): StepView | undefined {
  if (step === null) {
    return undefined;
  }
  const { number, operation, milliseconds, added, removed, ended, reason } = step;
  const located = steps.at(number)?.location ?? step.location;
  const others = (executions ?? []).length > 1 ? (executions ?? []).slice(0, MOST_EXECUTIONS) : [];
  return {
    number,
    name: operation,
    place: placeIn(recording.uri, located),
    milliseconds,
    added,
    removed,
    ended,
    reason,
    hasFailed: isCurrent && hasFailed(steps, number),
    path: steps.path(number).map((around) => ({ number: around, name: pathName(steps, around, number) })),
    executions: others.map((other, index) => ({ number: other, label: executionLabel(steps, other, index) })),
  };
}

function hasFailed(steps: Steps, number: number): boolean {
  return steps.at(number)?.hasFailed ?? false;
}

/** The name of a step that another one is in, with the iteration that this one is in. */
function pathName(steps: Steps, around: number, number: number): string {
  const inside = [...steps.path(number), number];
  const child = inside[inside.indexOf(around) + 1] ?? number;
  const iteration = steps.at(child)?.iteration ?? 1;
  const name = shortName(steps.at(around)?.operation ?? "");
  return iteration === 1 ? name : `${name} #${iteration}`;
}

function executionLabel(steps: Steps, number: number, index: number): string {
  const words = steps.iterationWords(number);
  const callers = steps
    .path(number)
    .map((around) => shortName(steps.at(around)?.operation ?? ""))
    .join(" › ");
  return `${index + 1}: ${words === "" ? callers || `step ${number}` : words}`;
}

function failures(script: string, diagnostics: readonly RunDiagnostic[]): FailureRow[] {
  return places(diagnostics).map(({ level, message, location }) => ({
    level,
    message,
    place: placeIn(script, location),
  }));
}

/** Diagnostics with their notes behind them. */
export function places(diagnostics: readonly RunDiagnostic[]): RunDiagnostic[] {
  return diagnostics.flatMap((diagnostic) => [diagnostic, ...places(diagnostic.notes)]);
}

function handleRow(
  script: string,
  handle: StateHandle,
  number: number | undefined,
  used: ReadonlySet<string>,
): HandleRow {
  const { name, kind, liveness, isExact, location, since, defined, items } = handle;
  const isParameter = kind === "parameters";
  return {
    name,
    kind,
    liveness,
    contents: liveness === "stale" ? "" : contentsWords(handle),
    isEmpty: handle.count === 0 && !isParameter,
    isExact,
    isNew: defined !== null && defined === number,
    isUsed: used.has(name),
    hasPlace: location !== null,
    since: since === null ? null : { number: since.number, place: placeIn(script, since.location) },
    items: isParameter
      ? []
      : items
          .slice(0, MOST_ITEMS)
          .map((item) => ({ name: item.name, place: placeIn(script, item.location) })),
  };
}

/** The payload of a handle in a few words: `3 linalg.matmul`, or the values of a parameter. */
export function contentsWords({ kind, count, names }: NewHandle): string {
  if (count === null) {
    return "not known";
  }
  if (count === 0) {
    return "nothing";
  }
  const entries = Object.entries(names);
  const said =
    kind === "parameters"
      ? entries.flatMap(([name, times]) => Array<string>(times).fill(name))
      : entries.map(([name, times]) => (name === "" ? String(times) : `${times} ${name}`));
  const words = [...said.slice(0, MOST_NAMES), ...(said.length > MOST_NAMES ? ["..."] : [])].join(", ");
  return words === "" ? String(count) : kind === "parameters" ? `= ${words}` : words;
}

/** A place in words: the line, with the file unless that is the script. */
function placeIn(script: string, location: Location | null): string {
  if (location === null) {
    return "";
  }
  return location.uri === script ? `line ${location.range.start.line + 1}` : placeWords(location);
}

function placeWords({ uri, range }: Location): string {
  return `${fileName(uri)}:${range.start.line + 1}`;
}
