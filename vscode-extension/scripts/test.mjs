// Bundles the tests of a folder and runs them: `node scripts/test.mjs [FOLDER] [ARGUMENT OF NODE'S TEST RUNNER...]`.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const [folder = "tests", ...runnerArguments] = process.argv.slice(2);
const output = join("dist", folder);
const tests = readdirSync(folder).filter(
  (name) => name.endsWith(".test.ts") && name.includes(process.env.ONLY ?? ""),
);

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
const done = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...runnerArguments, ...bundles], {
  stdio: "inherit",
});
process.exitCode = done.status ?? 1;
