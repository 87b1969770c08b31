/** The context key with the scripts that can be run, which buttons, keys and menus ask. */

import * as vscode from "vscode";
import { Delay } from "../delay";
import { EntryPointsRequest } from "../protocol";
import { isMlir, type Server } from "../server/server";

const DELAY_MILLISECONDS = 250;
/** Has the URIs of the scripts; `resource in tdls.scripts` asks it. */
const SCRIPTS_KEY = "tdls.scripts";

export class RunnableScripts implements vscode.Disposable {
  private turn = 0;
  private readonly scripts = new Set<string>();
  private readonly delay = new Delay(DELAY_MILLISECONDS, () => this.refresh());
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly server: Server) {
    const later = (): void => {
      this.delay.restart();
    };
    this.disposables = [
      this.delay,
      server.onDidChange(later),
      vscode.window.onDidChangeActiveTextEditor(later),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === vscode.window.activeTextEditor?.document) {
          later();
        }
      }),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  /** Finds out whether the document of the active editor can be run. */
  async refresh(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined || !isMlir(document)) {
      return;
    }
    const uri = document.uri.toString();
    const turn = ++this.turn;
    const points = await this.server.ask(EntryPointsRequest, { uri });
    if (points === undefined && this.server.running !== undefined) {
      return; // the text has changed meanwhile, which asks again: buttons and commands stay as they are until then
    }
    const isScript = points !== undefined && points.length > 0;
    if (turn !== this.turn || isScript === this.scripts.has(uri)) {
      return;
    }
    if (isScript) {
      this.scripts.add(uri);
    } else {
      this.scripts.delete(uri);
    }
    const scripts = [...this.scripts].map((script) => vscode.Uri.parse(script)); // VS Code translates URIs, not texts.
    await vscode.commands.executeCommand("setContext", SCRIPTS_KEY, scripts);
  }
}
