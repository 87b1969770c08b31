/** The view "Transform State": payload and handles at the cursor, in a recorded run. */

import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import type { FrameLocator, Locator } from "playwright-core";
import { setUp } from "./setup";
import { until, Vscode } from "./vscode";
import { newWorkspace, PACKAGE, placeIn, pythonWithMlir, type Place } from "./workspace";

const SCRIPT = "schedule.mlir";
const CURSOR = ".editor-instance .active-line-number";
const ANY = "!transform.any_op";
const PAYLOAD = `func.func @layer(%x: tensor<64x32xf32>, %w: tensor<32x16xf32>, %out: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%out : tensor<64x16xf32>) -> tensor<64x16xf32>
  %product = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x16xf32>)
                           outs(%init : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %product : tensor<64x16xf32>
}
`;
const TEXT = `// tdls: payload=payload.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @mark(%op: ${ANY} {transform.readonly}) {
    transform.annotate %op "seen" : ${ANY}
    transform.yield
  }

  transform.named_sequence @__transform_main(%root: ${ANY} {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (${ANY}) -> ${ANY}
    %size = transform.param.constant 8 : i64 -> !transform.param<i64>
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [8]
        : (${ANY}) -> (${ANY}, ${ANY})
    %all = transform.structured.match interface{LinalgOp} in %root : (${ANY}) -> ${ANY}
    transform.foreach %all : ${ANY} {
    ^bb0(%each: ${ANY}):
      transform.include @mark failures(propagate) (%each) : (${ANY}) -> ()
    }
    %none = transform.structured.match ops{["func.call"]} in %root : (${ANY}) -> ${ANY}
    transform.apply_cse to %root : ${ANY}
    transform.yield
  }
}
`;

