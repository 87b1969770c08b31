// Prints the size of the package, and fails where it has grown beyond the limit.
import { statSync } from "node:fs";

const FILE = "dist/tdls.vsix";
const LIMIT = 5;
const megabytes = statSync(FILE).size / 1e6;
console.log(`${FILE}: ${megabytes.toFixed(2)} MB (at most ${LIMIT} MB)`);
process.exitCode = megabytes > LIMIT ? 1 : 0;
