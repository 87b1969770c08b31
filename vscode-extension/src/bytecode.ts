/** Shows bytecode of MLIR as text: in a document of the server, which the user edits as little as other results of MLIR. */

import { posix } from "node:path";
import * as vscode from "vscode";
import { VIRTUAL_SCHEME } from "./protocol";
import type { Consent } from "./runs/consent";
import type { Server } from "./server/server";

const EXTENSION = ".mlirbc";
const QUESTION = "You do not trust this workspace. Let MLIR print this bytecode all the same?";

export function registerBytecode(server: Server, consent: Consent): vscode.Disposable {
  return vscode.window.registerCustomEditorProvider("tdls.bytecode", {
    openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
    resolveCustomEditor: async ({ uri }, panel) => {
      if (await consent.isGiven(QUESTION)) {
        await server.start();
        await show(server, uri, panel.viewColumn);
      }
      panel.dispose();
    },
  });
}

/** A server that does not run has said why. */
async function show(server: Server, uri: vscode.Uri, viewColumn?: vscode.ViewColumn): Promise<void> {
  if ((await server.whenReady()) !== undefined) {
    const path = `/${posix.basename(uri.path, EXTENSION)}.mlir`;
    const text = vscode.Uri.from({
      scheme: VIRTUAL_SCHEME,
      authority: "bytecode",
      path,
      query: uri.toString(),
    });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(text), viewColumn);
  }
}
