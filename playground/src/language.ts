/** Colours for MLIR, by words alone: the server knows the rest. */

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const TOKENS: readonly (readonly [RegExp, string])[] = [
  [/\/\/.*/, "comment"],
  [/"(?:[^"\\]|\\.)*"?/, "string"],
  [/%[\w$.-]+(?:[:#]\d+)?/, "variableName"],
  [/@[\w$.-]+/, "labelName"],
  [/[!#][\w$.-]+/, "typeName"],
  [/\^\w+/, "labelName"],
  [/\btransform(?:\.\w+)+/, "keyword"],
  [/\b[a-z_]\w*(?:\.\w+)+/, "standard"],
  [/\b(?:i\d+|f\d+|bf16|index|tensor|memref|vector)\b/, "typeName"],
  [/-?\b\d[\w.]*/, "number"],
];

const language = StreamLanguage.define<null>({
  name: "mlir",
  languageData: { commentTokens: { line: "//" }, closeBrackets: { brackets: ["(", "[", "{", "<", '"'] } },
  startState: () => null,
  token(stream) {
    for (const [pattern, name] of TOKENS) {
      if (stream.match(new RegExp(`^(?:${pattern.source})`)) !== null) {
        return name;
      }
    }
    stream.next();
    return null;
  },
  tokenTable: { standard: tags.standard(tags.name) },
});

const style = HighlightStyle.define([
  { tag: tags.comment, class: "comment" },
  { tag: tags.string, class: "string" },
  { tag: tags.variableName, class: "value" },
  { tag: tags.labelName, class: "symbol" },
  { tag: tags.typeName, class: "type" },
  { tag: tags.keyword, class: "script" },
  { tag: tags.standard(tags.name), class: "payload" },
  { tag: tags.number, class: "number" },
]);

export const mlir = [language, syntaxHighlighting(style)];
