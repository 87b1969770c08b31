// Bundles the extension into dist/extension.js, and its pages into dist/state.js and dist/matches.js: `node scripts/build.mjs [--minify] [--watch]`.
import { build, context } from "esbuild";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const common = {
  bundle: true,
  minify: process.argv.includes("--minify"),
  sourcemap: process.argv.includes("--minify") ? false : "linked",
  metafile: true,
  logLevel: "warning",
};
const extension = {
  ...common,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  external: ["vscode"],
  platform: "node",
  target: "node20",
  format: "cjs",
};
/** The pages of the views "Transform State" and "Matches". */
const pages = {
  ...common,
  entryPoints: ["src/webview/state.ts", "src/webview/matches.ts"],
  outdir: "dist",
  platform: "browser",
  target: "es2022",
  format: "iife",
};

if (process.argv.includes("--watch")) {
  await Promise.all([extension, pages].map(async (options) => (await context(options)).watch()));
} else {
  const built = await Promise.all([extension, pages].map((options) => build(options)));
  const files = built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  writeFileSync("dist/notices.txt", notices(files));
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
