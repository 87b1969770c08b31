import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, it } from "node:test";
import { compiledServer, serverEnvironment } from "../src/server/environment";

describe("compiledServer", () => {
  it("is that of the Python, where the package has it", () => {
    const root = mkdtempSync(join(tmpdir(), "tdls-package-"));
    const compiled = join(root, "compiled", "cp311");
    mkdirSync(compiled, { recursive: true });
    assert.equal(compiledServer(join(root, "server"), [3, 11]), compiled);
    assert.equal(compiledServer(join(root, "server"), [3, 12]), undefined);
    rmSync(root, { recursive: true });
  });

  it("comes before the plain one", () => {
    const environment = serverEnvironment({ PYTHONPATH: "/mlir" }, "/compiled/cp311", "/server");
    assert.equal(environment.PYTHONPATH, ["/compiled/cp311", "/server", "/mlir"].join(delimiter));
    assert.equal(serverEnvironment({}, undefined, "/server").PYTHONPATH, "/server");
  });
});

describe("serverEnvironment", () => {
  it("puts the bundled packages before those of the user", () => {
    const environment = serverEnvironment({ PYTHONPATH: "/mlir/python" }, "/bundled");
    assert.equal(environment.PYTHONPATH, ["/bundled", "/mlir/python"].join(delimiter));
  });

  it("keeps the folder that Python starts in out of reach", () => {
    const environment = serverEnvironment({ HOME: "/home", EMPTY: undefined }, "/bundled");
    assert.deepEqual(environment, { HOME: "/home", PYTHONPATH: "/bundled", PYTHONSAFEPATH: "1" });
  });
});
