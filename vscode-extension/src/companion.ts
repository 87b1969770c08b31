/** Keeps the servers of tdls and of LLVM's own extension apart, which serve the same language: one answers per file. */

import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import { isScript } from "./scripts";
import { LANGUAGE, SCRIPT_LANGUAGE } from "./server/server";

const OTHER = "llvm-vs-code-extensions.vscode-mlir";
const OFFERED = "companionOffered";
const QUESTION =
  "LLVM's MLIR extension serves the same files, so hovers and findings may appear twice. Let tdls answer in scripts and the other extension in payload, or disable the other extension in this workspace?";
const SHARE = "Share Files";
const SHOW_OTHER = "Show Other Extension";

function sharesFiles(): boolean {
  return !vscode.workspace.getConfiguration("tdls").get<boolean>("payloadFiles", true);
}

/** True if tdls leaves this document to another server. */
function isLeft(document: vscode.TextDocument): boolean {
  return sharesFiles() && document.languageId === LANGUAGE && !isScript(document.getText());
}

/** Gives a document the language in which only tdls answers if it has a script, and takes that back if it has none. */
async function divide(document: vscode.TextDocument): Promise<void> {
  const { languageId, uri } = document;
  if (![LANGUAGE, SCRIPT_LANGUAGE].includes(languageId) || !["file", "untitled"].includes(uri.scheme)) {
    return;
  }
  const wanted = sharesFiles() && isScript(document.getText()) ? SCRIPT_LANGUAGE : LANGUAGE;
  if (wanted !== languageId) {
    await vscode.languages.setTextDocumentLanguage(document, wanted);
  }
}

function divideAll(): void {
  for (const document of vscode.workspace.textDocuments) {
    void divide(document);
  }
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

/** Divides the files between both servers, restarts the server if that changes, and offers once to share the work with the other extension. */
export class Companion implements vscode.Disposable {
  private readonly listener: vscode.Disposable;

  constructor(
    server: { restart: () => Promise<void> },
    private readonly memory: vscode.Memento,
  ) {
    this.listener = vscode.Disposable.from(
      vscode.workspace.onDidOpenTextDocument((document) => void divide(document)),
      vscode.workspace.onDidSaveTextDocument((document) => void divide(document)),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("tdls.payloadFiles")) {
          divideAll();
          void server.restart();
        }
      }),
    );
    divideAll();
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
    const answer = await vscode.window.showInformationMessage(QUESTION, SHARE, SHOW_OTHER);
    if (answer === SHARE) {
      const settings = vscode.workspace.getConfiguration("tdls");
      await settings.update("payloadFiles", false, vscode.ConfigurationTarget.Global);
    } else if (answer === SHOW_OTHER) {
      await vscode.commands.executeCommand("workbench.extensions.search", `@installed ${OTHER}`);
    }
  }
}
