/** "Open Sample Script": the walkthrough's script in an untitled document. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { LANGUAGE } from "./server/server";

export function registerSample(extensionFolder: string): vscode.Disposable {
  return vscode.commands.registerCommand("tdls.openSample", async () => {
    const content = await readFile(join(extensionFolder, "walkthrough", "sample.mlir"), "utf-8");
    await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument({ language: LANGUAGE, content }),
    );
  });
}
