import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BatchWriter } from "../../src/ledger/batch-writer.js";

/** A writer whose writes end when told. */
function rig() {
  const batches: { lines: readonly string[]; end(): void; fail(reason: unknown): void }[] = [];
  const writer = new BatchWriter(
    (lines) =>
      new Promise<void>((resolve, reject) => {
        batches.push({ lines: [...lines], end: resolve, fail: reject });
      }),
  );
  return { writer, batches };
}

const settle = () => new Promise(setImmediate);

describe("BatchWriter", () => {
  it("writes what came at once as one batch, and what came meanwhile as the next", async () => {
    const { writer, batches } = rig();
    writer.append("1");
    writer.append("2");
    await settle();
    writer.append("3");
    await settle();
    writer.append("4");
    expect(batches.map(({ lines }) => lines)).toEqual([["1", "2"]]);
    batches[0]?.end();
    await settle();
    expect(batches.map(({ lines }) => lines)).toEqual([
      ["1", "2"],
      ["3", "4"],
    ]);
  });

  it("settles each append with its own batch, and tries the next one after a failure", async () => {
    const { writer, batches } = rig();
    const first = writer.append("1");
    await settle();
    const second = writer.append("2");
    batches[0]?.fail(new Error("full"));
    await expect(first).rejects.toThrow("full");
    await settle();
    batches[1]?.end();
    await expect(second).resolves.toBeUndefined();
  });

  it("flushes what was there when it was called, and no more", async () => {
    const { writer, batches } = rig();
    writer.append("1");
    await settle();
    writer.append("2");
    const flushed = writer.flush();
    batches[0]?.end();
    await settle();
    writer.append("3");
    batches[1]?.end();
    await flushed;
    expect(batches.map(({ lines }) => lines)).toEqual([["1"], ["2"], ["3"]]);
  });

  it("rejects a flush with the first failure, once everything that waits has ended", async () => {
    const { writer, batches } = rig();
    writer.append("1");
    await settle();
    writer.append("2");
    let isFlushed = false;
    const flushed = writer.flush().finally(() => {
      isFlushed = true;
    });
    flushed.catch(() => {});
    batches[0]?.fail(new Error("full"));
    await settle();
    expect(isFlushed).toBe(false);
    batches[1]?.end();
    await expect(flushed).rejects.toThrow("full");
    await expect(writer.flush()).resolves.toBeUndefined();
  });

  it("keeps every line once and in order, however appends and writes interleave", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 3 })), async (pauses) => {
        const written: string[] = [];
        const writer = new BatchWriter(async (lines) => {
          await Promise.resolve();
          written.push(...lines);
        });
        const expected: string[] = [];
        for (const [index, pause] of pauses.entries()) {
          expected.push(String(index));
          writer.append(String(index));
          for (let turn = 0; turn < pause; turn++) await Promise.resolve();
        }
        await writer.flush();
        expect(written).toEqual(expected);
      }),
    );
  });
});
