// Tests the package in a real VS Code: `npm run e2e`, which sets up everything that is missing.
import { existsSync } from "node:fs";
import { spawnSync } from "node:child_process";

for (const command of [
  ...(existsSync("node_modules") ? [] : [["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]]),
  ["npm", "run", "--silent", "package"],
  [
    process.execPath,
    "scripts/test.mjs",
    "e2e",
    "--test-concurrency=1",
    "--test-reporter=spec",
    ...process.argv.slice(2),
  ],
]) {
  const [program, ...args] = command;
  const done = spawnSync(program, args, { stdio: "inherit", shell: process.platform === "win32" });
  if (done.status !== 0) {
    process.exit(done.status ?? 1);
  }
}
