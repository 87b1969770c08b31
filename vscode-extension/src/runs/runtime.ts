/** A private environment with MLIR's Python bindings, made only after the user agreed. */

import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";

const INSTALL = "Install";

export class Runtime {
  private readonly folder: string;
  private installation: Promise<boolean> | undefined;

  constructor(
    storage: vscode.Uri,
    private readonly serverFolder: string,
    private readonly output: vscode.LogOutputChannel,
  ) {
    this.folder = join(storage.fsPath, "mlir");
  }

  /** The environment's Python, once it is complete. */
  get python(): string | undefined {
    return existsSync(join(this.folder, COMPLETE)) ? this.executable : undefined;
  }

  /**
   * Asks the user, installs the runtime, and returns whether it is installed. The question shows `reason` unless it is
   * empty. Calls during an installation wait for its end.
   */
  async offer(base: string, question: string, reason: string, tool?: string): Promise<boolean> {
    const answer = this.installation === undefined ? await this.ask(question, reason, tool) : undefined;
    if (answer !== undefined && answer !== INSTALL && tool !== undefined) {
      const user = vscode.ConfigurationTarget.Global;
      await vscode.workspace.getConfiguration("tdls").update("run.backend", tool, user);
      return true;
    }
    if (answer === INSTALL) {
      this.installation = this.install(base, this.requirement).finally(() => (this.installation = undefined));
    }
    return this.installation ?? false;
  }

  /** A `tool` that was found can be used instead, from then on. */
  private async ask(question: string, reason: string, tool?: string): Promise<string | undefined> {
    const plan = `pip will download ${this.requirement} (about 80 MB) with what it needs from the package index that pip is set up for, and put it into a private environment:\n${this.folder}`;
    const detail = reason === "" ? plan : `${reason}\n\n${plan}`;
    const others = tool === undefined ? [] : [`Use ${tool} (found)`];
    return vscode.window.showInformationMessage(question, { modal: true, detail }, INSTALL, ...others);
  }

  private get requirement(): string {
    return readFileSync(join(this.serverFolder, "mlir-requirement.txt"), "utf-8").trim();
  }

  private get executable(): string {
    return process.platform === "win32"
      ? join(this.folder, "Scripts", "python.exe")
      : join(this.folder, "bin", "python");
  }

  private async install(base: string, requirement: string): Promise<boolean> {
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: "MLIR runtime",
      cancellable: true,
    };
    const problem = await vscode.window.withProgress(options, (progress, token) =>
      this.installWith(base, requirement, progress, token),
    );
    if (problem !== undefined) {
      await rm(this.folder, { recursive: true, force: true });
      await this.complain(problem);
    }
    return problem === undefined;
  }

  /** Returns the error, an empty text if the user cancelled. */
  private async installWith(
    base: string,
    requirement: string,
    progress: vscode.Progress<{ message: string }>,
    token: vscode.CancellationToken,
  ): Promise<string | undefined> {
    await rm(this.folder, { recursive: true, force: true });
    await mkdir(this.folder, { recursive: true });
    const steps: [string, string, string[]][] = [
      ["making an environment", base, ["-m", "venv", this.folder]],
      [`installing ${requirement}`, this.executable, [...PIP_INSTALL, requirement]],
      [
        "finishing",
        this.executable,
        ["-c", `open(${JSON.stringify(join(this.folder, COMPLETE))}, "x").close()`],
      ],
    ];
    for (const [message, command, args] of steps) {
      progress.report({ message });
      const code = await this.run(command, args, token, (line) => {
        progress.report({ message: line });
      });
      if (token.isCancellationRequested) {
        return "";
      }
      if (code !== 0) {
        return `${message} failed`;
      }
    }
    return undefined;
  }

  private run(
    command: string,
    args: string[],
    token: vscode.CancellationToken,
    report: (line: string) => void,
  ): Promise<number | null> {
    this.output.info([command, ...args].join(" "));
    return new Promise((resolve) => {
      const child = spawn(command, args, {
        cwd: this.folder,
        stdio: ["ignore", "pipe", "pipe"],
        windowsHide: true,
      });
      const cancellation = token.onCancellationRequested(() => child.kill());
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf-8").on("data", (text: string) => {
          for (const line of text.split(/\r?\n/).filter((entry) => entry.trim() !== "")) {
            this.output.info(line);
            report(shortened(line.trim()));
          }
        });
      }
      child.on("error", (error) => {
        this.output.error(error.message);
        resolve(null);
      });
      child.on("close", (code) => {
        cancellation.dispose();
        resolve(code);
      });
    });
  }

  private async complain(problem: string): Promise<void> {
    if (problem === "") {
      return;
    }
    const message = `MLIR runtime: ${problem}. The log has pip's words; not every Python has a wheel of MLIR.`;
    const answer = await vscode.window.showErrorMessage(message, "Show Logs");
    if (answer !== undefined) {
      this.output.show();
    }
  }
}

const COMPLETE = "tdls-complete";
const PIP_INSTALL = [
  "-m",
  "pip",
  "install",
  "--disable-pip-version-check",
  "--no-input",
  "--only-binary",
  ":all:",
];
const LONGEST_LINE = 100;

function shortened(line: string): string {
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE - 1)}…`;
}
