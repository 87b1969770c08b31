/** In a workspace that is not trusted, scripts are analysed, and run at the user's request only. */

import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { setUp } from "./setup";
import { Vscode } from "./vscode";
import { newWorkspace, PACKAGE, placeIn, pythonWithMlir, SAMPLE, setTraps } from "./workspace";

const PAYLOAD_TAB = '.tab[data-resource-name="sample.after.mlir"]';
const DIALOG = ".monaco-dialog-box";
const WRONG = "transform.loop.unroll %product {factor = 2}";
const FAILING = `module attributes {transform.with_named_sequence} {
  func.func @f(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %z = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%y : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %z : tensor<4x4xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %product = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    ${WRONG} : !transform.any_op
    transform.yield
  }
}
`;

describe("a workspace that is not trusted", () => {
  const workspace = newWorkspace();
  const trap = join(workspace, "trap");
  const mark = join(workspace, "trap-was-started");
  const project = join(workspace, "tdls.toml");
  let vscode: Vscode;

  before(async () => {
    setTraps(workspace);
    writeFileSync(join(workspace, "failing.mlir"), FAILING);
    writeFileSync(trap, `#!/bin/sh\ntouch '${mark}'\n`);
    chmodSync(trap, 0o755);
    mkdirSync(join(workspace, ".vscode"));
    const settings = { "tdls.python": trap, "tdls.run.python": trap, "tdls.run.refresh": "type" };
    writeFileSync(join(workspace, ".vscode", "settings.json"), JSON.stringify(settings));
    writeFileSync(
      join(workspace, "schedule.py"),
      [
        "from mlir.dialects import transform\nfrom mlir.ir import Module\n\n",
        "def build():\n    module = Module.create()\n    transform.NamedSequenceOp('main', [], [])\n    return module\n",
      ].join("\n"),
    );
    writeFileSync(project, `[run]\npython = ${JSON.stringify(trap)}\n`);
    const own = { "tdls.python": pythonWithMlir() };
    vscode = await Vscode.start(setUp(), { workspace, packages: [PACKAGE], isTrusted: false, settings: own });
  });

  afterEach((context) => vscode.shoot(`after: ${context.name}`.replace(/\W+/g, "-")));

  after(async () => {
    await vscode.stop();
    rmSync(dirname(workspace), { recursive: true });
  });

  const answer = (button: string): Promise<void> =>
    vscode.page.locator(`${DIALOG} .monaco-button`, { hasText: button }).click();
  /** Presses Enter, which runs nothing: it leads to where trust is given. */
  const decline = async (): Promise<void> => {
    await vscode.page.keyboard.press("Enter");
    await vscode.page.waitForSelector(DIALOG, { state: "detached" });
    await vscode.close("Workspace Trust");
  };
  const run = (): Promise<void> =>
    vscode.page.locator('.editor-actions a.action-label[aria-label^="Run"]').first().click();

  it("is analysed", async () => {
    await answer("No, I don't trust the authors");
    await vscode.open(SAMPLE);
    await vscode.page.waitForSelector(".squiggly-warning");
    await vscode.shoot("restricted-mode");
  });

  it("does not run when the answer is no", async () => {
    await run();
    await vscode.says(DIALOG, "You do not trust this workspace. Run the script all the same?");
    await vscode.shoot("consent");
    await decline();
    await vscode.says(".statusbar-item[id='tdls.tdls.tdls.status']", "tdls");
    assert.equal(await vscode.page.locator(PAYLOAD_TAB).count(), 0);
  });

  it("executes no program without a question that says so", async () => {
    await vscode.open("schedule.py");
    await vscode.command("MLIR Transform: Check Schedule");
    await vscode.says(DIALOG, "Execute schedule.py all the same?", "Python will execute the program");
    await vscode.shoot("consent-to-program");
    await decline();
    await vscode.open(SAMPLE);
  });

  it("has started none of the programs that it names", () => {
    assert.ok(!existsSync(mark));
  });

  it("runs when the answer is yes, and shows a failure at its place only", async () => {
    rmSync(project);
    await vscode.command("MLIR Transform: Restart Server");
    await run();
    await answer("Run");
    await vscode.says(".editor-instance .view-lines", "1 x linalg.matmul");
    await vscode.page.waitForSelector(".squiggly-warning, .squiggly-error");
    assert.equal(await vscode.page.locator(".notifications-toasts", { hasText: "Show Problems" }).count(), 0);
  });

  it("shows no failure that was repaired while the state was closed", async () => {
    const shown = vscode.page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
    const show = (): Promise<void> =>
      vscode.page
        .locator('.editor-actions a.action-label[aria-label^="Show Transform State"]')
        .first()
        .click();
    await vscode.open("failing.mlir");
    await vscode.goTo(placeIn(FAILING, WRONG, WRONG));
    await show();
    await shown.locator("h1.failed", { hasText: "loop.unroll" }).waitFor();
    await vscode.close("Transform State");
    await vscode.page.locator('.tab[data-resource-name="failing.mlir"]').click();
    await vscode.replace(placeIn(FAILING, WRONG, WRONG), WRONG, 'transform.annotate %product "repaired"');
    await vscode.page.keyboard.press("Control+S");
    await show();
    await shown.locator("h1", { hasText: "transform.annotate" }).waitFor();
    assert.equal(await shown.locator(".notice, .failed").count(), 0);
  });

  it("runs with the programs of the user alone", () => {
    assert.ok(!existsSync(mark));
  });
});
