/** The page of the view "Matches". */

import type { Cell, MatchesView, MatcherView, TableView } from "../matches/matchesData";
import type { FromMatchesPage, ToMatchesPage } from "../matches/messages";
import { element, link } from "./elements";

declare function acquireVsCodeApi(): { postMessage(message: FromMatchesPage): void };

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

function matcherSection({ title, failed }: MatcherView): HTMLElement {
  return element("section", {}, element("p", { class: title.kind }, content(title)), list(failed));
}

function list(cells: readonly Cell[]): HTMLElement {
  return element("ul", {}, ...cells.map((cell) => element("li", { class: cell.kind }, content(cell))));
}

function content({ text, place }: Cell): Node | string {
  return place === undefined
    ? text
    : link(text, () => {
        vscode.postMessage({ type: "open", place });
      });
}
