/** The command of the server's lenses that shows references. */

import * as vscode from "vscode";
import type { Location, Position } from "vscode-languageclient/node";
import { REFERENCES_COMMAND } from "./protocol";

export function registerReferences(): vscode.Disposable {
  return vscode.commands.registerCommand(
    REFERENCES_COMMAND,
    (uri: string, position: Position, locations: Location[]) =>
      vscode.commands.executeCommand(
        "editor.action.showReferences",
        vscode.Uri.parse(uri),
        new vscode.Position(position.line, position.character),
        locations.map(({ uri: file, range: { start, end } }) => {
          const range = new vscode.Range(start.line, start.character, end.line, end.character);
          return new vscode.Location(vscode.Uri.parse(file), range);
        }),
      ),
  );
}
