import { type AskResolver, type PendingAsk, PermissionGateError } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import {
  ApprovalChannel,
  escalate,
  fallback,
  firstAnswer,
  quorum,
  route,
  withDeadline,
} from "../../src/index.js";
import { type AskName, putTelling, type TellingResolver } from "../../src/tells-parked.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { SILENT } from "../support/reports.js";

const A = pendingAsk("A");
const STORED = { id: "stored", args_digest: A.args_digest };

/** A resolver that goes on with another ask, and tells so when `park` is called; `leave`: it is unavailable from then on. */
function teller(stored = STORED) {
  let park: (name?: AskName) => void = () => {};
  let leave: () => void = () => {};
  const resolver: TellingResolver = {
    interactive: false,
    tellsParked: true,
    resolve: (_ask, { onParked }) => {
      park = (name = stored) => onParked?.(name);
      return new Promise((_, reject) => {
        leave = () => reject(new PermissionGateError("ask_unavailable", "gone"));
      });
    },
  };
  return { resolver, park: (name?: AskName) => park(name), leave: () => leave() };
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
  ["firstAnswer", (resolver) => firstAnswer([resolver])],
  ["fallback", (resolver) => fallback([resolver])],
  ["escalate", (resolver) => escalate([{ to: resolver }])],
  ["quorum", (resolver) => quorum(1, [resolver])],
  [
    "one in another",
    (resolver) =>
      withDeadline(
        route(() => withDeadline(resolver, undefined)),
        60_000,
      ),
  ],
])("%s", (_name, composed) => {
  it("tells what its member tells, each id once, and nothing before", () => {
    const { resolver, park } = teller();
    const { told } = put(composed(resolver));
    expect(told).toEqual([]);
    park();
    park();
    expect(told).toEqual([STORED]);
  });

  it("tells in whose place an id stands", () => {
    const { resolver, park } = teller();
    const { told } = put(composed(resolver));
    const renewed = { ...STORED, id: "renewed", instead: STORED.id };
    park();
    park(renewed);
    expect(told).toEqual([STORED, renewed]);
  });

  it("tells nothing once its wait was called off", () => {
    const { resolver, park } = teller();
    const { told, cancel } = put(composed(resolver));
    cancel();
    park();
    expect(told).toEqual([]);
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
  it("says of no id that another stands in its place, as long as another member can be answered by it", () => {
    const [one, twin] = [teller(), teller()];
    const { told } = put(firstAnswer([one.resolver, twin.resolver]));
    one.park();
    twin.park();
    one.park({ ...STORED, id: "renewed", instead: STORED.id });
    twin.park({ ...STORED, id: "too", instead: STORED.id });
    expect(told).toEqual([
      STORED,
      { ...STORED, id: "renewed" },
      { ...STORED, id: "too", instead: STORED.id },
    ]);
  });

  const OTHER = { ...STORED, id: "other" };
  const OWN = { ...STORED, id: "A" };

  it.each<[string, (resolvers: AskResolver[]) => AskResolver]>([
    ["firstAnswer", (resolvers) => firstAnswer(resolvers)],
    ["escalate", (resolvers) => escalate(resolvers.map((to) => ({ to })))],
    ["quorum", (resolvers) => quorum(2, resolvers)],
  ])("tells each id by which a member can be answered once: %s", (_name, composed) => {
    const [one, twin, other] = [teller(), teller(), teller(OTHER)];
    const { resolver } = ApprovalChannel.pair(1, SILENT);
    const { told } = put(composed([one.resolver, twin.resolver, other.resolver, resolver]));
    expect(told).toEqual([OWN]);
    one.park();
    twin.park();
    expect(told).toEqual([OWN, STORED]);
    other.park();
    expect(told).toEqual([OWN, STORED, OTHER]);
  });

  it("tells the id of the next where one is unavailable, and no more of the one before", async () => {
    const [first, second] = [teller(), teller(OTHER)];
    const { told } = put(fallback([first.resolver, second.resolver]));
    first.leave();
    await new Promise((resolve) => setImmediate(resolve));
    first.park();
    second.park();
    expect(told).toEqual([OTHER]);
  });

  it("tells its members of the end of a call that names the ask gone on with", async () => {
    const { resolver, park } = teller();
    const settled: unknown[] = [];
    const member = {
      ...resolver,
      settled: async ({ id }: PendingAsk, outcome: string) => void settled.push([id, outcome]),
    };
    const composed = firstAnswer([member]);
    const { cancel } = put(composed);
    park();
    cancel();
    await composed.settled?.({ ...A, id: "stored" }, "completed");
    expect(settled).toEqual([["A", "completed"]]);
  });
});
