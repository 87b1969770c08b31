import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import {
  explicitSettings,
  kebabCase,
  trust,
  type Inspected,
  type SettingsSource,
} from "../src/server/settings";

const KEYS = ["python", "trace.server", "libraries", "rules", "inlayHints.types", "inlayHints.operandNames"];

function source(values: Record<string, Inspected>): SettingsSource {
  const value = (key: string): unknown => {
    const one = values[key];
    return one?.workspaceFolderValue ?? one?.workspaceValue ?? one?.globalValue ?? "a default";
  };
  return { inspect: (key) => values[key], get: value };
}

/** The settings that the extension declares, without its name in front. */
function declared(): string[] {
  const manifest = JSON.parse(readFileSync("package.json", "utf-8")) as {
    contributes: { configuration: { properties: object }[] };
  };
  const names = manifest.contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
  return names.map((name) => name.slice("tdls.".length));
}

describe("explicitSettings", () => {
  it("sends no defaults, which would outweigh those of a project", () => {
    assert.deepEqual(explicitSettings(source({}), KEYS), {});
  });

  it("spells keys as files do, and nests them", () => {
    const set = source({
      "inlayHints.operandNames": { globalValue: false },
      "inlayHints.types": { workspaceValue: true },
      libraries: { workspaceFolderValue: ["a.mlir"] },
    });
    assert.deepEqual(explicitSettings(set, KEYS), {
      libraries: ["a.mlir"],
      "inlay-hints": { types: true, "operand-names": false },
    });
  });

  it("leaves names of rules as they are", () => {
    const rules = { "use-after-free": "error" };
    assert.deepEqual(explicitSettings(source({ rules: { globalValue: rules } }), KEYS), { rules });
  });

  it("keeps settings of the extension to itself", () => {
    const own = source({ python: { globalValue: "/p" }, "trace.server": { globalValue: "verbose" } });
    assert.deepEqual(explicitSettings(own, KEYS), {});
  });

  it("sends no empty text, which leaves the choice to the project", () => {
    assert.deepEqual(explicitSettings(source({ libraries: { workspaceValue: "" } }), KEYS), {});
  });

  it("sends values that mean no", () => {
    const off = source({ "inlayHints.types": { globalValue: false } });
    assert.deepEqual(explicitSettings(off, KEYS), { "inlay-hints": { types: false } });
  });
});

describe("kebabCase", () => {
  it("takes capitals apart", () => {
    assert.equal(kebabCase("keepScript"), "keep-script");
    assert.equal(kebabCase("libraries"), "libraries");
  });
});

describe("trust", () => {
  it("is sent under the server's name", () => {
    assert.deepEqual(trust(true), { "trust-workspace": true });
    assert.deepEqual(trust(false), { "trust-workspace": false });
  });

  it("is nothing that settings can say", () => {
    const own = source({
      "trust-workspace": { workspaceValue: true },
      trustWorkspace: { workspaceValue: true },
    });
    assert.deepEqual(explicitSettings(own, declared()), {});
  });
});
