/** Answers the server's requests for settings, and notifies it of changes. */

import * as vscode from "vscode";
import type {
  ConfigurationParams,
  ConfigurationRequest,
  CancellationToken,
} from "vscode-languageclient/node";
import type { Consent } from "../runs/consent";
import type { LivePreview } from "../runs/preview";
import type { Runtime } from "../runs/runtime";
import type { Server } from "./server";
import { explicitSettings, setNested, trust, type Settings } from "./settings";

const SECTION = "tdls";

interface Manifest {
  contributes: { configuration: { properties: Record<string, unknown> }[] };
}

export class ServerSettings implements vscode.Disposable {
  private readonly keys: string[];
  private readonly disposables: vscode.Disposable[];

  constructor(
    extension: vscode.Extension<unknown>,
    private readonly server: Server,
    private readonly runtime: Runtime,
    private readonly preview: LivePreview,
    private readonly consent: Consent,
  ) {
    this.keys = settingKeys(extension.packageJSON as Manifest);
    this.disposables = [
      vscode.workspace.onDidChangeConfiguration((event) => this.changed(event)),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.server.settingsChanged()),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  answer(
    params: ConfigurationParams,
    token: CancellationToken,
    next: ConfigurationRequest.HandlerSignature,
  ): ReturnType<ConfigurationRequest.HandlerSignature> {
    const isOwn = params.items.every(({ section }) => section === SECTION);
    return isOwn ? params.items.map(() => this.current()) : next(params, token);
  }

  /** When a script is run again: `off`, `save` or `type`. */
  follows(): string {
    return this.refresh() ?? vscode.workspace.getConfiguration(SECTION).get<string>("run.refresh", "save");
  }

  private current(): Settings {
    const settings = explicitSettings(vscode.workspace.getConfiguration(SECTION), this.keys);
    const run = (settings.run ?? {}) as Settings;
    if (run.python === undefined && this.runtime.python !== undefined) {
      setNested(settings, ["run", "python"], this.runtime.python);
    }
    const refresh = this.refresh();
    if (refresh !== undefined) {
      setNested(settings, ["run", "refresh"], refresh);
    }
    return { ...settings, ...trust(this.consent.isKnown) };
  }

  /** When scripts are run again by themselves, if that is not for the settings to say. */
  private refresh(): string | undefined {
    if (this.preview.isActive) {
      return "type";
    }
    return vscode.workspace.isTrusted ? undefined : "off";
  }

  private async changed(event: vscode.ConfigurationChangeEvent): Promise<void> {
    if (event.affectsConfiguration("tdls.python")) {
      await this.server.restart();
    } else if (event.affectsConfiguration(SECTION)) {
      await this.server.settingsChanged();
    }
  }
}

function settingKeys(manifest: Manifest): string[] {
  return manifest.contributes.configuration.flatMap(({ properties }) =>
    Object.keys(properties).map((key) => key.slice(SECTION.length + 1)),
  );
}
