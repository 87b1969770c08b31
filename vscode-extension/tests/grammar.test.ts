import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import * as oniguruma from "vscode-oniguruma";
import { INITIAL, parseRawGrammar, Registry, type IGrammar } from "vscode-textmate";

const EXAMPLES = join("..", "examples");

interface GrammarContribution {
  scopeName: string;
  path: string;
  injectTo?: string[];
  unbalancedBracketScopes?: string[];
}

const manifest = JSON.parse(readFileSync("package.json", "utf-8")) as {
  contributes: { grammars: GrammarContribution[] };
};

/** Stand-ins for the languages that MLIR is embedded in: as much of them as the injections touch. */
const HOSTS: Record<string, object> = {
  "text.html.markdown": { scopeName: "text.html.markdown", patterns: [] },
  "source.python": {
    scopeName: "source.python",
    patterns: [
      { name: "comment.line.number-sign.python", match: "#.*$" },
      { name: "string.quoted.docstring.multi.python", begin: '"""', end: '"""' },
    ],
  },
};

async function newRegistry(): Promise<Registry> {
  const wasm = createRequire(join(process.cwd(), "x.js")).resolve("vscode-oniguruma/release/onig.wasm");
  await oniguruma.loadWASM(readFileSync(wasm).buffer);
  return new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: (scope) => Promise.resolve(loadGrammar(scope)),
    getInjections: (scope) =>
      manifest.contributes.grammars
        .filter(({ injectTo }) => injectTo?.includes(scope))
        .map(({ scopeName }) => scopeName),
  });
}

function loadGrammar(scope: string): ReturnType<typeof parseRawGrammar> | null {
  const contribution = manifest.contributes.grammars.find(({ scopeName }) => scopeName === scope);
  const text =
    contribution === undefined ? JSON.stringify(HOSTS[scope]) : readFileSync(contribution.path, "utf-8");
  return parseRawGrammar(text, `${scope}.json`);
}

interface Token {
  text: string;
  scopes: string[];
}

function tokenize(grammar: IGrammar, text: string): Token[] {
  let state = INITIAL;
  return text.split("\n").flatMap((line) => {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    return result.tokens.map(({ startIndex, endIndex, scopes }) => ({
      text: line.slice(startIndex, endIndex),
      scopes,
    }));
  });
}

