import { argsDigest, createGrant, type Grant, type GrantStore, type JsonValue } from "@x/permission-core";

/** One test, on a fresh and empty store. */
export type GrantStoreTest = (store: GrantStore) => Promise<void>;

export const CREATED_AT_MS = 1_700_000_000_000;
export const NOW_MS: number = CREATED_AT_MS + 1000;

/** An allow for the tool, or for its call with these arguments, without options. */
export function grant(tool: string, options: { verdict?: Grant["verdict"]; args?: JsonValue } = {}): Grant {
  const scope = options.args === undefined ? "this_tool" : thisCall(options.args);
  return createGrant(tool, options.verdict ?? "Allow", scope, { createdAtMs: CREATED_AT_MS });
}

export function thisCall(args: JsonValue): Grant["scope"] {
  return { this_call: { args } };
}

export function find(
  store: GrantStore,
  tool: string,
  args: JsonValue,
  nowMs: number = NOW_MS,
): Promise<Grant[]> {
  return store.find({ tool, args, argsDigest: argsDigest(args), nowMs });
}
