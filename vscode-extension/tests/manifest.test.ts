import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { kebabCase, OWN } from "../src/server/settings";

interface Manifest {
  contributes: {
    commands: { command: string }[];
    configuration: { properties: Record<string, { default: unknown; scope: string }> }[];
    keybindings: { command: string }[];
    menus: Record<string, { command: string }[]>;
    walkthroughs: { steps: { description: string; media: { markdown: string } }[] }[];
  };
}

const text = readFileSync("package.json", "utf-8");
const { contributes } = JSON.parse(text) as Manifest;
const settings = contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
const commands = new Set(contributes.commands.map(({ command }) => command));
const OWN_SETTINGS = new Set([...OWN].map((key) => `tdls.${key}`));

function source(): string {
  const files = readdirSync("src", { recursive: true, encoding: "utf-8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  return files.map((file) => readFileSync(join("src", file), "utf-8")).join("\n");
}

/** The settings that the documentation of `tdls.toml` lists, with their defaults as written there. */
function documentedSettings(): Map<string, string> {
  const page = readFileSync(join("..", "docs", "configuration.md"), "utf-8");
  return new Map(
    [...page.matchAll(/^\| `([a-z.-]+)` \| (.+?) \|/gm)].map(([, key, value]) => [key!, value!]),
  );
}

describe("package.json", () => {
  it("implements every command", () => {
    const code = source();
    assert.deepEqual(
      [...commands].filter((command) => !code.includes(`"${command}"`)),
      [],
    );
  });

  it("names commands that exist in menus, keybindings and the walkthrough", () => {
    const used = [...Object.values(contributes.menus).flat(), ...contributes.keybindings];
    const linked = [...text.matchAll(/command:(tdls\.\w+)/g)].map(([, command]) => ({ command: command! }));
    assert.deepEqual(
      [...used, ...linked].filter(({ command }) => !commands.has(command)),
      [],
    );
  });

  it("has no setting that the server does not know", () => {
    const documented = documentedSettings();
    assert.ok(documented.size > 10);
    const unknown = settings
      .map(([key]) => key)
      .filter((key) => !OWN_SETTINGS.has(key) && key !== "tdls.rules")
      .filter((key) => !documented.has(kebabCase(key.slice("tdls.".length))));
    assert.deepEqual(unknown, []);
  });

  it("shows the defaults that the server has", () => {
    const documented = documentedSettings();
    for (const [key, { default: value }] of settings) {
      const written = documented.get(kebabCase(key.slice("tdls.".length)));
      if (written?.startsWith("`") && value !== "") {
        assert.equal(written.replaceAll("`", ""), JSON.stringify(value), key);
      }
    }
  });

  it("refers to files that are there", () => {
    const paths = [...text.matchAll(/"(?:\.\/)?((?:media|syntaxes|walkthrough)\/[\w.-]+|snippets\.json)"/g)];
    assert.ok(paths.length > 8);
    assert.deepEqual(
      paths.map(([, path]) => path!).filter((path) => !existsSync(path)),
      [],
    );
  });
});
