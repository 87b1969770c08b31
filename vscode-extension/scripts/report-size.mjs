// Says how large a package is, and fails where it has grown beyond what an extension may be.
import { statSync } from "node:fs";

const UNIVERSAL = "dist/tdls.vsix";
const [file = UNIVERSAL] = process.argv.slice(2);
const limit = file === UNIVERSAL ? 5 : 25;
const megabytes = statSync(file).size / 1e6;
console.log(`${file}: ${megabytes.toFixed(2)} MB (at most ${limit} MB)`);
process.exitCode = megabytes > limit ? 1 : 0;
