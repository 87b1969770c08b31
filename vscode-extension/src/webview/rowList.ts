/** A list of many rows of the same height, of which only those in sight are in the page. */

import { element } from "./elements";

export interface RowListOptions {
  id: string;
  label: string;
  /** Makes the content of a row, and sets its class and label. */
  render: (row: HTMLElement, index: number) => void;
  /** A row was chosen by click or key. */
  onSelect: (index: number) => void;
  /** Enter, or a double click. */
  onOpen?: (index: number) => void;
}

const MARGIN = 20;

export class RowList {
  readonly container: HTMLElement;
  selected = -1;
  private readonly content: HTMLElement;
  private count = 0;
  private rowHeight = 0;
  private frame = 0;

  constructor(private readonly options: RowListOptions) {
    this.content = element("div", { class: "rows", attributes: { role: "presentation" } });
    this.container = element(
      "div",
      {
        id: options.id,
        class: "row-list",
        role: "listbox",
        attributes: { tabindex: "0", "aria-label": options.label },
      },
      this.content,
    );
    this.container.addEventListener("keydown", (event) => {
      this.key(event);
    });
    this.container.addEventListener("scroll", () => {
      this.later();
    });
    new ResizeObserver(() => {
      this.later();
    }).observe(this.container);
  }

  setCount(count: number): void {
    this.count = count;
    this.selected = Math.min(this.selected, count - 1);
    this.paint();
  }

  /** Marks a row, and scrolls to it. */
  select(index: number): void {
    this.selected = index < this.count ? index : -1;
    this.reveal(this.selected);
    this.paint();
  }

  reveal(index: number): void {
    const height = this.height();
    const { scrollTop, clientHeight } = this.container;
    if (index < 0 || clientHeight === 0) {
      return;
    }
    if (index * height < scrollTop || (index + 1) * height > scrollTop + clientHeight) {
      this.paintSize();
      this.container.scrollTop = Math.max(0, index * height - clientHeight / 2);
    }
  }

  /** Shows the rows that are in sight. */
  paint(): void {
    const height = this.height();
    this.paintSize();
    const first = Math.max(0, Math.floor(this.container.scrollTop / height) - MARGIN);
    const last = Math.min(
      this.count,
      Math.ceil((this.container.scrollTop + this.container.clientHeight) / height) + MARGIN,
    );
    const rows: HTMLElement[] = [];
    for (let index = first; index < last; index++) {
      rows.push(this.row(index, height));
    }
    this.content.replaceChildren(...rows);
    const active =
      this.selected >= first && this.selected < last ? `${this.options.id}-${this.selected}` : "";
    this.container.setAttribute("aria-activedescendant", active);
  }

  private later(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      this.paint();
    });
  }

  private row(index: number, height: number): HTMLElement {
    const isSelected = index === this.selected;
    const row = element("div", {
      id: `${this.options.id}-${index}`,
      role: "option",
      attributes: {
        "aria-selected": String(isSelected),
        "aria-setsize": String(this.count),
        "aria-posinset": String(index + 1),
      },
    });
    row.style.top = `${index * height}px`;
    this.options.render(row, index);
    row.classList.add("row");
    row.classList.toggle("selected", isSelected);
    row.addEventListener("click", () => {
      this.choose(index);
    });
    row.addEventListener("dblclick", () => this.options.onOpen?.(index));
    return row;
  }

  private choose(index: number): void {
    if (index >= 0 && index < this.count) {
      this.select(index);
      this.options.onSelect(index);
    }
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) {
      return;
    }
    const page = Math.max(1, Math.floor(this.container.clientHeight / this.height()) - 1);
    const targets: Partial<Record<string, number>> = {
      ArrowDown: Math.min(this.count - 1, this.selected + 1),
      ArrowUp: Math.max(0, this.selected - 1),
      PageDown: Math.min(this.count - 1, this.selected + page),
      PageUp: Math.max(0, this.selected - page),
      Home: 0,
      End: this.count - 1,
    };
    const target = targets[event.key];
    if (target !== undefined) {
      event.preventDefault();
      this.choose(target);
    } else if (event.key === "Enter" && this.selected >= 0) {
      event.preventDefault();
      this.options.onOpen?.(this.selected);
    }
  }

  private height(): number {
    if (this.rowHeight === 0) {
      const height = parseFloat(getComputedStyle(this.container).getPropertyValue("--row-height"));
      this.rowHeight = Number.isFinite(height) ? height : DEFAULT_HEIGHT;
    }
    return this.rowHeight;
  }

  private paintSize(): void {
    this.content.style.height = `${this.count * this.height()}px`;
  }
}

const DEFAULT_HEIGHT = 20;
