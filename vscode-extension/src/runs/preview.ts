/** Live preview: the transformed payload next to the script, refreshed as you type. */

import * as vscode from "vscode";
import type { Server } from "../server/server";
import { showPayload } from "./documents";
import type { Runner } from "./runner";

export class LivePreview implements vscode.Disposable {
  /** Documents of payloads that follow their scripts, by the script's URI; undefined until they are there. */
  private readonly payloads = new Map<string, string | undefined>();
  private changes: Promise<void> = Promise.resolve();
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly runner: Runner,
  ) {
    this.disposables = [
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        this.forget(closed);
      }),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  get isActive(): boolean {
    return this.payloads.size > 0;
  }

  /** Begins or ends the preview of a script, after earlier calls have ended. */
  toggle(script: string): Promise<void> {
    const change = (): Promise<void> => (this.payloads.has(script) ? this.end(script) : this.begin(script));
    this.changes = this.changes.then(change, change);
    return this.changes;
  }

  /** Sends the settings to the server first, so that it misses no edit. */
  private async begin(script: string): Promise<void> {
    this.payloads.set(script, undefined);
    await this.server.settingsChanged();
    const outcome = await this.runner.run({ uri: script });
    const payload = outcome === undefined ? undefined : await showPayload(outcome);
    if (payload === undefined) {
      await this.end(script);
    } else {
      this.payloads.set(script, payload.toString());
    }
  }

  private async end(script: string): Promise<void> {
    const payload = this.payloads.get(script);
    this.payloads.delete(script);
    if (payload !== undefined) {
      await vscode.window.tabGroups.close(
        openTabs().filter((tab) => uriOf(tab) === payload),
        true,
      );
    }
    await this.server.settingsChanged();
  }

  private forget(closed: readonly vscode.Tab[]): void {
    const uris = new Set(closed.map(uriOf));
    const isGone = (payload: string | undefined): boolean =>
      payload !== undefined && uris.has(payload) && !isOpen(payload);
    const gone = [...this.payloads].filter(([, payload]) => isGone(payload));
    for (const [script] of gone) {
      this.payloads.delete(script);
    }
    if (gone.length > 0) {
      void this.server.settingsChanged();
    }
  }
}

function openTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
}

function isOpen(uri: string): boolean {
  return openTabs().some((tab) => uriOf(tab) === uri);
}

function uriOf(tab: vscode.Tab): string | undefined {
  return tab.input instanceof vscode.TabInputText ? tab.input.uri.toString() : undefined;
}
