import { describe, expect, it } from "vitest";
import type { ApproverOptions } from "../src/protocol.js";
import { expectNoProcessLeft } from "./support/processes.js";
import { proxyTo } from "./support/proxied.js";
import { stage } from "./support/stage.js";
import { pause, until } from "./support/until.js";

expectNoProcessLeft();

/** Long enough for all that comes before it, on a machine that is busy. */
const DEADLINE_MS = 6_000;

/**
 * An approver that was shown five asks and is cut off. Its own answer to `mine` arrived before, unknown to it. While it is
 * away `answered` is denied by another, `cancelled` is called off, `expired` expires, `waits` waits on, and `new` is asked.
 */
async function comeBack(options: Partial<ApproverOptions> = {}) {
  const here = await stage();
  const proxy = await proxyTo(here);
  const worker = await here.worker();
  // So seldom does it look by itself that only coming back can be what tells it. The client that the host gave comes back
  // seconds after the connection that listens.
  const channel = { timeoutMs: 1_500, presenceMs: 120_000 };
  const away = await here.approverProcess({ port: proxy.port, channel, ...options });
  const other = here.approver();
  worker.call(["warm", "mine", "answered", "cancelled", "waits"]);
  worker.call(["expired"], DEADLINE_MS);
  const [mine, answered] = [await away.ask("mine"), await away.ask("answered")];
  const [cancelled, waits] = [await away.ask("cancelled"), await away.ask("waits")];
  const expired = await away.ask("expired");
  expect(await away.answer(await away.ask("warm"), "Deny")).toBe("delivered");

  proxy.dropReplies();
  expect(await away.answer(mine, "Approve", "once")).toBe("rejected: storage");
  expect(await worker.ending("mine")).toMatchObject({ verdict: "ask_allowed" });
  proxy.partition();
  expect(worker.waiting).toBe(4);

  expect(await other.answer(answered, "Deny")).toBe("delivered");
  worker.cancel("cancelled");
  worker.call(["new"]);
  for (const callId of ["answered", "cancelled", "expired"]) await worker.ending(callId);
  expect(await away.answer(waits, "Approve")).toBe("rejected: storage");
  await until(async () => (await other.list()).length === 2, "two wait: an old one and the new one");
  expect([worker.waiting, here.runs()]).toEqual([2, ["mine"]]);
  proxy.restore();
  // Until its connections are made again it knows that it does not know.
  const ghost = { id: "0b0b0b0b-0000-4000-8000-000000000000", args_digest: "none" };
  await until(async () => !(await away.answer(ghost, "Deny")).startsWith("rejected"), "it is back");
  return { here, worker, away, asks: { mine, answered, cancelled, waits, expired, ghost } };
}

describe("an approver that was cut off, and comes back", () => {
  it("is shown what was asked meanwhile, and reads of each answer what became of its ask", async () => {
    const { here, worker, away, asks } = await comeBack();
    const { mine, answered, cancelled, waits, expired, ghost } = asks;
    const fresh = await away.ask("new");
    const otherDigest = { id: waits.id, args_digest: fresh.id };
    const statuses = {
      mineAgain: await away.answer(mine, "Approve", "once"),
      mineAnew: await away.answer(mine, "Approve", "twice"),
      answered: await away.answer(answered, "Approve"),
      cancelled: await away.answer(cancelled, "Approve"),
      expired: await away.answer(expired, "Approve"),
      otherDigest: await away.answer(otherDigest, "Approve"),
      ghost: await away.answer(ghost, "Approve"),
      waits: await away.answer(waits, "Approve"),
      fresh: await away.answer(fresh, "Deny"),
    };
    expect(statuses).toEqual({
      mineAgain: "delivered",
      mineAnew: "already_answered",
      answered: "already_answered",
      cancelled: "cancelled",
      expired: "expired",
      otherDigest: "mismatch",
      ghost: "unknown",
      waits: "delivered",
      fresh: "delivered",
    });
    const verdicts = Object.fromEntries(
      (await worker.allEnded()).map(({ callId, verdict }) => [callId, verdict]),
    );
    expect(verdicts).toEqual({
      warm: "ask_denied",
      mine: "ask_allowed",
      answered: "ask_denied",
      cancelled: "cancelled",
      expired: "ask_expired",
      waits: "ask_allowed",
      new: "ask_denied",
    });
    expect(here.runs()).toEqual(["mine", "waits"]);
    await Promise.all([worker.stop(), away.stop()]);
  }, 60_000);

  it("cannot tell one end from another, where the ends of asks are not read", async () => {
    const { away, asks } = await comeBack({ without: "rememberingEnds" });
    const ends = [asks.answered, asks.cancelled, asks.expired];
    const statuses: string[] = [];
    for (const ask of ends) statuses.push(await away.answer(ask, "Approve"));
    expect(statuses).toEqual(["unknown", "unknown", "unknown"]);
  }, 60_000);

  it("is not shown what was asked meanwhile, where it does not read anew when it listens again", async () => {
    const { here, worker, away } = await comeBack({ seam: "listens-once" });
    // It does listen, but what it had heard before is in doubt until it is read anew.
    const redis = here.client();
    await until(async () => (await redis.pubsub("NUMSUB", "{faults}:asks"))[1] === 1, "it listens");
    worker.call(["newer"]);
    await pause(2_000);
    const shown = away.shown.map(({ call_id }) => call_id);
    expect(shown.filter((callId) => callId.startsWith("new"))).toEqual([]);
    expect(worker.waiting).toBe(3);
  }, 60_000);
});
