/** Follows the cursor through the recording of a script, and keeps the shown state and the last request. */

import * as vscode from "vscode";
import type { Position } from "vscode-languageclient/node";
import { Delay } from "../delay";
import {
  isLacking,
  RecordingRequest,
  StateRequest,
  type Lacking,
  type PlaceParams,
  type Recording,
  type RecordingParams,
  type State,
  type StateParams,
} from "../protocol";
import type { Choices } from "../runs/choices";
import type { Consent } from "../runs/consent";
import { isMlir, PROGRAM_LANGUAGE, type Server } from "../server/server";
import type { EmptyState } from "./messages";
import { Steps } from "./steps";
import { lackingState, NO_SCRIPT, serverState, stepless } from "./viewData";

const CURSOR_MILLISECONDS = 40;
const TYPING_MILLISECONDS = 400;

/** The contents of the view: a state of a recording, or the reason why there is none. */
export interface Shown {
  recording: Recording | undefined;
  steps: Steps;
  state: State | undefined;
  empty: EmptyState | undefined;
  /** The work in progress; empty if there is none. */
  busy: string;
}

export class StateFollower implements vscode.Disposable {
  readonly shown: Shown = { ...NOTHING };
  /** Whether the view is visible: only then does the follower send requests. */
  private isWatched = false;
  /** True until a state was found that is recorded again if it is old: files may be saved meanwhile, or just now. */
  mayBeOld = false;
  private place: PlaceParams | undefined;
  /** The place to which a step has moved the cursor: this move sends no request. */
  private ownPlace = "";
  /** The version of a script for which the follower requested a recording by itself. */
  private tried = "";
  private asking = new vscode.CancellationTokenSource();
  private recording: vscode.CancellationTokenSource | undefined;
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly cursorDelay = new Delay(CURSOR_MILLISECONDS, () => this.atCursor());
  private readonly typingDelay = new Delay(TYPING_MILLISECONDS, () => this.record());
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly choices: Choices,
    private readonly consent: Consent,
    private readonly follows: () => string,
  ) {
    this.disposables = [
      this.changed,
      this.cursorDelay,
      this.typingDelay,
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        this.cursorMoved(textEditor);
      }),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        this.cursorMoved(editor);
      }),
      vscode.workspace.onDidSaveTextDocument((document) => {
        this.saved(document);
      }),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) {
          this.edited(document);
        }
      }),
      server.onDidChange(() => {
        this.serverChanged();
      }),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
    this.asking.cancel();
    this.recording?.cancel();
  }

  /** Begins or ends to follow the cursor; what was saved meanwhile is recorded. */
  async watch(isWatched: boolean): Promise<void> {
    this.isWatched = isWatched;
    this.mayBeOld ||= isWatched && this.follows() !== "off";
    if (isWatched) {
      this.take(vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0]);
      await this.atCursor();
    }
  }

  private get isEdited(): boolean {
    return vscode.workspace.textDocuments.some((document) => document.isDirty && isRead(document));
  }

  /** Runs and records the script, in place of a recording that is under way. */
  async record(place: RecordingParams | undefined = this.recordedPlace()): Promise<void> {
    if (place === undefined || !this.isWatched || !(await this.consent.isGiven())) {
      return;
    }
    this.recording?.cancel();
    const source = (this.recording = new vscode.CancellationTokenSource());
    this.tried = versionKey(place);
    this.show({ busy: "Recording..." });
    await this.server.whenReady();
    const found = await this.server.ask(
      RecordingRequest,
      { ...this.completed(place), record: true },
      source.token,
    );
    if (source === this.recording) {
      this.recording = undefined;
      this.takeRecording(found);
      await this.atCursor();
    }
  }

  /** Shows a step, and puts the cursor there. */
  async goTo(number: number): Promise<void> {
    const place = this.place ?? this.recordedPlace();
    if (place === undefined) {
      return;
    }
    const moving = this.moveCursor(number);
    await this.ask(place, { step: number });
    await moving;
  }

  /** Ends current requests. */
  cancel(): void {
    this.recording?.cancel();
    this.recording = undefined;
    this.show({ busy: "" });
  }

  /** The script that is shown, or whose recording is missing. */
  get script(): string | undefined {
    return this.recordedPlace()?.textDocument.uri;
  }

  // Events

  private cursorMoved(editor: vscode.TextEditor | undefined): void {
    if (editor === undefined || !isFollowed(editor.document)) {
      return;
    }
    const before = this.place;
    this.take(editor);
    const isOwn = this.place !== undefined && placeKey(this.place) === this.ownPlace;
    if (!isOwn && this.place !== before) {
      this.ownPlace = "";
      this.cursorDelay.restart();
    }
  }

  private saved(document: vscode.TextDocument): void {
    const isDue = this.follows() !== "off" || this.mayBeOld;
    if (isRead(document) && this.shown.recording !== undefined && isDue) {
      void this.record();
    }
  }

  private edited(document: vscode.TextDocument): void {
    if (!isFollowed(document)) {
      return;
    }
    if (this.shown.recording !== undefined && this.follows() === "type") {
      this.typingDelay.restart();
    }
    this.cursorDelay.restart();
  }

  private serverChanged(): void {
    if (this.server.state === "running" && this.isWatched && this.shown.recording === undefined) {
      this.tried = "";
      this.cursorDelay.restart();
    } else if (this.server.state !== "running") {
      this.tried = "";
      const isStarting = this.server.state === "starting";
      const empty = isStarting ? undefined : serverState(this.server.problem ?? "It was stopped.");
      this.show({ ...NOTHING, busy: isStarting ? "Starting..." : "", empty });
    }
  }

  // Requests

  private async atCursor(): Promise<void> {
    if (!this.isWatched || this.server.running === undefined) {
      return;
    }
    if (this.place === undefined) {
      this.show({ empty: this.shown.recording === undefined ? NO_SCRIPT : this.shown.empty });
      return;
    }
    await this.ask(this.place, {});
  }

  /** Requests a state; the answer is dropped if there is a newer request. */
  private async ask(place: PlaceParams, wish: Pick<StateParams, "step">): Promise<void> {
    this.asking.cancel();
    const source = (this.asking = new vscode.CancellationTokenSource());
    const wished: StateParams = { ...this.completed(place), ...wish, record: false, changes: true };
    let found = await this.server.ask(StateRequest, wished, source.token);
    const better = this.betterExecution(found, wish.step);
    if (better !== undefined && source === this.asking) {
      found = await this.server.ask(StateRequest, { ...wished, step: better }, source.token);
    }
    if (source === this.asking && found !== undefined) {
      await this.showFound(place, found, source.token);
    }
  }

  /** Of several executions, the one in the iterations that are shown; undefined if that is the one found. */
  private betterExecution(
    found: State | Lacking | null | undefined,
    step: number | undefined,
  ): number | undefined {
    if (
      found === undefined ||
      found === null ||
      isLacking(found) ||
      found.step === null ||
      step !== undefined
    ) {
      return undefined;
    }
    if (found.recording !== this.shown.recording?.recording) {
      return undefined;
    }
    const closest = this.shown.steps.closest(found.executions ?? [], this.shown.state?.step?.number);
    return closest === found.step.number ? undefined : closest;
  }

  private async showFound(
    place: PlaceParams,
    found: State | Lacking | null,
    token: vscode.CancellationToken,
  ): Promise<void> {
    if (found === null) {
      this.show(this.shown.recording === undefined ? { empty: NO_SCRIPT } : {});
    } else if (isLacking(found)) {
      await this.showLacking(place, found);
    } else if (found.step === null && !this.isInScript(place)) {
      this.show({}); // as in the payload: the shown state stays
    } else {
      if (found.recording !== this.shown.recording?.recording) {
        await this.refreshTimeline(place, token);
      }
      this.show({ state: found, empty: this.emptyNow() });
      const isOld = this.mayBeOld && !found.isCurrent && !this.isEdited;
      this.mayBeOld &&= this.isEdited;
      await (isOld ? this.record() : undefined);
    }
  }

  private async showLacking(place: PlaceParams, found: Lacking): Promise<void> {
    const isNew = this.tried !== versionKey(place);
    if (found.lack === "recording" && isNew && this.consent.isKnown && this.recording === undefined) {
      await this.record(place);
    } else if (found.lack !== "recording" || isNew || this.shown.empty === undefined) {
      this.show({ empty: lackingState(found) });
    }
  }

  private isInScript({ textDocument }: PlaceParams): boolean {
    const { recording } = this.shown;
    return recording === undefined || recording.uri === textDocument.uri;
  }

  private async refreshTimeline(place: PlaceParams, token: vscode.CancellationToken): Promise<void> {
    const wished = { ...this.completed(place), record: false };
    const found = await this.server.ask(RecordingRequest, wished, token);
    if (found !== undefined && found !== null && !isLacking(found)) {
      this.takeRecording(found);
    }
  }

  /** Takes the answer to a request for a recording. */
  private takeRecording(found: Recording | Lacking | null | undefined): void {
    if (found === undefined || found === null) {
      this.show({ busy: "", empty: this.shown.recording === undefined ? NO_SCRIPT : undefined });
    } else if (isLacking(found)) {
      this.show({ busy: "", empty: lackingState(found) });
    } else {
      const steps = new Steps(found.list);
      this.show({ busy: "", recording: found, steps, state: undefined, empty: stepless(found) });
    }
  }

  private emptyNow(): EmptyState | undefined {
    return this.shown.recording === undefined ? undefined : stepless(this.shown.recording);
  }

  /** Adds the user's choices for the script. */
  private completed(place: RecordingParams): RecordingParams {
    const { entryPoint, part, payload } = this.choices.complete({ uri: place.textDocument.uri });
    return {
      ...place,
      ...(entryPoint === undefined ? {} : { entryPoint }),
      ...(part === undefined ? {} : { part }),
      ...(payload === undefined ? {} : { payload }),
    };
  }

  private show(change: Partial<Shown>): void {
    Object.assign(this.shown, change);
    this.changed.fire();
  }

  // Where

  /** Takes the place of the cursor in an editor, if scripts are followed there. */
  private take(editor: vscode.TextEditor | undefined): void {
    if (editor === undefined || !isFollowed(editor.document)) {
      return;
    }
    const { line, character } = editor.selection.active;
    const place = { textDocument: { uri: editor.document.uri.toString() }, position: { line, character } };
    if (this.place === undefined || placeKey(place) !== placeKey(this.place)) {
      this.place = place;
    }
  }

  /** The place whose script is recorded: that of the cursor, or of the script that its file is a library of. */
  private recordedPlace(): RecordingParams | undefined {
    const { recording, empty } = this.shown;
    if (recording === undefined || empty !== undefined || this.place?.textDocument.uri === recording.uri) {
      return this.place;
    }
    const { uri, entryPoint, part } = recording;
    return { textDocument: { uri }, position: { line: 0, character: 0 }, entryPoint, part };
  }

  private async moveCursor(number: number): Promise<void> {
    const location = this.shown.steps.at(number)?.location ?? null;
    if (location === null) {
      return;
    }
    const { start } = location.range;
    this.place = { textDocument: { uri: location.uri }, position: start };
    this.ownPlace = placeKey(this.place);
    await reveal(location.uri, start);
  }
}

