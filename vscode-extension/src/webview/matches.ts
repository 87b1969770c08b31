/** The page of the view "Matches". */

import type { Cell, MatchesView, MatcherView, TableView } from "../matches/matchesData";
import type { FromMatchesPage, ToMatchesPage } from "../matches/messages";
import { element, link } from "./elements";

declare function acquireVsCodeApi(): { postMessage(message: FromMatchesPage): void };

/** More columns would be too narrow to read, and the view does not scroll sideways. */
const MOST_COLUMNS = 7;
const vscode = acquireVsCodeApi();
const view = document.getElementById("view");

window.addEventListener("message", ({ data }: MessageEvent<ToMatchesPage>) => {
  view?.replaceChildren(...(data.type === "problem" ? [element("p", {}, data.text)] : sections(data.view)));
});
vscode.postMessage({ type: "ready" });

function sections({ notes, tables, matchers, nothing }: MatchesView): HTMLElement[] {
  return [
    ...notes.map((note) => element("p", { class: "bad" }, note)),
    ...tables.flatMap(tableSection),
    ...(matchers.length === 0 ? [] : [element("h2", {}, "Matchers"), ...matchers.map(matcherSection)]),
    ...(nothing.length === 0 ? [] : [element("h2", {}, "Found nothing"), list(nothing)]),
  ];
}

function tableSection({ title, rows }: TableView): HTMLElement[] {
  const [head = [], ...others] = rows;
  if (head.length > MOST_COLUMNS) {
    return [element("h2", {}, content(title)), ...others.map((row) => rowSection(head, row))];
  }
  const cells = (tag: "th" | "td", row: readonly Cell[]): HTMLElement =>
    element("tr", {}, ...row.map((cell) => element(tag, { class: cell.kind }, content(cell))));
  return [
    element("h2", {}, content(title)),
    element(
      "table",
      {},
      element("thead", {}, cells("th", head)),
      element("tbody", {}, ...others.map((row) => cells("td", row))),
    ),
  ];
}

/** A row by itself: its operation, and under it the arms with a result for it. */
function rowSection(head: readonly Cell[], [operation, ...cells]: readonly Cell[]): HTMLElement {
  const arms = cells.flatMap((cell, index) => {
    const arm = head[index + 1]?.text ?? "";
    return cell.text === "" ? [] : [element("li", { class: cell.kind }, `${arm}: `, content(cell))];
  });
  const title = operation === undefined || operation.text === "" ? "All operations" : content(operation);
  return element("section", {}, element("p", {}, title), element("ul", {}, ...arms));
}

function matcherSection({ title, failed }: MatcherView): HTMLElement {
  return element("section", {}, element("p", { class: title.kind }, content(title)), list(failed));
}

function list(cells: readonly Cell[]): HTMLElement {
  return element("ul", {}, ...cells.map((cell) => element("li", { class: cell.kind }, content(cell))));
}

/** Returns the text, as a link if it has a place; long names may be broken behind their separators. */
function content({ text, place }: Cell): HTMLElement {
  const lead =
    place === undefined
      ? element("span")
      : link("", () => {
          vscode.postMessage({ type: "open", place });
        });
  for (const piece of text.split(/(?<=[.:_])/)) {
    lead.append(piece, element("wbr"));
  }
  return lead;
}
