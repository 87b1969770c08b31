import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { registerAssistants, type McpApi } from "../src/assistants";

interface Manifest {
  contributes: { mcpServerDefinitionProviders: { id: string }[] };
}

class Definition {
  constructor(
    readonly label: string,
    readonly command: string,
    readonly args: string[],
    readonly env: Record<string, string>,
    readonly version: string,
  ) {}
}

function python(status: number): string {
  const path = join(mkdtempSync(join(tmpdir(), "tdls-test-")), "python");
  writeFileSync(path, `#!/bin/sh\nexit ${String(status)}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Returns what is provided with an interpreter, and whether runs are allowed. */
async function provided(executable: string | undefined, mayRun: boolean): Promise<unknown[]> {
  let answer: Promise<unknown[]> | undefined;
  const api: McpApi = {
    lm: {
      registerMcpServerDefinitionProvider: (id, provider) => {
        const manifest = JSON.parse(readFileSync("package.json", "utf-8")) as Manifest;
        assert.deepEqual(
          manifest.contributes.mcpServerDefinitionProviders.map((each) => each.id),
          [id],
        );
        answer = provider.provideMcpServerDefinitions();
        return { dispose: () => undefined };
      },
    },
    McpStdioServerDefinition: Definition,
  };
  registerAssistants(api, {
    serverFolder: "/server",
    version: "1",
    python: () => Promise.resolve(executable),
    folders: () => ["/work"],
    mayRun: () => mayRun,
  });
  return (await answer) ?? [];
}

describe("the tools for assistants", { skip: process.platform === "win32" }, () => {
  it("are started by the server's Python in the folders of the workspace", async () => {
    const executable = python(0);
    const [definition] = (await provided(executable, true)) as [Definition];
    assert.equal(definition.command, executable);
    assert.deepEqual(definition.args, ["-m", "tdls", "mcp", "--runs", "--", "/work"]);
    assert.match(definition.env.PYTHONPATH ?? "", /^\/server/);
  });

  it("run nothing in a workspace that is not trusted", async () => {
    const [definition] = (await provided(python(0), false)) as [Definition];
    assert.deepEqual(definition.args, ["-m", "tdls", "mcp", "--", "/work"]);
  });

  it("are not offered without the SDK, without a Python, or by an older VS Code", async () => {
    assert.deepEqual(await provided(python(1), true), []);
    assert.deepEqual(await provided(undefined, true), []);
    registerAssistants({}, {} as never).dispose();
  });
});
