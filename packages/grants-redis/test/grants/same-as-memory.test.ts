import { argsDigest, createGrant, type Grant, type JsonValue, MemoryGrantStore } from "@x/permission-core";
import { grantText } from "@x/permission-core/stores";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { RedisGrantStore } from "../../src/index.js";
import { sharedServer } from "../support/servers.js";

const { redis } = await sharedServer();

const NOW_MS = 1_000;
const tools = ["a", "b", "é"];
const calls: JsonValue[] = [null, 1, 1.5e300, "x", { b: [1], a: [] }];

const grant: fc.Arbitrary<Grant> = fc
  .record({
    tool: fc.constantFrom(...tools),
    verdict: fc.constantFrom("Allow" as const, "Deny" as const),
    args: fc.option(fc.constantFrom(...calls), { nil: undefined }),
    createdAtMs: fc.nat(9),
    expiresAtMs: fc.option(fc.constantFrom(NOW_MS, NOW_MS + 1), { nil: undefined }),
    id: fc.option(fc.constantFrom("one", "two"), { nil: undefined }),
  })
  .map(({ tool, verdict, args, createdAtMs, expiresAtMs, id }) => ({
    ...createGrant(tool, verdict, args === undefined ? "this_tool" : { this_call: { args } }, {
      createdAtMs,
      ...(expiresAtMs !== undefined && { expiresAtMs }),
    }),
    ...(id !== undefined && { id }),
  }));

/** With a field and a number that are not known here. */
const text = grant.map((each) => `{"x":1.0,${grantText(each).slice(1).replace('"args":1}', '"args":1.0}')}`);

type Operation =
  | { kind: "save"; grant: Grant }
  | { kind: "saveText"; text: string }
  | { kind: "revoke"; grant: Grant }
  | { kind: "clear" };

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("save" as const), grant }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("saveText" as const), text }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("revoke" as const), grant }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("clear" as const) }) },
);

function run(store: RedisGrantStore | MemoryGrantStore, operation: Operation): Promise<unknown> {
  if (operation.kind === "save") return store.save(operation.grant);
  if (operation.kind === "saveText") return store.saveText(operation.text);
  return operation.kind === "revoke" ? store.revoke(operation.grant.id) : store.clear();
}

it("does what a store in memory does, after any operations", async () => {
  let projects = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 25 }), async (operations) => {
      projects += 1;
      const onReport = () => {};
      const inRedis = new RedisGrantStore(redis, { projectId: `project ${projects}`, onReport });
      const inMemory = new MemoryGrantStore([], { onReport });
      for (const each of operations) expect(await run(inRedis, each)).toEqual(await run(inMemory, each));
      expect(await inRedis.load()).toEqual(await inMemory.load());
      expect(await inRedis.loadTexts()).toEqual(await inMemory.loadTexts());
      for (const tool of tools) {
        for (const args of calls) {
          const query = { tool, args, argsDigest: argsDigest(args), nowMs: NOW_MS };
          expect(await inRedis.find(query)).toEqual(await inMemory.find(query));
        }
      }
    }),
    { numRuns: 60 },
  );
});
