import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

const EXAMPLES = ["digests", "grant-store"];

it("shows examples that run as they stand", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const shown = Array.from(readme.matchAll(/```ts\n(.*?)```/gs), ([, code]) => code);
  const run = EXAMPLES.map((name) => readFile(new URL(`readme/${name}.test.ts`, import.meta.url), "utf8"));
  expect(shown).toEqual(await Promise.all(run));
});
