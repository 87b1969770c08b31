/** The commands on transform scripts. */

import { basename, dirname, relative } from "node:path";
import * as vscode from "vscode";
import { ExecuteCommandRequest, type Position } from "vscode-languageclient/node";
import {
  BEFORE_FAILURE_COMMAND,
  CHECK_SCHEDULE_COMMAND,
  DIFF_COMMAND,
  EntryPointsRequest,
  RUN_COMMAND,
  TRY_COMMAND,
  type EntryPoint,
  type RunArguments,
  type ScheduleArguments,
} from "../protocol";
import type { Server } from "../server/server";
import { choiceComment, type Choices } from "./choices";
import { tellPayload } from "./chosenPayloads";
import { showBeside, showDifference, showPayload } from "./documents";
import type { LivePreview } from "./preview";
import type { Runner } from "./runner";
import type { Schedules } from "./schedules";

export class RunCommands implements vscode.Disposable {
  private readonly commands: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly runner: Runner,
    private readonly preview: LivePreview,
    private readonly choices: Choices,
    private readonly schedules: Schedules,
  ) {
    this.commands = [
      this.register("tdls.runScript", (uri) => this.run({ uri })),
      this.register("tdls.runToHere", (uri) => this.runToHere(uri)),
      this.register("tdls.showDiff", (uri) => this.showDiff({ uri })),
      this.register("tdls.compareWith", (uri) => this.compareWith(uri)),
      this.register("tdls.togglePreview", (uri) => this.preview.toggle(uri)),
      this.register("tdls.choosePayload", (uri) => this.choosePayload(uri)),
      this.register("tdls.chooseEntryPoint", (uri) => this.chooseEntryPoint(uri)),
      this.register("tdls.chooseSchedule", (uri) => this.schedules.choose(vscode.Uri.parse(uri))),
      this.register("tdls.copyRunComment", (uri) => this.copyComment(uri)),
      vscode.commands.registerCommand("tdls.installRuntime", () =>
        this.runner.installRuntime("Install MLIR to run scripts?"),
      ),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.commands).dispose();
  }

  /** Executes a command of the server's lenses in the editor; undefined if the command is another one. */
  intercept(command: string, args: unknown[]): Promise<void> | undefined {
    if (args[0] === undefined) {
      return undefined;
    }
    if (command === CHECK_SCHEDULE_COMMAND) {
      return this.schedules.check(args[0] as ScheduleArguments);
    }
    const request = args[0] as RunArguments;
    switch (command) {
      case RUN_COMMAND:
        return this.run(request);
      case DIFF_COMMAND:
        return this.showDiff(request);
      case TRY_COMMAND:
        return this.runner.trySteps(request);
      case BEFORE_FAILURE_COMMAND:
        return this.showBeforeFailure(request);
      default:
        return undefined;
    }
  }

  private register(command: string, action: (uri: string) => Promise<void>): vscode.Disposable {
    return vscode.commands.registerCommand(command, async (resource?: vscode.Uri) => {
      const uri = resource ?? vscode.window.activeTextEditor?.document.uri;
      if (uri !== undefined) {
        await action(uri.toString());
      }
    });
  }

  private async run(request: RunArguments): Promise<void> {
    const outcome = await this.runner.run(request);
    if (outcome !== undefined) {
      await showPayload(outcome);
    }
  }

  private async runToHere(uri: string): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.uri.toString() !== uri) {
      return;
    }
    const { line, character } = editor.selection.active;
    const until: Position = { line, character };
    await this.run({ uri, until });
  }

  private async showDiff(request: RunArguments): Promise<void> {
    const outcome = await this.runner.run(request);
    if (outcome !== undefined) {
      await showDifference(outcome, `${basename(vscode.Uri.parse(request.uri).path)}: before and after`);
    }
  }

  /** Opens what two scripts make of a payload in the editor for differences. */
  private async compareWith(uri: string): Promise<void> {
    const other = await vscode.window.showQuickPick(await otherFiles(uri), {
      placeHolder: "Script to compare the transformed payload with",
    });
    if (other === undefined) {
      return;
    }
    await vscode.workspace.openTextDocument(vscode.Uri.parse(other.uri)); // the server knows what is open, not each file
    const { payload } = this.choices.of(uri);
    const given = payload === undefined ? {} : { payload };
    const before = await this.runner.run({ ...given, uri: other.uri });
    const after = before === undefined ? undefined : await this.runner.run({ uri });
    if (before !== undefined && after !== undefined) {
      const title = `Payload after ${other.label} ↔ after ${vscode.workspace.asRelativePath(vscode.Uri.parse(uri))}`;
      await showDifference({ ...after, beforeUri: before.payloadUri }, title);
    }
  }

  private async showBeforeFailure(request: RunArguments): Promise<void> {
    const client = await this.server.whenReady();
    const params = { command: BEFORE_FAILURE_COMMAND, arguments: [{ ...request, show: false }] };
    const answer: unknown = await client?.sendRequest(ExecuteCommandRequest.type, params);
    if (answer !== undefined) {
      await showBeside((answer as { failureUri: string }).failureUri);
    }
  }

  private async choosePayload(uri: string): Promise<void> {
    const { payload, ...others } = this.choices.of(uri);
    const own = { label: "$(symbol-module) The script's own module", uri: undefined };
    const entries = [own, ...(await otherFiles(uri))].map((entry) =>
      entry.uri === payload ? { ...entry, description: "chosen" } : entry,
    );
    const chosen = await vscode.window.showQuickPick(entries, {
      placeHolder: "Payload to run the script on",
    });
    if (chosen !== undefined) {
      await this.choices.choose(uri, chosen.uri === undefined ? others : { ...others, payload: chosen.uri });
      await tellPayload(this.server, this.choices, uri);
    }
  }

  private async chooseEntryPoint(uri: string): Promise<void> {
    const points = await this.server.ask(EntryPointsRequest, { uri });
    const { entryPoint: _entryPoint, part: _part, ...others } = this.choices.of(uri);
    const entries = [
      { label: "$(circle-slash) The usual one", place: undefined },
      ...(points ?? []).map(entryPointItem),
    ];
    const chosen = await vscode.window.showQuickPick(entries, { placeHolder: "Sequence to start with" });
    if (chosen !== undefined) {
      const { place } = chosen;
      await this.choices.choose(
        uri,
        place === undefined ? others : { ...others, entryPoint: place.entryPoint, part: place.part },
      );
    }
  }

  private async copyComment(uri: string): Promise<void> {
    const choice = this.choices.of(uri);
    const folder = dirname(vscode.Uri.parse(uri).fsPath);
    const payload = choice.payload === undefined ? undefined : vscode.Uri.parse(choice.payload).fsPath;
    const path = payload === undefined ? undefined : relative(folder, payload).replaceAll("\\", "/");
    if (Object.keys(choice).length === 0) {
      const words = "No payload, entry point or part is chosen for this script: there is nothing to copy.";
      void vscode.window.showInformationMessage(words);
      return;
    }
    const comment = choiceComment(choice, path);
    await vscode.env.clipboard.writeText(`${comment}\n`);
    vscode.window.setStatusBarMessage(`$(clippy) ${comment}`, 5000);
  }
}

const MOST_FILES = 5000;

async function otherFiles(uri: string): Promise<{ label: string; uri: string }[]> {
  const files = await vscode.workspace.findFiles("**/*.mlir", undefined, MOST_FILES);
  return files
    .filter((file) => file.toString() !== uri)
    .map((file) => ({ label: vscode.workspace.asRelativePath(file), uri: file.toString() }))
    .sort((first, second) => first.label.localeCompare(second.label));
}

function entryPointItem(place: EntryPoint): { label: string; description: string; place: EntryPoint } {
  return { label: place.name, description: `line ${place.range.start.line + 1}`, place };
}
