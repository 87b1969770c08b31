/** Sends the chosen payloads to the server, so that it checks scripts with them before they are run. */

import * as vscode from "vscode";
import { ExecuteCommandRequest, type LanguageClient } from "vscode-languageclient/node";
import { SET_PAYLOAD_COMMAND } from "../protocol";
import type { Server } from "../server/server";
import type { Choices } from "./choices";

export class ChosenPayloads implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[];
  private informed: LanguageClient | undefined;

  constructor(
    private readonly server: Server,
    private readonly choices: Choices,
  ) {
    this.subscriptions = [
      server.onDidChange(() => {
        this.inform();
      }),
      vscode.workspace.onDidOpenTextDocument(({ uri }) => {
        this.remember(uri.toString());
      }),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  /** Sends the choices for all documents to a server that has just started. */
  private inform(): void {
    const client = this.server.running;
    if (client === this.informed) {
      return;
    }
    this.informed = client;
    for (const { uri } of vscode.workspace.textDocuments) {
      this.remember(uri.toString());
    }
  }

  /** The server forgets the choices for a document when that is closed. */
  private remember(uri: string): void {
    if (this.choices.of(uri).payload !== undefined) {
      void tellPayload(this.server, this.choices, uri);
    }
  }
}

/** Shows the payload chosen for a script, or that there is none. */
export async function tellPayload(server: Server, choices: Choices, uri: string): Promise<void> {
  const argument = { uri, payload: choices.of(uri).payload ?? null };
  await server.running?.sendRequest(ExecuteCommandRequest.type, {
    command: SET_PAYLOAD_COMMAND,
    arguments: [argument],
  });
}
