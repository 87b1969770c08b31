/** Another extension for the language `mlir` is no hindrance, whichever is installed first. */

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { neighbour } from "./neighbour";
import { setUp } from "./setup";
import { Vscode } from "./vscode";
import { newWorkspace, PACKAGE, pythonWithMlir, SAMPLE } from "./workspace";

describe("beside another extension for MLIR", () => {
  const workspace = newWorkspace();
  let vscode: Vscode;

  before(async () => {
    const settings = { "tdls.python": pythonWithMlir() };
    const packages = [PACKAGE, await neighbour()];
    vscode = await Vscode.start(setUp(), { workspace, packages, isTrusted: true, settings });
    await vscode.open(SAMPLE);
  });

  afterEach((context) => vscode.shoot(`after: ${context.name}`.replace(/\W+/g, "-")));

  after(async () => {
    await vscode.stop();
    rmSync(dirname(workspace), { recursive: true });
  });

  it("shows findings and lenses once", async () => {
    await vscode.page.waitForSelector(".squiggly-warning");
    assert.equal(await vscode.page.locator(".squiggly-warning").count(), 1);
    await vscode.says(".contentWidgets", "Run | Diff");
    assert.equal(await vscode.page.locator(".codelens-decoration", { hasText: "Run" }).count(), 1);
  });

  it("has one language, with buttons and colours", async () => {
    await vscode.says(".statusbar-item[id='status.editor.mode']", "MLIR");
    await vscode.page.waitForSelector('.editor-actions a.action-label[aria-label^="Run"]');
    const line = vscode.page.locator(".view-line", { hasText: "transform.yield" }).first();
    const classes = await line
      .locator("span span")
      .evaluateAll((spans: Element[]) => spans.map((span) => span.getAttribute("class")));
    assert.ok(
      classes.some((name) => name !== "mtk1"),
      classes.join(" "),
    );
  });
});
