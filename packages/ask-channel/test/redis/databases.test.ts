import { describe, expect, it } from "vitest";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, client, serverOfFile, until } from "./support/channels.js";

const A = pendingAsk("A");

const server = await serverOfFile();

/** A client that has left the database of its options. */
async function selected(database: number, at: { port: number } = server) {
  const redis = client(at, { db: 1 });
  await redis.select(database);
  return redis;
}

describe("a client that has selected another database than its options name", () => {
  it("meets those whose options name it", async () => {
    const channel = channelOn(server);
    const resolver = channel.resolver({ redis: await selected(2) });
    const approver = channel.approver({ redis: client(server, { db: 2 }) });
    const answer = resolver.resolve(A, wait().context);
    expect(await approver.nextPending()).toEqual(A);
    expect(await approver.list()).toEqual([A]);
    expect(await approver.answer(A, "Deny")).toBe("delivered");
    expect(await answer).toEqual({ resolution: "Deny" });
  });

  it("meets nobody in the one that they name: nothing is shown that cannot be answered", async () => {
    const channel = channelOn(server);
    const [there, elsewhere] = [
      channel.approver({ redis: client(server, { db: 0 }) }),
      channel.approver({ redis: client(server, { db: 1 }) }),
    ];
    const shown = [there, elsewhere].map((approver) => approver.nextPending());
    await Promise.all([there.list(), elsewhere.list()]);
    void outcomeOf(channel.resolver({ redis: await selected(2) }).resolve(A, wait().context));
    const approver = channel.approver({ redis: await selected(2) });
    await until(async () => (await approver.list()).length === 1, "it waits");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([there, elsewhere].map((other) => other.load())).toEqual(
      Array(2).fill({ known: 0, unread: 0, readers: 1 }),
    );
    await Promise.all([there.close(), elsewhere.close()]);
    expect(await Promise.all(shown)).toEqual([null, null]);
  });

  it("meets those of database 0 where it has selected that", async () => {
    const channel = channelOn(server);
    void outcomeOf(channel.resolver({ redis: await selected(0) }).resolve(A, wait().context));
    expect(await channel.approver().nextPending()).toEqual(A);
  });
});
