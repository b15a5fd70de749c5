import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

it("runs the suites' example of a channel as it stands", async () => {
  const readme = await readFile(new URL("../../../packages/conformance/README.md", import.meta.url), "utf8");
  const shown = Array.from(readme.matchAll(/```ts\n(.*?)```/gs), ([, code]) => code);
  const run = await readFile(new URL("readme/ask-channel-suite.test.ts", import.meta.url), "utf8");
  expect(shown).toContain(run);
});
