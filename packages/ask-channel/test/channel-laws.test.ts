import { getEventListeners } from "node:events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EMPTY, outcomeOf } from "./support/asks.js";
import { ChannelModel } from "./support/channel-model.js";

type Step = (model: ChannelModel) => void | Promise<void>;

const id = fc.constantFrom("A", "B", "C", "D", "E");
const resolution = fc.constantFrom("Approve" as const, "Deny" as const);
const digest = fc.constantFrom("right" as const, "right" as const, "wrong" as const);

const park = id.map(
  (name): Step =>
    (model) =>
      model.park(name),
);
const answer = fc.tuple(id, resolution, digest).map(
  ([name, given, which]): Step =>
    (model) =>
      model.answer(name, given, which),
);
const malformed = id.map(
  (name): Step =>
    async (model) => {
      expect(await outcomeOf(model.approver.resolve(name, "yes" as never))).toEqual({ code: "bad_record" });
    },
);
const abort = fc.tuple(id, fc.constantFrom("cancel" as const, "expire" as const)).map(
  ([name, how]): Step =>
    (model) =>
      model.abort(name, how),
);
const others = fc.constantFrom<Step>(
  (model) => model.read(),
  (model) => model.read(),
  () => new Promise((resolve) => setImmediate(resolve)),
  (model) => model.closeApprover(),
  (model) => model.closeResolver(),
);
const step = fc.oneof(
  { weight: 5, arbitrary: park },
  { weight: 5, arbitrary: answer },
  { weight: 1, arbitrary: malformed },
  { weight: 3, arbitrary: abort },
  { weight: 3, arbitrary: others },
);

describe("whatever the order of park, answer, cancel, expire and close", () => {
  it("each ask ends once and as its statuses said, is approved by its own approval only, and leaves nothing", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60 }),
        fc.integer({ min: 1, max: 3 }),
        async (steps, capacity) => {
          const model = new ChannelModel(capacity);
          for (const run of steps) await run(model);
          const listed = (await model.approver.list()).map((ask) => ask.call_id);
          expect(listed).toEqual(model.open().map((followed) => followed.ask.call_id));
          await model.closeApprover();
          await model.verify();
          expect(model.resolver.load()).toEqual(EMPTY);
          for (const { waiting } of model.all) {
            expect(getEventListeners(waiting.signal, "abort")).toHaveLength(0);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
