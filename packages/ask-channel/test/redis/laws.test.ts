import fc from "fast-check";
import { describe, it } from "vitest";
import { RedisApprover, RedisAskResolver } from "../../src/redis/index.js";
import { SILENT } from "../support/reports.js";
import { clientOfFile, freshPrefix, serverOfFile } from "./support/channels.js";
import { RedisModel } from "./support/redis-model.js";

type Step = (model: RedisModel) => Promise<void>;

const side = fc.constantFrom(0, 1);
const id = fc.constantFrom("A", "B", "C");
const resolution = fc.constantFrom("Approve" as const, "Deny" as const);

const park = fc.tuple(side, id).map(
  ([worker, name]): Step =>
    (model) =>
      model.park(worker, name),
);
const answer = fc
  .tuple(
    side,
    id,
    resolution,
    fc.constantFrom(true, true, true, false),
    fc.constantFrom("one", "two", undefined),
  )
  .map(
    ([approver, name, given, isRight, answerId]): Step =>
      (model) =>
        model.answer(approver, name, {
          resolution: given,
          isRight,
          ...(answerId !== undefined && { answerId }),
        }),
  );
const race = fc.tuple(id, resolution).map(
  ([name, given]): Step =>
    (model) =>
      model.race(name, given),
);
const leave = fc.tuple(id, fc.constantFrom("cancel" as const, "expire" as const)).map(
  ([name, how]): Step =>
    (model) =>
      model.leave(name, how),
);
const settle = fc.tuple(side, id, fc.constantFrom("completed" as const, "cancelled" as const)).map(
  ([worker, name, outcome]): Step =>
    (model) =>
      model.settle(worker, name, outcome),
);
const step = fc.oneof(
  { weight: 5, arbitrary: park },
  { weight: 5, arbitrary: answer },
  { weight: 1, arbitrary: race },
  { weight: 2, arbitrary: leave },
  { weight: 2, arbitrary: settle },
);

const redis = clientOfFile(await serverOfFile());

describe("whatever the order of park, answer, race, cancel, expire and settle, of several workers and approvers", () => {
  it("one answer of each ask is taken and all who wait get it, every status is true, and nothing is left waiting", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        // Whoever is asked for a sign of life before it listens gives one a third of a lease later.
        const options = { redis, prefix: freshPrefix(), leaseMs: 3_000, ...SILENT };
        const workers = [new RedisAskResolver(options), new RedisAskResolver(options)];
        const approvers = [new RedisApprover(options), new RedisApprover(options)];
        const stateOf = (name: string) => redis.hget(`{${options.prefix}}:ask:${name}`, "state");
        const model = new RedisModel(workers, approvers, stateOf);
        try {
          for (const run of steps) await run(model);
          await model.verify();
        } finally {
          await Promise.all([...workers, ...approvers].map((each) => each.close()));
        }
      }),
      { numRuns: 200, timeout: 15_000 },
    );
  }, 60_000);
});
