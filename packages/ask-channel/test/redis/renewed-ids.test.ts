import { describe, expect, it } from "vitest";
import { client, ownServer, until } from "./support/channels.js";
import { expectAskedAnew, FIRST, firstWorker, leaseEnds } from "./support/first-worker.js";

const DURABLE = ["--appendonly", "yes", "--appendfsync", "always"];

/** A client that loses replies to asks that Redis has stored. */
function losing(server: { port: number }) {
  const redis = client(server);
  const losses = { left: 0 };
  for (const name of ["eval", "evalsha"] as const) {
    const run = redis[name].bind(redis) as (...args: unknown[]) => Promise<unknown>;
    const lossy = async (...args: unknown[]) => {
      const reply = await run(...args);
      if (losses.left === 0 || !args.includes("find")) return reply;
      losses.left -= 1;
      throw new Error("the reply was lost");
    };
    Object.assign(redis, { [name]: lossy });
  }
  return { redis, losses };
}

describe("the id under which an ask is asked anew", () => {
  it("is told where the reply to its parking was lost, and nobody is told the earlier one meanwhile", async () => {
    const server = await ownServer(DURABLE);
    const { redis, losses } = losing(server);
    const here = await firstWorker(server, { redis });
    const first = here.waitFor(FIRST);
    await until(() => here.parked.length === 1, "it waits");
    await server.pause();
    await leaseEnds();
    losses.left = 1;
    await here.restart();
    await until(() => losses.left === 0, "the reply is lost");
    const second = here.waitFor(FIRST);
    await until(() => here.parked.length === 3, "both are told");
    const id = here.idNow();
    expect(here.parked).toEqual(["first", id, id]);
    here.parked.pop();
    await expectAskedAnew(here, first);
    expect(await second.answer).toEqual(await first.answer);
  });
});
