/** Splits a line of printed MLIR into coloured pieces. Knows nothing of the page. */

export type PieceKind = "" | "operation" | "value" | "symbol" | "type" | "number" | "string";
export type Piece = [text: string, kind: PieceKind];

const OPERATION = /^\s*(?:%[^=]*= )?("?[A-Za-z_][\w$]*(?:\.[\w$]+)*"?)/;
const KINDS: [PieceKind, string][] = [
  ["string", String.raw`"(?:[^"\\]|\\.)*"`],
  ["value", String.raw`[%^][\w$.-]+(?:[:#]\d+)?`],
  ["symbol", String.raw`@[\w$.-]+|@"[^"]*"`],
  ["type", String.raw`![\w$.]+|(?:\b|(?<=[\d?]x))(?:tensor|memref|vector|index|none|[su]?i\d+|b?f\d+\w*)\b`],
  ["number", String.raw`\b(?:\d+|\?)(?:x(?:\d+|\?))*(?:x(?=[A-Za-z!(]))?(?:\.\d+(?:[eE][+-]?\d+)?)?`],
];

/** Returns the pieces of a line; together they are the line. */
export function pieces(line: string): Piece[] {
  const name = OPERATION.exec(line)?.[1] ?? "";
  const start = name === "" ? 0 : line.indexOf(name);
  const head: Piece[] = name === "" ? [] : [...split(line.slice(0, start)), [name, "operation"]];
  return [...head, ...split(line.slice(start + name.length))];
}

function split(text: string): Piece[] {
  const pattern = new RegExp(KINDS.map(([, source]) => `(${source})`).join("|"), "g");
  const found: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) {
      found.push([text.slice(end, match.index), ""]);
    }
    const group = match.slice(1).findIndex((each: string | undefined) => each !== undefined);
    found.push([match[0], KINDS[group]?.[0] ?? ""]);
    end = match.index + match[0].length;
  }
  return end < text.length ? [...found, [text.slice(end), ""]] : found;
}
