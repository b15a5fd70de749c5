import { describe, expect, it } from "vitest";
import type { WorkerOptions } from "../src/protocol.js";
import { expectNoProcessLeft } from "./support/processes.js";
import { listed, names, oneListed, stage, tally } from "./support/stage.js";
import { pause, until } from "./support/until.js";

expectNoProcessLeft();

const quickly = { channel: { leaseMs: 600 } } as const;

describe("a worker that is killed while 20 of its asks wait", () => {
  /** Killed; 10 are approved and 10 denied meanwhile; then the same calls are made by a new process. */
  async function killedAndReplaced(options: Partial<WorkerOptions>) {
    const here = await stage();
    const calls = names("call", 20);
    const first = await here.worker(quickly);
    const approver = here.approver();
    first.call(calls);
    const asks = await listed(approver, 20);
    await first.kill();
    expect([first.waiting, here.runs()]).toEqual([20, []]);
    const statuses = await Promise.all(
      asks.map((ask, index) => approver.answer(ask, index < 10 ? "Approve" : "Deny")),
    );
    expect(tally(statuses)).toEqual({ delivered: 20 });
    expect(here.runs()).toEqual([]);
    const second = await here.worker({ ...quickly, ...options });
    second.call(calls);
    return { here, approver, asks, second, approved: asks.slice(0, 10).map(({ call_id }) => call_id) };
  }

  it("leaves them to a new one, which takes the answers given meanwhile: 10 run once, and nobody is asked again", async () => {
    const { here, approver, asks, second, approved } = await killedAndReplaced({});
    const endings = await second.allEnded();
    expect(tally(endings.map(({ verdict }) => verdict))).toEqual({ ask_allowed: 10, ask_denied: 10 });
    expect(here.runs().sort()).toEqual(approved.sort());
    expect(new Set(endings.map(({ askId }) => askId))).toEqual(new Set(asks.map(({ id }) => id)));
    expect(await approver.list()).toEqual([]);
    await until(async () => (await approver.openClaims()).length === 0, "no claim is open");
    await second.stop();
  }, 60_000);

  it("loses the 20 answers and asks all again, where a call does not find its ask", async () => {
    const { here, approver, asks, second } = await killedAndReplaced({ without: "reattaching" });
    const again = await listed(approver, 20);
    const before = new Set(asks.map(({ id }) => id));
    expect(again.filter(({ id }) => before.has(id))).toEqual([]);
    expect([second.waiting, here.runs()]).toEqual([20, []]);
  }, 60_000);
});

describe("a worker that is killed after it took an approval", () => {
  /** It dies there; then the same call is made by a new process. */
  async function killedAndReplaced(dies: "after-claim" | "after-run", without: WorkerOptions["without"]) {
    const here = await stage();
    const seams = without === undefined ? quickly : { ...quickly, without };
    const first = await here.worker({ ...seams, dies });
    const approver = here.approver();
    first.call(["deploy"]);
    const ask = await oneListed(approver);
    expect(first.waiting).toBe(1);
    expect(await approver.answer(ask, { resolution: "Approve", decided_by: "Ann" })).toBe("delivered");
    expect(await first.died()).toBe("SIGKILL");
    const second = await here.worker(seams);
    second.call(["deploy"]);
    return { here, approver, ask, second };
  }

  it.each([
    { dies: "after-claim", ran: [] },
    { dies: "after-run", ran: ["deploy"] },
  ] as const)(
    "does not have it run again by itself when it died $dies, and the claim is open",
    async (each) => {
      const { here, approver, ask, second } = await killedAndReplaced(each.dies, undefined);
      const again = await oneListed(approver);
      expect(again.id).not.toBe(ask.id);
      const claim = { ask, answer: { resolution: "Approve", decided_by: "Ann" } };
      expect(await approver.openClaims()).toMatchObject([claim]);
      expect([second.waiting, here.runs()]).toEqual([1, each.ran]);
      expect(await approver.answer(again, "Deny")).toBe("delivered");
      expect(await second.ending("deploy")).toMatchObject({ verdict: "ask_denied" });
      // The claim of the dead one stays on record; that of the denial has been closed.
      await second.stop();
      expect([here.runs(), await approver.openClaims()]).toMatchObject([each.ran, [claim]]);
    },
    60_000,
  );

  it.each([
    { dies: "after-claim", ran: ["deploy"] },
    { dies: "after-run", ran: ["deploy", "deploy"] },
  ] as const)(
    "has it run by itself when it died $dies, where answers are not claimed",
    async (each) => {
      const { here, approver, second } = await killedAndReplaced(each.dies, "claiming");
      expect(await second.ending("deploy")).toMatchObject({ verdict: "ask_allowed" });
      expect(here.runs()).toEqual(each.ran);
      expect(await approver.openClaims()).toEqual([]);
    },
    60_000,
  );
});

describe("two live workers with the same call", () => {
  it("are not both asked about: the second is refused, and the tool runs once", async () => {
    const here = await stage();
    const [first, second] = [await here.worker(quickly), await here.worker(quickly)];
    const approver = here.approver();
    first.call(["deploy"]);
    const ask = await oneListed(approver);
    second.call(["deploy"]);
    expect(await second.ending("deploy")).toMatchObject({ verdict: "ask_denied" });
    await pause(800);
    expect([first.waiting, (await approver.list()).map(({ id }) => id)]).toEqual([1, [ask.id]]);
    expect(await approver.answer(ask, "Approve")).toBe("delivered");
    expect(await first.ending("deploy")).toMatchObject({ verdict: "ask_allowed" });
    expect(here.runs()).toEqual(["deploy"]);
    await Promise.all([first.stop(), second.stop()]);
  }, 60_000);
});
