/** Requests the user's consent, once a session, before scripts and programs of a workspace that is not trusted run. */

import * as vscode from "vscode";

const QUESTION = "You do not trust this workspace. Run the script all the same?";
/** In place of "Cancel". Enter presses the first button of the list below, so that is one that runs nothing. */
const NOT_NOW: vscode.MessageItem = { title: "Not Now", isCloseAffordance: true };
const RUN: vscode.MessageItem = { title: "Run" };
const MANAGE: vscode.MessageItem = { title: "Manage Trust" };

export class Consent {
  private given = false;
  private isGivenForPrograms = false;

  /** @param tell is called when the answer was yes, before anything is run. */
  constructor(private readonly tell: () => Promise<void>) {}

  /** True if scripts may run without asking. */
  get isKnown(): boolean {
    return vscode.workspace.isTrusted || this.given;
  }

  /** Returns whether scripts may run; asks the user unless the answer is known. */
  async isGiven(question = QUESTION): Promise<boolean> {
    return this.isKnown || (await this.ask(question, "MLIR will be run"));
  }

  /** Returns whether a program may be executed, which is another consent than that to scripts. */
  async isGivenFor(program: string): Promise<boolean> {
    const question = `You do not trust this workspace. Execute ${program} all the same?`;
    const what = "Python will execute the program and what it imports, to see which scripts it builds";
    this.isGivenForPrograms ||= vscode.workspace.isTrusted || (await this.ask(question, what));
    return this.isGivenForPrograms;
  }

  private async ask(question: string, what: string): Promise<boolean> {
    const detail = `${what}, in a process of its own. Programs and Pythons that the workspace names in tdls.toml may be started.`;
    const answer = await vscode.window.showWarningMessage(
      question,
      { modal: true, detail },
      MANAGE,
      RUN,
      NOT_NOW,
    );
    if (answer === MANAGE) {
      await vscode.commands.executeCommand("workbench.trust.manage");
    }
    if (answer === RUN) {
      this.given = true;
      await this.tell();
    }
    return answer === RUN || vscode.workspace.isTrusted;
  }
}
