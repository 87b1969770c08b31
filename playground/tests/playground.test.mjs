// The built page in a real browser: `npm run build && npm test`. TDLS_CHROMIUM names another browser.
import assert from "node:assert/strict";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, describe, it } from "node:test";
import { transformSync } from "esbuild";
import { chromium } from "playwright-core";

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
};
const BROWSERS = ["chromium", "chromium-browser", "google-chrome"].map((name) => join("/usr/bin", name));
const BROWSER = process.env.TDLS_CHROMIUM ?? BROWSERS.find((path) => existsSync(path));
const PATIENCE = { timeout: 60_000 };

describe("the playground", () => {
  let server, browser, page, address;

  before(async () => {
    server = createServer(({ url }, response) => {
      const path = join("dist", new URL(url, "http://localhost").pathname.replace(/\/$/, "/index.html"));
      if (!existsSync(path)) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" });
      createReadStream(path).pipe(response);
    });
    await new Promise((resolve) => server.listen(0, "localhost", resolve));
    address = `http://localhost:${server.address().port}/`;
    browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
    page = await (await browser.newContext()).newPage();
    page.on("pageerror", (error) => assert.fail(error));
    const opened = Date.now();
    await page.goto(address);
    await finding(/was consumed by/);
    console.log(`# to the first finding: ${Date.now() - opened} ms`);
  });

  after(async () => {
    await browser?.close();
    server?.close();
  });

  const finding = (text) => page.locator("#findings button", { hasText: text }).first().waitFor(PATIENCE);
  const none = () => page.locator("#findings:empty").waitFor({ state: "attached", ...PATIENCE });
  const script = () => page.locator(".cm-content").innerText();

  /** Puts a text in place of all others. */
  async function write(text) {
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(text);
  }

  const SCRIPT = (body) => `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
${body}
    transform.yield
  }
}
`;

  it("underlines a stale handle, and leads to it from the list", async () => {
    await page.locator(".cm-lintRange-warning").first().waitFor(PATIENCE);
    await page.locator("#findings button").first().click();
    assert.ok(await page.locator(".cm-activeLine", { hasText: "vectorize %matmul" }).count());
  });

  const ANY = "!transform.any_op";
  const MATCH = `    %a = transform.structured.match ops{["linalg.matmul"]} in %root : (${ANY}) -> ${ANY}`;
  const TILE = `    %b, %loop = transform.structured.tile_using_for %a tile_sizes [8] : (${ANY}) -> (${ANY}, ${ANY})`;
  const LOOPS = MATCH.replace("linalg.matmul", "scf.for");
  const ANNOTATE = `    transform.annotate %a "x" : ${ANY}`;
  const MISTAKES = [
    [/`%a` was consumed/, `${MATCH}\n${TILE}\n${ANNOTATE}`, /annotate %b/],
    [/mtach/, `${MATCH.replace("match", "mtach")}\n${ANNOTATE}`, /structured\.match /],
    [/matmull/, `${MATCH.replace("matmul", "matmull")}\n${ANNOTATE}`, /linalg\.matmul"/],
    [/%rot/, `${MATCH.replace("%root", "%rot")}\n${ANNOTATE}`, /in %root/],
    [/any_operation/, `    transform.annotate %root "x" : ${ANY}eration`, /any_op\s/],
    [/expected `in`/, `${MATCH.replace(" in ", " ")}\n${ANNOTATE}`, /in %root/],
    [/expected `]`/, `${MATCH.replace('["linalg', "[linalg")}\n${ANNOTATE}`, /\["linalg/],
    [/factr/, `${LOOPS}\n    transform.loop.unroll %a {factr = 2} : ${ANY}`, /\{factor = 2\}/],
    [/unrol`/, `${LOOPS}\n    transform.loop.unrol %a {factor = 2} : ${ANY}`, /unroll %a/],
    [/@missing/, `    transform.include @missing failures(propagate) (%root) : (${ANY}) -> ()`, undefined],
  ];
  for (const [message, body, repaired] of MISTAKES) {
    it(`finds and repairs ${message.source}`, async () => {
      await write(SCRIPT(body));
      await finding(message);
      if (repaired !== undefined) {
        await page.locator("#findings li", { hasText: message }).first().locator(".repair").click();
        await page.locator("dialog button").first().waitFor(PATIENCE);
        await page.keyboard.press("Enter");
        await none();
        assert.match(await script(), repaired);
      }
    });
  }

  it("explains what is under the pointer, and completes", async () => {
    await write(SCRIPT(`    transform.annotate %root "x" : ${ANY}`));
    await none();
    await page.locator(".cm-content .script", { hasText: "annotate" }).hover();
    await page.locator(".cm-tooltip", { hasText: "transform.annotate" }).waitFor(PATIENCE);
    await page.keyboard.press("Control+Home");
    for (const key of ["ArrowDown", "ArrowDown", "End", "Shift+Home"]) {
      await page.keyboard.press(key);
    }
    await page.keyboard.type("    transform.structured.vectori");
    await page.locator(".cm-tooltip-autocomplete li", { hasText: "vectorize" }).first().waitFor(PATIENCE);
    await page.keyboard.press("Escape");
  });

  it("puts nothing active of a server's HTML into the page", async () => {
    const text = readFileSync(join("src", "html.ts"), "utf-8");
    const { code } = transformSync(text, { loader: "ts", format: "iife", globalName: "html" });
    const sanitized = (html) => page.evaluate(`${code}; html.sanitized(${JSON.stringify(html)})`);
    const others = [];
    page.on("request", (request) => others.push(request.url()));
    const attacks = [
      `<img src="${address}asked">`,
      `<p style="background:url(${address}asked)" onclick="x()">text</p>`,
      `<style>@import "${address}asked"</style><link rel="stylesheet" href="${address}asked">`,
      `<form action="${address}asked"><input name="a"><button>go</button></form>`,
      `<meta http-equiv="refresh" content="0;url=${address}asked"><base href="${address}asked">`,
      `<svg><style><img src="${address}asked"></style></svg><math><mtext><img src="${address}asked"></math>`,
      `<a href="javascript:x()">x</a><a href="command:x">x</a><iframe src="${address}asked"></iframe>`,
      `<template><img src="${address}asked"></template><video poster="${address}asked"></video>`,
    ];
    for (const attack of attacks) {
      const shown = await sanitized(attack);
      assert.doesNotMatch(shown, /<(?!\/?(p|a)>)|asked"|javascript|command:/, shown);
      await page.evaluate((html) => (document.createElement("div").innerHTML = html), shown);
    }
    assert.deepEqual(others, []);
    const harmless = '<p>A <em>b</em> <a href="https://mlir.llvm.org/">c</a> <code class="mlir">d</code></p>';
    assert.equal(await sanitized(harmless), harmless);
  });

  it("formats, tells versions, and migrates by commands of tdls", async () => {
    await write(SCRIPT(`        transform.annotate %root "x" : ${ANY}`));
    await none();
    await page.locator("#format").click();
    await page.waitForFunction(
      () => document.querySelector(".cm-content").innerText.includes("\n    transform.annotate"),
      undefined,
      PATIENCE,
    );
    await page.locator("#versions").click();
    await page.locator("#output", { hasText: "fits" }).waitFor(PATIENCE);
    await write(SCRIPT(`${MATCH}\n    transform.loop.unroll %a {factor = 4} : ${ANY}`));
    await page.locator("#migrate").click();
    await page.locator("#output", { hasText: "factor = 4 :" }).waitFor(PATIENCE);
    await page.locator("#apply").click();
    await page.locator(".cm-content", { hasText: "factor = 4 :" }).waitFor(PATIENCE);
    assert.ok(!(await page.locator("#apply").isVisible()));
  });

  it("says how to serve it where it is opened as a file", async () => {
    const opened = await page.context().newPage();
    await opened.goto(pathToFileURL(join("dist", "index.html")).href);
    await opened.getByText("This page has to be served").waitFor();
    assert.ok(!(await page.locator("#unserved").count()));
    await opened.close();
  });

  it("keeps the text in the address, and works without a network", async () => {
    await write(SCRIPT(`    transform.annotate %rot "x" : ${ANY}`));
    await page.locator("#link").click();
    await page.waitForURL(/#.+/);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.context().setOffline(true);
    server.closeAllConnections();
    await page.reload();
    await finding(/%rot/);
    assert.match(await script(), /annotate %rot/);
  });
});
