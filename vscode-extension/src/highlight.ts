/** Marks the counterparts of the place of the cursor: payload operations of a handle, handles of an operation. */

import * as vscode from "vscode";
import type { Location } from "vscode-languageclient/node";
import { Delay } from "./delay";
import { CorrespondenceRequest, type Correspondence } from "./protocol";
import { isMlir, PROGRAM_LANGUAGE, type Server } from "./server/server";

const DELAY_MILLISECONDS = 120;

export class CorrespondenceHighlight implements vscode.Disposable {
  private readonly payload = decoration("tdls.payload");
  private readonly handles = decoration("tdls.handle");
  private readonly delay = new Delay(DELAY_MILLISECONDS, () => this.refresh());
  private readonly disposables: vscode.Disposable[];
  private shown: Correspondence | undefined;
  private turn = 0;
  private pending: vscode.CancellationTokenSource | undefined;

  constructor(private readonly server: Server) {
    this.disposables = [
      this.payload,
      this.handles,
      this.delay,
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (isRead(textEditor.document) && textEditor === vscode.window.activeTextEditor) {
          this.delay.restart();
        }
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => {
        this.paint();
      }),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (isRead(document) && contentChanges.length > 0) {
          this.delay.restart();
        }
      }),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  /** Asks about the place of the cursor; answers about older places are dropped. */
  async refresh(): Promise<void> {
    const turn = ++this.turn;
    this.pending?.cancel();
    const pending = new vscode.CancellationTokenSource();
    this.pending = pending;
    const found = await this.atCursor(pending.token);
    if (turn === this.turn) {
      this.shown = found;
      this.paint();
    }
    pending.dispose();
  }

  private async atCursor(token: vscode.CancellationToken): Promise<Correspondence | undefined> {
    const editor = vscode.window.activeTextEditor;
    const isWanted = vscode.workspace.getConfiguration("tdls").get<boolean>("highlightPayload", true);
    if (!isWanted || editor === undefined || !isRead(editor.document)) {
      return undefined;
    }
    const { line, character } = editor.selection.active;
    const place = { textDocument: { uri: editor.document.uri.toString() }, position: { line, character } };
    return (await this.server.ask(CorrespondenceRequest, place, token)) ?? undefined;
  }

  private paint(): void {
    const payload = [...(this.shown?.source ?? []), ...(this.shown?.after ?? [])];
    const handles = [
      ...(payload.length > 0 ? (this.shown?.handles ?? []) : []),
      ...(this.shown?.built ?? []),
    ];
    for (const editor of vscode.window.visibleTextEditors) {
      if (isCompared(editor.document)) {
        continue; // the marks of a difference are all that count there
      }
      editor.setDecorations(this.payload, rangesIn(editor, payload));
      editor.setDecorations(this.handles, rangesIn(editor, handles));
    }
  }
}

function isRead(document: vscode.TextDocument): boolean {
  return isMlir(document) || document.languageId === PROGRAM_LANGUAGE;
}

/** True if a document is a side of a difference that is shown. */
function isCompared({ uri }: vscode.TextDocument): boolean {
  return vscode.window.tabGroups.all.some(({ activeTab }) => {
    const input = activeTab?.input;
    return (
      input instanceof vscode.TabInputTextDiff &&
      [input.original, input.modified].some((side) => side.toString() === uri.toString())
    );
  });
}

function decoration(color: string): vscode.TextEditorDecorationType {
  const border = new vscode.ThemeColor(`${color}Border`);
  return vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor(`${color}Background`),
    borderColor: border,
    borderStyle: "solid",
    borderWidth: "1px",
    borderRadius: "2px",
    overviewRulerColor: border,
    overviewRulerLane: vscode.OverviewRulerLane.Center,
  });
}

function rangesIn(editor: vscode.TextEditor, locations: readonly Location[]): vscode.Range[] {
  const uri = editor.document.uri.toString();
  return locations
    .filter((location) => location.uri === uri)
    .map(
      ({ range: { start, end } }) => new vscode.Range(start.line, start.character, end.line, end.character),
    );
}
