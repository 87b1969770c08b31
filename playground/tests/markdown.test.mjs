// Texts of strangers in the renderer of this page and of VS Code. PYTHON names a Python that has tdls.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { it } from "node:test";

const TESTS = join("..", "tests");
const SAMPLES = ["-m", "ide.markdown_samples", "3000"];
const ACTIVE = new Set(["link", "image", "html", "tag", "def"]);

const done = spawnSync(process.env.PYTHON ?? "python3", SAMPLES, {
  encoding: "utf-8",
  cwd: TESTS,
  maxBuffer: 2 ** 28,
});
assert.equal(done.status, 0, done.stderr);
const texts = JSON.parse(done.stdout);

for (const name of ["marked", "marked-of-vscode", "marked-of-older-vscode"]) {
  it(`shows no links, images or HTML of strangers with ${name}`, async () => {
    const { marked } = await import(name);
    for (const text of texts) {
      marked.walkTokens(marked.lexer(text, { gfm: true }), ({ type }) => assert.ok(!ACTIVE.has(type), text));
    }
  });
}
