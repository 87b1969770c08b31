/** Before a script of a workspace that is not trusted runs, the user is asked, once a session. */

import * as vscode from "vscode";

const RUN = "Run";
const MANAGE = "Manage Trust";

export class Consent {
  private given = false;

  /** Tells whether scripts may run. */
  async isGiven(): Promise<boolean> {
    if (vscode.workspace.isTrusted || this.given) {
      return true;
    }
    const detail =
      "MLIR's interpreter will be run on the script, in a process of its own. Programs and Pythons that the workspace names in tdls.toml may be started.";
    const question = "You do not trust this workspace. Run the script all the same?";
    const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, RUN, MANAGE);
    if (answer === MANAGE) {
      await vscode.commands.executeCommand("workbench.trust.manage");
    }
    this.given = answer === RUN;
    return this.given;
  }
}
