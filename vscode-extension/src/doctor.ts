/** "Doctor": the server's report about MLIR and settings on this machine, in a document that is only read. */

import { spawn } from "node:child_process";
import * as vscode from "vscode";
import { pythonCandidates } from "./python/candidates";
import { explainRejections, findPython, probeIn } from "./python/findPython";
import { serverEnvironment } from "./server/environment";

const REPORT = vscode.Uri.parse("tdls-doctor:MLIR Transform Doctor");

/** The report begins with a verdict, so it is no output channel: that would show its end. */
export class Doctor implements vscode.Disposable, vscode.TextDocumentContentProvider {
  private report = "";
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registrations = vscode.Disposable.from(
    this.changed,
    vscode.workspace.registerTextDocumentContentProvider(REPORT.scheme, this),
    vscode.commands.registerCommand("tdls.doctor", () => this.show()),
  );
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly serverFolder: string,
    private readonly runtimePython: () => string | undefined,
  ) {}

  dispose(): void {
    this.registrations.dispose();
  }

  provideTextDocumentContent(): string {
    return this.report;
  }

  private async show(): Promise<void> {
    const location = vscode.ProgressLocation.Notification;
    const folder = examinedFolder() ?? this.serverFolder;
    this.report = await vscode.window.withProgress({ location, title: "Trying to run a script" }, () =>
      this.examine(folder),
    );
    this.changed.fire(REPORT);
    await vscode.window.showTextDocument(REPORT, { preview: true });
  }

  private async examine(folder: string): Promise<string> {
    const search = await findPython(await pythonCandidates(), probeIn(this.serverFolder));
    if ("rejected" in search) {
      return explainRejections(search.rejected);
    }
    const { executable, version, origin } = search.python;
    const runs = vscode.workspace.getConfiguration("tdls").get<string>("run.python", "");
    const runtime = runs === "" ? this.runtimePython() : runs;
    const lines = [
      await this.run(runtime ?? executable, folder),
      `VS Code ${vscode.version}, ${process.platform} ${process.arch}`,
      `Python of the server: ${version.join(".")}, ${executable} (${origin})`,
      `Python that runs scripts: ${runtime ?? "the same"}`,
    ];
    return `${lines.join("\n")}\n`;
  }

  /** Returns what `tdls doctor` prints for a folder. */
  private run(python: string, folder: string): Promise<string> {
    const options = { cwd: this.serverFolder, env: serverEnvironment(process.env, this.serverFolder) };
    const trust = vscode.workspace.isTrusted ? ["--trust-workspace"] : [];
    return new Promise((resolve) => {
      const child = spawn(python, ["-m", "tdls", "doctor", ...trust, folder], {
        ...options,
        stdio: ["ignore", "pipe", "pipe"],
      });
      let output = "";
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf-8").on("data", (text: string) => {
          output += text;
        });
      }
      child.on("error", (error) => {
        output += `cannot start ${python}: ${error.message}\n`;
      });
      child.on("close", () => {
        resolve(output);
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
