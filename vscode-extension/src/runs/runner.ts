/** Runs scripts through the server, with the user's choices for them. */

import { basename } from "node:path";
import * as vscode from "vscode";
import { ExecuteCommandRequest } from "vscode-languageclient/node";
import { mlirName } from "../names";
import { RUN_COMMAND, TRY_COMMAND, type RunArguments, type RunOutcome, type TryOutcome } from "../protocol";
import type { Server } from "../server/server";
import type { Choices } from "./choices";
import type { Consent } from "./consent";
import { showBeside } from "./documents";
import type { Runtime } from "./runtime";

const SHOW_PROBLEMS = "Show Problems";
const SHOW_BEFORE = "Show Payload Before";
const CHOOSE_PAYLOAD = "Choose Payload...";
const MESSAGE_MILLISECONDS = 5000;
/** The kind of code actions that insert a step that was tried. */
const STEP_KIND = "refactor.rewrite.step";

export class Runner implements vscode.Disposable {
  private readonly finished = new vscode.EventEmitter<RunOutcome>();
  readonly onDidFinish = this.finished.event;
  /** True once MLIR has run: where it is missing later, there is more to it than an installation. */
  private hasRun = false;
  private readonly refusals = new Set<string>();
  /** The script whose failure a message shows that the user has not closed. */
  private shownFailure = "";
  private readonly output = vscode.window.createOutputChannel("MLIR Transform: runs");

  constructor(
    private readonly server: Server,
    private readonly choices: Choices,
    private readonly consent: Consent,
    private readonly runtime: Runtime,
  ) {}

  dispose(): void {
    vscode.Disposable.from(this.finished, this.output).dispose();
  }

  /** Runs a script and returns the outcome; undefined if it was not run. Documents are left to the caller to show. */
  async run(given: RunArguments): Promise<RunOutcome | undefined> {
    if (!(await this.consent.isGiven())) {
      return undefined;
    }
    const request = { ...this.choices.complete(given), show: false };
    const outcome = await this.ask(request);
    if (outcome?.status !== "unavailable" || this.runtime.python !== undefined || this.hasRun) {
      return outcome === undefined ? undefined : this.tell(request, outcome);
    }
    const question = "Running a script needs MLIR. Install it?";
    const isInstalled = await this.installRuntime(question, "", outcome.tool ?? undefined);
    const again = isInstalled ? await this.ask(request) : undefined;
    return again === undefined ? undefined : this.tell(request, again);
  }

  /** Tries steps at a place of a script, and lists those that work there. */
  async trySteps(given: RunArguments): Promise<void> {
    if (!(await this.consent.isGiven())) {
      return;
    }
    const client = await this.server.whenReady();
    const request = { ...this.choices.complete(given), show: false };
    const params = { command: TRY_COMMAND, arguments: [request] };
    const answer = (await client?.sendRequest(ExecuteCommandRequest.type, params)) as TryOutcome | undefined;
    if (answer !== undefined && answer.steps > 0) {
      await vscode.commands.executeCommand("editor.action.codeAction", { kind: STEP_KIND, apply: "never" });
    } else if (answer !== undefined) {
      await vscode.window.showInformationMessage(`Steps that work here: ${answer.detail}`);
    }
  }

  /** Offers to install MLIR, and returns whether it is installed afterwards. */
  async installRuntime(question: string, reason = "", tool?: string): Promise<boolean> {
    const base = this.server.python?.executable;
    if (base === undefined) {
      await vscode.window.showErrorMessage(this.server.problem ?? "The server does not run.");
      return false;
    }
    const isInstalled = await this.runtime.offer(base, question, reason, tool);
    if (isInstalled) {
      await this.server.settingsChanged();
    }
    return isInstalled;
  }

  /** An edit gives up a run that is under way where scripts are run as one types: then the new text is run. */
  private async ask(request: RunArguments): Promise<RunOutcome | undefined> {
    for (;;) {
      const version = versionOf(request.uri);
      const outcome = await this.askOnce(request);
      if (outcome?.status !== "cancelled" || versionOf(request.uri) === version) {
        return outcome;
      }
    }
  }

