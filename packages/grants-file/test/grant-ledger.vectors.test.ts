import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { describeVectors, type GrantLedgerVector } from "@x/conformance";
import { type Grant, isPermissionGateError } from "@x/permission-core";
import { expect, it } from "vitest";
import type { FileGrantStore } from "../src/index.js";
import { fileStore } from "./support/stores.js";

type Answer = GrantLedgerVector["answer"];

/** What the steps of a vector, which are prose, say to do after its saves. */
const STEPS: { [step: string]: (store: FileGrantStore) => Promise<Answer> } = {
  load: async (store) => loadOrError(store),
  clear: async (store) => ({ cleared: [await store.clear()] }),
  "clear again": async (store) => ({ cleared: [await store.clear()] }),
  "revoke x": async (store) => ({ revoked: await store.revoke("x") }),
  "revoke A.id": async (store) => ({ revoked: await store.revoke("8958f76425c235ce") }),
  "on a project without a ledger, revoke no-such-id": async (store) => ({
    revoked: await store.revoke("no-such-id"),
  }),
};

async function loadOrError(store: FileGrantStore): Promise<Answer> {
  try {
    return { loaded: await store.load() };
  } catch (error) {
    if (isPermissionGateError(error)) return { error: error.code };
    throw error;
  }
}

describeVectors("grant-ledger", {
  it,
  async run({ given, given_hex, saves = [], steps, answer }) {
    const { store, path, write } = fileStore();
    const bytes = given_hex === undefined ? given : Buffer.from(given_hex, "hex");
    if (bytes !== undefined) write(bytes);
    const before = contentOf(path);
    for (const grant of saves) expect(await store.save(grant)).toEqual<Grant>(grant);
    let observed: Answer = {};
    for (const step of steps) {
      const { cleared, ...rest } = (await STEPS[step]?.(store)) ?? {};
      observed = { ...observed, ...rest };
      if (cleared !== undefined) observed.cleared = [...(observed.cleared ?? []), ...cleared];
    }
    const after = contentOf(path);
    const ofFile: Answer = {
      file_unchanged: before !== null && after !== null && before.equals(after),
      file_exists: after !== null,
      directory_exists: existsSync(dirname(path)),
      ...(after === null ? {} : { file: after.toString("utf8"), mode: modeOf(path) }),
    };
    // The answer says which of the facts about the file it speaks of; everything that was returned must be in it.
    const named = Object.entries(ofFile).filter(([fact]) => Object.hasOwn(answer, fact));
    expect({ ...Object.fromEntries(named), ...observed }).toEqual(answer);
  },
});

function contentOf(path: string): Buffer | null {
  return existsSync(path) ? readFileSync(path) : null;
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o7777).toString(8).padStart(4, "0");
}
