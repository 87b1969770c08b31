/** The server's requests and notifications beyond the Language Server Protocol. */

import { RequestType } from "vscode-languageclient/node";
import type { Location, Position, Range, TextDocumentIdentifier } from "vscode-languageclient/node";

export const RUN_COMMAND = "tdls.run";
export const DIFF_COMMAND = "tdls.diff";
export const BEFORE_FAILURE_COMMAND = "tdls.beforeFailure";
export const CHECK_SCHEDULE_COMMAND = "tdls.checkSchedule";
export const TRY_COMMAND = "tdls.trySteps";
export const MIGRATE_COMMAND = "tdls.migrate";
export const SET_PAYLOAD_COMMAND = "tdls.setPayload";
export const REFERENCES_COMMAND = "tdls.showReferences";
/** Scheme of the documents that the server itself provides, such as a transformed payload. */
export const VIRTUAL_SCHEME = "tdls";

/** A function of a program that builds a schedule. */
export interface ScheduleArguments {
  uri: string;
  function: string;
}

export interface ScheduleOutcome {
  status: "checked" | "failed" | "cancelled" | "refused";
  /** One line for people; empty if all is well. */
  detail: string;
  /** URIs of the scripts that were built. */
  scripts: string[];
  printed: string;
  seconds: number;
  refused: Refused[];
}

export interface RunArguments {
  uri: string;
  entryPoint?: string;
  /** 0-based part of a file that `// -----` separates. */
  part?: number;
  payload?: string;
  libraries?: string[];
  until?: Position;
  show?: boolean;
  /** Values of knobs, alternatives and constants, by name or line. */
  choices?: Record<string, string>;
}

export type RunStatus =
  | "success"
  | "failure"
  | "invalid"
  | "crash"
  | "timeout"
  | "out-of-memory"
  | "too-much-output"
  | "cancelled"
  | "unavailable"
  | "refused";

/** A setting of a file that has to be allowed before scripts are run. */
export interface Refused {
  uri: string;
  /** 1-based; null where it is not known. */
  line: number | null;
  setting: string;
  value: unknown;
}

export interface RunOutcome {
  status: RunStatus;
  /** One line for people; empty if all is well. */
  detail: string;
  hasPayload: boolean;
  backend: string;
  mlir: string;
  seconds: number;
  printed: string;
  /** Why the contents of handles are not known; empty if they are. */
  unobserved: string;
  /** URI of the script. */
  script: string;
  /** 1-based line that the script was run to; null for its end. */
  line: number | null;
  /** A tool that was found and could run scripts, where nothing else can. */
  tool: string | null;
  payloadUri: string | null;
  beforeUri: string | null;
  diffUri: string | null;
  /** The payload right before the step in which the script failed. */
  failureUri: string | null;
  refused: Refused[];
}

/** The notification about documents that show runs. */
export const VIEWS_NOTIFICATION = "tdls/views";
export const PROBLEMS_NOTIFICATION = "tdls/showProblems";

export interface View {
  uri: string;
  /** True if its sources have changed since. */
  isOutdated: boolean;
}

export interface Status {
  version: string;
  python: string;
  /** The reading in progress, such as "reading the project (34 %)"; null once all operations are known. */
  reading: string | null;
  /** The version of MLIR that read the present text of the document; null if only tdls read it. */
  readBy: string | null;
  backend: string | null;
  mlir: string | null;
  problem: string | null;
}

export const StatusRequest = new RequestType<object, Status, void>("tdls/status");

export interface PlaceParams {
  textDocument: TextDocumentIdentifier;
  position: Position;
}

export interface Correspondence {
  handles: Location[];
  source: Location[];
  after: Location[];
  /** Places of the operations that a call in a program built, or of the calls that built an operation. */
  built: Location[];
}

export const CorrespondenceRequest = new RequestType<PlaceParams, Correspondence | null, void>(
  "tdls/correspondence",
);

export interface TryOutcome {
  /** How many steps work; code actions insert them. */
  steps: number;
  /** One line for people. */
  detail: string;
}

export interface EntryPoint {
  /** As people write it: `@name` for a sequence. */
  name: string;
  /** The argument of `tdls.run`. */
  entryPoint: string;
  part: number;
  range: Range;
}

export const EntryPointsRequest = new RequestType<{ uri: string }, EntryPoint[], void>("tdls/entryPoints");

/** An answer in place of a recording or a state, with the reason why there is none. */
export interface Lacking {
  /** One line for people. */
  problem: string;
  lack: "files" | "mlir" | "consent" | "recording" | "state";
}

export interface RunDiagnostic {
  level: string;
  message: string;
  location: Location | null;
  notes: RunDiagnostic[];
}

interface RecordingCommon {
  /** A number that no other recording has. */
  recording: number;
  isCurrent: boolean;
  /** Why the newest texts could not be run, as far as that was tried. */
  outdated: string;
  status: RunStatus;
  detail: string;
  hasPayload: boolean;
  steps: number;
  failing: number | null;
  diagnostics: RunDiagnostic[];
}

export interface NewHandle {
  name: string;
  kind: HandleKind;
  count: number | null;
  names: Record<string, number>;
}

export type HandleKind = "operations" | "values" | "parameters";
/** Suppressed: it failed, and the operation around it went on. */
export type StepEnd = "completed" | "suppressed" | "abandoned" | "broke-payload" | "unfinished";

