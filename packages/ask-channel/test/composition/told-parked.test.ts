import type { AskResolver, PendingAsk } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { ApprovalChannel, firstAnswer, route, withDeadline } from "../../src/index.js";
import { type AskName, putTelling, type TellingResolver } from "../../src/tells-parked.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { SILENT } from "../support/reports.js";

const A = pendingAsk("A");
const STORED = { id: "stored", args_digest: A.args_digest };

/** A resolver that goes on with another ask, and tells so when `park` is called. */
function teller() {
  let park: () => void = () => {};
  const resolver: TellingResolver = {
    interactive: false,
    tellsParked: true,
    resolve: (_ask, { onParked }) => {
      park = () => onParked?.(STORED);
      return new Promise(() => {});
    },
  };
  return { resolver, park: () => park() };
}

/** Puts A, and collects what an answer must name. */
function put(resolver: AskResolver) {
  const told: AskName[] = [];
  const waiting = wait();
  const ended: unknown[] = [];
  const onParked = (stored: AskName) => void told.push(stored);
  const end = (value: unknown) => void ended.push(value);
  putTelling(resolver, A, { ...waiting.context, onParked }, { answer: end, fail: end });
  return { told, ended, ...waiting };
}

describe.each<[string, (resolver: AskResolver) => AskResolver]>([
  ["withDeadline", (resolver) => withDeadline(resolver, 60_000)],
  ["route", (resolver) => route(() => resolver)],
  [
    "one in another",
    (resolver) =>
      withDeadline(
        route(() => withDeadline(resolver, undefined)),
        60_000,
      ),
  ],
])("%s", (_name, composed) => {
  it("tells what its member tells, each time, and nothing before", () => {
    const { resolver, park } = teller();
    const { told, cancel } = put(composed(resolver));
    expect(told).toEqual([]);
    park();
    park();
    expect(told).toEqual([STORED, STORED]);
    cancel();
    park();
    expect(told).toHaveLength(2);
  });

  it("tells the ask's own name, once, as soon as it was put to a member that does not tell", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1, SILENT);
    const { told } = put(composed(resolver));
    expect(told).toEqual([{ id: "A", args_digest: A.args_digest }]);
    expect((await approver.list()).map(({ id }) => id)).toEqual(["A"]);
  });

  it("gives a member that does not tell nobody to tell, and tells nothing where that answered at once", async () => {
    const contexts: object[] = [];
    const resolve = (_ask: PendingAsk, context: object) => {
      contexts.push(context);
      return "Deny" as const;
    };
    const { told, ended } = put(composed({ interactive: false, resolve }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(contexts).toEqual([expect.not.objectContaining({ onParked: expect.anything() })]);
    expect([told, ended]).toEqual([[], ["Deny"]]);
  });

  it("fails where whoever is told throws", async () => {
    const { resolver, park } = teller();
    const onParked = () => {
      throw new Error("no more");
    };
    const telling = composed(resolver) as TellingResolver;
    const outcome = outcomeOf(Promise.resolve(telling.resolve(A, { ...wait().context, onParked })));
    park();
    expect(await outcome).toEqual({ code: "Error: no more" });
  });
});

describe("a composition of several", () => {
  it("does not tell, since its members may know the ask by different ids", () => {
    const { resolver, park } = teller();
    const { told } = put(firstAnswer([resolver, resolver]));
    park();
    expect(told).toEqual([{ id: "A", args_digest: A.args_digest }]);
  });
});
