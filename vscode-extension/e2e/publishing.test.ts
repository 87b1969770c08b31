/** Open VSX takes the package: its tool publishes to a registry of this test's own. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";
import { PACKAGE } from "./workspace";

const WORKFLOW = resolve("..", ".github", "workflows", "release.yml");

describe("publishing", () => {
  it("is understood by the tool that the release workflow has", { timeout: 180_000 }, async () => {
    const tool = /ovsx@[\d.]+/.exec(readFileSync(WORKFLOW, "utf-8"))?.[0];
    assert.ok(tool !== undefined);
    const uploads: { path: string; body: Buffer }[] = [];
    const registry = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        if (request.method === "POST") {
          uploads.push({ path: request.url ?? "", body: Buffer.concat(chunks) });
        }
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ namespace: "tdls", name: "tdls", version: "0.0.0" }));
      });
    });
    await new Promise<void>((listening) => registry.listen(0, "127.0.0.1", listening));
    try {
      const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
      const said = await run(["--yes", tool, "publish", "-r", url, "-p", "nobody", "--packagePath", PACKAGE]);
      assert.match(said, /Published/);
    } finally {
      registry.close();
    }
    const [upload] = uploads.filter(({ path }) => path.startsWith("/api/-/publish"));
    assert.ok(upload !== undefined);
    assert.ok(upload.body.equals(readFileSync(PACKAGE)));
    assert.ok(upload.path.includes("nobody"));
  });
});

/** Runs `npx` without the variables of a service for continuous integration, which would lend it their identity. */
function run(args: string[]): Promise<string> {
  const { PATH, HOME } = process.env;
  const environment = { PATH, HOME, npm_config_cache: join(HOME ?? ".", ".npm") };
  return new Promise((resolved, failed) => {
    const child = spawn("npx", args, { env: environment });
    let said = "";
    child.stdout.on("data", (text: Buffer) => (said += text.toString()));
    child.stderr.on("data", (text: Buffer) => (said += text.toString()));
    child.on("error", failed);
    child.on("exit", (code) => {
      if (code === 0) {
        resolved(said);
      } else {
        failed(new Error(said));
      }
    });
  });
}
