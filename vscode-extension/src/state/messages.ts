/** The messages between the view "Transform State" and its page. */

/** A button of a message; which command it stands for is known to the extension alone. */
export interface Button {
  label: string;
  action: ButtonAction;
}

export type ButtonAction =
  | "record"
  | "choosePayload"
  | "install"
  | "settings"
  | "allow"
  | "sample"
  | "logs"
  | "restart"
  | "firstPlace";

export interface Notice {
  kind: "info" | "warning" | "error";
  text: string;
  buttons: Button[];
}

/** A message that the page shows in place of a state. */
export interface EmptyState {
  title: string;
  detail: string;
  buttons: Button[];
}

export interface TimelineRow {
  number: number;
  name: string;
  depth: number;
  /** The place in words, such as `33` or `library.mlir:7`. */
  place: string;
  milliseconds: number | null;
  added: number | null;
  removed: number | null;
  hasFailed: boolean;
  isEmpty: boolean;
}

export interface Timeline {
  recording: number;
  rows: TimelineRow[];
  /** The slowest step, in milliseconds. */
  slowest: number;
  /** The number of steps and the end of the run, in words. */
  summary: string;
}

export interface HandleRow {
  name: string;
  kind: "operations" | "values" | "parameters";
  liveness: "live" | "stale" | "unknown";
  /** Its payload operations or values, in words. */
  contents: string;
  isEmpty: boolean;
  /** False if that is its payload at its definition. */
  isExact: boolean;
  /** True if it is new behind the step. */
  isNew: boolean;
  /** True if the step mentions it. */
  isUsed: boolean;
  hasPlace: boolean;
  /** The step that ended its life, with its place. */
  since: { number: number; place: string } | null;
  items: { name: string; place: string }[];
}

export interface FailureRow {
  level: string;
  message: string;
  place: string;
}

export interface StepView {
  number: number;
  name: string;
  place: string;
  milliseconds: number | null;
  added: number | null;
  removed: number | null;
  ended: "completed" | "suppressed" | "abandoned" | "broke-payload" | "unfinished";
  /** MLIR's message on a suppressed failure; empty where it is not known. */
  reason: string;
  hasFailed: boolean;
  path: { number: number; name: string }[];
  /** The executions of the same operation, this one included; one alone is not worth a choice. */
  executions: { number: number; label: string }[];
}

export type PayloadSide = "changes" | "before" | "after";
export type LineKind = " " | "+" | "-";
/** A changed line or one around it; -1 for the number that it does not have. */
export type ChangedLine = [kind: LineKind, before: number, after: number, text: string];

export interface StateView {
  recording: number;
  script: string;
  notices: Notice[];
  /** Undefined in front of the first step. */
  step: StepView | undefined;
  failures: FailureRow[];
  handles: HandleRow[];
  /** Loops with their trip counts and buffers with their sizes; empty without both. */
  loops: string;
  hunks: ChangedLine[][];
  hasBefore: boolean;
  hasAfter: boolean;
}

export type ToPage =
  | { type: "timeline"; timeline: Timeline }
  | { type: "state"; state: StateView }
  | { type: "empty"; empty: EmptyState }
  | { type: "busy"; text: string }
  | { type: "text"; side: PayloadSide; text: string }
  | { type: "lines"; side: PayloadSide; lines: number[]; isExact: boolean; name: string }
  | { type: "history"; side: PayloadSide; line: number; entries: { step: number; words: string }[] }
  | { type: "select"; side: PayloadSide; line: number };

/** The page's message for a click or a key. */
export type FromPage =
  | { type: "ready" }
  | { type: "command"; name: PageCommand }
  | { type: "button"; action: ButtonAction }
  | { type: "step"; number: number }
  | { type: "side"; side: PayloadSide }
  | { type: "handle"; index: number; what: "definition" | "contents" }
  | { type: "item"; handle: number; index: number }
  | { type: "failure"; index: number }
  | { type: "line"; side: PayloadSide; line: number }
  | { type: "openLine"; side: PayloadSide; line: number };

export type PageCommand =
  "record" | "step" | "stepBack" | "stepInto" | "stepOut" | "nextFailure" | "previousChange" | "difference";
