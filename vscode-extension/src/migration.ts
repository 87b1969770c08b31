/** "Migrate File..." and "Migrate Workspace...": the server writes scripts as another version of LLVM does. */

import * as vscode from "vscode";
import { ExecuteCommandRequest } from "vscode-languageclient/node";
import { MIGRATE_COMMAND } from "./protocol";
import type { Server } from "./server/server";

interface Manifest {
  contributes: { configuration: { properties: Record<string, { enum?: unknown[] }> }[] };
}

export class Migration implements vscode.Disposable {
  private readonly commands = [
    vscode.commands.registerCommand("tdls.migrateFile", () => {
      const document = vscode.window.activeTextEditor?.document;
      return document === undefined ? undefined : this.migrate({ uri: document.uri.toString() });
    }),
    vscode.commands.registerCommand("tdls.migrateWorkspace", () => this.migrate({})),
  ];

  constructor(
    private readonly extension: vscode.Extension<unknown>,
    private readonly server: Server,
  ) {}

  dispose(): void {
    vscode.Disposable.from(...this.commands).dispose();
  }

  /** Migrates the script `uri`, by default all scripts of the workspace; the server shows the outcome. */
  private async migrate(scope: { uri?: string }): Promise<void> {
    const client = await this.server.whenReady();
    const to = await vscode.window.showQuickPick(this.versions(), {
      placeHolder: "Version of LLVM to write scripts for",
    });
    if (to === undefined) {
      return;
    }
    const params = { command: MIGRATE_COMMAND, arguments: [{ ...scope, to }] };
    if (client === undefined) {
      await vscode.window.showErrorMessage(this.server.problem ?? "The server does not run.");
      return;
    }
    await client.sendRequest(ExecuteCommandRequest.type, params);
  }

  /** The versions that the setting `tdls.targetLlvm` can have, the newest first. */
  private versions(): string[] {
    const { configuration } = (this.extension.packageJSON as Manifest).contributes;
    return configuration
      .flatMap(({ properties }) => properties["tdls.targetLlvm"]?.enum ?? [])
      .filter((version) => version !== "")
      .map(String)
      .reverse();
  }
}
