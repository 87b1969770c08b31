/** The handles and parameters that can be named behind a step. */

import type { FromPage, HandleRow, StateView } from "../state/messages";
import { element, link } from "./elements";

type Send = (message: FromPage) => void;

export class HandleTable {
  private readonly rows = element("tbody");
  private readonly title = element("h2", {}, "Handles");
  private readonly none = element("p", { class: "facts" }, "There are none.");
  private readonly table: HTMLElement;
  private readonly stale = element("tbody");
  private readonly staleSummary = element("summary");
  private readonly folded = element("details", { class: "stale-handles" }, this.staleSummary);
  readonly section: HTMLElement;

  constructor(private readonly send: Send) {
    const head = ["Handle", "State", "Stands for"].map((words) =>
      element("th", { attributes: { scope: "col" } }, words),
    );
    this.table = element(
      "table",
      { attributes: { "aria-label": "Handles" } },
      element("thead", {}, element("tr", {}, ...head)),
      this.rows,
    );
    this.folded.append(element("table", { attributes: { "aria-label": "Stale handles" } }, this.stale));
    this.section = element(
      "section",
      { class: "handles", attributes: { "aria-label": "Handles" } },
      this.title,
      this.none,
      this.table,
      this.folded,
    );
  }

  show({ handles, step, hasAfter }: StateView): void {
    this.title.textContent = step !== undefined && !hasAfter ? "Handles before this step" : "Handles";
    this.none.hidden = handles.length > 0;
    this.table.hidden = handles.length === 0;
    const rows = handles.map((handle, index) => ({ handle, row: this.row(handle, index) }));
    const folded = rows.filter(({ handle }) => isFolded(handle, step));
    const shown = rows.filter(({ handle }) => !isFolded(handle, step));
    const hasFailed = step?.hasFailed === true;
    const rank = ({ isNew, isUsed }: HandleRow): number => Number(isNew) + Number(hasFailed && isUsed);
    shown.sort((one, other) => rank(other.handle) - rank(one.handle));
    this.rows.replaceChildren(...shown.map(({ row }) => row));
    this.stale.replaceChildren(...folded.map(({ row }) => row));
    this.folded.hidden = folded.length === 0;
    this.staleSummary.textContent = folded.length === 1 ? "1 stale handle" : `${folded.length} stale handles`;
  }

  private row(handle: HandleRow, index: number): HTMLElement {
    const name = handle.hasPlace
      ? link(
          handle.name,
          () => {
            this.send({ type: "handle", index, what: "definition" });
          },
          "Go to the definition",
        )
      : handle.name;
    const classes = [handle.liveness, handle.isNew ? "new" : "", handle.isEmpty ? "nothing" : ""];
    return element(
      "tr",
      { class: classes.join(" ").trim() },
      element("th", { class: "name", attributes: { scope: "row" } }, name, handle.isNew && badge("new")),
      element("td", {}, this.liveness(handle)),
      element("td", {}, ...this.contents(handle, index)),
    );
  }

  private liveness({ liveness, since, kind }: HandleRow): HTMLElement {
    const word = liveness === "unknown" ? "perhaps stale" : kind === "parameters" ? "" : liveness;
    if (since === null) {
      return element("span", {}, word);
    }
    const place = since.place === "" ? "" : ` (${since.place})`;
    const lead = link(`step ${since.number}${place}`, () => {
      this.send({ type: "step", number: since.number });
    });
    return element("span", {}, `${word} since `, lead);
  }

  private contents(handle: HandleRow, index: number): (HTMLElement | string)[] {
    const { contents, isEmpty, isExact, kind, items, liveness } = handle;
    if (liveness === "stale" || kind === "parameters") {
      return [contents];
    }
    const then = isExact ? [] : [element("span", { class: "facts" }, " when it was defined")];
    if (isEmpty) {
      return [element("span", { class: "nothing" }, contents), ...then];
    }
    const lead = link(
      contents,
      () => {
        this.send({ type: "handle", index, what: "contents" });
      },
      "Show in the payload",
    );
    return [lead, ...then, ...this.items(items, index)];
  }

  /** The operations one by one, with the places where MLIR read them. */
  private items(items: HandleRow["items"], handle: number): HTMLElement[] {
    if (!items.some(({ place }) => place !== "")) {
      return [];
    }
    const rows = items.map(({ name, place }, index) => {
      const lead = link(place, () => {
        this.send({ type: "item", handle, index });
      });
      return element("li", {}, `${name} `, place === "" ? undefined : lead);
    });
    const words = items.length === 1 ? "source" : "sources";
    return [element("details", {}, element("summary", {}, words), element("ol", {}, ...rows))];
  }
}

/** True for handles that earlier steps invalidated, and that neither this step made stale nor its failure is about. */
function isFolded({ liveness, since, isUsed }: HandleRow, step: StateView["step"]): boolean {
  const isAbout = isUsed && step?.hasFailed === true;
  return liveness === "stale" && since?.number !== step?.number && !isAbout;
}

function badge(word: string): HTMLElement {
  return element("span", { class: "badge" }, word);
}