describe("grammars", () => {
  let registry: Registry;
  let mlir: IGrammar;

  before(async () => {
    registry = await newRegistry();
    mlir = await grammar("source.mlir");
  });

  async function grammar(scope: string): Promise<IGrammar> {
    const loaded = await registry.loadGrammar(scope);
    assert.ok(loaded);
    return loaded;
  }

  /** Every `[text, scope]`, in this order, is among the tokens of `source`; a scope may be abbreviated. */
  function expect(source: string, ...expected: [text: string, scope: string][]): void {
    const tokens = tokenize(mlir, source);
    let next = 0;
    for (const [text, scope] of expected) {
      const found = tokens.findIndex((token, index) => index >= next && token.text.trim() === text);
      assert.notEqual(found, -1, `no token ${text} in ${JSON.stringify(tokens.map((token) => token.text))}`);
      const { scopes } = tokens[found]!;
      assert.ok(
        scopes.some((one) => one.startsWith(scope)),
        `${text} has ${scopes.join(" ")}, not ${scope}`,
      );
      next = found + 1;
    }
  }

  it("tells operations of scripts from each other and from those of the payload", () => {
    expect(
      "transform.named_sequence @main(%root: !transform.any_op {transform.readonly}) {",
      ["transform.named_sequence", "keyword.control.transform"],
      ["main", "variable.other.constant.symbol"],
      ["root", "variable.other.value"],
      ["transform", "entity.name.type.dialect"],
      [".any_op", "entity.name.type"],
    );
    expect("%0 = transform.structured.tile_using_for %1", [
      "transform.structured.tile_using_for",
      "support.function.transform",
    ]);
    expect("transform.match.operation_name %op", [
      "transform.match.operation_name",
      "support.function.matcher",
    ]);
    expect(
      "%0 = linalg.matmul ins(%a",
      ["linalg.matmul", "entity.name.tag.payload"],
      ["ins", "keyword.other"],
    );
    expect('"test.op"(%a) : (i32) -> ()', ["test.op", "entity.name.tag.payload"], ["i32", "storage.type"]);
  });

  it("knows values, blocks, symbols and aliases", () => {
    expect("%loops:2 = x.y %a#1, %b.c-d", ["loops", "variable.other"], ["2", "constant.numeric"]);
    expect(
      "%loops:2 = x.y %a#1, %b.c-d",
      ["a", "variable.other"],
      ["1", "constant.numeric"],
      ["b.c-d", "variable.other"],
    );
    expect(
      "^bb0(%x: index):",
      ["bb0", "entity.name.label"],
      ["x", "variable.other"],
      ["index", "storage.type"],
    );
    expect('call @"a b"()', ['"a b"', "variable.other.constant.symbol"]);
    expect(
      "#map = affine_map<(d0) -> (d0)>",
      ["map", "constant.other.alias"],
      ["affine_map", "support.type"],
    );
    expect("!t = !llvm.ptr<3>", ["t", "entity.name.type.alias"], ["llvm", "entity.name.type.dialect"]);
    expect("#gpu.block<x>", ["gpu", "constant.other.dialect"]);
  });

  it("takes shapes apart", () => {
    expect(
      "tensor<4x?x8xf32>",
      ["tensor", "storage.type"],
      ["4", "constant.numeric.dimension"],
      ["x", "punctuation"],
    );
    expect(
      "tensor<4x?x8xf32>",
      ["?", "constant.numeric.dimension"],
      ["8", "constant.numeric"],
      ["f32", "storage.type"],
    );
    expect(
      "vector<[4]x2xi1>",
      ["[4]", "constant.numeric.dimension"],
      ["2", "constant.numeric"],
      ["i1", "storage.type"],
    );
  });

  it("knows numbers, names of attributes and constants", () => {
    expect(
      "{factor = 4 : i64}",
      ["factor", "entity.other.attribute-name"],
      ["4", "constant.numeric"],
      ["i64", "storage.type"],
    );
    expect("1.5e-3, 0xFF, -7, true", ["1.5e-3", "constant.numeric.float"], ["0xFF", "constant.numeric.hex"]);
    expect("1.5e-3, 0xFF, -7, true", ["-7", "constant.numeric.integer"], ["true", "constant.language"]);
  });

  it("reads comments that mean something to tools", () => {
    expect("// RUN: mlir-opt %s", ["RUN", "keyword.other.lit"]);
    expect("// tdls: payload=a.mlir", ["tdls", "keyword.other.tdls"]);
    expect("// -----", ["-----", "keyword.other.separator"]);
    expect("// CHECK-NEXT: %x", ["CHECK-NEXT", "keyword.other.filecheck"]);
    expect("op // expected-error {{no}}", ["expected-error", "keyword.other.expected"]);
    expect("// TODO(someone): %x", ["// TODO(someone): %x", "comment.line"]);
  });

  it("ends strings with their line, and marks escapes", () => {
    expect('"a\\0Ab\\t"', ["\\0A", "constant.character.escape"], ["\\t", "constant.character.escape"]);
    expect('x.y "open\n%a = x.y', ["a", "variable.other"]);
  });

  it("gives every value and transform operation of the examples a scope", () => {
    for (const name of readdirSync(EXAMPLES).filter((file) => file.endsWith(".mlir"))) {
      const plain = tokenize(mlir, readFileSync(join(EXAMPLES, name), "utf-8")).filter(
        ({ text, scopes }) => scopes.length === 1 && /transform\.|%|@|"/.test(text),
      );
      assert.deepEqual(plain, [], name);
    }
  });

  it("tells angle brackets from arrows and comparisons, so that brackets nest", () => {
    const examples = readdirSync(EXAMPLES).filter((file) => file.endsWith(".mlir"));
    const texts = examples.map((file) => readFileSync(join(EXAMPLES, file), "utf-8"));
    texts.push(
      '%0 = x.y %a {m = affine_map<(d0) -> (d0)>, s = "<(", f = #a.b<<"->", 1 : i8>>} : (!t.p<i8>) -> i8 // <[(',
      "#set = affine_set<(d0)[s0] : (d0 - s0 >= 0, -d0 + s0 <= 4, d0 == 0)>",
    );
    const [{ unbalancedBracketScopes = [] }] = manifest.contributes.grammars as [GrammarContribution];
    const ignored = [...unbalancedBracketScopes, "string", "comment"];
    for (const text of texts) {
      const code = tokenize(mlir, text)
        .filter(({ scopes }) => !scopes.some((scope) => ignored.some((each) => scope.startsWith(each))))
        .map((token) => token.text)
        .join("");
      let brackets = code.replaceAll(/[^<>()[\]{}]/g, "");
      for (let before = ""; before !== brackets;) {
        before = brackets;
        brackets = brackets.replaceAll(/<>|\(\)|\[\]|\{\}/g, "");
      }
      assert.equal(brackets, "", text);
    }
  });

  it("colours fences in Markdown, and ends with them", async () => {
    const tokens = tokenize(await grammar("text.html.markdown"), "```mlir\n%a = x.y\n```\n%b");
    assert.ok(
      tokens.some(({ text, scopes }) => text === "a" && scopes.includes("variable.other.value.mlir")),
    );
    assert.ok(!tokens.some(({ text, scopes }) => text.includes("b") && scopes.includes("source.mlir")));
    assert.deepEqual(tokens.at(-1)?.scopes, ["text.html.markdown"]);
  });

  it("colours strings in Python that are scripts, and no others", async () => {
    const python = await grammar("source.python");
    const isScript = (source: string, text: string): boolean =>
      tokenize(python, source).some(
        (token) => token.text === text && token.scopes.includes("variable.other.value.mlir"),
      );
    const script = '"""\n\n  module {\n    %a = x.y\n  }\n"""\n# %b';
    assert.ok(isScript(`a = ${script}`, "a"));
    assert.ok(isScript(`a = ${script}\nc = ${script.replaceAll("%a", "%c")}`, "c"));
    assert.ok(isScript(`a = ${script.replace('"""\n', '"""\\\n')}`, "a"));
    assert.ok(isScript(`a = ${script.replace(/^"""\s*/, '"""')}`, "a"));
    assert.ok(isScript('# mlir\na = """\n%a x\n"""', "a"));
    assert.ok(!isScript(`a = ${script}`, "b"));
    assert.ok(!isScript('a = """module {\n"""\n%a = x.y', "a"));
    assert.ok(!isScript('a = """\nmodule docs\nmodule {\n%a = x.y\n"""', "a"));
    assert.ok(!isScript('a = """\n%a = not mlir\n"""', "a"));
  });

  it("leaves other strings of Python strings", async () => {
    const python = await grammar("source.python");
    const tokens = tokenize(python, 'a = """\nsome words\n"""\nb = 1');
    const scopesOf = (text: string): string[] =>
      tokens.find((token) => token.text.includes(text))?.scopes ?? [];
    assert.ok(scopesOf("some words").some((scope) => scope.startsWith("string.quoted")));
    assert.deepEqual(scopesOf("b = 1"), ["source.python"]);
  });
});