/** A step of a recording; its number is its place in the list, from 1. */
export interface RecordedStep {
  operation: string;
  /** Its present place; null if an edit changed it. */
  location: Location | null;
  parent: number | null;
  region: number;
  iteration: number;
  execution: number;
  ended: StepEnd;
  /** MLIR's message on a suppressed failure; empty where it is not known. */
  reason: string;
  /** False of those that failed since a step in them did. */
  hasFailed: boolean;
  milliseconds: number | null;
  added: number | null;
  removed: number | null;
  results: NewHandle[];
}

export interface Recording extends RecordingCommon {
  uri: string;
  entryPoint: string;
  part: number;
  mlir: string;
  isComplete: boolean;
  /** Why the steps are not known; empty if they are. */
  unobserved: string;
  list: RecordedStep[];
}

export interface StepMention {
  number: number;
  operation: string;
  location: Location | null;
  region: number;
  iteration: number;
}

export interface StateHandle extends NewHandle {
  location: Location | null;
  liveness: "live" | "stale" | "unknown";
  since: StepMention | null;
  defined: number | null;
  isExact: boolean;
  items: { name: string; location: Location | null }[];
}

export type HunkLine = [kind: " " | "+" | "-", before: number, after: number, text: string];

/** The numbers of the steps that one can go to. */
export type Moves = Record<"step" | "back" | "into" | "out" | "failure", number | null>;

export interface State extends RecordingCommon {
  step:
    | (StepMention & {
        execution: number;
        ended: StepEnd;
        reason: string;
        milliseconds: number | null;
        added: number | null;
        removed: number | null;
        path: StepMention[];
      })
    | null;
  moves: Moves;
  isCompleted?: boolean;
  executions?: number[];
  handles: StateHandle[];
  /** The loops with their trip counts, and the buffers with their sizes; empty without both. */
  summary?: string;
  before: { uri: string } | null;
  /** The payload before the step with the names that its values have after it. */
  compared: { uri: string } | null;
  after: { uri: string } | null;
  hunks?: HunkLine[][];
}

export interface RecordingParams extends PlaceParams {
  record?: boolean;
  entryPoint?: string;
  part?: number;
  payload?: string;
}

export interface StateParams extends RecordingParams {
  execution?: number;
  step?: number;
  changes?: boolean;
}

export interface LineChange {
  step: number;
  after: number;
  /** Null for the step that made the line. */
  before: number | null;
}

export const RecordingRequest = new RequestType<RecordingParams, Recording | Lacking | null, void>(
  "tdls/recording",
);
export const StateRequest = new RequestType<StateParams, State | Lacking | null, void>("tdls/stateAt");
export const LineOriginRequest = new RequestType<
  { uri: string; line: number },
  { changes: LineChange[] } | Lacking,
  void
>("tdls/lineOrigin");
export const HandleLinesRequest = new RequestType<
  { uri: string; handle: number },
  { lines: number[]; isExact: boolean } | Lacking,
  void
>("tdls/handleLines");
export const TextRequest = new RequestType<{ uri: string }, { text: string }, void>(
  "workspace/textDocumentContent",
);

/** A place of a run: line and column from 1, the column in bytes. */
export interface MatchedPlace {
  path: string;
  line: number;
  column: number;
}

/** The first condition of an arm that an operation failed at. */
export interface FailedArm {
  operation: string;
  place: MatchedPlace;
  asked_for: string | null;
  /** The relation of values that is false, such as `64 >= 1024`. */
  comparison: string | null;
}

/** A matcher with the action for accepted operations, if there is one. */
export interface Arm {
  matcher: string;
  action: string | null;
  asked: number;
  accepted: number;
}

/** The operations of the payload by the arms that took them. */
export interface ArmsTable {
  operation: string;
  place: MatchedPlace;
  arms: Arm[];
  candidates: { place: MatchedPlace; accepted_by: number | null; arms: (FailedArm | null)[] }[];
  others: number;
}

export interface Matched {
  matcher: string;
  place: MatchedPlace;
  message: string;
  asked: number;
  accepted: number;
  conditions_tried: number;
  failed: {
    operation: string;
    place: MatchedPlace;
    message: string;
    /** The place in a project's sources that implements the condition. */
    implemented: MatchedPlace | null;
    nearest: { place: MatchedPlace | null };
  }[];
}

/** A search that found nothing, with its candidates as notes. */
export interface FoundNothing {
  message: string;
  place: MatchedPlace | null;
  notes: { message: string; place: MatchedPlace | null }[];
}

/** The matches of a run, as `tdls run --explain-matches --format json` prints them. */
export interface Matches {
  uri: string;
  isCurrent: boolean;
  matches: {
    reason: string | null;
    /** False where operations of the script are counted, too, since the payload is in the same module. */
    counts_all: boolean;
    matchers: Matched[];
    tables: ArmsTable[];
    nothing: FoundNothing[];
  };
}

export const MatchesRequest = new RequestType<{ uri: string }, Matches | { problem: string }, void>(
  "tdls/matches",
);

/** Returns whether the server answered with a reason in place of data. */
export function isLacking(answer: object): answer is Lacking {
  return "problem" in answer;
}
