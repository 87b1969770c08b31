/** The tree that the view "Transform" shows. Knows nothing of VS Code. */

import type { Location } from "vscode-languageclient/node";
import { fileName } from "../names";
import type { HandleState, NamedPlace, Overview } from "../protocol";

export interface OverviewNode {
  /** The same for the same thing, so that VS Code keeps selection and folding. */
  id: string;
  label: string;
  description?: string;
  tooltip?: string;
  /** Name of one of VS Code's icons. */
  icon?: string;
  location?: Location;
  isFolded?: boolean;
  children?: OverviewNode[];
}

/** Returns the handles at the cursor, then the sequences by file, those of the file `current` first, then libraries. */
export function overviewTree(overview: Overview, current?: string): OverviewNode[] {
  return [
    group("handles", "Handles at the Cursor", overview.handles.map(handleNode)),
    ...fileNodes(overview, current),
    group("libraries", "Libraries", overview.libraries.map(libraryNode)),
  ].filter(({ children }) => children.length > 0);
}

/** Sequences of a file, where a run can begin at those with an arrow. */
function fileNodes({ entryPoints, sequences }: Overview, current: string | undefined): Group[] {
  const files = new Map<string, Map<string, OverviewNode>>();
  const add = (place: NamedPlace, icon: string): void => {
    const { uri } = place.location;
    const nodes = files.get(uri) ?? new Map<string, OverviewNode>();
    files.set(uri, nodes);
    if (!nodes.has(place.name)) {
      nodes.set(place.name, placeNode("sequences", place, icon));
    }
  };
  for (const place of entryPoints) {
    add(place, "play");
  }
  for (const place of sequences) {
    add(place, "symbol-function");
  }
  return [...files]
    .sort(([one], [other]) => Number(other === current) - Number(one === current) || (one < other ? -1 : 1))
    .map(([uri, nodes]) => ({
      ...group(`file ${uri}`, fileName(uri), [...nodes.values()].sort(byLine)),
      isFolded: current !== undefined && uri !== current,
    }));
}

function byLine(one: OverviewNode, other: OverviewNode): number {
  return (one.location?.range.start.line ?? 0) - (other.location?.range.start.line ?? 0);
}

type Group = OverviewNode & { children: OverviewNode[] };

function group(id: string, label: string, children: OverviewNode[]): Group {
  return { id, label, children, description: String(children.length) };
}

function placeNode(kind: string, { name, location }: NamedPlace, icon: string): OverviewNode {
  const place = `line ${location.range.start.line + 1}`;
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
