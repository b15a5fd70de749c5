import { describe, expect, it } from "vitest";
import { Batch } from "../../src/redis/batch.js";
import { outcomeOf } from "../support/asks.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Gives each number doubled, and remembers what ran together. */
function doubling() {
  const runs: number[][] = [];
  const batch = new Batch<number, number>(async (items) => {
    runs.push(items);
    return items.map((item) => 2 * item);
  });
  return { batch, runs };
}

describe("a batch", () => {
  it("runs what is added within one turn together, also by promises of that turn, and gives each its own result", async () => {
    const { batch, runs } = doubling();
    const results = [batch.add(1), batch.add(2)];
    results.push(Promise.resolve().then(() => batch.add(3)));
    expect(await Promise.all(results)).toEqual([2, 4, 6]);
    expect(runs).toEqual([[1, 2, 3]]);
  });

  it("waits for no other turn of the loop", async () => {
    const { batch } = doubling();
    const order: string[] = [];
    await Promise.all([turn().then(() => order.push("turn")), batch.add(1).then(() => order.push("result"))]);
    expect(order).toEqual(["result", "turn"]);
  });

  it("runs anew what is added later", async () => {
    const { batch, runs } = doubling();
    await batch.add(1);
    await batch.add(2);
    expect(runs).toEqual([[1], [2]]);
  });

  it("runs no more than 16 at once, and as many without waiting for the rest", async () => {
    const { batch, runs } = doubling();
    const items = Array.from({ length: 40 }, (_, at) => at);
    const results = items.map((item) => batch.add(item));
    expect(runs.map(({ length }) => length)).toEqual([16, 16]);
    expect(await Promise.all(results)).toEqual(items.map((item) => 2 * item));
    expect(runs.map(({ length }) => length)).toEqual([16, 16, 8]);
  });

  it("fails all that ran together, and none that did not", async () => {
    const batch = new Batch<number, number>(async (items) => {
      if (items.includes(1)) throw new Error("broken");
      return items;
    });
    const failed = [batch.add(1), batch.add(2)].map(outcomeOf);
    expect(await Promise.all(failed)).toEqual([{ code: "Error: broken" }, { code: "Error: broken" }]);
    expect(await batch.add(3)).toBe(3);
  });
});
