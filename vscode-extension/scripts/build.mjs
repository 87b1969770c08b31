// Bundles the extension into dist/extension.js: `node scripts/build.mjs [--minify] [--watch]`.
import { build, context } from "esbuild";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const options = {
  entryPoints: ["src/extension.ts"],
  bundle: true,
  outfile: "dist/extension.js",
  external: ["vscode"],
  platform: "node",
  target: "node20",
  format: "cjs",
  minify: process.argv.includes("--minify"),
  sourcemap: process.argv.includes("--minify") ? false : "linked",
  metafile: true,
  logLevel: "warning",
};

if (process.argv.includes("--watch")) {
  await (await context(options)).watch();
} else {
  const { metafile } = await build(options);
  writeFileSync("dist/notices.txt", notices(Object.keys(metafile.inputs)));
}

/** Returns the licences of the packages that `files` belong to. */
function notices(files) {
  const folders = files.map((file) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(folders)]
    .filter((folder) => folder !== undefined)
    .sort()
    .map((folder) => `${folder.slice("node_modules/".length)}\n\n${licence(folder)}`)
    .join(`\n\n${"-".repeat(80)}\n\n`);
}

function licence(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file === undefined) {
    throw new Error(`${folder} has no licence`);
  }
  return readFileSync(join(folder, file), "utf-8").trim();
}
