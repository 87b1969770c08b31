// Makes a package: `node scripts/package.mjs [--target TARGET --wheels FOLDER]`. Without a target it is dist/tdls.vsix, which fits
// everywhere; else dist/tdls-TARGET.vsix, which has the server in compiled form, too, from the wheels for that system in a folder.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const EXTENSION = dirname(dirname(fileURLToPath(import.meta.url)));
const COMPILED = join(EXTENSION, "compiled");
/** What wheels for the systems say that VS Code has names for. */
const PLATFORMS = {
  "linux-x64": /linux.*_x86_64$/,
  "linux-arm64": /linux.*_aarch64$/,
  "darwin-x64": /^macosx.*_x86_64$/,
  "darwin-arm64": /^macosx.*_arm64$/,
  "win32-x64": /^win_amd64$/,
};
const WHEEL = /^tdls-[^-]+-(cp\d+)-cp\d+-(.+)\.whl$/;

const options = named(process.argv.slice(2));
rmSync(COMPILED, { recursive: true, force: true });
run("node", ["scripts/build.mjs", "--minify"]);
run("node", ["scripts/bundle-server.mjs"]);
try {
  if (options.target === undefined) {
    pack("dist/tdls.vsix");
  } else {
    unpack(options.target, options.wheels ?? "wheelhouse");
    pack(`dist/tdls-${options.target}.vsix`, "--target", options.target);
  }
} finally {
  rmSync(COMPILED, { recursive: true, force: true });
}

/** Puts the compiled servers where the extension looks for that of its Python: compiled/cp311. */
function unpack(target, folder) {
  const platform = PLATFORMS[target];
  if (platform === undefined) {
    throw new Error(`${target} is none of ${Object.keys(PLATFORMS).join(", ")}`);
  }
  const found = readdirSync(folder)
    .map((name) => ({ name, parts: WHEEL.exec(name) }))
    .filter(({ parts }) => parts !== null && parts[2].split(".").some((tag) => platform.test(tag)));
  if (found.length === 0) {
    throw new Error(`${resolve(folder)} has no wheel for ${target}`);
  }
  for (const { name, parts } of found) {
    const place = join(COMPILED, parts[1]);
    mkdirSync(place, { recursive: true });
    run(process.env.PYTHON ?? "python3", ["-m", "zipfile", "-e", resolve(folder, name), place]);
  }
}

function pack(file, ...others) {
  run("npx", ["--no-install", "vsce", "package", "--no-dependencies", "--out", file, ...others]);
  run("node", ["scripts/report-size.mjs", file]);
}

function named(args) {
  const pairs = args.map((name, index) => [name.replace(/^--/, ""), args[index + 1]]);
  return Object.fromEntries(pairs.filter((_, index) => index % 2 === 0));
}

function run(command, args) {
  const shell = process.platform === "win32" && command === "npx";
  const done = spawnSync(command, args, { cwd: EXTENSION, stdio: "inherit", shell });
  if (done.status !== 0) {
    throw new Error(`${command} ${args.join(" ")} failed`);
  }
}
