import assert from "node:assert/strict";
import { delimiter } from "node:path";
import { describe, it } from "node:test";
import { serverEnvironment } from "../src/server/environment";

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
