import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { describeVectors, type GrantLedgerAnswer, type GrantLedgerFacts } from "@x/conformance";
import { type Grant, isPermissionGateError } from "@x/permission-core";
import { expect, it } from "vitest";
import type { FileGrantStore } from "../src/index.js";
import { fileStore } from "./support/stores.js";

type Observed = Omit<GrantLedgerAnswer, "cleared"> & GrantLedgerFacts & { cleared?: number[] };

/** The reference has one code for whatever fails within it; the codes here say what failed. */
const REFERENCE_CODES: { readonly [code: string]: string } = { ledger_damaged: "Internal" };

describeVectors("grant-ledger", {
  it,
  async run({ given, given_text, given_hex, grants = [], operations, file, expect: stated, answer }) {
    const { store, path, write } = fileStore();
    const bytes = given_hex === undefined ? (given_text ?? given) : Buffer.from(given_hex, "hex");
    if (bytes !== undefined) write(bytes);
    const before = contentOf(path);
    const observed: Observed = {};
    for (const operation of operations) await operate(store, operation, grants, observed);

    const after = contentOf(path);
    const ofFile = {
      file_unchanged: before !== null && after !== null && before.equals(after),
      file_exists: after !== null,
      directory_exists: existsSync(dirname(path)),
      ...(after === null ? {} : { file: after.toString("utf8"), mode: modeOf(path) }),
    };
    const facts = typeof stated === "object" && !Array.isArray(stated) ? (stated as GrantLedgerFacts) : {};
    const wanted = { ...answer, ...facts, ...(file === undefined ? {} : { file }) };
    const { message, ...others } = wanted;
    const all: Observed = { ...ofFile, ...onlyGrant(observed.loaded), ...observed };
    // The answer says which facts it speaks of; all that was returned must be among them.
    const named = Object.entries(all).filter(([fact]) => Object.hasOwn(others, fact));
    const { message: told, ...returned } = observed;
    expect({ ...Object.fromEntries(named), ...returned }).toEqual(others);
    if (message !== undefined) expect(told).toMatch(patternOf(message, path));
  },
});

async function operate(
  store: FileGrantStore,
  operation: string,
  grants: readonly Grant[],
  observed: Observed,
): Promise<void> {
  const [verb, id = ""] = operation.split(" ");
  if (verb === "save") {
    for (const grant of grants) expect(await store.save(grant)).toEqual<Grant>(grant);
  } else if (verb === "revoke") observed.revoked = await store.revoke(id);
  else if (verb === "clear") observed.cleared = [...(observed.cleared ?? []), await store.clear()];
  else if (verb === "load") await load(store, observed);
  else throw new Error(`no operation is called ${operation}`);
}

async function load(store: FileGrantStore, observed: Observed): Promise<void> {
  try {
    observed.loaded = await store.load();
  } catch (error) {
    if (!isPermissionGateError(error)) throw error;
    observed.error = REFERENCE_CODES[error.code] ?? error.code;
    observed.message = error.message;
  }
}

/** How many grants there are; and of the only one, what the reference's tests look at. */
function onlyGrant(loaded: readonly Grant[] | undefined): GrantLedgerFacts {
  if (loaded === undefined) return {};
  const [only] = loaded;
  if (only === undefined || loaded.length > 1) return { count: loaded.length };
  const { pinned_descriptor, created_at_ms, note } = only;
  return { count: 1, pinned_descriptor, created_at_ms, note };
}

/** Of a message in which `<path>` is the ledger's path, and any other `<…>` some text. */
function patternOf(message: string, path: string): RegExp {
  const parts = message.split(/(<[^>]+>)/).map((part) => {
    if (part === "<path>") return escaped(path);
    return part.startsWith("<") ? ".+" : escaped(part);
  });
  return new RegExp(`^${parts.join("")}$`);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function contentOf(path: string): Buffer | null {
  return existsSync(path) ? readFileSync(path) : null;
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o7777).toString(8).padStart(4, "0");
}
