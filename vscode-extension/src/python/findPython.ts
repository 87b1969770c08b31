/** Which of the Pythons at hand can run the server. Knows nothing of VS Code. */

import { execFile } from "node:child_process";

export const OLDEST_PYTHON: Version = [3, 10];

export type Version = readonly [major: number, minor: number];

/** A way to start Python, and where it comes from in words for people. */
export interface Candidate {
  command: string;
  args: readonly string[];
  origin: string;
}

export interface Python {
  executable: string;
  version: Version;
  origin: string;
}

/** Why a candidate cannot be taken. */
export interface Rejection {
  candidate: Candidate;
  reason: string;
}

export type Probe = (candidate: Candidate) => Promise<{ executable: string; version: Version } | string>;

export type Search = { python: Python } | { rejected: Rejection[] };

/** Returns the first of `candidates` that is new enough, or why none is. */
export async function findPython(candidates: Iterable<Candidate>, probe: Probe): Promise<Search> {
  const rejected: Rejection[] = [];
  for (const candidate of candidates) {
    const found = await probe(candidate);
    if (typeof found === "string") {
      rejected.push({ candidate, reason: found });
    } else if (isOlder(found.version, OLDEST_PYTHON)) {
      rejected.push({ candidate, reason: `is Python ${found.version.join(".")}` });
    } else {
      return { python: { ...found, origin: candidate.origin } };
    }
  }
  return { rejected };
}

/** Lists the rejected candidates in one sentence. */
export function explainRejections(rejected: readonly Rejection[]): string {
  const needed = `tdls needs Python ${OLDEST_PYTHON.join(".")} or later`;
  if (rejected.length === 0) {
    return `${needed}, and none was found.`;
  }
  const tried = rejected.map(
    ({ candidate, reason }) => `${commandLine(candidate)} (${candidate.origin}) ${reason}`,
  );
  return `${needed}: ${tried.join("; ")}.`;
}

/** The interpreters that a search path usually has under one of these names. */
export function pathCandidates(platform: NodeJS.Platform): Candidate[] {
  const origin = "on the PATH";
  const named = (command: string, ...args: string[]): Candidate => ({ command, args, origin });
  const common = [named("python3"), named("python")];
  return platform === "win32" ? [named("py", "-3"), ...common] : common;
}

const QUESTION = "import sys; print(sys.version_info[0], sys.version_info[1], sys.executable)";
const TIMEOUT_MILLISECONDS = 15_000;

/** Starts a candidate and asks for its version, in a `folder` from which nothing is to be imported. */
export function probeIn(folder: string): Probe {
  return (candidate) =>
    new Promise((resolve) => {
      const options = {
        cwd: folder,
        timeout: TIMEOUT_MILLISECONDS,
        encoding: "utf-8",
        windowsHide: true,
      } as const;
      execFile(candidate.command, [...candidate.args, "-c", QUESTION], options, (error, output) => {
        resolve(error === null ? readAnswer(output) : failure(error));
      });
    });
}

/** Reads the output of the question: `3 11 /usr/bin/python3`. */
export function readAnswer(output: string): { executable: string; version: Version } | string {
  const found = /^(\d+) (\d+) (.+?)\r?\n?$/.exec(output);
  if (found?.[3] === undefined) {
    return "is no Python";
  }
  return { executable: found[3], version: [Number(found[1]), Number(found[2])] };
}

function failure(error: { code?: string | number | null }): string {
  return error.code === "ENOENT" ? "was not found" : "does not start";
}

function isOlder(version: Version, than: Version): boolean {
  return version[0] < than[0] || (version[0] === than[0] && version[1] < than[1]);
}

function commandLine(candidate: Candidate): string {
  return [candidate.command, ...candidate.args].join(" ");
}
