/** Asks for the name of a sequence that an action of the server has extracted, as soon as it is in the script. */

import * as vscode from "vscode";

const RENAME = "tdls.renameExtracted";
const EXTRACTED = /named_sequence @([\w$.-]+)/;

/** Returns the actions; those that extract a sequence end in its rename. */
export function endingInRename(
  document: vscode.TextDocument,
  actions: (vscode.Command | vscode.CodeAction)[] | null | undefined,
): (vscode.Command | vscode.CodeAction)[] | null | undefined {
  for (const action of actions ?? []) {
    if ("edit" in action && action.kind && vscode.CodeActionKind.RefactorExtract.contains(action.kind)) {
      const texts = action.edit.get(document.uri).map((edit) => edit.newText);
      const name = texts.map((text) => EXTRACTED.exec(text)?.[1]).find((found) => found !== undefined);
      if (name !== undefined && action.command === undefined) {
        action.command = { command: RENAME, title: "", arguments: [document.uri, name] };
      }
    }
  }
  return actions;
}

export function registerExtraction(): vscode.Disposable {
  return vscode.commands.registerCommand(RENAME, async (uri: vscode.Uri, name: string) => {
    const editor = vscode.window.visibleTextEditors.find(
      (it) => it.document.uri.toString() === uri.toString(),
    );
    const offset = editor?.document.getText().indexOf(`named_sequence @${name}`) ?? -1;
    if (editor === undefined || offset < 0) {
      return;
    }
    const position = editor.document.positionAt(offset + "named_sequence @".length);
    editor.selection = new vscode.Selection(position, position);
    await vscode.commands.executeCommand("editor.action.rename", [uri, position]);
  });
}
