/** The view "Matches" next to the script: which operations the matchers of the last run took, and where others failed. */

import * as vscode from "vscode";
import { MatchesRequest, type MatchedPlace, type Matches, type RunOutcome } from "../protocol";
import type { Runner } from "../runs/runner";
import type { Server } from "../server/server";
import { page } from "../state/page";
import { matchesView, operationIn } from "./matchesData";
import type { FromMatchesPage, ToMatchesPage } from "./messages";

const MATCHES_VIEW = "tdls.matches";

export class MatchesPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private script: string | undefined;
  private shown: ToMatchesPage | undefined;
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly extension: vscode.Uri,
    private readonly server: Server,
    private readonly runner: Runner,
  ) {
    this.disposables = [
      vscode.commands.registerCommand("tdls.showMatches", (resource?: vscode.Uri | string) =>
        this.show(resource),
      ),
      runner.onDidFinish((outcome) => void this.follow(outcome)),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
    this.panel?.dispose();
  }

  /** Shows the matches of the last run of a script; runs it if there is none. */
  private async show(resource?: vscode.Uri | string): Promise<void> {
    const uri = (resource ?? vscode.window.activeTextEditor?.document.uri)?.toString();
    if (uri === undefined) {
      return;
    }
    const known = await this.server.ask(MatchesRequest, { uri });
    if (known === undefined || "problem" in known || !known.isCurrent) {
      if ((await this.runner.run({ uri })) === undefined) {
        return;
      }
    }
    this.script = uri;
    this.open();
    await this.refresh();
  }

  private async follow({ script }: RunOutcome): Promise<void> {
    if (this.panel !== undefined && this.script === script) {
      await this.refresh();
    }
  }

  private async refresh(): Promise<void> {
    const uri = this.script;
    const found = uri === undefined ? undefined : await this.server.ask(MatchesRequest, { uri });
    if (found === undefined || uri !== this.script) {
      return;
    }
    this.shown =
      "problem" in found
        ? { type: "problem", text: `${found.problem.charAt(0).toUpperCase()}${found.problem.slice(1)}.` }
        : { type: "matches", view: matchesView(found, await operationsAt(found)) };
    this.send();
  }

  private open(): void {
    if (this.panel !== undefined) {
      this.panel.reveal(undefined, true);
      return;
    }
    const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel(MATCHES_VIEW, "Matches", where, {
      enableScripts: true,
      localResourceRoots: ["dist", "media"].map((folder) => vscode.Uri.joinPath(this.extension, folder)),
    });
    this.panel = panel;
    panel.webview.onDidReceiveMessage((message: FromMatchesPage) => {
      if (message.type === "open") {
        return openPlace(message.place);
      }
      this.send();
      return undefined;
    });
    panel.onDidDispose(() => (this.panel = undefined));
    panel.webview.html = page(panel.webview, this.extension, "matches", "Matches");
  }

  private send(): void {
    if (this.shown !== undefined) {
      void this.panel?.webview.postMessage(this.shown);
    }
  }
}

/** Reads the names of the operations at the places of a payload. */
async function operationsAt({ matches }: Matches): Promise<(place: MatchedPlace) => string> {
  const candidates = matches.tables.flatMap((table) => table.candidates.map(({ place }) => place));
  const nearest = matches.matchers.flatMap(({ failed }) =>
    failed.flatMap((stop) => stop.nearest.place ?? []),
  );
  const texts = new Map<string, vscode.TextDocument>();
  for (const path of new Set([...candidates, ...nearest].map((place) => place.path))) {
    try {
      texts.set(path, await vscode.workspace.openTextDocument(uriOf(path)));
    } catch {
      continue; // a file that is gone: its operations keep their places only
    }
  }
  return ({ path, line, column }) => {
    const text = texts.get(path);
    return text !== undefined && line <= text.lineCount
      ? operationIn(text.lineAt(line - 1).text, column)
      : "";
  };
}

function uriOf(path: string): vscode.Uri {
  return /^[\w.+-]{2,}:/.test(path) ? vscode.Uri.parse(path) : vscode.Uri.file(path);
}

/** Shows a place where the script is; columns count bytes, so that only the line is taken from it. */
async function openPlace({ path, line }: MatchedPlace): Promise<void> {
  const uri = uriOf(path);
  const start = new vscode.Position(line - 1, 0);
  const column = vscode.window.visibleTextEditors[0]?.viewColumn ?? vscode.ViewColumn.One;
  await vscode.window.showTextDocument(uri, {
    selection: new vscode.Range(start, start),
    viewColumn: column,
  });
}
