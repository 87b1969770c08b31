/** Requests the user's consent, once a session, before a script of a workspace that is not trusted runs. */

import * as vscode from "vscode";

const QUESTION = "You do not trust this workspace. Run the script all the same?";
/** Comes first, since the first button is the one that Enter presses. */
const NOT_NOW = "Not Now";
const RUN = "Run";
const MANAGE = "Manage Trust";

export class Consent {
  private given = false;

  /** @param tell is called when the answer was yes, before anything is run. */
  constructor(private readonly tell: () => Promise<void>) {}

  /** True if scripts may run without asking. */
  get isKnown(): boolean {
    return vscode.workspace.isTrusted || this.given;
  }

  /** Returns whether scripts may run; asks the user unless the answer is known. */
  async isGiven(question = QUESTION): Promise<boolean> {
    if (this.isKnown) {
      return true;
    }
    const detail =
      "MLIR will be run, in a process of its own. Programs and Pythons that the workspace names in tdls.toml may be started.";
    const answer = await vscode.window.showWarningMessage(
      question,
      { modal: true, detail },
      NOT_NOW,
      RUN,
      MANAGE,
    );
    if (answer === MANAGE) {
      await vscode.commands.executeCommand("workbench.trust.manage");
    }
    this.given = answer === RUN;
    if (this.given) {
      await this.tell();
    }
    return this.isKnown;
  }
}
