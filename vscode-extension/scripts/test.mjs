// Bundles the tests of a folder and runs them: `node scripts/test.mjs FOLDER [NAME OR OPTION OF NODE'S TEST RUNNER...]`.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const [folder = "tests", ...others] = process.argv.slice(2);
const options = others.filter((argument) => argument.startsWith("-"));
const names = others.filter((argument) => !argument.startsWith("-"));
const output = join("dist", folder);
const tests = readdirSync(folder)
  .filter((file) => file.endsWith(".test.ts"))
  .filter((file) => names.length === 0 || names.includes(file.replace(/\.test\.ts$/, "")));

rmSync(output, { recursive: true, force: true });
await build({
  entryPoints: tests.map((name) => join(folder, name)),
  bundle: true,
  outdir: output,
  outExtension: { ".js": ".cjs" },
  platform: "node",
  target: "node20",
  packages: "external",
  sourcemap: "inline",
  logLevel: "warning",
});
const bundles = tests.map((name) => join(output, name.replace(/\.ts$/, ".cjs")));
const done = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...options, ...bundles], {
  stdio: "inherit",
});
process.exitCode = done.status ?? 1;
