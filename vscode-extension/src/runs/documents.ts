/** Shows the results of a run: the transformed payload, and its changes. */

import * as vscode from "vscode";
import type { RunOutcome } from "../protocol";

/** Shows the transformed payload next to the script, in the same place each time, and returns its URI. */
export async function showPayload(outcome: RunOutcome): Promise<vscode.Uri | undefined> {
  return outcome.payloadUri === null ? undefined : showBeside(outcome.payloadUri);
}

/** Shows a payload next to the script, in the same place each time, and returns its URI. */
export async function showBeside(payload: string): Promise<vscode.Uri> {
  const uri = vscode.Uri.parse(payload);
  const options = {
    viewColumn: placeOf(uri) ?? vscode.ViewColumn.Beside,
    preserveFocus: true,
    preview: true,
  };
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), options);
  return uri;
}

/** Opens the editor for differences: the payload before and after. */
export async function showDifference(outcome: RunOutcome, title: string): Promise<void> {
  if (outcome.beforeUri === null || outcome.payloadUri === null) {
    return;
  }
  const [before, after] = [vscode.Uri.parse(outcome.beforeUri), vscode.Uri.parse(outcome.payloadUri)];
  await vscode.commands.executeCommand("vscode.diff", before, after, title, { preview: true });
}

function placeOf(uri: vscode.Uri): vscode.ViewColumn | undefined {
  return vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString())
    ?.viewColumn;
}
