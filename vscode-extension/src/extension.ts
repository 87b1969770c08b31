/** What VS Code calls when a script is opened first. */

import * as vscode from "vscode";
import { Doctor } from "./doctor";
import { Server } from "./server/server";
import { explicitSettings } from "./server/settings";
import { StatusBar } from "./statusBar";

interface Manifest {
  contributes: { configuration: { properties: Record<string, unknown> }[] };
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const folder = context.asAbsolutePath("server");
  const output = vscode.window.createOutputChannel("MLIR Transform", { log: true });
  const keys = settingKeys(context.extension.packageJSON as Manifest);
  const server = new Server(folder, output, {
    workspace: {
      configuration: ({ items }) =>
        items.map(() => explicitSettings(vscode.workspace.getConfiguration("tdls"), keys)),
    },
  });
  context.subscriptions.push(
    output,
    server,
    new StatusBar(server),
    new Doctor(folder, () => undefined),
    vscode.commands.registerCommand("tdls.restart", () => server.restart()),
  );
  await server.start();
}

function settingKeys(manifest: Manifest): string[] {
  return manifest.contributes.configuration.flatMap(({ properties }) =>
    Object.keys(properties).map((key) => key.slice("tdls.".length)),
  );
}
