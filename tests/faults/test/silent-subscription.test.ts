import { describe, expect, it } from "vitest";
import type { WorkerOptions } from "../src/protocol.js";
import { expectNoProcessLeft } from "./support/processes.js";
import { proxyTo } from "./support/proxied.js";
import { oneListed, stage } from "./support/stage.js";

expectNoProcessLeft();

const ASK_TIMEOUT_MS = 6_000;
/** Within which a worker has read what there was to read when it began to listen. */
const READ_MS = 2_000;

describe("an answer in time of which nothing tells the worker", () => {
  /** The worker's scripts run as always; the connection that listens hears nothing any more, and does not know. */
  async function silenced(options: Partial<WorkerOptions> = {}) {
    const here = await stage();
    const proxy = await proxyTo(here);
    const channel = { leaseMs: 60_000 };
    const worker = await here.worker({ listenPort: proxy.port, channel, ...options });
    const approver = here.approver();
    worker.call(["deploy"], ASK_TIMEOUT_MS);
    await here.listening(1);
    const ask = await oneListed(approver);
    await new Promise((resolve) => setTimeout(resolve, READ_MS));
    proxy.dropReplies();
    expect(await approver.answer(ask, "Approve")).toBe("delivered");
    return { here, worker, approver };
  }

  it("counts although the gate ends its wait on the spot at its deadline: it is looked for shortly before", async () => {
    const { here, worker, approver } = await silenced();
    const { verdict, tookMs } = await worker.ending("deploy");
    expect([verdict, here.runs()]).toEqual(["ask_allowed", ["deploy"]]);
    expect(tookMs).toBeGreaterThan(ASK_TIMEOUT_MS - 600);
    await worker.stop();
    expect(await approver.openClaims()).toEqual([]);
  }, 60_000);

  it("is lost where nobody looks for it, and the call does not run", async () => {
    const { here, worker } = await silenced({ without: "lookingForAnswers" });
    expect([(await worker.ending("deploy")).verdict, here.runs()]).toEqual(["ask_expired", []]);
    await worker.stop();
  }, 60_000);
});
