// Reads lines [source, flags] as JSON from standard input and writes recheck's answer for each, one line each.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

process.env.RECHECK_BACKEND = "pure"; // the same answers everywhere, without Java or a program for this platform
const { checkSync } = createRequire(import.meta.url)("recheck");
// No limits of time where one would make a guess depend on how busy the machine is.
const parameters = { timeout: null, seedingTimeout: null, incubationTimeout: null, recallTimeout: -1, seed: 1 };

for await (const line of createInterface({ input: process.stdin })) {
  const [source, flags] = JSON.parse(line);
  const { status, checker, complexity, attack } = checkSync(source, flags, parameters);
  process.stdout.write(JSON.stringify({ status, checker, complexity: complexity?.summary, pumps: attack?.pumps, suffix: attack?.suffix }) + "\n");
}
