/** Marks where a run stopped that was not to go to the end, and which views show the payload of an older text. */

import * as vscode from "vscode";
import type { RunOutcome, View } from "../protocol";
import type { Server } from "../server/server";
import type { Runner } from "./runner";

export class RunViews implements vscode.FileDecorationProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri[]>();
  readonly onDidChangeFileDecorations = this.changed.event;
  private readonly outdated = new Set<string>();
  /** 0-based lines that scripts were run to, by URI, until they are edited. */
  private readonly stops = new Map<string, number>();
  private readonly stop = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    after: {
      contentText: "  \u25c0 the run stopped here",
      color: new vscode.ThemeColor("editorCodeLens.foreground"),
    },
    backgroundColor: new vscode.ThemeColor("editor.stackFrameHighlightBackground"),
    overviewRulerColor: new vscode.ThemeColor("editor.stackFrameHighlightBackground"),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
  });
  private readonly disposables: vscode.Disposable[];

  constructor(server: Server, runner: Runner) {
    this.disposables = [
      this.changed,
      this.stop,
      vscode.window.registerFileDecorationProvider(this),
      server.onDidChangeViews((views) => {
        this.age(views);
      }),
      runner.onDidFinish((outcome) => {
        this.take(outcome);
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => {
        this.paint();
      }),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && this.stops.delete(document.uri.toString())) {
          this.paint();
        }
      }),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (!this.outdated.has(uri.toString())) {
      return undefined;
    }
    const color = new vscode.ThemeColor("list.warningForeground");
    return new vscode.FileDecoration("!", "Outdated: what this was made of has changed since", color);
  }

  private age(views: readonly View[]): void {
    for (const { uri, isOutdated } of views) {
      const key = vscode.Uri.parse(uri).toString();
      if (isOutdated) {
        this.outdated.add(key);
      } else {
        this.outdated.delete(key);
      }
    }
    this.changed.fire(views.map(({ uri }) => vscode.Uri.parse(uri)));
  }

  private take(outcome: RunOutcome): void {
    const script = vscode.Uri.parse(outcome.script).toString();
    this.stops.delete(script);
    if (outcome.line !== null) {
      this.stops.set(script, outcome.line - 1);
    }
    this.paint();
  }

  private paint(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const line = this.stops.get(editor.document.uri.toString());
      const ranges = line === undefined ? [] : [lineOf(editor.document, line)];
      editor.setDecorations(this.stop, ranges);
    }
  }
}

/** The whole line: text behind it is shown at its end. */
function lineOf(document: vscode.TextDocument, line: number): vscode.Range {
  return document.lineAt(Math.min(line, document.lineCount - 1)).range;
}
