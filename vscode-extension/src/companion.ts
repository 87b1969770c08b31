/** tdls beside LLVM's own extension, which serves the same language: who answers in which file. */

import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import { isScript } from "./scripts";

const OTHER = "llvm-vs-code-extensions.vscode-mlir";
const OFFERED = "companionOffered";
const QUESTION =
  "LLVM's MLIR extension serves the same files, so hovers and findings may appear twice. Let tdls answer in files with scripts only, or disable the other extension in this workspace?";
const SCRIPTS_ONLY = "tdls for Scripts Only";
const SHOW_OTHER = "Show Other Extension";

/** True if tdls leaves this document to another server. */
function isLeft(document: vscode.TextDocument): boolean {
  const all = vscode.workspace.getConfiguration("tdls").get<boolean>("payloadFiles", true);
  return !all && document.languageId === "mlir" && !isScript(document.getText());
}

/** Answers nothing in the files that another server has for itself. */
export const COMPANION: Middleware = {
  handleDiagnostics: (uri, diagnostics, next) => {
    const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
    next(uri, document !== undefined && isLeft(document) ? [] : diagnostics);
  },
  provideDiagnostics: (document, previous, token, next) =>
    "uri" in document && isLeft(document) ? undefined : next(document, previous, token),
  provideHover: (document, position, token, next) =>
    isLeft(document) ? undefined : next(document, position, token),
  provideDefinition: (document, position, token, next) =>
    isLeft(document) ? undefined : next(document, position, token),
  provideReferences: (document, position, options, token, next) =>
    isLeft(document) ? undefined : next(document, position, options, token),
  provideDocumentHighlights: (document, position, token, next) =>
    isLeft(document) ? undefined : next(document, position, token),
  provideCompletionItem: (document, position, context, token, next) =>
    isLeft(document) ? undefined : next(document, position, context, token),
  provideDocumentSymbols: (document, token, next) => (isLeft(document) ? undefined : next(document, token)),
  provideCodeActions: (document, range, context, token, next) =>
    isLeft(document) ? undefined : next(document, range, context, token),
};

/** Restarts the server if its files change, and offers once to share the work with the other extension. */
export class Companion implements vscode.Disposable {
  private readonly listener: vscode.Disposable;

  constructor(
    server: { restart: () => Promise<void> },
    private readonly memory: vscode.Memento,
  ) {
    this.listener = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("tdls.payloadFiles")) {
        void server.restart();
      }
    });
    void this.offer();
  }

  dispose(): void {
    this.listener.dispose();
  }

  private async offer(): Promise<void> {
    if (vscode.extensions.getExtension(OTHER) === undefined || this.memory.get<boolean>(OFFERED, false)) {
      return;
    }
    await this.memory.update(OFFERED, true);
    const answer = await vscode.window.showInformationMessage(QUESTION, SCRIPTS_ONLY, SHOW_OTHER);
    if (answer === SCRIPTS_ONLY) {
      const settings = vscode.workspace.getConfiguration("tdls");
      await settings.update("payloadFiles", false, vscode.ConfigurationTarget.Global);
    } else if (answer === SHOW_OTHER) {
      await vscode.commands.executeCommand("workbench.extensions.search", `@installed ${OTHER}`);
    }
  }
}
