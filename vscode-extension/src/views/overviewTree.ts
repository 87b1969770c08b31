/** The tree that the view "Transform" shows. Knows nothing of VS Code. */

import type { Location } from "vscode-languageclient/node";
import { fileName } from "../names";
import type { HandleState, NamedPlace, Overview } from "../protocol";

export interface OverviewNode {
  /** The same for the same thing, so that VS Code keeps what is selected and folded. */
  id: string;
  label: string;
  description?: string;
  tooltip?: string;
  /** Name of one of VS Code's icons. */
  icon?: string;
  location?: Location;
  children?: OverviewNode[];
}

export function overviewTree(overview: Overview): OverviewNode[] {
  return [
    group("handles", "Handles at the Cursor", overview.handles.map(handleNode)),
    group(
      "entryPoints",
      "Entry Points",
      overview.entryPoints.map((place) => placeNode("entryPoints", place, "play")),
    ),
    group(
      "sequences",
      "Named Sequences",
      overview.sequences.map((place) => placeNode("sequences", place, "symbol-function")),
    ),
    group("libraries", "Libraries", overview.libraries.map(libraryNode)),
  ].filter(({ children }) => children.length > 0);
}

function group(
  id: string,
  label: string,
  children: OverviewNode[],
): OverviewNode & { children: OverviewNode[] } {
  return { id, label, children, description: String(children.length) };
}

function placeNode(kind: string, { name, location }: NamedPlace, icon: string): OverviewNode {
  const place = `${fileName(location.uri)}:${location.range.start.line + 1}`;
  const id = [kind, location.uri, name, location.range.start.line].join(" ");
  return { id, label: name, description: place, icon, location };
}

function libraryNode(uri: string): OverviewNode {
  const start = { line: 0, character: 0 };
  const location = { uri, range: { start, end: start } };
  return { id: `libraries ${uri}`, label: fileName(uri), icon: "library", location };
}

function handleNode(handle: HandleState): OverviewNode {
  const { name, type, location, state } = handle;
  const { line, character } = location.range.start;
  const description = handleDescription(handle);
  return {
    id: `handles ${location.uri} ${name} ${line} ${character}`,
    label: name,
    description,
    tooltip: `${name}: ${type}\n${description}`,
    icon: state === "consumed" ? "circle-slash" : "circle-filled",
    location,
  };
}

function handleDescription({ state, consumedBy, contents, type }: HandleState): string {
  const consumed = consumedBy === null ? "consumed" : `consumed in line ${consumedBy.range.start.line + 1}`;
  return [contents === "" ? shortType(type) : contents, state === "consumed" ? consumed : "live"].join(" · ");
}

/** `!transform.op<"linalg.matmul">` becomes `op<"linalg.matmul">`. */
function shortType(type: string): string {
  return type.replace(/^!transform\./, "");
}
