// Sets up everything and passes every test of the extension: `node scripts/verify.mjs`, in any folder.
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const EXTENSION = dirname(dirname(fileURLToPath(import.meta.url)));
const STEPS = [
  ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
  ["run", "--silent", "check"],
  ["run", "--silent", "package"],
  ["run", "--silent", "test", "--", "--test-reporter=spec"],
  ["run", "--silent", "e2e"],
];

for (const step of STEPS) {
  console.log(`\n== npm ${step.join(" ")}`);
  const started = Date.now();
  const done = spawnSync("npm", step, {
    cwd: EXTENSION,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  console.log(`== ${done.status === 0 ? "ok" : "FAILED"} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  if (done.status !== 0) {
    process.exit(done.status ?? 1);
  }
}
