/** Runs functions of programs that build schedules, through the server, and shows the built modules. */

import { basename } from "node:path";
import * as vscode from "vscode";
import { ExecuteCommandRequest } from "vscode-languageclient/node";
import { CHECK_SCHEDULE_COMMAND, type ScheduleArguments, type ScheduleOutcome } from "../protocol";
import type { Server } from "../server/server";
import type { Consent } from "./consent";
import { showBeside } from "./documents";

const SHOW_PROBLEMS = "Show Problems";
const MESSAGE_MILLISECONDS = 5000;
const MOST_LENSES = 500;
const NONE =
  "No function of this program builds a schedule without arguments. " +
  "List one with its arguments as python.schedules in tdls.toml.";

export class Schedules {
  constructor(
    private readonly server: Server,
    private readonly consent: Consent,
  ) {}

  /** Checks a function of a program: the only one that builds a schedule, or the one that the user chooses. */
  async choose(uri: vscode.Uri): Promise<void> {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      "vscode.executeCodeLensProvider",
      uri,
      MOST_LENSES,
    );
    const found = lenses
      .filter(({ command }) => command?.command === CHECK_SCHEDULE_COMMAND)
      .map(({ command, range }) => ({ request: command?.arguments?.[0] as ScheduleArguments, range }));
    if (found.length === 0) {
      await vscode.window.showInformationMessage(NONE);
      return;
    }
    const entries = found.map(({ request, range }) => ({
      label: request.function === "" ? "the whole program" : request.function,
      description: `line ${range.start.line + 1}`,
      request,
    }));
    const chosen =
      entries.length === 1
        ? entries[0]
        : await vscode.window.showQuickPick(entries, { placeHolder: "Function that builds the schedule" });
    if (chosen !== undefined) {
      await this.check(chosen.request);
    }
  }

  /** Runs a function if the user lets programs of the workspace be run, and shows the script that it built last. */
  async check(request: ScheduleArguments): Promise<void> {
    if (!(await this.consent.isGivenFor(basename(vscode.Uri.parse(request.uri).path)))) {
      return;
    }
    await save(request.uri);
    const client = await this.server.whenReady();
    const params = { command: CHECK_SCHEDULE_COMMAND, arguments: [{ ...request, show: false }] };
    const answer: unknown = await client?.sendRequest(ExecuteCommandRequest.type, params);
    if (answer === undefined) {
      await vscode.window.showErrorMessage(this.server.problem ?? "The server does not run.");
      return;
    }
    const outcome = answer as ScheduleOutcome;
    const built = outcome.scripts.at(-1);
    if (built !== undefined) {
      await showBeside(built);
    }
    await tell(request, outcome);
  }
}

/** Python runs the file, so the editor's text has to be saved first. */
async function save(uri: string): Promise<void> {
  const document = vscode.workspace.textDocuments.find((other) => other.uri.toString() === uri);
  if (document?.isDirty === true) {
    await document.save();
  }
}

async function tell(request: ScheduleArguments, outcome: ScheduleOutcome): Promise<void> {
  if (outcome.status === "cancelled") {
    return;
  }
  if (outcome.status === "checked") {
    const words = `$(check) ${request.function} was built in ${outcome.seconds.toFixed(2)} s`;
    vscode.window.setStatusBarMessage(words, MESSAGE_MILLISECONDS);
    return;
  }
  const answer = await vscode.window.showErrorMessage(
    `${request.function}: ${outcome.detail}`,
    SHOW_PROBLEMS,
  );
  if (answer === SHOW_PROBLEMS) {
    await vscode.commands.executeCommand("workbench.actions.view.problems");
  }
}
