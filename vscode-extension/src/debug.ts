/** The debugger "tdls": steps through a recorded run, with the debug adapter of the bundled server. */

import * as vscode from "vscode";
import type { Choices } from "./runs/choices";
import type { Consent } from "./runs/consent";
import type { Runtime } from "./runs/runtime";
import { serverEnvironment } from "./server/environment";
import { isMlir, type Server } from "./server/server";

const TYPE = "tdls";
const CURRENT_FILE = { type: TYPE, request: "launch", name: "Transform script", script: "${file}" };

export class TransformDebugger
  implements vscode.DebugConfigurationProvider, vscode.DebugAdapterDescriptorFactory, vscode.Disposable
{
  private readonly registered: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly choices: Choices,
    private readonly consent: Consent,
    private readonly runtime: Runtime,
  ) {
    this.registered = [
      vscode.debug.registerDebugConfigurationProvider(TYPE, this),
      vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, this),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.registered).dispose();
  }

  provideDebugConfigurations(): vscode.DebugConfiguration[] {
    return [CURRENT_FILE];
  }

  /** Without a launch.json, the script in the active editor is meant. */
  resolveDebugConfiguration(
    _folder: vscode.WorkspaceFolder | undefined,
    given: vscode.DebugConfiguration,
  ): vscode.DebugConfiguration | undefined {
    if (typeof given.type === "string" && given.type !== "") {
      return given;
    }
    return isMlir(vscode.window.activeTextEditor?.document) ? CURRENT_FILE : undefined;
  }

  /** Adds the choices for the script, once it may run. */
  async resolveDebugConfigurationWithSubstitutedVariables(
    _folder: vscode.WorkspaceFolder | undefined,
    given: vscode.DebugConfiguration,
  ): Promise<vscode.DebugConfiguration | undefined> {
    if (!(await this.consent.isGiven())) {
      return undefined;
    }
    const { payload, entryPoint } = this.choices.of(vscode.Uri.file(String(given.script)).toString());
    const python = vscode.workspace.getConfiguration(TYPE).get<string>("run.python", "");
    const backend = vscode.workspace.getConfiguration(TYPE).get<string>("run.backend", "");
    const known: Record<string, string | undefined> = {
      payload: payload === undefined ? undefined : vscode.Uri.parse(payload).fsPath,
      entryPoint,
      python: python === "" ? this.runtime.python : python,
      backend,
    };
    const added = Object.entries(known).filter(([, value]) => value !== undefined && value !== "");
    return { ...Object.fromEntries(added), ...given };
  }

  async createDebugAdapterDescriptor(): Promise<vscode.DebugAdapterDescriptor> {
    await this.server.whenReady();
    const python = this.server.python?.executable;
    if (python === undefined) {
      throw new Error(this.server.problem ?? "The language server does not run.");
    }
    const { folder } = this.server;
    const env = serverEnvironment(process.env, folder);
    const trust = this.consent.isKnown ? ["--trust-workspace"] : [];
    return new vscode.DebugAdapterExecutable(python, ["-m", "tdls", "dap", ...trust], { cwd: folder, env });
  }
}
