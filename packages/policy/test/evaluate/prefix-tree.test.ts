import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PrefixTree } from "../../src/evaluate/prefix-tree.js";

const found = (tree: PrefixTree<string>, text: string) => {
  const items: string[] = [];
  tree.visit(text, (item) => items.push(item));
  return items;
};

describe("PrefixTree", () => {
  it("finds exactly the items whose prefix a text begins with, shortest first", () => {
    const texts = fc.string({ unit: fc.constantFrom("a", "b", " ", "é", "😀"), maxLength: 6 });
    fc.assert(
      fc.property(fc.array(texts), texts, (prefixes, text) => {
        const tree = new PrefixTree<string>();
        for (const prefix of prefixes) tree.add(prefix, prefix);
        const expected = prefixes
          .filter((prefix) => text.startsWith(prefix))
          .sort((one, other) => one.length - other.length);
        expect(found(tree, text)).toEqual(expected);
        expect(tree.size).toBe(prefixes.length);
      }),
    );
  });

  it("looks at few of many items", () => {
    const tree = new PrefixTree<string>();
    for (let number = 0; number < 10_000; number++) tree.add(`git sub${number} `, `${number}`);
    expect(found(tree, "git sub42 x")).toEqual(["42"]);
    expect(found(tree, "git")).toEqual([]);
  });
});
