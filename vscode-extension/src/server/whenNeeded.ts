/** When there is something for the server to do: most Python programs have no script in them. */

import * as vscode from "vscode";
import { isMlir, PROGRAM_LANGUAGE } from "./server";

/** A part of every program with a script in a string. */
const SIGN = "transform.";
/** A part of every program that builds a schedule by calls: an import of the dialect. */
const IMPORT = /^[ \t]*(?:from|import)\b.*\bdialects\b/m;
const DIALECT = /\btransform\b/;

/** Calls `start` once there is a script, at once unless only programs without one are open. */
export function whenNeeded(start: () => void): vscode.Disposable {
  const documents = vscode.workspace.textDocuments;
  const isProgramAlone = documents.some(isProgram) && !documents.some(isMlir);
  if (!isProgramAlone || documents.some(hasScript)) {
    start();
    return { dispose: () => undefined };
  }
  const look = (document: vscode.TextDocument): void => {
    if (hasScript(document)) {
      waiting.dispose();
      start();
    }
  };
  const waiting = vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      look(document);
    }),
  );
  return waiting;
}

function isProgram(document: vscode.TextDocument): boolean {
  return document.languageId === PROGRAM_LANGUAGE;
}

function hasScript(document: vscode.TextDocument): boolean {
  if (!isProgram(document)) {
    return isMlir(document);
  }
  const text = document.getText();
  return text.includes(SIGN) || (IMPORT.test(text) && DIALECT.test(text));
}