const NOTHING: Shown = {
  recording: undefined,
  steps: new Steps([]),
  state: undefined,
  empty: undefined,
  busy: "",
};

/** True for documents that the cursor is followed in: files of the user, not those that show states. */
function isFollowed(document: vscode.TextDocument): boolean {
  return isRead(document) && ["file", "untitled"].includes(document.uri.scheme);
}

function isRead(document: vscode.TextDocument): boolean {
  return isMlir(document) || document.languageId === PROGRAM_LANGUAGE;
}

function placeKey({ textDocument, position }: PlaceParams): string {
  return `${textDocument.uri}:${position.line}:${position.character}`;
}

function versionKey({ textDocument }: PlaceParams): string {
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === textDocument.uri);
  return `${textDocument.uri} ${document?.version}`;
}

/** Puts the cursor at a place without taking the focus. */
async function reveal(uri: string, position: Position): Promise<void> {
  const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri);
  const editor = shown ?? (await openBeside(uri));
  const place = new vscode.Position(position.line, position.character);
  editor.selection = new vscode.Selection(place, place);
  const line = new vscode.Range(place.line, 0, place.line, 0); // not the column: nothing is to move sideways
  editor.revealRange(line, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

async function openBeside(uri: string): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  const column = vscode.window.visibleTextEditors[0]?.viewColumn ?? vscode.ViewColumn.One;
  return vscode.window.showTextDocument(document, { viewColumn: column, preserveFocus: true, preview: true });
}
