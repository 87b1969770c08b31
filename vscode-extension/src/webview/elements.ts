/** Elements of the page. Texts are set as texts, never as HTML. */

type Child = Node | string | undefined | false;

interface Properties {
  class?: string;
  title?: string;
  role?: string;
  id?: string;
  /** Attributes that have no property of the same name. */
  attributes?: Record<string, string>;
  onClick?: () => void;
}

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  const { class: className, title, role, id, attributes, onClick } = properties;
  if (className !== undefined) {
    made.className = className;
  }
  if (title !== undefined) {
    made.title = title;
  }
  if (id !== undefined) {
    made.id = id;
  }
  if (role !== undefined) {
    made.setAttribute("role", role);
  }
  for (const [name, value] of Object.entries(attributes ?? {})) {
    made.setAttribute(name, value);
  }
  if (onClick !== undefined) {
    made.addEventListener("click", onClick);
  }
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

/** A button with words; `link` for one in a text. */
export function button(
  label: string,
  onClick: () => void,
  properties: Omit<Properties, "onClick"> = {},
): HTMLButtonElement {
  return element(
    "button",
    { ...properties, onClick, attributes: { type: "button", ...properties.attributes } },
    label,
  );
}

export function link(label: string, onClick: () => void, title?: string): HTMLButtonElement {
  return button(label, onClick, { class: "link", ...(title === undefined ? {} : { title }) });
}
