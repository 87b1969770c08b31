// Sets up everything and passes every test of the extension and of the playground: `node scripts/verify.mjs`, in any folder.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const EXTENSION = dirname(dirname(fileURLToPath(import.meta.url)));
const REPOSITORY = dirname(EXTENSION);
const PLAYGROUND = join(REPOSITORY, "playground");
const IS_WINDOWS = process.platform === "win32";
const OLDEST_NODE = 20;
const OLDEST_NPM = 7; // the first that reads package-lock.json as it is
const PYTHON = process.env.PYTHON ?? (IS_WINDOWS ? "python" : "python3");
const VENV = join(REPOSITORY, ".venv", ...(IS_WINDOWS ? ["Scripts", "python.exe"] : ["bin", "python"]));
const INSTALL = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
const STEPS = [
  [EXTENSION, INSTALL],
  [EXTENSION, ["run", "--silent", "check"]],
  [EXTENSION, ["run", "--silent", "package"]],
  [EXTENSION, ["run", "--silent", "test", "--", "--test-reporter=spec"]],
  [EXTENSION, ["run", "--silent", "e2e"]],
  [PLAYGROUND, INSTALL],
  [PLAYGROUND, ["run", "--silent", "build"]],
  [PLAYGROUND, ["run", "--silent", "test"]],
];

const missing = whatIsMissing();
if (missing.length > 0) {
  console.error(missing.map((what) => `== set-up failed: ${what}`).join("\n"));
  process.exit(2);
}
// Says itself what is missing, before it installs anything.
step(PYTHON, [join("tests", "run.py"), "--set-up", "extension"], { cwd: REPOSITORY });
for (const [folder, args] of STEPS) {
  step("npm", args, {
    cwd: folder,
    env: { ...process.env, PYTHON: VENV },
    shell: IS_WINDOWS,
  });
}

/** Looks for what cannot be installed here. */
function whatIsMissing() {
  const npm = versionOf("npm", IS_WINDOWS);
  const found = [];
  if (major(process.versions.node) < OLDEST_NODE) {
    found.push(
      `Node ${OLDEST_NODE} or later is needed, this is ${process.versions.node} (${process.execPath})`,
    );
  }
  if (npm === undefined || major(npm) < OLDEST_NPM) {
    const there = npm === undefined ? "there is none" : `this is ${npm}`;
    found.push(`npm ${OLDEST_NPM} or later is needed, ${there} (https://nodejs.org has it with Node)`);
  }
  if (versionOf(PYTHON, false) === undefined) {
    found.push(
      `Python 3.10 or later is needed, and ${PYTHON} cannot be started: set PYTHON to the path of one`,
    );
  }
  return found;
}

function versionOf(program, shell) {
  const done = spawnSync(program, ["--version"], { encoding: "utf-8", shell });
  return done.status === 0 ? done.stdout.trim() : undefined;
}

function major(version) {
  return Number(version.split(".")[0]);
}

/** Runs a command, and ends everything where it fails. */
function step(command, args, options) {
  console.log(`\n== ${command} ${args.join(" ")}`);
  const started = Date.now();
  const done = spawnSync(command, args, { ...options, stdio: "inherit" });
  console.log(`== ${done.status === 0 ? "ok" : "FAILED"} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  if (done.status !== 0) {
    process.exit(done.status ?? 1);
  }
}
