/** The Pythons that VS Code knows of: the setting, the Python extension's choice, the search path. */

import * as vscode from "vscode";
import { pathCandidates, type Candidate } from "./findPython";

/** The part of the Python extension's API that is used here. */
interface PythonExtension {
  environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(path: { path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
  };
}

const PYTHON_EXTENSION = "ms-python.python";

/** Returns the candidates, best first. A Python that is set explicitly is the only one. */
export async function pythonCandidates(): Promise<Candidate[]> {
  const set = vscode.workspace.getConfiguration("tdls").get<string>("python", "").trim();
  if (set !== "") {
    return [{ command: expandHome(set), args: [], origin: "the setting tdls.python" }];
  }
  const chosen = vscode.workspace.isTrusted ? await chosenInPythonExtension() : undefined;
  const onPath = pathCandidates(process.platform);
  return chosen === undefined
    ? onPath
    : [{ command: chosen, args: [], origin: "the Python extension" }, ...onPath];
}

async function chosenInPythonExtension(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>(PYTHON_EXTENSION);
  if (extension === undefined) {
    return undefined;
  }
  try {
    const environments = (await extension.activate()).environments;
    const chosen = environments?.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
    const resolved = chosen === undefined ? undefined : await environments?.resolveEnvironment(chosen);
    return resolved?.executable.uri?.fsPath;
  } catch {
    return undefined; // Without an answer, programs of the search path are tried.
  }
}

function expandHome(path: string): string {
  const home = process.env.HOME ?? process.env.USERPROFILE;
  return home !== undefined && /^~[/\\]/.test(path) ? home + path.slice(1) : path;
}
