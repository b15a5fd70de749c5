import type { JsonValue } from "./json.js";

export type GrantVerdict = "Allow" | "Deny";

/** Every call of the tool, or the calls whose arguments have this canonical text. */
export type GrantScope = "this_tool" | { this_call: { args: JsonValue } };

/** A remembered answer. */
export interface Grant {
  /** 16 hex; kept as it stands when read from a ledger */
  id: string;
  tool: string;
  verdict: GrantVerdict;
  scope: GrantScope;
  /** 16 hex: an allow holds only while the tool's descriptor has this digest; null pins nothing */
  pinned_descriptor: string | null;
  created_at_ms: number;
  note: string | null;
  /** `sha256:` and 64 hex, beside `pinned_descriptor`: the defence against a crafted collision */
  pinned_fingerprint?: string;
  expires_at_ms?: number;
  granted_by?: string;
}

/** Remembers grants. All stores pass one conformance suite. */
export interface GrantStore {
  /** All grants, in insertion order. */
  load(): Promise<Grant[]>;
  /** Grants whose tool is `tool` and whose scope covers `args`, expired ones left out; flat in the number of grants. */
  find(query: GrantQuery): Promise<Grant[]>;
  /** Saves, or replaces the grant of the same id whole and in place. Gives the grant saved. */
  save(grant: Grant): Promise<Grant>;
  /** The grant removed, or null where none had that id. */
  revoke(id: string): Promise<Grant | null>;
  /** How many were removed. */
  clear(): Promise<number>;
}

export interface GrantQuery {
  tool: string;
  args: JsonValue;
  /** `argsDigest(args)` */
  argsDigest: string;
  nowMs: number;
}

/** Single use across processes: true for the first claim of a key, false for every later one within its time. */
export interface ClaimStore {
  /**
   * Any text may be a key; `ttlMs` is a whole number of milliseconds from 1 to 315,360,000,000,000, which is ten thousand
   * years (else `invalid_option`). The claim stands for all of that time, however many others are made. Rejects where it is
   * not known whether the claim was the first: then the caller must not go on, and nobody else reads true either.
   */
  claim(key: string, options: { ttlMs: number }): Promise<boolean>;
}