describe("the state at the cursor", () => {
  const workspace = newWorkspace();
  let vscode: Vscode;

  before(async () => {
    writeFileSync(join(workspace, "payload.mlir"), PAYLOAD);
    writeFileSync(join(workspace, SCRIPT), TEXT);
    const settings = { "tdls.python": pythonWithMlir() };
    vscode = await Vscode.start(setUp(), { workspace, packages: [PACKAGE], isTrusted: true, settings });
    await vscode.page.setViewportSize({ width: 1400, height: 840 });
    await vscode.open(SCRIPT);
  });

  afterEach((context) => vscode.shoot(`after: ${context.name}`.replace(/\W+/g, "-")));

  after(async () => {
    await vscode.stop();
    rmSync(dirname(workspace), { recursive: true });
  });

  it("is shown next to the script, recorded at once", async () => {
    await goTo(placeOf("transform.structured.tile_using_for"));
    await vscode.page
      .locator('.editor-actions a.action-label[aria-label^="Show Transform State"]')
      .first()
      .click();
    await says("h1", "transform.structured.tile_using_for");
    await says("tbody", "%matmul", "stale since", "%tiled", "1 linalg.matmul", "%loop", "1 scf.for", "= 8");
    const [first, second] = await view().locator(".handles tbody tr").allInnerTexts();
    assert.match(`${first} ${second}`, /%tiled.*%loop/s);
    await says(".spoken[role=status]", "Step 3, transform.structured.tile_using_for", "%loop: 1 scf.for");
    await says(".payload", "scf.for");
    await view().locator(".row.added").first().waitFor();
    await view().locator(".row.added .mlir-operation", { hasText: "scf.for" }).waitFor();
    const height = async (selector: string): Promise<number> =>
      (await view().locator(selector).boundingBox())?.height ?? 0;
    assert.ok(2 * (await height(".payload")) >= (await height(".state")) - 24);
    await vscode.page.keyboard.press("Control+B");
    await vscode.shoot("state");
    await vscode.page.keyboard.press("Control+B");
  });

  it("follows the cursor", async () => {
    await goTo(placeOf("transform.structured.match ops"));
    await says("h1", "1. transform.structured.match");
    await says(".payload", "It changed nothing");
    await goTo(placeOf("transform.structured.tile_using_for"));
    await says("h1", "3. transform.structured.tile_using_for");
  });

  it("has panes that one can size, and that scroll where there is little room", async () => {
    const state = view().locator(".state");
    const box = await state.boundingBox();
    assert.ok(box !== null);
    await vscode.page.mouse.move(box.x + box.width - 4, box.y + box.height - 4);
    await vscode.page.mouse.down();
    await vscode.page.mouse.move(box.x + box.width - 4, box.y + box.height - 104);
    await vscode.page.mouse.up();
    await until(async () => ((await state.boundingBox())?.height ?? 0) < box.height - 80);
    await vscode.page.setViewportSize({ width: 700, height: 420 }); // as at 200 % zoom
    await view().locator("#timeline .row", { hasText: "apply_cse" }).scrollIntoViewIfNeeded();
    assert.ok(((await view().locator("#timeline").boundingBox())?.height ?? 0) > 60);
    await vscode.shoot("state-zoomed");
    await vscode.page.setViewportSize({ width: 1400, height: 840 });
  });

  it("says that no step failed", async () => {
    await button("Failure").click();
    await vscode.says(".statusbar", "No step failed.");
  });

  it("steps, into bodies and out of them, and the cursor goes with it", async () => {
    await button("Step").click();
    await button("Step").click();
    await says("h1", "5. transform.foreach");
    await vscode.says(CURSOR, "15");
    await button("Into").click();
    await says("h1", "6. transform.include");
    await button("Into").click();
    await says("h1", "7. transform.annotate");
    await says("nav", "foreach", "include");
    await vscode.says(CURSOR, "4");
    await vscode.shoot("state-inside");
    await button("Out").click();
    await says("h1", "6. transform.include");
    await button("Back").click();
    await says("h1", "5. transform.foreach");
    await button("Back").click();
    await says("h1", "4. transform.structured.match");
  });

  it("lets one choose the iteration, and stays in it", async () => {
    await goTo(placeOf("transform.include"));
    await says("h1", "6. transform.include");
    await says(".execution", "1: foreach 1 of 2", "2: foreach 2 of 2");
    await view().locator("#execution").selectOption({ index: 1 });
    await says("h1", "8. transform.include");
    await goTo(placeOf("transform.annotate"));
    await says("h1", "9. transform.annotate");
    await says("nav", "foreach #2", "include");
  });

  it("steps by keys, in the script and in the view", async () => {
    await goTo(placeOf("transform.structured.tile_using_for"));
    await says("h1", "3. transform");
    await vscode.page.keyboard.press("Control+F10");
    await says("h1", "4. transform.structured.match");
    await vscode.page.keyboard.press("Control+Shift+F10");
    await says("h1", "3. transform");
    await view().locator("#timeline").focus();
    await vscode.page.keyboard.press("ArrowDown");
    await says("h1", "4. transform.structured.match");
    await vscode.page.keyboard.press("n");
    await says("h1", "5. transform.foreach");
    await vscode.page.keyboard.press("Control+F11");
    await says("h1", "6. transform.include");
  });

  it("shows the origin of a line, and goes back to the step that changed it", async () => {
    await view().locator("#timeline .row", { hasText: "apply_cse" }).click();
    await says("h1", "11. transform.apply_cse");
    await view().locator(".tabs button", { hasText: "After" }).click();
    await view().locator("#payload .row", { hasText: "linalg.matmul" }).click();
    await says(".history", "changed by step 9, annotate", "made by step 3, structured.tile_using_for");
    await vscode.shoot("state-history");
    await button("Previous Change").click();
    await says("h1", "9. transform.annotate");
    await button("Previous Change").click();
    await says("h1", "3. transform.structured.tile_using_for");
    await view().locator(".tabs button", { hasText: "Changes" }).click();
  });

  it("leads from a handle to its payload", async () => {
    await view().locator("tr", { hasText: "%loop" }).locator("button", { hasText: "1 scf.for" }).click();
    await vscode.page.waitForSelector('.tab.active[data-resource-name="schedule.state-3.mlir"]');
    await vscode.says(".statusbar-item[id='status.editor.selection']", "Ln 8,", "selected");
    await vscode.page.locator(`.tab[data-resource-name="${SCRIPT}"]`).click();
  });

  it("opens the difference of a step", async () => {
    await goTo(placeOf("transform.structured.tile_using_for"));
    await says("h1", "3. transform");
    await button("Difference").click();
    await vscode.page.waitForSelector(".monaco-diff-editor .line-insert");
    await vscode.says(".monaco-diff-editor .modified .view-lines", "scf.for");
    await vscode.shoot("state-difference");
    await vscode.page.locator(`.tab[data-resource-name="${SCRIPT}"]`).click();
  });

  it("keeps the last good recording while a script is half typed", async () => {
    await goTo(placeOf("transform.apply_cse"));
    await vscode.page.keyboard.type("%half = ");
    await vscode.page.keyboard.press("Escape");
    await says(".notice", "The script was edited since this was recorded");
    await vscode.page.keyboard.press("Control+S");
    await says(".notice", "This is the last good recording");
    await goTo(placeOf("transform.structured.tile_using_for"));
    await says("h1", "3. transform.structured.tile_using_for");
    await vscode.shoot("state-outdated");
    await vscode.replace(placeOf("%half = "), "%half = ", "");
    await vscode.page.keyboard.press("Control+S");
    await view().locator(".notice").waitFor({ state: "detached" });
  });

  it("records what was saved while it was closed", async () => {
    await vscode.close("Transform State");
    await edit("8 : i64", "9 : i64");
    await vscode.command("MLIR Transform: Show Transform State");
    await says("tbody", "= 9");
    assert.equal(await view().locator(".notice").count(), 0);
    await edit("9 : i64", "8 : i64");
    await says("tbody", "= 8");
  });

  it("leads to the step that failed, with the reason", async () => {
    await edit("(%each) :", "(%matmul) :");
    await says(".heading", "script failed at ");
    await button("Failure").click();
    await says("h1.failed", "transform.include");
    await says(".failure", "error:", "invalidated");
    await says(".handles", "Handles before this step", "%matmul", "stale since step 3");
    await view().locator(".failure summary").click();
    await says(".failure", "note: handle to invalidated ops");
    await says('.tabs button[aria-selected="true"]', "Before");
    await says(".payload", "scf.for");
    await vscode.shoot("state-failure");
    await edit("(%matmul) :", "(%each) :");
    await says(".heading", "success");
  });

  it("keeps the handles and the operation of a failed step in sight where there is little room", async () => {
    await vscode.page.setViewportSize({ width: 1280, height: 720 });
    await edit("apply_cse to %root", "loop.unroll %tiled {factor = 2}");
    await says(".heading", "script failed at ");
    await button("Failure").click();
    await says("h1.failed", "transform.loop.unroll");
    await says("#payload .row.marked", "linalg.matmul");
    for (const [width, height] of [
      [1280, 720],
      [700, 420], // as at 200 % zoom
    ] as const) {
      await vscode.page.setViewportSize({ width, height });
      await until(async () => {
        const boxes = await Promise.all(
          [".handles", "#payload"].map((it) => view().locator(it).boundingBox()),
        );
        const inSight = boxes.map((box) => (box === null ? 0 : Math.min(box.height, height - 22 - box.y)));
        return inSight.every((pixels) => pixels > 40); // above the status bar
      });
      await vscode.shoot(`state-failure-${width}`);
    }
    await vscode.page.setViewportSize({ width: 1280, height: 720 });
    for (const theme of ["Dark High Contrast", "Light Modern", "Dark Modern"]) {
      await vscode.command("Preferences: Color Theme");
      await vscode.pick(theme, theme);
      await vscode.shoot(`state-failure-${theme.replaceAll(" ", "-")}`);
    }
    await vscode.page.setViewportSize({ width: 1400, height: 840 });
    await edit("loop.unroll %tiled {factor = 2}", "apply_cse to %root");
    await says(".heading", "success");
  });

  it("names missing programs, and helps", async () => {
    await edit("payload=payload", "payload=nowhere");
    await says(".notice", "nowhere.mlir");
    await vscode.command("View: Close All Editors");
    await vscode.open(SCRIPT);
    await vscode.command("MLIR Transform: Restart Server");
    await vscode.page
      .locator('.editor-actions a.action-label[aria-label^="Show Transform State"]')
      .first()
      .click();
    await says(".empty", "The script cannot be run as it is", "nowhere.mlir");
    await vscode.shoot("state-no-payload");
    await view().locator(".empty button", { hasText: "Choose Payload..." }).click();
    await vscode.pick("payload", "payload.mlir");
    await says("#timeline", "tile_using_for");
  });

  it("shows where a payload does not parse", async () => {
    writeFileSync(join(workspace, "payload.mlir"), PAYLOAD.replace("linalg.fill ins", "linalg.fill in"));
    await vscode.command("MLIR Transform: Record Transform State");
    await says(".notice", "MLIR cannot parse payload.mlir");
    writeFileSync(join(workspace, "payload.mlir"), PAYLOAD);
    await button("Record").click();
    await view().locator(".notice").waitFor({ state: "detached" });
  });

  /** Puts the cursor at a place of the script, wherever the focus is. */
  async function goTo(place: Place): Promise<void> {
    await vscode.page.locator(`.tab[data-resource-name="${SCRIPT}"]`).click();
    await vscode.goTo(place);
  }

  /** Writes `after` in place of `before`, which has to be in the script, and saves that. */
  async function edit(before: string, after: string): Promise<void> {
    await goTo(placeOf(before));
    await vscode.replace(placeOf(before), before, after);
    await vscode.page.keyboard.press("Control+S");
  }

  const button = (label: string): Locator => view().locator(`.bar button[aria-label="${label}"]`);
  const view = (): FrameLocator =>
    vscode.page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");

  /** Waits until a part of the view says all of `words`. */
  async function says(selector: string, ...words: string[]): Promise<void> {
    let said = "";
    await until(async () => {
      const texts = await view().locator(selector).allInnerTexts();
      said = texts.join(" ").replace(/\s+/g, " ");
      return words.every((word) => said.includes(word));
    }).catch(() => {
      throw new Error(`${selector} does not say ${words.join(", ")} but: ${said}`);
    });
  }

  const content = (): string => readFileSync(join(workspace, SCRIPT), "utf-8");
  const placeOf = (phrase: string): Place => placeIn(content(), phrase, phrase);
});
