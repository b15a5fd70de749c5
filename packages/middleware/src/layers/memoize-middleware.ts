import {
  type Clock,
  canonicalJson,
  cloneJson,
  descriptorDigest,
  fnv1a64,
  type JsonValue,
  systemClock,
} from "@x/permission-core";
import { checkCount, checkOption } from "../check-option.js";
import { success, type ToolDispatchResult } from "../dispatch-result.js";
import type { NextLayer, ToolDispatchContext, ToolMiddleware } from "../tool-middleware.js";
import { LAYER_ROLE } from "./layer-role.js";

export interface MemoizeOptions {
  /** how long an output is served, in milliseconds, more than 0; default 60,000; `Infinity`: until it is displaced */
  ttlMs?: number;
  /** how many outputs are kept; the one used longest ago goes first; default 1,000 */
  maxEntries?: number;
  /**
   * Lets a pipeline take this layer outside a gate, where an output is served without the gate being asked again: it
   * outlives a revoked grant and a new deny. Default false.
   */
  unsafeOutsideGate?: boolean;
  clock?: Clock;
}

interface Entry {
  /** the input's canonical text: digests can collide, and an input can be crafted to */
  inputText: string;
  output: JsonValue;
  storedAtMs: number;
}

/**
 * Serves the output of a read-only tool again for the same session, tool, descriptor and input (as it stands at this
 * layer), with `cached: true`, no duration and no record of its own. Only successes are kept, and only outputs that are
 * JSON, as copies; a tool whose descriptor changed is run. Calls without a session id share one cache.
 *
 * Belongs inside the gate. Throws `invalid_option` for options out of range.
 */
export class MemoizeMiddleware implements ToolMiddleware {
  readonly name = "memoize";
  readonly [LAYER_ROLE] = "memoize";
  readonly unsafeOutsideGate: boolean;
  readonly #ttlMs: number;
  readonly #maxEntries: number;
  readonly #clock: Clock;
  /** in order of last use */
  readonly #entries = new Map<string, Entry>();

  constructor(options: MemoizeOptions = {}) {
    const { ttlMs = 60_000, maxEntries = 1_000, unsafeOutsideGate = false, clock = systemClock } = options;
    checkOption(typeof ttlMs === "number" && ttlMs > 0, "ttlMs", ttlMs, "milliseconds, more than 0");
    checkCount("maxEntries", maxEntries);
    checkOption(
      typeof unsafeOutsideGate === "boolean",
      "unsafeOutsideGate",
      unsafeOutsideGate,
      "true or false",
    );
    this.#ttlMs = ttlMs;
    this.#maxEntries = maxEntries;
    this.unsafeOutsideGate = unsafeOutsideGate;
    this.#clock = clock;
  }

  async dispatch(context: ToolDispatchContext, next: NextLayer): Promise<ToolDispatchResult> {
    const place = context.signal.aborted ? null : placeOf(context);
    if (place === null) return next();
    const entry = this.#recall(place);
    if (entry !== null) return { ...success(context.callId, cloneJson(entry.output), 0), cached: true };
    const result = await next();
    const isWorthKeeping = result.errorKind === null && !result.isError && !result.cached;
    // A tool whose call was cancelled may have stopped half-way and still call that a success.
    if (isWorthKeeping && !context.signal.aborted) this.#keep(place, result.output);
    return result;
  }

  #recall({ key, inputText }: Place): Entry | null {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.inputText !== inputText) return null;
    this.#entries.delete(key);
    const ageMs = this.#clock.now() - entry.storedAtMs;
    // A clock that was set back must not make an output last longer.
    if (ageMs < 0 || ageMs >= this.#ttlMs) return null;
    this.#entries.set(key, entry);
    return entry;
  }

  #keep({ key, inputText }: Place, output: unknown): void {
    let copy: JsonValue;
    try {
      copy = cloneJson(output);
    } catch {
      return;
    }
    this.#entries.delete(key);
    this.#entries.set(key, { inputText, output: copy, storedAtMs: this.#clock.now() });
    if (this.#entries.size <= this.#maxEntries) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}

interface Place {
  key: string;
  inputText: string;
}

/** Where a call's output is kept; null for a tool that may change something, and for what has no canonical text. */
function placeOf({ tool, toolName, toolContext, input }: ToolDispatchContext): Place | null {
  if (tool?.readOnly !== true) return null;
  try {
    const inputText = canonicalJson(input);
    const key = JSON.stringify([toolContext.sessionId, toolName, descriptorDigest(tool), fnv1a64(inputText)]);
    return { key, inputText };
  } catch {
    return null;
  }
}
