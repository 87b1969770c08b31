/** The view "Matches": operations of the payload by the arms that took them in the last run. */

import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import type { FrameLocator } from "playwright-core";
import { setUp } from "./setup";
import { until, Vscode } from "./vscode";
import { newWorkspace, PACKAGE, placeIn, pythonWithMlir } from "./workspace";

const SCRIPT = "matching.mlir";
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
  transform.named_sequence @large(%op: ${ANY} {transform.readonly}) -> ${ANY} {
    transform.match.operation_name %op ["linalg.matmul", "linalg.fill"] : ${ANY}
    %size = transform.match.structured %op : (${ANY}) -> !transform.param<i64> {
    ^bb0(%s: ${ANY}):
      %n = transform.match.structured.dim %s[0] : (${ANY}) -> !transform.param<i64>
      transform.match.structured.yield %n : !transform.param<i64>
    }
    %least = transform.param.constant 128 : i64 -> !transform.param<i64>
    transform.match.param.cmpi ge %size, %least : !transform.param<i64>
    transform.yield %op : ${ANY}
  }
  transform.named_sequence @fill(%op: ${ANY} {transform.readonly}) -> ${ANY} {
    transform.match.operation_name %op ["linalg.fill"] : ${ANY}
    transform.yield %op : ${ANY}
  }
  transform.named_sequence @any(%op: ${ANY} {transform.readonly}) -> ${ANY} {
    transform.yield %op : ${ANY}
  }
  transform.named_sequence @late(%op: ${ANY} {transform.readonly}) -> ${ANY} {
    transform.match.operation_name %op ["linalg.matmul"] : ${ANY}
    transform.yield %op : ${ANY}
  }
  transform.named_sequence @mark(%op: ${ANY} {transform.readonly}) {
    transform.annotate %op "seen" : ${ANY}
    transform.yield
  }

  transform.named_sequence @__transform_main(%root: ${ANY} {transform.consumed}) {
    %new = transform.foreach_match in %root
        @large -> @mark, @fill -> @mark, @any -> @mark, @late -> @mark
        : (${ANY}) -> ${ANY}
    transform.yield
  }
}
`;

describe("what matched", () => {
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

  it("is shown next to the script, by arms", async () => {
    await vscode.page.locator('.editor-actions a.action-label[aria-label^="Run"]').first().waitFor();
    await vscode.command("MLIR Transform: Show What Matched");
    await says("th", "@large", "@fill", "@any", "@late");
    await says(
      "td",
      "never fired",
      "never asked: shadowed by",
      "payload.mlir:3",
      "match.param.cmpi, matching.mlir:11",
      "64 >= 128 is false",
    );
    assert.match(await view().locator("table").first().locator("tr").last().innerText(), /^in all/);
    await vscode.page.keyboard.press("Control+B");
    await vscode.shoot("matches");
    await vscode.page.keyboard.press("Control+B");
  });

  it("leads to the condition that failed", async () => {
    await view().locator("td button.link", { hasText: "match.param.cmpi" }).first().click();
    await vscode.says(CURSOR, "11");
  });

  it("is opened by lenses on matchers", async () => {
    await vscode.close("Matches");
    await vscode.page.locator(".codelens-decoration a", { hasText: "matched" }).first().click();
    await says("th", "@large");
  });

  it("says why a run that failed has none", async () => {
    await vscode.page.locator(`.tab[data-resource-name="${SCRIPT}"]`).click();
    await vscode.replace(placeIn(TEXT, "in %root", "%root"), "%root", "%rot");
    await vscode.command("MLIR Transform: Run");
    await says("p", "The last run of this file does not say what was matched: MLIR cannot parse");
    await vscode.shoot("matches-failed");
  });

  function view(): FrameLocator {
    return vscode.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  }

  async function says(selector: string, ...texts: string[]): Promise<void> {
    await until(async () => {
      const said = (await view().locator(selector).allInnerTexts()).join("\n");
      return texts.every((text) => said.includes(text));
    });
  }
});
