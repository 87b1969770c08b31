// Makes docs/images/vscode-tour.gif from a real VS Code: `npm run package && npm run tour`.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build } from "esbuild";

const outfile = join("dist", "e2e", "tour.cjs");
await build({
  entryPoints: [join("e2e", "tour.ts")],
  bundle: true,
  outfile,
  platform: "node",
  target: "node20",
  external: ["playwright-core"],
  logLevel: "warning",
});
process.exitCode = spawnSync(process.execPath, [outfile], { stdio: "inherit" }).status ?? 1;
