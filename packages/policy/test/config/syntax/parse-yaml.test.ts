import { describe, expect, it } from "vitest";
import { ConfigSyntaxError } from "../../../src/config/syntax/config-syntax-error.js";
import { parseYaml } from "../../../src/config/syntax/parse-yaml.js";

it("keeps the order and place of keys that are repeated", () => {
  const root = parseYaml("a: x\nb: y\na: z\n");
  if (root.type !== "map") throw new Error("no map");
  expect(root.entries.map(({ key, offset }) => [key, offset])).toEqual([
    ["a", 0],
    ["b", 5],
    ["a", 10],
  ]);
});

it("reads comments alone as nothing", () => {
  expect(parseYaml("# none yet\n").type).toBe("nothing");
});

describe("aliases", () => {
  it("follows one to its anchor, also inside what another alias names", () => {
    const root = parseYaml("a: &a [&b x, *b]\nc: *a\n");
    if (root.type !== "map") throw new Error("no map");
    expect(root.entries[1]?.value).toMatchObject({ type: "list", items: [{ value: "x" }, { value: "x" }] });
  });

  it("refuses a bomb of them at once", () => {
    const bomb = [
      "a0: &a0 x",
      ...range(30).map((n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}, *a${n}]`),
    ].join("\n");
    const start = performance.now();
    expect(failure(bomb).message).toContain("holds more than 20000 values, aliases written out");
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it.each([
    ["one that names what holds it", "a: &a [*a]", "nested more than 64 deep"],
    ["one that nothing was named by", "a: *b", "an alias without its anchor"],
    ["one whose anchor comes later", "a: *b\nc: &b x", "an alias without its anchor"],
    ["an anchor that stands twice", "a: &a x\nb: &a y", "an anchor twice"],
  ])("refuses %s", (_, text, message) => {
    expect(failure(text).message).toContain(message);
  });
});

describe("depth", () => {
  it.each([
    ["[", "]"],
    ["{a: ", "}"],
    ["- ", ""],
  ])("may be 64 of %j and no more", (open, close) => {
    const nested = (depth: number) => `${open.repeat(depth)}x${close.repeat(depth)}`;
    expect(() => parseYaml(nested(64))).not.toThrow();
    expect(failure(nested(65)).message).toContain("nested more than 64 deep");
    expect(failure(nested(1_000)).message).toContain("nested more than 64 deep");
  });
});

describe("what is refused", () => {
  it.each([
    ["a tag of one's own", "a: !secret x", "tag"],
    ["a tag that makes bytes", "a: !!binary aGVsbG8=", "tag"],
    ["a tag for a set", "a: !!set {b}", "tag"],
    ["a tag with a prefix", "%TAG ! tag:example.com,2026:\n---\na: !x y", "tag"],
    ["two documents", "a: x\n---\na: y", "holds several documents"],
    ["bad indentation", "a:\n  - x\n - y", "is no YAML"],
    ["a tab for indentation", "a:\n\t- x", "is no YAML"],
    ["a text that begins with @", "- @x", "is no YAML"],
    ["a text without its closing quote", 'a: "x', "is no YAML"],
    ["a key that is a list", "? [a]\n: b", "a key that is no text"],
    ["a key that is a number", "1: b", "a key that is no text"],
    ["an empty key", ": b", "a key that is no text"],
  ])("refuses %s", (_, text, message) => {
    expect(failure(text).message).toContain(message);
  });

  it("repeats nothing of the text, which may be a secret that a link leads to", () => {
    for (const text of [
      "a: x\n-----BEGIN secret",
      "a: 'x' secret",
      "a: x\nsecret\nb: y",
      "@secret",
      "secret: a: b",
      "]secret",
      "a: *secret",
      "a: &secret x\nb: &secret y",
      "a: !secret x",
      'a: "\\secret"',
      "%secret",
      "%YAML secret",
    ]) {
      expect(failure(text).message).not.toContain("secret");
    }
  });

  it("takes the tags of text, lists and objects", () => {
    expect(parseYaml("!!map {a: !!seq [!!str 1]}")).toMatchObject({
      entries: [{ key: "a", value: { items: [{ type: "text", value: "1" }] } }],
    });
  });

  it("takes a merge key for a key like others", () => {
    expect(parseYaml("a: &a {b: x}\n<<: *a")).toMatchObject({ entries: [{ key: "a" }, { key: "<<" }] });
  });
});

describe("hostile text of the largest size", () => {
  const size = 262_144;
  it.each([
    ["lists in flow", "[", 1],
    ["objects in flow", "{a: ", 4],
    ["both in turn", "[{", 2],
    ["lists in a line", "- ", 2],
    ["keys in a line", "? ", 2],
    ["empty lists beside one another", "[]", 2],
    ["anchors", "&a ", 3],
    ["tags", "!a ", 3],
    ["directives", "%a b\n", 5],
    ["closing braces", "}\n", 2],
    ["quotes", '"', 1],
    ["colons", ": ", 2],
    ["markers", "---\n", 4],
    ["texts behind a text in a list", '- "a" "a" ', 10],
    ["anchors of a value", "&a !b ", 6],
    ["empty directives", "%\n", 2],
    ["items of a list", "- x\n", 4],
    ["pairs", "a: b\n", 5],
  ])("refuses %s in bounded time", (_, piece, length) => {
    const start = performance.now();
    failure(piece.repeat(Math.floor(size / length)));
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it("tells the first of very many signs that cannot stand where they do", () => {
    expect(failure(`a: ${'"x" '.repeat(40_000)}`).message).toContain("Unexpected double-quoted-scalar");
    expect(failure(`a: ${"&x ".repeat(40_000)}y`).message).toContain("Unexpected anchor");
    expect(failure("%a b\n".repeat(50_000)).message).toContain("Too many directives");
    expect(failure("- x\n".repeat(60_000)).message).toContain("more than 100000 signs");
    expect(parseYaml("%YAML 1.2\n---\na: &b !!str x\n")).toMatchObject({ entries: [{ key: "a" }] });
  });

  it("refuses very many keys, and aliases, in bounded time", () => {
    const keys = range(size / 8).map((n) => `k${n}: x`);
    const start = performance.now();
    expect(failure(keys.slice(0, 12_000).join("\n")).message).toContain("more than 20000 values");
    expect(failure(keys.join("\n")).message).toContain("more than 100000 signs");
    expect(failure(`a: &a x\nb: [${"*a,".repeat(20_100)}]`).message).toContain("more than 20000 values");
    expect(performance.now() - start).toBeLessThan(15_000);
  });
});

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

function failure(text: string): ConfigSyntaxError {
  try {
    parseYaml(text);
  } catch (error) {
    if (error instanceof ConfigSyntaxError) return error;
    throw error;
  }
  throw new Error(`was read: ${text.slice(0, 100)}`);
}
