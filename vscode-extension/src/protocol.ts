/** What the server offers beyond the Language Server Protocol. */

import { RequestType } from "vscode-languageclient/node";
import type { Location, Position, TextDocumentIdentifier } from "vscode-languageclient/node";

export const RUN_COMMAND = "tdls.run";
export const DIFF_COMMAND = "tdls.diff";
export const REFERENCES_COMMAND = "tdls.showReferences";
/** Scheme of the documents that the server itself provides, such as a transformed payload. */
export const VIRTUAL_SCHEME = "tdls";

export interface RunArguments {
  uri: string;
  entryPoint?: string;
  /** 0-based part of a file that `// -----` separates. */
  part?: number;
  payload?: string;
  libraries?: string[];
  until?: Position;
  show?: boolean;
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
  /** One line for people; empty if all is well. With success, there was no payload. */
  detail: string;
  backend: string;
  mlir: string;
  seconds: number;
  printed: string;
  payloadUri: string | null;
  beforeUri: string | null;
  diffUri: string | null;
  refused: Refused[];
}

export interface Status {
  version: string;
  python: string;
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
}

export const CorrespondenceRequest = new RequestType<PlaceParams, Correspondence | null, void>(
  "tdls/correspondence",
);

export interface NamedPlace {
  /** As people write it: `@name` for a sequence. */
  name: string;
  location: Location;
}

export interface EntryPoint extends NamedPlace {
  /** What `tdls.run` takes. */
  entryPoint: string;
  part: number;
}

export interface HandleState {
  name: string;
  type: string;
  location: Location;
  state: "live" | "consumed";
  consumedBy: Location | null;
  /** What it stood for in the last run, in words; empty if that is not known. */
  contents: string;
}

export interface Overview {
  entryPoints: EntryPoint[];
  sequences: NamedPlace[];
  libraries: string[];
  handles: HandleState[];
}

export const OverviewRequest = new RequestType<PlaceParams | object, Overview | null, void>("tdls/overview");
