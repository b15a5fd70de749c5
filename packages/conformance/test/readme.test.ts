import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

/** In the order of the README. The one of a channel needs a channel, and runs with the tests that join packages. */
const EXAMPLES = ["digests", "grant-store", "permission-store", "claim-store"];

it("shows examples that run as they stand", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const shown = Array.from(readme.matchAll(/```ts\n(.*?)```/gs), ([, code]) => code ?? "").filter(
    (code) => !code.includes("@x/ask-channel"),
  );
  const run = EXAMPLES.map((name) => readFile(new URL(`readme/${name}.test.ts`, import.meta.url), "utf8"));
  expect(shown).toEqual(await Promise.all(run));
});
