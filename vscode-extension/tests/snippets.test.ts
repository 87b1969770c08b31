import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";
import { serverEnvironment } from "../src/server/environment";

interface Snippet {
  body: string[];
}

const SERVER = resolve("server");
const snippets = JSON.parse(readFileSync("snippets.json", "utf-8")) as Record<string, Snippet>;

/** The inserted text if every proposal is accepted. */
function accepted({ body }: Snippet): string {
  return body
    .join("\n")
    .replace(/\$\{\d+\|([^,|]+)[^}]*\|\}/g, "$1")
    .replace(/\$\{\d+:([^}]*)\}/g, "$1")
    .replaceAll("$0", "");
}

/** A script with `text` at the place where snippets of its kind are used. */
function inScript(text: string): string {
  if (/^(module|\/\/)/.test(text)) {
    return text;
  }
  const any = "!transform.any_op";
  const names = (line: string): string[] => line.match(/%\w+/g) ?? [];
  const definitions = text.match(/^%.*? = |^\^bb0\(.*\):/gm) ?? [];
  const defined = new Set(definitions.flatMap(names));
  const handles = new Set(names(text).filter((name) => !defined.has(name)));
  const parameters = [...handles].map((name) => `${name}: ${any}`).join(", ");
  const main = `transform.named_sequence @main(${parameters}) {\n${text}\ntransform.yield\n}`;
  const readonly = `(%x: ${any} {transform.readonly})`;
  const others = ["name", "action"].map(
    (name) => `transform.named_sequence @${name}${readonly} { transform.yield }`,
  );
  const matcher = `transform.named_sequence @matcher${readonly} -> ${any} { transform.yield %x : ${any} }`;
  const isSequence = text.startsWith("transform.named_sequence");
  const members = isSequence ? [text] : [...others, matcher, main];
  return `module attributes {transform.with_named_sequence} {\n${members.join("\n")}\n}`;
}

/** Checks the scripts all at once; findings begin with their names. */
function errors(scripts: Map<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), "tdls-snippets-"));
  for (const [name, script] of scripts) {
    writeFileSync(join(folder, `${name}.mlir`), script);
  }
  const python = process.platform === "win32" ? "python" : "python3";
  const environment = serverEnvironment(process.env, SERVER);
  const command = ["-m", "tdls", "--check", "--format", "concise", "."];
  const done = spawnSync(python, command, { cwd: folder, env: environment, encoding: "utf-8" });
  rmSync(folder, { recursive: true });
  assert.ok(done.status === 0 || done.status === 1, done.stderr);
  return done.stdout.split("\n").filter((line) => line.includes(": error: "));
}

describe("snippets", { skip: existsSync(SERVER) ? false : "npm run package makes the server" }, () => {
  const scripts = new Map(
    Object.entries(snippets).map(([name, snippet]) => [name, inScript(accepted(snippet))]),
  );

  it("insert text that the server understands", () => {
    assert.deepEqual(errors(scripts), []);
  });

  it("would be found out", () => {
    assert.equal(errors(new Map([["Wrong", inScript("transform.print %a : !transform.any_op")]])).length, 0);
    assert.equal(errors(new Map([["Wrong", inScript("transform.print : : !transform.any_op")]])).length, 1);
  });
});
