/** The item in the status bar: how the server is, and a menu. */

import * as vscode from "vscode";
import { mlirName } from "./names";
import { isMlir, type Server } from "./server/server";

const MENU_COMMAND = "tdls.showMenu";
/** Milliseconds after an edit, in which MLIR may have read the text. */
const READ_PAUSE = 1500;

export class StatusBar implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private readonly disposables: vscode.Disposable[];
  private asking: NodeJS.Timeout | undefined;

  constructor(private readonly server: Server) {
    this.item = vscode.window.createStatusBarItem("tdls.status", vscode.StatusBarAlignment.Right, 90);
    this.item.name = "MLIR Transform";
    this.item.command = MENU_COMMAND;
    this.disposables = [
      this.item,
      server.onDidChange(() => {
        this.update();
      }),
      vscode.window.onDidChangeActiveTextEditor(() => {
        this.update();
        this.askSoon();
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === vscode.window.activeTextEditor?.document) {
          this.askSoon();
        }
      }),
      vscode.commands.registerCommand(MENU_COMMAND, showMenu),
    ];
    this.update();
  }

  dispose(): void {
    clearTimeout(this.asking);
    vscode.Disposable.from(...this.disposables).dispose();
  }

  /** Asks who has read the text, once that may be known. */
  private askSoon(): void {
    clearTimeout(this.asking);
    if (this.server.state === "running" && isMlir(vscode.window.activeTextEditor?.document)) {
      this.asking = setTimeout(() => void this.server.refreshStatus(), READ_PAUSE);
    }
  }

  private update(): void {
    const { text, background } = this.appearance();
    this.item.text = text;
    const words = this.words();
    // The words of tools and of settings are no Markdown; a screen reader would read what hides that from Markdown.
    this.item.tooltip = new vscode.MarkdownString().appendText(words.join("\n\n"));
    this.item.accessibilityInformation = { label: words.join(". "), role: "button" };
    this.item.backgroundColor = background === undefined ? undefined : new vscode.ThemeColor(background);
    const isScript = isMlir(vscode.window.activeTextEditor?.document);
    if (isScript || this.server.state === "failed") {
      this.item.show();
    } else {
      this.item.hide();
    }
  }

  private appearance(): { text: string; background?: string } {
    switch (this.server.state) {
      case "starting":
        return { text: "$(sync~spin) tdls" };
      case "running":
        return { text: this.runningText() };
      case "failed":
        return { text: "$(error) tdls", background: "statusBarItem.errorBackground" };
      case "stopped":
        return { text: "$(circle-slash) tdls", background: "statusBarItem.warningBackground" };
    }
  }

  private runningText(): string {
    const { reading, mlir } = this.server.status ?? {};
    if (typeof reading === "string") {
      return "$(sync~spin) tdls"; // the progress beside it says how far
    }
    return typeof mlir === "string" ? `$(check) tdls: ${mlirName(mlir)}` : "$(check) tdls";
  }

  private words(): string[] {
    const { state, status, python, problem } = this.server;
    const lines = [
      `tdls: ${problem ?? status?.reading ?? state}`,
      status === undefined ? undefined : `Version: ${status.version}`,
      python === undefined
        ? undefined
        : `Python: ${python.executable} (${python.version.join(".")}, ${python.origin})`,
      status === undefined ? undefined : `Runs scripts with: ${backendText(status)}`,
      status === undefined ? undefined : `This file was read by: ${readers(status.readBy)}`,
      "Click for more",
    ];
    return lines.filter((line) => line !== undefined);
  }
}

function readers(mlir: string | null): string {
  return mlir === null ? "tdls alone" : `tdls and ${mlir}`;
}

function backendText(status: {
  backend: string | null;
  mlir: string | null;
  problem: string | null;
}): string {
  if (status.backend === null) {
    return status.problem ?? "no MLIR found";
  }
  return status.mlir === null ? status.backend : `${status.backend}, ${mlirName(status.mlir)}`;
}

interface MenuEntry extends vscode.QuickPickItem {
  command: string;
  arguments?: unknown[];
}

async function showMenu(): Promise<void> {
  const entries: MenuEntry[] = [
    { label: "$(debug-restart) Restart the server", command: "tdls.restart" },
    { label: "$(output) Show logs", command: "tdls.showLogs" },
    { label: "$(pulse) Doctor", description: "what works here, and what does not", command: "tdls.doctor" },
    {
      label: "$(cloud-download) Install MLIR runtime",
      description: "to run scripts",
      command: "tdls.installRuntime",
    },
    {
      label: "$(settings-gear) Settings",
      command: "workbench.action.openSettings",
      arguments: ["@ext:tdls.tdls"],
    },
  ];
  const chosen = await vscode.window.showQuickPick(entries, { placeHolder: "MLIR Transform" });
  if (chosen !== undefined) {
    await vscode.commands.executeCommand(chosen.command, ...(chosen.arguments ?? []));
  }
}
