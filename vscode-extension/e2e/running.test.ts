/** What one sees when a script is run. */

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { setUp } from "./setup";
import { until, Vscode } from "./vscode";
import { newWorkspace, PACKAGE, placeIn, pythonWithMlir, SAMPLE, type Place } from "./workspace";

const PAYLOAD_TAB = '.tab[data-resource-name="sample.after.mlir"]';
const DECORATION = '[class*="TextEditorDecorationType"]';

describe("running a script", () => {
  const workspace = newWorkspace();
  let vscode: Vscode;

  before(async () => {
    repairSample();
    writeFileSync(join(workspace, "other.mlir"), PAYLOAD);
    const settings = { "tdls.python": pythonWithMlir() };
    vscode = await Vscode.start(setUp(), { workspace, packages: [PACKAGE], isTrusted: true, settings });
    await vscode.open(SAMPLE);
  });

  afterEach((context) => vscode.shoot(`after: ${context.name}`.replace(/\W+/g, "-")));

  after(async () => {
    await vscode.stop();
    rmSync(dirname(workspace), { recursive: true });
  });

  it("runs at a click, and shows the transformed payload beside the script", async () => {
    await button("Run").click();
    await vscode.page.waitForSelector(PAYLOAD_TAB);
    await vscode.says(payloadEditor, "scf.for", "linalg.matmul");
    await vscode.shoot("run");
  });

  it("tells in the script what each handle stood for", async () => {
    await vscode.says(scriptEditor, "1 x linalg.matmul");
  });

  it("names the MLIR that ran in the status bar", async () => {
    await vscode.says(".statusbar-item[id='tdls.tdls.tdls.status']", "tdls: MLIR");
  });

  it("marks what a handle stands for, before and after", async () => {
    await vscode.goTo(placeOf("%tiled, %loops", "%tiled"));
    await vscode.page.waitForSelector(`${scriptEditor} ${DECORATION}`);
    await vscode.page.waitForSelector(`${payloadEditor} ${DECORATION}`);
    await vscode.shoot("highlight");
  });

  it("marks the handles of an operation of the transformed payload", async () => {
    await vscode.page.locator(`${payloadEditor} .view-line`, { hasText: "linalg.matmul" }).first().click();
    await vscode.page.waitForSelector(`${scriptEditor} ${DECORATION}`);
    await vscode.shoot("highlight-back");
  });

  it("marks the handles of an operation of the source", async () => {
    await vscode.page.locator(`.tab[data-resource-name="${SAMPLE}"]`).click();
    await vscode.goTo([1, 1]);
    await vscode.page.waitForSelector(`${payloadEditor} ${DECORATION}`, { state: "detached" });
    await vscode.goTo(placeOf("linalg.matmul ins", "linalg"));
    await vscode.page.waitForSelector(`${payloadEditor} ${DECORATION}`);
    await vscode.shoot("highlight-source");
  });

  it("follows edits in the live preview", async () => {
    await vscode.page.locator(`.tab[data-resource-name="${SAMPLE}"]`).click();
    await vscode.goTo(placeOf("%tiled, %loops", "%tiled"));
    await button("Toggle Live Preview").click();
    await vscode.replace(placeOf("[8, 16]", "8"), "8", "4");
    await vscode.says(payloadEditor, "tensor<4x64xf32>");
    await vscode.shoot("live-preview");
    await button("Toggle Live Preview").click();
    await vscode.page.waitForSelector(PAYLOAD_TAB, { state: "detached" });
  });

  it("shows what the script changes", async () => {
    await button("Show What the Script Changes").click();
    await vscode.page.waitForSelector(".monaco-diff-editor .line-insert");
    await vscode.says(".monaco-diff-editor .modified .view-lines", "scf.for");
    await vscode.shoot("diff");
    await vscode.command("View: Close Editor");
  });

  it("runs up to the cursor", async () => {
    await vscode.goTo(placeOf("%tiled, %loops", "%tiled"));
    await vscode.command("MLIR Transform: Run to Here");
    await vscode.says(payloadEditor, "scf.for");
    await until(async () => !(await vscode.page.locator(payloadEditor).innerText()).includes("{tiled}"));
    await vscode.shoot("run-to-here");
  });

  it("lists sequences and handles in the side bar", async () => {
    await button("Run").click();
    await vscode.page.locator(".activitybar .action-label[aria-label='MLIR Transform']").click();
    await vscode.goTo(placeOf("transform.loop.unroll", "transform"));
    await vscode.says(".pane-body .monaco-list", "Handles at the Cursor", "%matmul", "consumed in line 16");
    await vscode.says(".pane-body .monaco-list", "Entry Points", "@__transform_main");
    await vscode.goTo([1, 1]);
    await vscode.goTo(placeOf("annotate %tiled", "%tiled"));
    await vscode.page.waitForSelector(`${payloadEditor} ${DECORATION}`);
    await vscode.shoot("view");
    await vscode.page.keyboard.press("Control+Shift+E");
    await vscode.page.locator(`.tab[data-resource-name="${SAMPLE}"]`).click();
  });

  it("runs on the payload that was chosen, and remembers it", async () => {
    await vscode.command("MLIR Transform: Choose Payload...");
    await vscode.pick("other", "other.mlir");
    await button("Run").click();
    await vscode.says(payloadEditor, "@other");
    await vscode.command("MLIR Transform: Choose Payload...");
    await vscode.pick("own", "The script's own module");
  });

  it("lets one choose where to start", async () => {
    await vscode.command("MLIR Transform: Choose Entry Point...");
    await vscode.says(".quick-input-list", "The usual one", "@__transform_main", "line 11");
    await vscode.pick("__transform_main", "@__transform_main");
    await button("Run").click();
    await vscode.says(payloadEditor, "@matmul");
  });

  it("shows what MLIR says of a script that fails", async () => {
    await vscode.replace(placeOf('"linalg.matmul"]', "linalg.matmul"), "linalg.matmul", "func.func");
    await button("Run").click();
    await vscode.page.waitForSelector(`${scriptEditor} .squiggly-error`);
    await vscode.command("View: Toggle Problems");
    await vscode.says(".markers-panel", "only ops implementing TilingInterface are supported");
    await vscode.shoot("failure");
  });

  it("runs a script that is in no file", async () => {
    await vscode.command("MLIR Transform: Open Sample Script");
    await vscode.page.waitForSelector('.tab.active[data-resource-name="Untitled-1"]');
    await vscode.page.waitForSelector(".editor-group-container.active .squiggly-warning");
    await button("Run").click();
    await vscode.page.waitForSelector(".editor-group-container.active .squiggly-error");
    await vscode.shoot("untitled");
  });

  const scriptEditor = `.editor-group-container:has(.tab[data-resource-name="${SAMPLE}"]) .editor-instance`;
  const payloadEditor = `.editor-group-container:has(${PAYLOAD_TAB}) .editor-instance`;

  const button = (title: string): ReturnType<Vscode["page"]["locator"]> =>
    vscode.page.locator(`.editor-actions a.action-label[aria-label^="${title}"]`).first();
  const content = (): string => readFileSync(join(workspace, SAMPLE), "utf-8");
  const placeOf = (phrase: string, word: string): Place => placeIn(content(), phrase, word);

  function repairSample(): void {
    const repaired = content()
      .replace("annotate %matmul", "annotate %tiled")
      .replace(/ The script has a mistake.*/, "");
    writeFileSync(join(workspace, SAMPLE), repaired);
  }
});

const PAYLOAD = `func.func @other(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>, %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>)
                     outs(%c : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
`;
