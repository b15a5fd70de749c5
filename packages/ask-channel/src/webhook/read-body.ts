import type { ReadableStream } from "node:stream/web";

/** A body that is longer than it may be. */
export class BodyTooLong extends Error {}

/**
 * All bytes of `body`. Rejects with {@link BodyTooLong} as soon as there are more than `mostBytes`, and with the reason of `signal`
 * when that aborts; what was not read by then is cancelled.
 */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  mostBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  if (body === null) return Buffer.alloc(0);
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  // Copied as they come: a chunk of one byte holds a hundred, and whoever sends chooses how long chunks are.
  let held = Buffer.alloc(0);
  let bytes = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return held.subarray(0, bytes);
      const start = bytes;
      bytes += value.byteLength;
      if (bytes > mostBytes) throw new BodyTooLong(`the body has more than ${mostBytes} bytes`);
      if (bytes > held.length) held = grown(held, Math.min(Math.max(bytes, 2 * held.length), mostBytes));
      held.set(value, start);
    }
  } catch (error) {
    stop();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function grown(held: Buffer, length: number): Buffer<ArrayBuffer> {
  const longer = Buffer.alloc(length);
  longer.set(held);
  return longer;
}
