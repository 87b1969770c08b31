/** The server's overview of the script under the cursor and of the workspace, kept up to date. */

import * as vscode from "vscode";
import { OverviewRequest, type Overview } from "./protocol";
import { isMlir, type Server } from "./server/server";
import { Delay } from "./delay";

const DELAY_MILLISECONDS = 250;
/** Context key with the URIs of scripts that can be run; `resource in tdls.scripts` asks it. */
const SCRIPTS_KEY = "tdls.scripts";

export class OverviewModel implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  current: Overview | undefined;
  /** The file that `current` describes. */
  file: string | undefined;

  private turn = 0;
  private readonly scripts = new Set<string>();
  private readonly delay = new Delay(DELAY_MILLISECONDS, () => this.refresh());
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly server: Server) {
    const later = (): void => {
      this.delay.restart();
    };
    this.disposables = [
      this.changed,
      this.delay,
      server.onDidChange(later),
      vscode.window.onDidChangeActiveTextEditor(later),
      vscode.window.onDidChangeTextEditorSelection(later),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (isMlir(document)) {
          later();
        }
      }),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  async refresh(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor !== undefined && !isMlir(editor.document)) {
      return;
    }
    const uri = editor?.document.uri.toString();
    const place =
      editor === undefined ? {} : { textDocument: { uri: uri ?? "" }, position: editor.selection.active };
    const turn = ++this.turn;
    const found = await this.server.ask(OverviewRequest, place);
    if (turn !== this.turn) {
      return;
    }
    this.current = found ?? undefined;
    this.file = uri;
    if (uri !== undefined) {
      await this.mark(uri);
    }
    this.changed.fire();
  }

  /** Lets buttons and commands know whether a document can be run. */
  private async mark(uri: string): Promise<void> {
    const isScript = this.current?.entryPoints.some(({ location }) => location.uri === uri) ?? false;
    if (isScript === this.scripts.has(uri)) {
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
