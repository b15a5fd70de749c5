import { describe, expect, it } from "vitest";
import { Rerun } from "../../src/redis/rerun.js";

/** A task that ends when it is told to. */
function heldTask() {
  const ends: (() => void)[] = [];
  const rerun = new Rerun(
    () =>
      new Promise((resolve) => {
        ends.push(resolve);
      }),
  );
  return {
    rerun,
    ends,
    async end(): Promise<void> {
      ends.at(-1)?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe("a task that is wanted", () => {
  it("runs at once, and again when it is wanted after it has run", async () => {
    const { rerun, ends, end } = heldTask();
    const first = rerun.want();
    expect(ends).toHaveLength(1);
    await end();
    await first;
    void rerun.want();
    expect(ends).toHaveLength(2);
  });

  it("runs once more where it was wanted while it ran, however often that was", async () => {
    const { rerun, ends, end } = heldTask();
    const first = rerun.want();
    await Promise.all([rerun.want(), rerun.want(), rerun.want()]);
    expect(ends).toHaveLength(1);
    await end();
    expect(ends).toHaveLength(2);
    await end();
    await first;
    expect(ends).toHaveLength(2);
  });
});
