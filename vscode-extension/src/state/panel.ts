/** The view "Transform State" next to the script: a page that shows the follower's state. */

import * as vscode from "vscode";
import type { Location } from "vscode-languageclient/node";
import {
  HandleLinesRequest,
  isLacking,
  LineOriginRequest,
  TextRequest,
  type LineChange,
  type State,
} from "../protocol";
import type { Server } from "../server/server";
import type { ButtonAction, FromPage, PageCommand, PayloadSide, StateView, ToPage } from "./messages";
import type { StateFollower } from "./follower";
import { page } from "./page";
import { shortName } from "./steps";
import { places, stateView, timeline } from "./viewData";

export const STATE_VIEW = "tdls.state";
const OPEN_KEY = "tdls.state.isOpen";

export interface PanelActions {
  command(name: PageCommand): void;
  button(action: ButtonAction): void;
}

export class StatePanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private sentRecording: number | undefined;
  private sentState: State | undefined;
  /** The line of the payload that is selected in the page. */
  selectedLine: { side: PayloadSide; line: number } | undefined;
  private side: PayloadSide = "changes";
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly extension: vscode.Uri,
    private readonly server: Server,
    private readonly follower: StateFollower,
    private readonly actions: PanelActions,
  ) {
    this.disposables = [
      follower.onDidChange(() => {
        this.send();
      }),
      vscode.window.registerWebviewPanelSerializer(STATE_VIEW, {
        deserializeWebviewPanel: (panel) => this.adopt(panel),
      }),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
    this.panel?.dispose();
  }

  get isOpen(): boolean {
    return this.panel !== undefined;
  }

  /** Opens the view next to the script, or shows it again. */
  async show(): Promise<void> {
    if (this.panel !== undefined) {
      this.panel.reveal(undefined, true);
      await this.follower.watch(true);
      return;
    }
    const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    await this.adopt(vscode.window.createWebviewPanel(STATE_VIEW, "Transform State", where));
  }

  /** Lets the page select a line of the payload. */
  select(side: PayloadSide, line: number): void {
    this.selectedLine = { side, line };
    this.post({ type: "select", side, line });
    void this.tellHistory(side, line);
  }

  /** Shows a line of the payload of one side in an editor. */
  async openLine(side: PayloadSide, lines: readonly number[]): Promise<void> {
    const uri = this.uriOf(side);
    if (uri !== undefined) {
      await openAt(vscode.Uri.parse(uri), lines);
    }
  }

  /** The document with the payload that a side of the view shows. */
  uriOf(side: PayloadSide): string | undefined {
    const { state } = this.follower.shown;
    return (side === "before" ? state?.before : (state?.after ?? state?.before))?.uri;
  }

  private adopt(panel: vscode.WebviewPanel): Promise<void> {
    this.panel = panel;
    this.sentRecording = undefined;
    const { webview } = panel;
    webview.options = {
      enableScripts: true,
      localResourceRoots: ["dist", "media"].map((folder) => vscode.Uri.joinPath(this.extension, folder)),
    };
    webview.onDidReceiveMessage((message: FromPage) => this.receive(message));
    panel.onDidChangeViewState(() => this.follower.watch(panel.visible));
    panel.onDidDispose(() => {
      this.panel = undefined;
      void this.follower.watch(false);
      void vscode.commands.executeCommand("setContext", OPEN_KEY, false);
    });
    webview.html = page(webview, this.extension, "state", "Transform State");
    void vscode.commands.executeCommand("setContext", OPEN_KEY, true);
    return this.follower.watch(panel.visible);
  }

  private post(message: ToPage): void {
    void this.panel?.webview.postMessage(message);
  }

  private send(): void {
    const { recording, steps, state, empty, busy } = this.follower.shown;
    this.post({ type: "busy", text: busy });
    if (recording !== undefined && recording.recording !== this.sentRecording) {
      this.sentRecording = recording.recording;
      this.post({ type: "timeline", timeline: timeline(recording, steps) });
    }
    if (empty !== undefined) {
      this.sentState = undefined;
      this.post({ type: "empty", empty });
    } else if (recording !== undefined && state !== undefined && state !== this.sentState) {
      this.sentState = state;
      this.selectedLine = undefined;
      const view = stateView(recording, state, steps, usedNames(state.step?.location ?? null));
      this.post({ type: "state", state: view });
      void this.sendText();
      void this.markConcerned(view);
    }
  }

  /** Marks the payload of the first handle that a failed step takes, to which the page scrolls. */
  private async markConcerned({ step, handles, hasAfter }: StateView): Promise<void> {
    const uri = this.uriOf("before");
    const handle = handles.findIndex((it) => it.isUsed && it.kind !== "parameters" && it.liveness === "live");
    if (step?.hasFailed !== true || hasAfter || handle < 0 || uri === undefined) {
      return;
    }
    const found = await this.server.ask(HandleLinesRequest, { uri, handle });
    if (found !== undefined && !isLacking(found) && uri === this.uriOf("before")) {
      this.post({ type: "lines", side: "before", ...found, name: handles[handle]?.name ?? "" });
    }
  }

  /** Sends the whole payload of a side that shows it. */
  private async sendText(): Promise<void> {
    const { side } = this;
    const uri = this.uriOf(side);
    if (side === "changes" || uri === undefined) {
      return;
    }
    const found = await this.server.ask(TextRequest, { uri });
    if (found !== undefined && uri === this.uriOf(side)) {
      this.post({ type: "text", side, text: found.text });
    }
  }

  private async receive(message: FromPage): Promise<void> {
    switch (message.type) {
      case "ready":
        this.sentRecording = undefined;
        this.sentState = undefined;
        this.send();
        return;
      case "command":
        this.actions.command(message.name);
        return;
      case "button":
        this.actions.button(message.action);
        return;
      case "step":
        return this.follower.goTo(message.number);
      case "side":
        this.side = message.side;
        return this.sendText();
      default:
        return this.receiveAboutState(message);
    }
  }

  private async receiveAboutState(message: FromPage): Promise<void> {
    const { state } = this.follower.shown;
    switch (message.type) {
      case "handle":
        return this.handle(message.index, message.what);
      case "item":
        return openLocation(state?.handles[message.handle]?.items[message.index]?.location ?? null);
      case "failure":
        return openLocation(places(state?.diagnostics ?? [])[message.index]?.location ?? null);
      case "line":
        this.selectedLine = { side: message.side, line: message.line };
        return this.tellHistory(message.side, message.line);
      case "openLine":
        return this.openLine(message.side, [message.line]);
      default:
        return undefined;
    }
  }

  /** Leads from a handle to its definition, or to its payload. */
  async handle(index: number, what: "definition" | "contents"): Promise<void> {
    const handle = this.follower.shown.state?.handles[index];
    if (handle === undefined) {
      return;
    }
    if (what === "definition") {
      await openLocation(handle.location);
    } else {
      await this.showContents(index, handle.name);
    }
  }

  private async showContents(index: number, name: string): Promise<void> {
    const uri = this.uriOf("after");
    const found =
      uri === undefined ? undefined : await this.server.ask(HandleLinesRequest, { uri, handle: index });
    if (uri === undefined || found === undefined || isLacking(found)) {
      return;
    }
    const side = this.follower.shown.state?.after === null ? "before" : "after";
    this.post({ type: "lines", side, ...found, name });
    if (found.lines.length === 0) {
      return;
    }
    if (!found.isExact) {
      const words = `${name} stands for some of these ${found.lines.length} operations; MLIR does not say which.`;
      vscode.window.setStatusBarMessage(words, MESSAGE_MILLISECONDS);
    }
    await this.openLine(side, found.lines);
  }

  /** Changes of a line in a document with a state, newest first. */
  async history(uri: string, line: number): Promise<LineChange[] | undefined> {
    const found = await this.server.ask(LineOriginRequest, { uri, line });
    return found === undefined || isLacking(found) ? undefined : found.changes;
  }

  private async tellHistory(side: PayloadSide, line: number): Promise<void> {
    const uri = this.uriOf(side);
    const changes = uri === undefined ? undefined : await this.history(uri, line);
    if (changes === undefined) {
      return;
    }
    const name = (step: number): string => shortName(this.follower.shown.steps.at(step)?.operation ?? "");
    const entries = changes.map(({ step, before }) => ({
      step,
      words: `${before === null ? "made" : "changed"} by step ${step}, ${name(step)}`,
    }));
    this.post({ type: "history", side, line, entries });
  }
}

