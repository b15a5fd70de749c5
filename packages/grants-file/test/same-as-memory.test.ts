import {
  createGrant,
  type Grant,
  type GrantScope,
  type GrantStore,
  type JsonValue,
  MemoryGrantStore,
} from "@x/permission-core";
import { elementExtents } from "@x/permission-core/stores";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { nodeHost } from "../src/host.js";

import { foreignEntry, query, storeOn } from "./support/stores.js";

const NOW_MS = 1_000;

const tool = fc.constantFrom("a", "b", "é");
const args = fc.constantFrom<JsonValue>(null, 1, 1.5e300, "x", {
  b: [1],
  a: [],
});
const scope: fc.Arbitrary<GrantScope> = fc.oneof(
  fc.constant<GrantScope>("this_tool"),
  args.map((value) => ({ this_call: { args: value } })),
);
const grant = fc
  .record({
    tool,
    verdict: fc.constantFrom<"Allow" | "Deny">("Allow", "Deny"),
    scope,
    createdAtMs: fc.nat(9),
    note: fc.option(fc.string({ unit: "grapheme" }), { nil: undefined }),
    expiresAtMs: fc.option(fc.constantFrom(NOW_MS, NOW_MS + 1), { nil: undefined }),
  })
  .map(({ tool, verdict, scope, createdAtMs, note, expiresAtMs }) =>
    createGrant(tool, verdict, scope, {
      createdAtMs,
      ...(note === undefined ? {} : { note }),
      ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    }),
  );

type Operation =
  | { kind: "save"; grant: Grant }
  | { kind: "revoke"; id: string }
  | { kind: "find"; tool: string; args: JsonValue }
  | { kind: "clear" };

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("save"), grant }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("revoke"), id: grant.map(({ id }) => id) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("revoke"), id: fc.constant("foreign") }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("find"), tool, args }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("clear") }) },
);

async function run(store: GrantStore, operation: Operation): Promise<unknown> {
  switch (operation.kind) {
    case "save":
      return store.save(operation.grant);
    case "revoke":
      return store.revoke(operation.id);
    case "find":
      return store.find(query(operation.tool, operation.args, NOW_MS));
    case "clear":
      return store.clear();
  }
}

function touches(operation: Operation, id: string): boolean {
  if (operation.kind === "save") return operation.grant.id === id;
  if (operation.kind === "revoke") return operation.id === id;
  return operation.kind === "clear";
}

/** The ledger's entries, as they stand in the file. */
function rawEntries(read: () => string): string[] {
  try {
    const text = read();
    return elementExtents(text).map(({ start, end }) => text.slice(start, end));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

it("answers as the memory store does, whatever the order of operations, and never touches other entries' bytes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 25 }), async (operations) => {
      const { store, text, write, path } = storeOn(nodeHost);
      const foreign = foreignEntry("foreign", { tool: "a" }).replace("{", "{\n  ");
      write(`[ ${foreign} ]\n`);
      const memory = new MemoryGrantStore(await store.load());
      for (const operation of operations) {
        const untouched = rawEntries(text).filter((raw) => !touches(operation, JSON.parse(raw).id));
        expect(await run(store, operation)).toEqual(await run(memory, operation));
        expect(await store.load()).toEqual(await memory.load());
        const after = rawEntries(text);
        expect(after.filter((raw) => untouched.includes(raw))).toEqual(untouched);
      }
      const reopened = storeOn(nodeHost, path).store;
      expect(await reopened.load()).toEqual(await memory.load());
    }),
    { numRuns: 40 },
  );
});
