/** Views and messages of a run. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { setUp } from "./setup";
import { clickFor, until, Vscode } from "./vscode";
import { newWorkspace, PACKAGE, placeIn, pythonWithMlir, SAMPLE, type Place } from "./workspace";

const PAYLOAD_TAB = '.tab[data-resource-name="sample.after.mlir"]';
const LENS = ".codelens-decoration a";
const DECORATION = '[class*="TextEditorDecorationType"]';

describe("running a script", () => {
  const workspace = newWorkspace();
  let vscode: Vscode;

  before(async () => {
    repairSample();
    writeFileSync(join(workspace, "other.mlir"), PAYLOAD);
    writeFileSync(join(workspace, "search.mlir"), SEARCH);
    writeBytecode(join(workspace, "code.mlirbc"));
    const settings = { "tdls.python": pythonWithMlir() };
    vscode = await Vscode.start(setUp(), { workspace, packages: [PACKAGE], isTrusted: true, settings });
    await vscode.open(SAMPLE);
  });

  afterEach((context) => vscode.shoot(`after: ${context.name}`.replace(/\W+/g, "-")));

  after(async () => {
    await vscode.stop();
    rmSync(dirname(workspace), { recursive: true });
  });

  it("runs at a click, and shows the transformed payload next to the script", async () => {
    await button("Run").click();
    await vscode.page.waitForSelector(PAYLOAD_TAB);
    await vscode.says(payloadEditor, "scf.for", "linalg.matmul");
    await vscode.shoot("run");
  });

  it("shows the payload of each handle in the script", async () => {
    await vscode.says(scriptEditor, "1 x linalg.matmul");
  });

  it("names the MLIR that ran in the status bar", async () => {
    await vscode.says(".statusbar-item[id='tdls.tdls.tdls.status']", "mlir");
  });

  it("marks the payload of a handle, before and after", async () => {
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

  it("shows the changes of the script", async () => {
    await button("Show What the Script Changes").click();
    await vscode.page.waitForSelector(".monaco-diff-editor .line-insert");
    await vscode.says(".monaco-diff-editor .modified .view-lines", "scf.for");
    await vscode.shoot("diff");
    await vscode.command("View: Close Editor");
  });

  it("compares what another script makes of the payload", async () => {
    const other = join(workspace, "unrolled.mlir");
    writeFileSync(other, readFileSync(join(workspace, SAMPLE), "utf-8").replace("factor = 2", "factor = 4"));
    await vscode.command("MLIR Transform: Compare with...");
    await vscode.pick("unrolled", "unrolled.mlir");
    await vscode.page.waitForSelector(".monaco-diff-editor .line-delete");
    await vscode.shoot("compare");
    await vscode.command("View: Close Editor");
    rmSync(other);
  });

  it("runs up to the cursor", async () => {
    await vscode.goTo(placeOf("%tiled, %loops", "%tiled"));
    await vscode.command("MLIR Transform: Run to Here");
    const line = placeOf("%tiled, %loops", "%tiled")[0];
    const tab = `.tab[data-resource-name="sample.to-line-${line}.after.mlir"]`;
    await vscode.page.waitForSelector(tab);
    const stoppedEditor = `.editor-group-container:has(${tab}) .editor-instance`;
    await vscode.says(stoppedEditor, "scf.for");
    await until(async () => !(await vscode.page.locator(stoppedEditor).innerText()).includes("{tiled}"));
    await vscode.says(".statusbar", `ran to line ${line} in`);
    await until(() => vscode.page.evaluate(saysThatItStopped));
    await vscode.shoot("run-to-here");
  });

  it("marks a view that shows the payload of an older script", async () => {
    const line = placeOf("%tiled, %loops", "%tiled")[0];
    const tab = `.tab[data-resource-name="sample.to-line-${line}.after.mlir"]`;
    await vscode.page.locator(`.tab[data-resource-name="${SAMPLE}"]`).click();
    await vscode.replace(placeOf("factor = 2", "2"), "2", "4");
    await vscode.page.waitForSelector(`${tab} [class*="monaco-decoration-itemBadge"]`);
    await vscode.shoot("outdated");
    await vscode.command("File: Revert File");
    await vscode.page.waitForSelector(".tab.active:not(.dirty)");
  });

  it("lists the steps that work, and inserts one", async () => {
    await vscode.goTo(placeOf("transform.structured.match", "transform"));
    await vscode.page.keyboard.press("Control+.");
    await vscode.says(".action-widget", "Steps that work here");
    await vscode.page.keyboard.press("ArrowUp");
    await vscode.page.keyboard.press("Enter");
    await vscode.says(".action-widget", "structured.vectorize %matmul");
    await vscode.shoot("steps");
    await vscode.page.keyboard.press("Enter");
    await vscode.page.waitForSelector(".tab.active.dirty");
    await vscode.command("File: Revert File");
    await vscode.page.waitForSelector(".tab.active:not(.dirty)");
  });

  it("runs on the payload that was chosen, and remembers it", async () => {
    await vscode.command("MLIR Transform: Choose Payload...");
    await vscode.pick("other", "other.mlir");
    await button("Run").click();
    await vscode.says(payloadEditor, "@other");
    await vscode.command("MLIR Transform: Choose Payload...");
    await vscode.pick("own", "The script's own module");
  });

  it("checks a script with a payload as soon as that is chosen", async () => {
    const squiggle = ".editor-group-container.active .squiggly-warning";
    await vscode.open("search.mlir");
    await vscode.goTo(placeIn(SEARCH, "structured.match", "match"));
    await vscode.page.waitForSelector(`.editor-group-container.active ${LENS}`);
    await vscode.command("MLIR Transform: Choose Payload...");
    await vscode.pick("other", "other.mlir");
    await vscode.page.waitForSelector(squiggle);
    await vscode.shoot("chosen-payload");
    await vscode.command("MLIR Transform: Choose Payload...");
    await vscode.pick("own", "The script's own module");
    await vscode.page.waitForSelector(squiggle, { state: "detached" });
    await vscode.command("View: Close Editor");
    await vscode.page.locator(`.tab[data-resource-name="${SAMPLE}"]`).click();
  });

  it("says that a script has no payload, until it has one", async () => {
    const toast = vscode.page.locator(".notifications-toasts .notification-toast", { hasText: "no payload" });
    await vscode.open("search.mlir");
    await clickFor(button("Run"), toast);
    await vscode.command("MLIR Transform: Choose Payload...");
    await vscode.pick("other", "other.mlir");
    await button("Run").click();
    await vscode.says(".statusbar", "search.mlir ran in");
    await toast.waitFor({ state: "detached" });
    await vscode.command("View: Close Editor");
    await vscode.page.locator(`.tab[data-resource-name="${SAMPLE}"]`).click();
  });

  it("lets one choose where to start", async () => {
    await vscode.command("MLIR Transform: Choose Entry Point...");
    await vscode.says(".quick-input-list", "The usual one", "@__transform_main", "line 11");
    await vscode.pick("__transform_main", "@__transform_main");
    await button("Run").click();
    await vscode.says(payloadEditor, "@matmul");
  });

  it("shows MLIR's messages about a script that fails", async () => {
    await vscode.replace(placeOf('"linalg.matmul"]', "linalg.matmul"), "linalg.matmul", "func.func");
    await button("Run").click();
    await vscode.page.waitForSelector(`${scriptEditor} .squiggly-error`);
    await vscode.command("View: Toggle Problems");
    await vscode.says(".markers-panel", "only ops implementing TilingInterface are supported");
    await vscode.shoot("failure");
  });

  it("leads from a failure to the payload before it", async () => {
    const tab = '.tab[data-resource-name="sample.before-failure.mlir"]';
    await vscode.goTo(placeOf("structured.tile_using_for", "structured"));
    await vscode.page.keyboard.press("Control+.");
    await vscode.says(".action-widget", "Show the payload before this step");
    await vscode.shoot("failure-action");
    await vscode.page
      .locator(".action-widget .monaco-list-row", { hasText: "Show the payload before" })
      .click();
    await vscode.page.waitForSelector(tab);
    await vscode.says(`.editor-group-container:has(${tab}) .editor-instance`, "linalg.matmul");
    await vscode.shoot("before-failure");
  });

  it("has the payload before a failure among the related places", async () => {
    await vscode.page
      .locator(".markers-panel .monaco-list-row", { hasText: "the payload right before this step" })
      .dblclick();
    await vscode.page.waitForSelector('.tab.active[data-resource-name="sample.before-failure.mlir"]');
    await vscode.page.locator(`.tab[data-resource-name="${SAMPLE}"]`).click();
  });

  it("runs a script that is in no file", async () => {
    await vscode.command("MLIR Transform: Open Sample Script");
    await vscode.page.waitForSelector('.tab.active[data-resource-name="Untitled-1"]');
    await vscode.page.waitForSelector(".editor-group-container.active .squiggly-warning");
    await button("Run").click();
    await vscode.page.waitForSelector(".editor-group-container.active .squiggly-error");
    await vscode.shoot("untitled");
  });

  it("opens bytecode as text, which cannot be edited", async () => {
    const row = vscode.page.locator(".explorer-folders-view .monaco-list-row", { hasText: "code.mlirbc" });
    await row.dblclick();
    const editor =
      '.editor-group-container:has(.tab.active[data-resource-name="code.mlir"]) .editor-instance';
    await vscode.says(editor, "linalg.matmul ins(");
    await vscode.page.waitForSelector(`${editor} .monaco-editor .mtk5, ${editor} .monaco-editor .mtk6`);
    await vscode.page.locator(`${editor} .view-line`).first().click();
    await vscode.page.keyboard.type("x");
    await vscode.says(editor, "Cannot edit in read-only editor");
    await vscode.shoot("bytecode");
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

function writeBytecode(file: string): void {
  const program = `import sys, torch_mlir.ir as ir
with ir.Context(), open(sys.argv[1], "wb") as file:
    ir.Module.parse(sys.stdin.read()).operation.write_bytecode(file)`;
  const done = spawnSync(pythonWithMlir(), ["-c", program, file], { input: PAYLOAD });
  assert.equal(done.status, 0, done.stderr.toString());
}

/** Returns whether a decoration marks the line where a run stopped; decorations are no text of the page. */
function saysThatItStopped(): boolean {
  const decorations = document.querySelectorAll('[class*="TextEditorDecorationType"]');
  const contents = Array.from(decorations).map((element) => getComputedStyle(element, "::after").content);
  return contents.some((content) => content.includes("the run stopped here"));
}

const PAYLOAD = `func.func @other(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>, %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>)
                     outs(%c : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
`;
/** Finds something in none of the payloads, which is said where there is one. */
const SEARCH = `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %exp "found" : !transform.any_op
    transform.yield
  }
}
`;
