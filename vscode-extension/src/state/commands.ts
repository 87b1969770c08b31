/** The commands of the view "Transform State". */

import * as vscode from "vscode";
import type { Choices } from "../runs/choices";
import type { Consent } from "../runs/consent";
import { VIRTUAL_SCHEME } from "../protocol";
import type { Server } from "../server/server";
import { StateFollower } from "./follower";
import type { ButtonAction, PageCommand } from "./messages";
import { StatePanel } from "./panel";
import { shortName } from "./steps";
import { places } from "./viewData";

export class TransformState implements vscode.Disposable {
  readonly follower: StateFollower;
  private readonly panel: StatePanel;
  private readonly disposables: vscode.Disposable[];

  constructor(
    extension: vscode.Uri,
    server: Server,
    choices: Choices,
    private readonly consent: Consent,
    follows: () => string,
  ) {
    this.follower = new StateFollower(server, choices, consent, follows);
    this.panel = new StatePanel(extension, server, this.follower, {
      command: (name) => void this.run(name),
      button: (action) => void this.press(action),
    });
    this.disposables = [
      this.follower,
      this.panel,
      register("tdls.state.show", () => this.show()),
      register("tdls.state.record", () => this.run("record")),
      register("tdls.state.step", () => this.run("step")),
      register("tdls.state.stepBack", () => this.run("stepBack")),
      register("tdls.state.stepInto", () => this.run("stepInto")),
      register("tdls.state.stepOut", () => this.run("stepOut")),
      register("tdls.state.nextFailure", () => this.run("nextFailure")),
      register("tdls.state.previousChange", () => this.run("previousChange")),
      register("tdls.state.difference", () => this.run("difference")),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  /** Records the shown script again, since it was run. */
  async refresh(): Promise<void> {
    if (this.panel.isOpen && this.follower.shown.recording !== undefined) {
      await this.follower.record();
    }
  }

  private async show(): Promise<void> {
    if (await this.consent.isGiven()) {
      this.follower.mayBeOld = true; // also where nothing runs by itself
      await this.panel.show();
    }
  }

  private async run(command: PageCommand): Promise<void> {
    if (!this.panel.isOpen) {
      await this.show();
    }
    switch (command) {
      case "record":
        return this.follower.record();
      case "previousChange":
        return this.previousChange();
      case "difference":
        return this.difference();
      default:
        return this.goTo(command);
    }
  }

  private async goTo(command: keyof typeof MOVES): Promise<void> {
    const { move, none } = MOVES[command];
    const number = this.follower.shown.state?.moves[move] ?? null;
    if (number === null) {
      vscode.window.setStatusBarMessage(none, MESSAGE_MILLISECONDS);
    } else {
      await this.follower.goTo(number);
    }
  }

  /** The payload before and after the step, in VS Code's own editor for differences. */
  private async difference(): Promise<void> {
    const { state } = this.follower.shown;
    if (state?.step == null || state.before === null) {
      return;
    }
    const { number, operation } = state.step;
    const before = vscode.Uri.parse(state.before.uri);
    const column = vscode.window.visibleTextEditors[0]?.viewColumn ?? vscode.ViewColumn.One;
    if (state.after === null || state.compared === null) {
      await vscode.window.showTextDocument(before, { viewColumn: column, preview: true });
      return;
    }
    const title = `Step ${number}, ${shortName(operation)}: before and after`;
    const options = { viewColumn: column, preview: true };
    await vscode.commands.executeCommand(
      "vscode.diff",
      vscode.Uri.parse(state.compared.uri),
      vscode.Uri.parse(state.after.uri),
      title,
      options,
    );
  }

  /** Goes to the step that changed the selected line of the payload last, and from there further back. */
  private async previousChange(): Promise<void> {
    const selected = this.selectedLine();
    if (selected === undefined) {
      void vscode.window.showInformationMessage("Select a line of the payload first.");
      return;
    }
    const changes = await this.panel.history(selected.uri, selected.line);
    const now = this.follower.shown.state?.step?.number;
    const change = changes?.find(({ step }) => step !== now);
    if (change === undefined) {
      vscode.window.setStatusBarMessage("No earlier step changed this line.", MESSAGE_MILLISECONDS);
      return;
    }
    await this.follower.goTo(change.step);
    this.panel.select("after", change.after);
  }

  /** A line of a document with a state where one has the focus, else the one that is selected in the view. */
  private selectedLine(): { uri: string; line: number } | undefined {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.uri.scheme === VIRTUAL_SCHEME && editor.document.uri.authority === "state") {
      return { uri: editor.document.uri.toString(), line: editor.selection.active.line };
    }
    const { selectedLine } = this.panel;
    const uri = selectedLine === undefined ? undefined : this.panel.uriOf(selectedLine.side);
    return selectedLine === undefined || uri === undefined ? undefined : { uri, line: selectedLine.line };
  }

  private async press(action: ButtonAction): Promise<void> {
    const execute = (command: string, ...args: unknown[]): Thenable<void> =>
      vscode.commands.executeCommand(command, ...args);
    switch (action) {
      case "record":
        return this.follower.record();
      case "choosePayload":
        await execute("tdls.choosePayload", this.script());
        return this.follower.record();
      case "install":
        await execute("tdls.installRuntime");
        return this.follower.record();
      case "settings":
        return execute("workbench.action.openSettings", "@ext:tdls.tdls tdls.run");
      case "allow":
        await execute("tdls.runScript", this.script());
        return this.follower.record();
      case "sample":
        return execute("tdls.openSample");
      case "logs":
        return execute("tdls.showLogs");
      case "restart":
        return execute("tdls.restart");
      case "firstPlace":
        return this.goToError();
    }
  }

  private script(): vscode.Uri | undefined {
    const uri = this.follower.script;
    return uri === undefined ? undefined : vscode.Uri.parse(uri);
  }

  private async goToError(): Promise<void> {
    const { recording } = this.follower.shown;
    const said = places(recording?.diagnostics ?? []).find(({ location }) => location !== null);
    if (said?.location != null) {
      const { uri, range } = said.location;
      const selection = new vscode.Range(
        range.start.line,
        range.start.character,
        range.end.line,
        range.end.character,
      );
      const column = vscode.window.visibleTextEditors[0]?.viewColumn ?? vscode.ViewColumn.One;
      await vscode.window.showTextDocument(vscode.Uri.parse(uri), { selection, viewColumn: column });
    }
  }
}

const MESSAGE_MILLISECONDS = 4000;
const MOVES = {
  step: { move: "step", none: "This is the last step." },
  stepBack: { move: "back", none: "There is no step before this one." },
  stepInto: { move: "into", none: "This is the last step." },
  stepOut: { move: "out", none: "This step is in no body." },
  nextFailure: { move: "failure", none: "No step failed." },
} as const;

function register(command: string, action: () => Promise<void>): vscode.Disposable {
  return vscode.commands.registerCommand(command, action);
}
