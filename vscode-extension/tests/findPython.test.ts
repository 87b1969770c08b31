import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  explainRejections,
  findPython,
  pathCandidates,
  probeIn,
  readAnswer,
  type Candidate,
  type Probe,
} from "../src/python/findPython";

const candidate = (command: string): Candidate => ({ command, args: [], origin: "a test" });

function knows(answers: Record<string, string>): Probe {
  return ({ command }) => Promise.resolve(readAnswer(answers[command] ?? ""));
}

describe("findPython", () => {
  it("takes the first that is new enough", async () => {
    const probe = knows({ old: "3 9 /old", older: "2 7 /older", good: "3 10 /good", better: "3 13 /better" });
    const search = await findPython(["older", "old", "good", "better"].map(candidate), probe);
    assert.deepEqual(search, { python: { executable: "/good", version: [3, 10], origin: "a test" } });
  });

  it("takes a later major version", async () => {
    assert.ok("python" in (await findPython([candidate("new")], knows({ new: "4 0 /new" }))));
  });

  it("says why each candidate was rejected", async () => {
    const search = await findPython(["old", "fake"].map(candidate), knows({ old: "3 9 /old" }));
    assert.ok("rejected" in search);
    const words = explainRejections(search.rejected);
    assert.equal(
      words,
      "tdls needs Python 3.10 or later: old (a test) is Python 3.9; fake (a test) is no Python.",
    );
  });

  it("says that there was nothing to try", () => {
    assert.equal(explainRejections([]), "tdls needs Python 3.10 or later, and none was found.");
  });
});

describe("readAnswer", () => {
  it("keeps blanks in paths, and takes line ends of Windows", () => {
    const python = { executable: "C:\\Program Files\\python.exe", version: [3, 12] };
    assert.deepEqual(readAnswer("3 12 C:\\Program Files\\python.exe\r\n"), python);
  });

  it("rejects other output of a launcher", () => {
    assert.equal(readAnswer("Python was not found; run without arguments to install"), "is no Python");
  });
});

describe("pathCandidates", () => {
  it("prefers the launcher on Windows alone", () => {
    assert.deepEqual(pathCandidates("win32")[0], { command: "py", args: ["-3"], origin: "on the PATH" });
    assert.deepEqual(
      pathCandidates("linux").map(({ command }) => command),
      ["python3", "python"],
    );
  });
});

describe("probeIn", () => {
  it("asks a real Python, and imports nothing from the working folder", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tdls-probe-"));
    writeFileSync(join(folder, "sys.py"), "raise SystemExit(7)");
    const found = await findPython(pathCandidates(process.platform), probeIn(folder));
    assert.ok("python" in found, JSON.stringify(found));
    assert.ok(found.python.version[0] >= 3);
  });

  it("says that a program is not there", async () => {
    assert.equal(await probeIn(tmpdir())(candidate("no-such-python")), "was not found");
  });

  it("says that a program does not behave like Python", async () => {
    assert.equal(await probeIn(tmpdir())(candidate(process.execPath)), "does not start");
  });
});
