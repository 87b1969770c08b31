/** "Doctor": the server's report about MLIR and settings on this machine, in an output channel. */

import { spawn } from "node:child_process";
import * as vscode from "vscode";
import { pythonCandidates } from "./python/candidates";
import { explainRejections, findPython, probeIn } from "./python/findPython";
import { serverEnvironment } from "./server/environment";

export class Doctor implements vscode.Disposable {
  private readonly output = vscode.window.createOutputChannel("MLIR Transform: doctor");
  private readonly command = vscode.commands.registerCommand("tdls.doctor", () => this.examine());

  constructor(
    private readonly serverFolder: string,
    private readonly runtimePython: () => string | undefined,
  ) {}

  dispose(): void {
    vscode.Disposable.from(this.output, this.command).dispose();
  }

  private async examine(): Promise<void> {
    this.output.clear();
    this.output.show(true);
    const search = await findPython(await pythonCandidates(), probeIn(this.serverFolder));
    if ("rejected" in search) {
      this.output.appendLine(explainRejections(search.rejected));
      return;
    }
    const { executable, version, origin } = search.python;
    const runs = vscode.workspace.getConfiguration("tdls").get<string>("run.python", "");
    const runtime = runs === "" ? this.runtimePython() : runs;
    this.output.appendLine(`VS Code ${vscode.version}, ${process.platform} ${process.arch}`);
    this.output.appendLine(`Python ${version.join(".")}: ${executable} (${origin})`);
    this.output.appendLine(`Python that runs scripts: ${runtime ?? "the same"}\n`);
    await this.run(runtime ?? executable, examinedFolder() ?? this.serverFolder);
  }

  private run(python: string, folder: string): Promise<void> {
    const options = { cwd: this.serverFolder, env: serverEnvironment(process.env, this.serverFolder) };
    const trust = vscode.workspace.isTrusted ? ["--trust-workspace"] : [];
    return new Promise((resolve) => {
      const child = spawn(python, ["-m", "tdls", "doctor", ...trust, folder], {
        ...options,
        stdio: ["ignore", "pipe", "pipe"],
      });
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf-8").on("data", (text: string) => {
          this.output.append(text);
        });
      }
      child.on("error", (error) => {
        this.output.appendLine(`cannot start ${python}: ${error.message}`);
      });
      child.on("close", () => {
        resolve();
      });
    });
  }
}

/** The folder whose settings count. Those of a workspace that is not trusted do not, since a script is run. */
function examinedFolder(): string | undefined {
  const document = vscode.window.activeTextEditor?.document;
  const isFile = document?.uri.scheme === "file";
  const folder = isFile
    ? vscode.workspace.getWorkspaceFolder(document.uri)
    : vscode.workspace.workspaceFolders?.[0];
  return vscode.workspace.isTrusted ? folder?.uri.fsPath : undefined;
}
