import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { Turns } from "../../src/terminal/turns.js";
import { outcomeOf, wait } from "../support/asks.js";

describe("Turns", () => {
  it("lets one at a time pass, in order, and skips who has left", async () => {
    const turns = new Turns();
    const order: string[] = [];
    const leaving = wait();
    const staying = wait();
    const endFirst = await turns.take(staying.signal);
    const second = outcomeOf(turns.take(leaving.signal));
    const third = turns.take(staying.signal).then((end) => {
      order.push("third");
      return end;
    });
    leaving.cancel();
    expect(await second).toEqual({ code: "ask_cancelled" });
    expect(order).toEqual([]);
    endFirst();
    (await third)();
    (await turns.take(staying.signal))();
    expect(getEventListeners(staying.signal, "abort")).toHaveLength(0);
    expect(await outcomeOf(turns.take(leaving.signal))).toEqual({ code: "ask_cancelled" });
  });
});
