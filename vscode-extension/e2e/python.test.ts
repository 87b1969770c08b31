/** Without a Python that is new enough, a message advises the user. */

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { setUp } from "./setup";
import { Vscode } from "./vscode";
import { newWorkspace, PACKAGE, pythonWithMlir, SAMPLE } from "./workspace";

describe("a Python that is too old", () => {
  const workspace = newWorkspace();
  const folder = mkdtempSync(join(tmpdir(), "tdls-old-python-"));
  const python = join(folder, "python");
  let vscode: Vscode;

  before(async () => {
    writeFileSync(python, "#!/bin/sh\necho 3 9 /usr/bin/python3.9\n");
    chmodSync(python, 0o755);
    const settings = { "tdls.python": python };
    vscode = await Vscode.start(setUp(), { workspace, packages: [PACKAGE], isTrusted: true, settings });
    await vscode.open(SAMPLE);
  });

  afterEach((context) => vscode.shoot(`after: ${context.name}`.replace(/\W+/g, "-")));

  after(async () => {
    await vscode.stop();
    rmSync(dirname(workspace), { recursive: true });
    rmSync(folder, { recursive: true });
  });

  it("is named, with the requirements", async () => {
    const reason = `${python} (the setting tdls.python) is Python 3.9`;
    await vscode.says(".notifications-toasts", `tdls needs Python 3.10 or later: ${reason}`, "Open Settings");
    await vscode.page.waitForSelector(".statusbar-item[id='tdls.tdls.tdls.status'] .codicon-error");
  });

  it("leaves colours and brackets, and a restart brings the rest", async () => {
    await vscode.says(".statusbar-item[id='status.editor.mode']", "MLIR");
    writeFileSync(python, `#!/bin/sh\nexec '${pythonWithMlir()}' "$@"\n`);
    await vscode.command("MLIR Transform: Restart Server");
    await vscode.page.waitForSelector(".squiggly-warning");
  });
});
