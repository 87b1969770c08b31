/** Another extension for the language `mlir` is no hindrance, whichever is installed first. */

import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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

describe("sharing files with another server for MLIR", () => {
  const PAYLOAD = "payload.mlir";
  const workspace = newWorkspace();
  let vscode: Vscode;

  before(async () => {
    writeFileSync(join(workspace, PAYLOAD), "func.func @f(%x: i32) -> i32 {\n  return %x : i32\n}\n");
    const settings = { "tdls.python": pythonWithMlir(), "tdls.payloadFiles": false };
    const packages = [PACKAGE, await neighbour({ answers: true })];
    vscode = await Vscode.start(setUp(), { workspace, packages, isTrusted: true, settings });
  });

  afterEach((context) => vscode.shoot(`after: ${context.name}`.replace(/\W+/g, "-")));

  after(async () => {
    await vscode.stop();
    rmSync(dirname(workspace), { recursive: true });
  });

  it("has one hover and one list of errors in a script, those of tdls", async () => {
    await vscode.open(SAMPLE);
    await vscode.says(".statusbar-item[id='status.editor.mode']", "MLIR Transform");
    await vscode.page.waitForSelector(".squiggly-warning");
    assert.equal(await vscode.page.locator(".squiggly-error").count(), 0);
    assert.equal(await vscode.page.locator(".notification-toast", { hasText: "no setting" }).count(), 0);
    await vscode.page.waitForSelector('.editor-actions a.action-label[aria-label^="Run"]');
    const hover = await hoverAt("transform.yield", "transform.yield");
    assert.doesNotMatch(hover, /neighbour/);
    await vscode.shoot("neighbours-script");
  });

  it("has one hover and one list of errors in payload, those of the other", async () => {
    await vscode.open(PAYLOAD);
    await vscode.page.waitForSelector(".squiggly-error");
    const hover = await hoverAt("func.func", "the neighbour's hover");
    assert.doesNotMatch(hover, /symbol|defines/i);
    await vscode.shoot("neighbours-payload");
  });

  /** Returns what is said at a word, once that says `part`. */
  async function hoverAt(word: string, part: string): Promise<string> {
    await vscode.page.locator(".view-line span", { hasText: word }).last().hover();
    await vscode.says(".monaco-hover:not(.hidden)", part);
    return vscode.page.locator(".monaco-hover:not(.hidden)").first().innerText();
  }
});
