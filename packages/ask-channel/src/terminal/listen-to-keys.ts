import { StringDecoder } from "node:string_decoder";
import type { Clock } from "@x/permission-core";
import { type Key, KeyParser } from "./key-parser.js";
import type { TerminalInput } from "./terminal-streams.js";

/** How long an escape may stand alone before it is the Escape key, not the begin of an arrow key. */
const ESCAPE_WAIT_MS = 50;

export interface KeyListener {
  onKey(key: Key): void;
  /** The input ended or failed: no key will come any more. */
  onEnd(cause?: Error): void;
}

/**
 * Puts the terminal into raw mode and tells its keys. Gives the function that stops, after which the input is as it
 * was: its mode, its flow, and no listener of ours.
 */
export function listenToKeys(input: TerminalInput, clock: Clock, listener: KeyListener): () => void {
  const wasRaw = input.isRaw === true;
  const wasFlowing = input.readableFlowing === true;
  const decoder = new StringDecoder("utf8");
  const parser = new KeyParser();
  let escapeTimer: { cancel(): void } | undefined;

  const tell = (keys: Key[]) => {
    for (const key of keys) listener.onKey(key);
  };
  const onData = (chunk: Buffer | string) => {
    escapeTimer?.cancel();
    tell(parser.feed(typeof chunk === "string" ? chunk : decoder.write(chunk)));
    if (parser.holds) escapeTimer = clock.setTimer(() => tell(parser.flush()), ESCAPE_WAIT_MS);
  };
  const onEnd = () => listener.onEnd();
  const onError = (cause: Error) => listener.onEnd(cause);

  input.setRawMode?.(true);
  input.on("data", onData);
  input.on("end", onEnd);
  input.on("close", onEnd);
  input.on("error", onError);
  input.resume();

  return () => {
    escapeTimer?.cancel();
    // A terminal that is gone tells so by an error event.
    input.setRawMode?.(wasRaw);
    input.off("data", onData);
    input.off("end", onEnd);
    input.off("close", onEnd);
    input.off("error", onError);
    if (!wasFlowing) input.pause();
  };
}
