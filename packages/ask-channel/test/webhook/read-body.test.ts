import { ReadableStream } from "node:stream/web";
import { describe, expect, it } from "vitest";
import { BodyTooLong, readBody } from "../../src/webhook/read-body.js";

/** A body in pieces of one byte, each in the very place where the one before it was. */
function inPieces(bytes: Uint8Array): ReadableStream<Uint8Array> {
  const piece = new Uint8Array(1);
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        piece.set(bytes.subarray(at, at + 1));
        at += 1;
        if (at > bytes.length) controller.close();
        else controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
}

describe("a body", () => {
  const bytes = Uint8Array.from({ length: 10_000 }, (_, index) => index % 251);
  const { signal } = new AbortController();

  it("is read without holding on to its pieces, which may be many more bytes than they carry", async () => {
    expect(await readBody(inPieces(bytes), 10_000, signal)).toEqual(Buffer.from(bytes));
  });

  it("is refused at the first byte beyond what it may have", async () => {
    await expect(readBody(inPieces(bytes), 9_999, signal)).rejects.toThrow(BodyTooLong);
  });

  it("may be absent, or have pieces that are empty", async () => {
    const empty = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(0));
        controller.close();
      },
    });
    for (const body of [null, empty]) expect(await readBody(body, 1, signal)).toEqual(Buffer.alloc(0));
  });
});