  private async askOnce(request: RunArguments): Promise<RunOutcome | undefined> {
    const client = await this.server.whenReady();
    if (client === undefined) {
      await vscode.window.showErrorMessage(this.server.problem ?? "The server does not run.");
      return undefined;
    }
    const params = { command: RUN_COMMAND, arguments: [request] };
    try {
      return (await client.sendRequest(ExecuteCommandRequest.type, params)) as RunOutcome;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      await vscode.window.showErrorMessage(`The script could not be run: ${reason}`);
      return undefined;
    }
  }

  private tell(request: RunArguments, outcome: RunOutcome): RunOutcome {
    this.hasRun ||= outcome.mlir !== "";
    this.finished.fire(outcome);
    this.record(request, outcome);
    this.hideFailure(outcome);
    if (!outcome.hasPayload) {
      this.showUntil(outcome, offerPayload(outcome.detail, vscode.Uri.parse(request.uri)));
    } else if (outcome.status === "success") {
      const end = outcome.line === null ? "" : ` to line ${outcome.line}`;
      const unknown =
        outcome.unobserved === "" ? "" : `; the contents of handles are not known: ${outcome.unobserved}`;
      const icon = unknown === "" ? "$(check)" : "$(warning)";
      const words = `${icon} ${nameOf(request)} ran${end} in ${outcome.seconds.toFixed(2)} s${unknown}`;
      vscode.window.setStatusBarMessage(words, MESSAGE_MILLISECONDS);
    } else if (outcome.status === "refused") {
      this.tellRefusal(outcome.detail);
    } else if (isInSight(outcome.detail)) {
      vscode.window.setStatusBarMessage(`$(error) ${capitalised(outcome.detail)}`, MESSAGE_MILLISECONDS);
    } else if (outcome.status !== "cancelled") {
      this.showUntil(outcome, complain(outcome));
    }
    return outcome;
  }

  private showUntil({ script }: RunOutcome, answer: Promise<void>): void {
    this.shownFailure = script;
    void answer.finally(() => (this.shownFailure = this.shownFailure === script ? "" : this.shownFailure));
  }

  /** VS Code hides all of its messages or none; they stay in the list behind the bell. */
  private hideFailure({ script }: RunOutcome): void {
    if (this.shownFailure === script) {
      void vscode.commands.executeCommand("notifications.hideToasts");
    }
  }

  /** The server itself asks the first time, and then no more. */
  private tellRefusal(detail: string): void {
    if (this.refusals.has(detail)) {
      void vscode.window.showWarningMessage(detail);
    }
    this.refusals.add(detail);
  }

  private record(request: RunArguments, outcome: RunOutcome): void {
    const mlir = outcome.mlir === "" ? outcome.backend : `${outcome.backend}, ${mlirName(outcome.mlir)}`;
    const head = `${nameOf(request)}: ${outcome.status} in ${outcome.seconds.toFixed(2)} s (${mlir})`;
    this.output.appendLine([head, outcome.detail, outcome.printed].filter((text) => text !== "").join("\n"));
  }
}

function versionOf(uri: string): number | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri)?.version;
}

function nameOf(request: RunArguments): string {
  return vscode.workspace.asRelativePath(vscode.Uri.parse(request.uri));
}

async function offerPayload(detail: string, script: vscode.Uri): Promise<void> {
  if ((await vscode.window.showWarningMessage(capitalised(detail), CHOOSE_PAYLOAD)) === CHOOSE_PAYLOAD) {
    await vscode.commands.executeCommand("tdls.choosePayload", script);
  }
}

/** True if the message names the file of a visible editor, which then shows the finding at its place. */
function isInSight(detail: string): boolean {
  const names = vscode.window.visibleTextEditors.map((editor) => basename(editor.document.uri.path));
  return names.some((name) => detail.includes(` at ${name}:`) || detail.includes(` parse ${name}`));
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

async function complain(outcome: RunOutcome): Promise<void> {
  const offers = outcome.failureUri === null ? [SHOW_PROBLEMS] : [SHOW_PROBLEMS, SHOW_BEFORE];
  const answer = await vscode.window.showErrorMessage(capitalised(outcome.detail), ...offers);
  if (answer === SHOW_PROBLEMS) {
    await vscode.commands.executeCommand("workbench.actions.view.problems");
  } else if (answer === SHOW_BEFORE && outcome.failureUri !== null) {
    await showBeside(outcome.failureUri);
  }
}
