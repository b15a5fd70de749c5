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
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return Buffer.concat(chunks, bytes);
      bytes += value.byteLength;
      if (bytes > mostBytes) throw new BodyTooLong(`the body has more than ${mostBytes} bytes`);
      chunks.push(value);
    }
  } catch (error) {
    stop();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
