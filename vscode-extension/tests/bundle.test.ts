import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";
import { serverEnvironment } from "../src/server/environment";

const SERVER = resolve("server");
const COMPILED = /\.(so|pyd|dylib|dll)$/;

describe(
  "the bundled server",
  { skip: existsSync(SERVER) ? false : "npm run package makes the server" },
  () => {
    it("has nothing in it that is compiled for one system", () => {
      const files = readdirSync(SERVER, { recursive: true, encoding: "utf-8" });
      assert.ok(files.length > 300);
      assert.deepEqual(
        files.filter((file) => COMPILED.test(file)),
        [],
      );
    });

    it("runs on a Python that has no packages of its own", () => {
      const python = process.env.PYTHON ?? (process.platform === "win32" ? "python" : "python3");
      const environment = serverEnvironment({ ...process.env, PYTHONPATH: "" }, SERVER);
      const modules = [
        "tdls.lsp.server",
        "tdls.cli.main",
        "tdls.interpreter.mlir.worker.worker",
        "tomli",
        "exceptiongroup",
      ];
      const options = { cwd: SERVER, env: environment, encoding: "utf-8" } as const;
      const done = spawnSync(python, ["-S", "-c", `import ${modules.join(", ")}`], options);
      assert.equal(done.status, 0, done.stderr);
    });

    it("carries the licences of bundled packages", () => {
      const distributions = readdirSync(SERVER).filter((name) => name.endsWith(".dist-info"));
      assert.ok(distributions.length > 8);
      const without = distributions.filter((name) => {
        const files = readdirSync(join(SERVER, name), { recursive: true, encoding: "utf-8" });
        return !files.some((file) => /licen[cs]e/i.test(file));
      });
      assert.deepEqual(without, []);
    });

    it("says which MLIR is to be installed", () => {
      assert.match(readFileSync(join(SERVER, "mlir-requirement.txt"), "utf-8"), /^torch-mlir\S*\n$/);
    });
  },
);