/** The names of values in the text of an operation, up to the line that begins the next one. */
function usedNames(location: Location | null): Set<string> {
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === location?.uri);
  if (document === undefined || location === null) {
    return new Set();
  }
  const { line, character } = location.range.start;
  const rest = document.getText(new vscode.Range(line, character, line + MOST_LINES, 0));
  const [own = ""] = rest.split(/\n\s*(?=(?:%[^=\n]*= *)?[\w"]+\.|\^|\}|\/\/)/);
  return new Set(own.match(/%[\w$.-]+(?:#\d+)?/g) ?? []);
}

const MOST_LINES = 12;
const MESSAGE_MILLISECONDS = 6000;

/** Shows lines of a document in the script's column, all of them selected. */
async function openAt(uri: vscode.Uri, lines: readonly number[]): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const column = vscode.window.visibleTextEditors[0]?.viewColumn ?? vscode.ViewColumn.One;
  const editor = await vscode.window.showTextDocument(document, { viewColumn: column, preview: true });
  const ranges = lines
    .filter((line) => line < document.lineCount)
    .map((line) => {
      const { firstNonWhitespaceCharacterIndex: start, range } = document.lineAt(line);
      return new vscode.Range(line, start, line, range.end.character);
    });
  if (ranges[0] !== undefined) {
    editor.selections = ranges.map(({ start, end }) => new vscode.Selection(start, end));
    editor.revealRange(ranges[0], vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

async function openLocation(location: Location | null): Promise<void> {
  if (location === null) {
    return;
  }
  const { start, end } = location.range;
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  const column = vscode.window.visibleTextEditors[0]?.viewColumn ?? vscode.ViewColumn.One;
  await vscode.window.showTextDocument(vscode.Uri.parse(location.uri), { selection, viewColumn: column });
}
