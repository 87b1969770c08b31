/** Without MLIR, running a script offers to install it, and does nothing on its own. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { setUp } from "./setup";
import { until, Vscode } from "./vscode";
import { newWorkspace, PACKAGE, PAYLOAD, pythonWithMlir, SAMPLE } from "./workspace";

const PAYLOAD_TAB = '.tab[data-resource-name="sample.after.mlir"]';
/** The newest tool that the set-up of tests installs, where it can. */
const TOOL = "mlir-opt-22";
const DIALOG = ".monaco-dialog-box";
const INSTALLATION_MILLISECONDS = 240_000;

describe("a machine without MLIR", () => {
  const workspace = newWorkspace();
  const bare = mkdtempSync(join(tmpdir(), "tdls-bare-python-"));
  let vscode: Vscode;

  before(async () => {
    vscode = await startWithout(bare, workspace);
  });

  afterEach((context) => vscode.shoot(`after: ${context.name}`.replace(/\W+/g, "-")));

  after(async () => {
    await vscode.stop();
    rmSync(dirname(workspace), { recursive: true });
    rmSync(bare, { recursive: true });
  });

  const answer = (button: string): Promise<void> =>
    vscode.page.locator(`${DIALOG} .monaco-button`, { hasText: button }).click();
  const run = (): Promise<void> =>
    vscode.page.locator('.editor-actions a.action-label[aria-label^="Run"]').first().click();
  const runtime = (): string =>
    join(vscode.home, "data", "data", "User", "globalStorage", "tdls.tdls", "mlir");

  it("reports an operation that no MLIR has, in payload, too", async () => {
    await vscode.open(PAYLOAD.name);
    await vscode.page.waitForSelector(".squiggly-error");
    await vscode.command("View: Close Editor");
    await vscode.page.waitForSelector(".squiggly-error", { state: "detached" });
  });

  it("asks before it installs anything", async () => {
    await run();
    const offered = isToolThere() ? [`Use ${TOOL} (found)`] : [];
    await vscode.says(DIALOG, "Running a script needs MLIR", "torch-mlir", ...offered);
    await vscode.shoot("install");
    await answer("Cancel");
    await vscode.page.waitForSelector(DIALOG, { state: "detached" });
    assert.ok(!existsSync(runtime()));
  });

  it("stops installing on request, and leaves nothing", async () => {
    await run();
    await answer("Install");
    await vscode.says(".notifications-toasts", "MLIR runtime");
    await vscode.shoot("installing");
    await vscode.page.locator(".notifications-toasts .monaco-button", { hasText: "Cancel" }).click();
    await until(() => Promise.resolve(!existsSync(runtime())));
    await vscode.page.waitForSelector(".notifications-toasts .notification-toast", { state: "detached" });
  });

  it("installs MLIR on request, and runs the script", async () => {
    await vscode.command("MLIR Transform: Install MLIR Runtime");
    await answer("Install");
    const mark = join(runtime(), "tdls-complete");
    await until(() => Promise.resolve(existsSync(mark)), INSTALLATION_MILLISECONDS);
    await run();
    await vscode.page.waitForSelector(PAYLOAD_TAB);
    await vscode.says(".editor-instance", "scf.for");
  });

  it("tells the doctor about it", async () => {
    await vscode.command("MLIR Transform: Doctor");
    await vscode.says(".editor-instance", "scripts can be run, with torch-mlir", "tdls/mlir/");
    await vscode.shoot("doctor");
  });
});

describe("a machine without MLIR but with a tool", { skip: !isToolThere() }, () => {
  const workspace = newWorkspace();
  const bare = mkdtempSync(join(tmpdir(), "tdls-bare-python-"));
  let vscode: Vscode;

  before(async () => {
    vscode = await startWithout(bare, workspace);
  });

  after(async () => {
    await vscode.stop();
    rmSync(dirname(workspace), { recursive: true });
    rmSync(bare, { recursive: true });
  });

  it("uses the tool that was found from a click on", async () => {
    const run = vscode.page.locator('.editor-actions a.action-label[aria-label^="Run"]').first();
    await run.click();
    await vscode.page.locator(`${DIALOG} .monaco-button`, { hasText: `Use ${TOOL} (found)` }).click();
    await vscode.page.waitForSelector(PAYLOAD_TAB);
    await vscode.says(`.editor-group-container:has(${PAYLOAD_TAB}) .editor-instance`, "scf.for");
    await vscode.says(".statusbar-item[id='tdls.tdls.tdls.status']", "tdls: MLIR 22");
    await vscode.shoot("tool");
    await run.click();
    await vscode.says(".statusbar", "ran in");
    assert.equal(await vscode.page.locator(DIALOG).count(), 0);
  });
});

/** Starts VS Code with a Python that has no MLIR, which is made in the folder `bare`. */
async function startWithout(bare: string, workspace: string): Promise<Vscode> {
  const made = spawnSync(pythonWithMlir(), ["-m", "venv", bare]);
  assert.equal(made.status, 0, made.stderr.toString());
  writeFileSync(join(workspace, PAYLOAD.name), PAYLOAD.text);
  const sample = join(workspace, SAMPLE);
  writeFileSync(sample, readFileSync(sample, "utf-8").replace("annotate %matmul", "annotate %tiled"));
  const settings = { "tdls.python": join(bare, "bin", "python") };
  const vscode = await Vscode.start(setUp(), { workspace, packages: [PACKAGE], isTrusted: true, settings });
  await vscode.open(SAMPLE);
  return vscode;
}

function isToolThere(): boolean {
  return spawnSync(TOOL, ["--version"]).status === 0;
}
