import type { Awaitable } from "@x/permission-core";

/** What a store knows of a key that somebody wants to use. */
export type CallbackUse =
  /** the owner has it now, alone */
  | { kind: "begun" }
  /** another owner has it */
  | { kind: "busy" }
  /** it was used; `text` is what its user left */
  | { kind: "done"; text: string };

/**
 * Remembers which messages and tokens were used, so that each is used once. Callback handlers that share a store, in one process
 * or in many, share that. Keys and owners are texts of up to 300 characters.
 */
export interface CallbackStore {
  /**
   * Takes a key for `owner`, for `leaseMs` unless it ends before: atomic. The owner who has it already begins again. What was
   * finished stays so until its time is over.
   */
  begin(key: string, use: { owner: string; leaseMs: number }): Awaitable<CallbackUse>;
  /** Marks the key as used, for `keepMs`; nothing where another owner has it, or it was finished. */
  finish(key: string, use: { owner: string; text: string; keepMs: number }): Awaitable<void>;
  /** Gives the key back unused; nothing where `owner` does not have it. */
  release(key: string, use: { owner: string }): Awaitable<void>;
}
